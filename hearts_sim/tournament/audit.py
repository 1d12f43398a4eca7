"""Auditing a run: some of its blocks are played again, and every choice must be the same.

They are played in another process and in another order. Whoever chooses otherwise there has a
memory that outlives a game, looks at a clock, or has random numbers of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from hearts_sim.cards import Card
from hearts_sim.errors import ResultsError
from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.spec import RunSpec
from hearts_sim.tournament.tally import numbers

Rows = np.ndarray[Any, Any]


def is_audited(seed: int, blocks: Any, share: float) -> np.ndarray[Any, Any]:
    """Which blocks are played again: the first one, and of the others a share that looks random.

    Parameters
    ----------
    seed : int
        Of the run.
    blocks : array-like of int
    share : float
        From 0, for none, to 1, for all.

    Returns
    -------
    ndarray of bool
        By block. It depends on the seed and the block alone, so a longer run audits the same ones.
    """
    number = np.asarray(blocks, np.uint64)
    if share <= 0:
        return np.zeros(len(number), bool)
    # Two rounds of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
    mixed = np.full(len(number), seed & (2**64 - 1), np.uint64)
    for more in (number, np.uint64(0)):
        mixed = mixed + more + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ mixed >> np.uint64(31)
    found: np.ndarray[Any, Any] = (mixed / 2.0**64 < share) | (number == 0)
    return found


@dataclass(frozen=True)
class Change:
    """A choice that was another one when the game was played again.

    Attributes
    ----------
    entry : int
        Who chose.
    block, seating, game, hand, trick, seat : int
        Where; `trick` is 0 unless a card was played.
    hook : str
        What was chosen: ``choose_pass``, ``choose_card`` or ``choose_moon``.
    was, now : str
    """

    entry: int
    block: int
    seating: int
    game: int
    hand: int
    trick: int
    seat: int
    hook: str
    was: str
    now: str


@dataclass(frozen=True)
class Recorded:
    """Games with all that was chosen in them.

    Attributes
    ----------
    hands, plays, games : structured ndarray
        With the columns ``game``, ``hand``, ``seat``, ``strategy``, ``points``, ``moon``;
        ``block``, ``seating``, ``game``, ``hand``, ``trick``, ``seat``, ``card``; and ``game``,
        ``faults``. Rows of a game are together and in their order.
    """

    hands: Rows
    plays: Rows
    games: Rows


@dataclass
class Audit:
    """What an audit found.

    Attributes
    ----------
    games : int
        Games that were compared.
    failed : int
        Games that were not, since somebody failed in one of the two.
    changes : dict of entry to list of Change
        The first change in each game; several in one pass are each by themselves.
    """

    games: int = 0
    failed: int = 0
    changes: dict[int, list[Change]] = field(default_factory=dict)

    def compare(self, before: Recorded, after: Recorded) -> None:
        """Compare games of the run with the same games, played again in any order.

        Raises
        ------
        ResultsError
            When all choices are equal and the points are not, or a game is missing: then it is no
            strategy's doing.
        """
        first, second = _by_game(before), _by_game(after)
        for game, was in first.items():
            now = second.get(game)
            if now is None:
                raise ResultsError(f"game {game} is in the log, and was not played again")
            if was.games["faults"].any() or now.games["faults"].any():
                self.failed += 1
                continue
            self.games += 1
            for change in _first_changes(was, now):
                self.changes.setdefault(change.entry, []).append(change)


def _by_game(rows: Recorded) -> dict[int, Recorded]:
    parts = [_split(table) for table in (rows.hands, rows.plays, rows.games)]
    empty = [table[:0] for table in (rows.hands, rows.plays)]
    return {
        game: Recorded(parts[0].get(game, empty[0]), parts[1].get(game, empty[1]), games)
        for game, games in parts[2].items()
    }


def _split(rows: Rows) -> Mapping[int, Rows]:
    game = rows["game"]
    cuts = np.flatnonzero(game[1:] != game[:-1]) + 1
    return {int(part["game"][0]): part for part in np.split(rows, cuts) if len(part)}


_SHOWN = ("hand", "trick", "seat", "card")
_SCORED = ("hand", "seat", "points")


def _first_changes(was: Recorded, now: Recorded) -> list[Change]:
    """The first choice that differs in a game; of a pass, which all choose at once, all of them."""
    if _same(was.plays, now.plays, _SHOWN) and _same(was.hands, now.hands, _SCORED):
        return []
    for hand in range(1, 1 + int(was.hands["hand"].max(initial=0))):
        scores = tuple(rows.hands[rows.hands["hand"] == hand] for rows in (was, now))
        plays = [rows.plays[rows.plays["hand"] == hand] for rows in (was, now)]
        passes = [rows[rows["trick"] == 0] for rows in plays]
        cards = [rows[rows["trick"] > 0] for rows in plays]
        changes = _changed_passes(scores[0], *passes) or _changed_card(scores[0], *cards)
        if not changes and not _same(scores[0], scores[1], _SCORED):
            changes = _changed_moon(cards[0][:1].copy(), scores[0], scores[1])
        if changes:
            return changes
    game = int(was.games["game"][0])
    raise ResultsError(
        f"game {game} was played again with the same choices, and has other points: the log of it "
        "is damaged, or another version of hearts-sim wrote it"
    )


def _same(was: Rows, now: Rows, columns: Iterable[str]) -> bool:
    return len(was) == len(now) and all((was[name] == now[name]).all() for name in columns)


def _changed_passes(hands: Rows, was: Rows, now: Rows) -> list[Change]:
    changes = []
    for seat in np.unique(was["seat"]):
        chosen = [rows["card"][rows["seat"] == seat].tolist() for rows in (was, now)]
        if chosen[0] != chosen[1]:
            row = was[was["seat"] == seat][0]
            texts = [" ".join(str(Card(card)) for card in cards) for cards in chosen]
            changes.append(_change(hands, row, "choose_pass", *texts))
    return changes


def _changed_card(hands: Rows, was: Rows, now: Rows) -> list[Change]:
    both = min(len(was), len(now))
    differ = np.flatnonzero(was["card"][:both] != now["card"][:both])
    if not len(differ):
        return []
    row, other = was[differ[0]], now[differ[0]]
    return [
        _change(
            hands, row, "choose_card", *(str(Card(card)) for card in (row["card"], other["card"]))
        )
    ]


def _changed_moon(places: Rows, was: Rows, now: Rows) -> list[Change]:
    """Who shot chose how it is paid; of a team that shot, one of its members did."""
    if len(was) != len(now):
        return []
    texts = ["points " + " ".join(map(str, rows["points"].tolist())) for rows in (was, now)]
    changes = []
    for seat in was["seat"][was["moon"] == 1]:
        places["seat"], places["trick"] = seat, 0
        changes.append(_change(was, places[0], "choose_moon", *texts))
    return changes


def _change(hands: Rows, row: Any, hook: str, was: str, now: str) -> Change:
    entry = hands["strategy"][hands["seat"] == row["seat"]][0]
    return Change(
        entry=int(entry),
        block=int(row["block"]),
        seating=int(row["seating"]),
        game=int(row["game"]),
        hand=int(row["hand"]),
        trick=int(row["trick"]),
        seat=int(row["seat"]),
        hook=hook,
        was=was,
        now=now,
    )


def audit_run(
    spec: RunSpec,
    folder: RunFolder,
    play_again: Callable[[list[int], Sequence[int]], Future[Recorded | None]],
    width: int,
) -> dict[str, Any]:
    """Play the blocks again that are audited, and compare.

    Parameters
    ----------
    spec : RunSpec
    folder : RunFolder
        Of the run, with all its parts.
    play_again : callable
        Begins to play some blocks without the entries that are absent.
    width : int
        In so many pieces.

    Returns
    -------
    dict
        ``share``, ``blocks``, ``games`` (compared), ``failed`` (games that were not, since somebody
        failed), ``unrecorded`` and ``lost`` (blocks that were played without an audit, and those
        that could not be played again), ``passed_over`` (names of entries that decide by a clock)
        and ``changes``: for each entry that chose otherwise its name as ``strategy``, in how many
        ``games``, and the ``first`` change.

    Raises
    ------
    ResultsError
        See `Audit.compare`.
    """
    notes, audit = folder.parts(), Audit()
    wanted: list[tuple[tuple[str, ...], int, list[int]]] = []
    unrecorded = lost = 0
    for number, noted in sorted(notes.items()):
        all_of_it = np.arange(*noted["blocks"])
        blocks = all_of_it[is_audited(spec.seed, all_of_it, spec.audit)].tolist()
        if not blocks or not noted["games"]:
            continue
        if _is_recorded(spec, noted):
            wanted.append((tuple(noted["absent"]), number, blocks))
        else:
            unrecorded += len(blocks)
    total = sum(len(blocks) for _, _, blocks in wanted)
    pieces: list[tuple[list[int], list[int], Future[Recorded | None]]] = []
    for absent, parts in itertools.groupby(wanted, key=lambda item: item[0]):
        out = [spec.names.index(name) for name in absent]
        for chunk in _chunks([item[1:] for item in parts], -(-total // width)):
            numbers = [number for number, _ in chunk]
            blocks = [block for _, some in chunk for block in some]
            pieces.append((numbers, blocks, play_again(blocks, out)))
    for numbers, blocks, future in pieces:
        again = future.result()
        if again is None:
            lost += len(blocks)
            continue
        for number in numbers:
            audit.compare(_recorded(spec, folder, number), again)
    clocks = {entry for entry, item in enumerate(spec.entries) if item.uses_clock}
    return {
        "share": spec.audit,
        "blocks": total - lost,
        "games": audit.games,
        "failed": audit.failed,
        "unrecorded": unrecorded,
        "lost": lost,
        "passed_over": [spec.names[entry] for entry in sorted(clocks)],
        "changes": [
            {
                "strategy": spec.names[entry],
                "games": len(changes),
                "first": asdict(min(changes, key=lambda change: change.game)),
            }
            for entry, changes in sorted(audit.changes.items())
            if entry not in clocks
        ],
    }


def _chunks(parts: list[tuple[int, list[int]]], size: int) -> list[list[tuple[int, list[int]]]]:
    """Neighbouring parts together until they have so many blocks."""
    chunks: list[list[tuple[int, list[int]]]] = []
    for part in parts:
        if chunks and sum(len(blocks) for _, blocks in chunks[-1]) < size:
            chunks[-1].append(part)
        else:
            chunks.append([part])
    return chunks


def _is_recorded(spec: RunSpec, notes: Mapping[str, Any]) -> bool:
    return spec.log == "plays" or "audit/plays" in notes["files"]


def _recorded(spec: RunSpec, folder: RunFolder, number: int) -> Recorded:
    """The games of a part that are audited."""
    above = "" if spec.log == "plays" else "audit/"
    hands, plays, games = (
        _rows(folder, table, number, columns)
        for table, columns in (
            (f"{above}hands", _HANDS), (f"{above}plays", _PLAYS), ("games", _GAMES),
        )
    )  # fmt: skip
    chosen = [
        rows[is_audited(spec.seed, rows["block"], spec.audit)] for rows in (hands, plays, games)
    ]
    return Recorded(*chosen)


def _rows(folder: RunFolder, table: str, number: int, columns: Sequence[str]) -> Rows:
    arrays = numbers(folder.read_part(table, number, columns))
    rows = np.zeros(len(arrays["block"]), [(name, arrays[name].dtype) for name in columns])
    for name in columns:
        rows[name] = arrays[name]
    return rows


_HANDS = ("block", "game", "hand", "seat", "strategy", "points", "moon")
_PLAYS = ("block", "seating", "game", "hand", "trick", "seat", "card")
_GAMES = ("block", "game", "faults")
