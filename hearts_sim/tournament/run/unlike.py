"""In what two records of the same games differ, and who may have played otherwise."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import numpy as np

from hearts_sim.errors import ResultsError
from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players.choices import Comparison
from hearts_sim.tournament.run.audit import recorded

_MOST_BLOCKS = 8


def unlike(one: RunFolder, other: RunFolder, number: int, spec: RunSpec) -> str:
    """Say in which blocks a part differs in two folders, and whose play that may be.

    With a log of plays it is known who was the first to choose otherwise in each game. Otherwise
    those are named who sit in every game that differs.

    Parameters
    ----------
    one, other : RunFolder
        Both have the part.
    number : int
        Of the part.
    spec : RunSpec
    """
    games: list[Any] = [_rows(folder, "games", number, spec) for folder in (one, other)]
    table = "plays" if spec.log == "plays" else "hands" if spec.log == "hands" else "games"
    rows = games if table == "games" else [_rows(f, table, number, spec) for f in (one, other)]
    differing = _differing_games(rows[0], rows[1]) | _differing_games(games[0], games[1])
    if not differing:
        return "the rows are equal, but not their digests"
    by_game: dict[int, set[str]] = {}
    blocks: dict[int, int] = {}
    for rows_of_games in games:
        for row in rows_of_games.to_dict("records"):
            by_game.setdefault(row["game"], set()).add(row["strategy"])
            blocks[row["game"]] = row["block"]
    where = sorted({blocks[game] for game in differing})
    named = ", ".join(map(str, where[:_MOST_BLOCKS])) + (", ..." if where[_MOST_BLOCKS:] else "")
    text = f"{len(differing)} of its games differ, in block{'s'[: len(where) > 1]} {named}"
    if table == "plays":
        first, choice = _first_otherwise(one, other, number, spec)
        if first:
            return f"{text}; first to choose otherwise: {', '.join(sorted(first))} ({choice})"
    everywhere = set.intersection(*(by_game[game] for game in differing))
    if everywhere and len(everywhere) < len(spec.names):
        return f"{text}; in all of these sit: {', '.join(sorted(everywhere))}"
    return text + ("; who played otherwise is only known with log: plays" * (table != "plays"))


def _rows(folder: RunFolder, table: str, number: int, spec: RunSpec) -> Any:
    frame = folder.read_part(table, number).to_pandas()
    texts = frame.select_dtypes("category").columns
    return frame.astype(dict.fromkeys(texts, object))


def _differing_games(one: Any, other: Any) -> set[int]:
    """Games whose rows are not the same in both."""
    if len(one) == len(other) and (one["game"] == other["game"]).all():
        differs = np.zeros(len(one), bool)
        for name in one.columns:
            differs |= ~((one[name] == other[name]) | (one[name].isna() & other[name].isna()))
        return set(one["game"][differs].tolist())
    pieces = [dict(list(frame.groupby("game"))) for frame in (one, other)]
    return {
        game
        for game in pieces[0].keys() | pieces[1].keys()
        if game not in pieces[0]
        or game not in pieces[1]
        or not pieces[0][game].reset_index(drop=True).equals(pieces[1][game].reset_index(drop=True))
    }


def _first_otherwise(
    one: RunFolder, other: RunFolder, number: int, spec: RunSpec
) -> tuple[set[str], str]:
    """Who was the first to choose otherwise in a game, and the first of these choices."""
    found = Comparison()
    with contextlib.suppress(ResultsError):  # games are missing, or rows are no game's
        found.compare(recorded(one, number), recorded(other, number))
    if not found.changes:
        return set(), ""
    first = min(itertools.chain(*found.changes.values()), key=lambda change: change.game)
    what = "" if not first.trick else f", trick {first.trick}"
    where = f"game {first.game}, hand {first.hand}{what}, seat {first.seat}"
    names = {spec.names[entry] for entry in found.changes}
    return names, f"{where}: {first.hook} {first.was} in one, {first.now} in the other"
