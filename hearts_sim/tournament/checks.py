"""What a run checks about itself: its deals, and whether its strategies are different players."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from hearts_sim.engine._jit import kernel
from hearts_sim.engine.layout import JOB, WATCH_CALLS
from hearts_sim.engine.machine import BotFailed, Machine
from hearts_sim.engine.rng import hand_key
from hearts_sim.errors import HeartsError
from hearts_sim.strategy.table import Lineup
from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.spec import RunSpec

LONGEST_CHECK: Final = 0.01
"""Share of a run's time that a game of a strategy with itself may take."""

_CARDS_PER_GAME: Final = 1000


MOST_KEYS: Final = 1 << 22
"""So many keys of deals are held at a time."""


@kernel
def _fill_keys(
    seed: int, blocks: Any, hands: Any, parts: np.uint64, part: np.uint64, keys: Any
) -> int:
    """Write the keys that leave this rest; how many there are, of which no more than fit."""
    place = 0
    for row in range(len(blocks)):
        for hand in range(1, hands[row] + 1):
            key = hand_key(seed, blocks[row], hand)
            if key % parts == part:
                if place < len(keys):
                    keys[place] = key
                place += 1
    return place


def deals_of(spec: RunSpec, folder: RunFolder) -> dict[str, int]:
    """Count the deals of the parts in a folder; see `count_deals`."""
    from hearts_sim.tournament.counting import Counter

    counter = Counter.of(spec.rules, len(spec.entries), spec.log)
    counted = (part.counts() for part in counter.parts(folder))
    return count_deals(spec.seed, ((part.blocks, part.dealt) for part in counted))


def count_deals(seed: int, dealt: Iterable[tuple[Any, Any]]) -> dict[str, int]:
    """Count a run's deals, and those that were dealt before.

    Parameters
    ----------
    seed : int
        Of the run.
    dealt : iterable of (ndarray, ndarray)
        Numbers of blocks, and the deals of each, part by part.

    Returns
    -------
    dict
        ``played``: deals, each counted once however many seatings played it; ``repeated``: how many
        of them have the key of another one.
    """
    found = [(block.astype(np.int64), hands.astype(np.uint16)) for block, hands in dealt]
    if not found:
        return {"played": 0, "repeated": 0}
    blocks, hands = (np.concatenate(columns) for columns in zip(*found, strict=True))
    played, repeated = int(hands.sum(dtype=np.int64)), 0
    # Equal keys leave the same rest, so that a share of them can be sorted at a time.
    shares = -(-played // MOST_KEYS)
    for share in range(shares):
        keys = np.zeros(2 * played // shares if shares > 1 else played, np.uint64)
        size = _fill_keys(seed, blocks, hands, np.uint64(shares), np.uint64(share), keys)
        keys = keys[:size]
        keys.sort()
        repeated += int((keys[1:] == keys[:-1]).sum())
    return {"played": played, "repeated": repeated}


def game_with_itself(spec: RunSpec, line_up: Lineup, entry: int, memory: Any = None) -> str | None:
    """Digest of all cards that an entry passes and plays in a game against its own copies.

    Everybody gets the deals of block 0, and the random numbers of its seats. Two entries with equal
    digests chose alike in every one of several hundred decisions.

    Parameters
    ----------
    memory : writable buffer, optional
        Where another process can watch the game; see `Machine`.

    Returns
    -------
    str or None
        None when the strategy failed.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C while a strategy in plain Python was thinking in this process.
    """
    machine = Machine(spec.rules, spec.seed, "plays", len(line_up.entries), memory)
    line_up = Lineup(
        machine, line_up.entries, line_up.prepared, line_up.memory_mb, line_up.entering
    )
    jobs = np.zeros(1, JOB)
    jobs["watch"] = 0 if memory is None else WATCH_CALLS
    jobs["entries"][:, : spec.rules.players] = entry
    digest = hashlib.sha256()
    try:
        for seat in range(spec.rules.players):
            line_up.seat(entry, seat)
        for _, _, plays in machine.play(jobs):
            digest.update(plays.view(np.uint8))
    except BotFailed:
        line_up.fault()  # raises after Ctrl-C
        return None
    except HeartsError:
        return None
    finally:
        line_up.close()
    return digest.hexdigest()[:16]


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
