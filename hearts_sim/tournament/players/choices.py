"""In what choices two records of the same games differ, and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hearts_sim.cards import Card
from hearts_sim.errors import ResultsError

Rows = np.ndarray[Any, Any]


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
class Comparison:
    """What two records of games have and have not in common.

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
        """Compare games with the same games, played again in any order.

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
