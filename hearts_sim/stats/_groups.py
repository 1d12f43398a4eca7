"""Who can be compared with whom: groups of entries in the graph "i scored against j"."""

import numpy as np
from numpy.typing import NDArray

from hearts_sim.stats._clusters import Floats, Ints

Flags = NDArray[np.bool_]


def components(wins: Floats, unrated: Flags, *, weak: bool = False) -> Ints:
    """Label connected components in the order of their first entries, unrated as -1.

    Strong ones, with results in both directions, unless `weak`: then any result connects.
    """
    if not unrated.any() and np.all((wins > 0) | np.eye(unrated.size, dtype=np.bool_)):
        return np.zeros(unrated.size, dtype=np.int64)  # as in most runs, and without a search
    from scipy.sparse import csgraph, csr_array  # type: ignore[import-untyped, unused-ignore]

    kind = "weak" if weak else "strong"
    _, label = csgraph.connected_components(csr_array(wins > 0), connection=kind)
    _, first, label = np.unique(label, return_index=True, return_inverse=True)
    first[label[unrated]] = label.size  # components of their own, at the end
    labels = np.argsort(np.argsort(first, kind="stable"), kind="stable")[label]
    labels[unrated] = -1
    return labels.astype(np.int64)


def largest(labels: Ints) -> Flags:
    """Members of the largest group, of equal ones the first; nobody when all labels are -1."""
    size = np.bincount(labels[labels >= 0])
    return labels == np.argmax(size) if size.size else np.zeros(labels.size, dtype=np.bool_)


def reached(wins: Floats, start: Flags) -> Flags:
    """Entries that a chain of wins from one of `start` leads down to, without `start` itself."""
    known = start
    while True:
        further = known | (wins[known] > 0).any(axis=0)
        if np.array_equal(further, known):
            return known & ~start
        known = further


def yield_half(wins: Floats, labels: Ints) -> Floats:
    """Let every group that only won against another yield half a comparison to it.

    As if one game between the two groups had gone half a point worse for the winner. The half is
    spread over the pairs in proportion to their comparisons, because no pair is known to be the
    one that would have yielded.
    """
    rated = labels >= 0
    groups = int(labels.max()) + 1
    member = (labels[None, :] == np.arange(groups)[:, None]).astype(np.float64)
    between = member @ wins @ member.T
    np.fill_diagonal(between, 0.0)
    share = np.zeros_like(between)
    np.divide(0.5, between, out=share, where=between > 0)
    moved = np.zeros_like(wins)
    inner = np.ix_(rated, rated)
    moved[inner] = wins[inner] * share[np.ix_(labels[rated], labels[rated])]
    return wins - moved + moved.T
