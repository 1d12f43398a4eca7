"""What a run checks about itself: its deals, and whether its strategies are different players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from hearts_sim.tournament.counting.kept import Counter
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.spec import RunSpec

LONGEST_CHECK: Final = 0.01
"""Share of a run's time that a game of a strategy with itself may take."""

_CARDS_PER_GAME: Final = 1000


def dealt_in(spec: RunSpec, folder: RunFolder) -> list[tuple[Any, Any]]:
    """Blocks of the parts in a folder, and how many deals each has: see `deals.count_deals`."""
    counter = Counter.of(spec.rules, len(spec.entries), spec.log)
    found = (part.dealt() for part in counter.parts(folder))
    return [(blocks.astype(np.int64), deals.astype(np.uint16)) for blocks, deals in found]


def worth_checking(
    names: Sequence[str], notes: Iterable[Mapping[str, Any]], seconds: float
) -> list[int]:
    """Entries of which a game with itself takes no more than `LONGEST_CHECK` of the run's time.

    Parameters
    ----------
    names : sequence of str
        Of the entries.
    notes : iterable of mapping
        What is kept of each part: decisions and nanoseconds by name.
    seconds : float
        How long the run took, in all its processes.
    """
    decisions = dict.fromkeys(names, 0)
    nanoseconds = dict.fromkeys(names, 0)
    for part in notes:
        for name in names:
            decisions[name] += part["decisions"][name]
            nanoseconds[name] += part["nanoseconds"][name]
    limit = max(1.0, LONGEST_CHECK * seconds)
    return [
        entry
        for entry, name in enumerate(names)
        if nanoseconds[name] * 1e-9 * _CARDS_PER_GAME <= limit * max(decisions[name], 1)
    ]


def alike(names: Sequence[str], digests: Mapping[int, str | None]) -> list[list[str]]:
    """Groups of entries that chose alike everywhere."""
    groups: dict[str, list[str]] = {}
    for entry, digest in sorted(digests.items()):
        if digest is not None:
            groups.setdefault(digest, []).append(names[entry])
    return [group for group in groups.values() if len(group) > 1]
