"""In what two records of the same games differ, and who may have played otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.tournament.folder import RunFolder
from hearts_sim.tournament.spec import RunSpec

_MOST_BLOCKS = 8


def unlike(one: RunFolder, other: RunFolder, number: int, spec: RunSpec) -> str:
    """Say in which blocks a part differs in two folders, and whose play that may be.

    With a log of plays it is known who was the first to play otherwise in each game. Otherwise
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
    seats: dict[tuple[int, int], str] = {}
    for rows_of_games in games:
        for row in rows_of_games.to_dict("records"):
            by_game.setdefault(row["game"], set()).add(row["strategy"])
            blocks[row["game"]] = row["block"]
            seats[row["game"], row["seat"]] = row["strategy"]
    where = sorted({blocks[game] for game in differing})
    named = ", ".join(map(str, where[:_MOST_BLOCKS])) + (", ..." if where[_MOST_BLOCKS:] else "")
    text = f"{len(differing)} of its games differ, in block{'s'[: len(where) > 1]} {named}"
    if table == "plays":
        first = {seats[game, seat] for game, seat in _first_otherwise(rows[0], rows[1], differing)}
        if first:
            return f"{text}; first to play otherwise: {', '.join(sorted(first))}"
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


def _first_otherwise(one: Any, other: Any, differing: set[int]) -> set[tuple[int, int]]:
    """Game and seat of the first card that is another one, in each game that differs."""
    found = set()
    for game in differing:
        pair = [frame[frame["game"] == game] for frame in (one, other)]
        length = min(map(len, pair))
        seats = pair[0]["seat"].to_numpy()[:length]
        unequal = (pair[0]["card"].to_numpy()[:length] != pair[1]["card"].to_numpy()[:length]) | (
            seats != pair[1]["seat"].to_numpy()[:length]
        )
        if unequal.any():
            found.add((game, int(seats[np.argmax(unequal)])))
    return found
