"""One game of a run again: its cards from the log, or played once more by the same strategies."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hearts_sim.errors import ResultsError, StrategyLoadError
from hearts_sim.rules import RULES_VERSION, Rules
from hearts_sim.tournament.reading.results import Results

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from hearts_sim.engine.machine import Machine
    from hearts_sim.strategy.seated import Seated
    from hearts_sim.strategy.table import Lineup
    from hearts_sim.tournament.plan.policy import FaultRules
    from hearts_sim.tournament.players.due import Due


@dataclass(frozen=True, eq=False)
class Replay:
    """A game of a run with all its cards.

    Attributes
    ----------
    run : str
        Name of the run.
    game, block, seating : int
        As in the log.
    names : tuple of str
        Entries by seat.
    rules : Rules
    seed : int
        Of the run.
    games, hands, plays : DataFrame
        Rows of this game alone, with the columns of the log.
    again : bool
        Whether it was played again, because the log does not keep cards.
    differs : str
        Where the game that was played again is not the one in the log, and why that may be; empty
        when it is.
    """

    run: str
    game: int
    block: int
    seating: int
    names: tuple[str, ...]
    rules: Rules
    seed: int
    games: pd.DataFrame
    hands: pd.DataFrame
    plays: pd.DataFrame
    again: bool
    differs: str


def replay_game(results: Results, game: int) -> Replay:
    """Find a game in the log, or play it again in this process where the log keeps no cards.

    Who sits where comes from the log, the cards from the seed.

    Parameters
    ----------
    results : Results
        Of a finished or unfinished run.
    game : int
        Column ``game`` of the log.

    Raises
    ------
    ResultsError
        When there is no such game, it is not played yet, or the log is damaged.
    StrategyLoadError
        When it must be played again, and a strategy of the game is gone or was edited since.
    StrategyFault
        When a strategy fails as it plays again, and the rules of the run were strict.
    """
    part = _part_of(results, game)
    logged = {"games": _rows(results, "games", part, game)}
    first = logged["games"].slice(0, 1).to_pylist()[0]
    block = int(first["block"])
    for table in ("hands", "plays"):
        if results.has(table):
            logged[table] = _rows(results, table, part, game, block)
    again = "plays" not in logged
    shown, differs = logged, ""
    if again:
        shown = _play_again(results, logged["games"].to_pylist(), part)
        differs = _difference(results, logged, shown)
    return Replay(
        run=results.info["name"],
        game=game,
        block=block,
        seating=int(first["seating"]),
        names=tuple(logged["games"]["strategy"].to_pylist()),
        rules=results.rules,
        seed=int(results.info["identity"]["seed"]),
        games=shown["games"].to_pandas(),
        hands=shown["hands"].to_pandas(),
        plays=shown["plays"].to_pandas(),
        again=again,
        differs=differs,
    )


def _part_of(results: Results, game: int) -> int:
    """Number of the part that holds a game.

    Parts are in the order of the games, so a few looks find it among many.
    """
    parts = results.folder.parts()
    numbers = sorted(number for number, notes in parts.items() if notes["games"])

    def first_game(number: int) -> int:
        return int(results.folder.read_part("games", number, ["game"])["game"][0].as_py())

    at = bisect.bisect_right(numbers, game, key=first_game) - 1
    if at < 0 or not _rows(results, "games", numbers[at], game).num_rows:
        raise ResultsError(_no_game(results, game, numbers, first_game))
    return numbers[at]


def _no_game(
    results: Results, game: int, numbers: Sequence[int], first_game: Callable[[int], int]
) -> str:
    played = sum(int(notes["games"]) for notes in results.folder.parts().values())
    total = int(results.info["games"])
    if played < total and game < total:
        return (
            f"game {game} of {results.path} is not played yet: {played:,} of {total:,} games are; "
            "let the run come to its end first"
        )
    if not numbers:
        return f"{results.path} has no game {game}: no game is played yet"
    last = results.folder.read_part("games", numbers[-1], ["game"])["game"][-1].as_py()
    if game > last:
        return f"{results.path} has no game {game}: its games are 0 to {last}"
    return f"{results.path} has no game {game}: somebody in it was disqualified before"


def _rows(results: Results, table: str, part: int, game: int, block: int | None = None) -> pa.Table:
    """Rows of one game; with its block, which has statistics in the file, less is read."""
    filters: list[tuple[str, str, int]] = [("game", "==", game)]
    if block is not None:
        filters.append(("block", "==", block))
    rows: pa.Table = results.folder.read_part(table, part, filters=filters)
    return rows


@dataclass(frozen=True, eq=False)
class SetUp:
    """A game of a run, ready to be played again in this process.

    Attributes
    ----------
    machine : Machine
    lineup : Lineup
        Close it afterwards.
    jobs : ndarray of dtype `JOB`
        The one game.
    rules : FaultRules
        Those of the run.
    due : list of Due
        Faults after which the bot was not asked again, which may not happen by themselves.
    names : list of str
        Entries by seat.
    """

    machine: Machine
    lineup: Lineup
    jobs: Any
    rules: FaultRules
    due: list[Due]
    names: list[str]


def set_up(results: Results, game: int) -> SetUp:
    """Lay out a game of the log.

    Raises
    ------
    ResultsError, StrategyLoadError
        As `replay_game`.
    """
    part = _part_of(results, game)
    return _set_up(results, _rows(results, "games", part, game).to_pylist(), part)


def _set_up(results: Results, rows: Sequence[Mapping[str, Any]], part: int) -> SetUp:
    from hearts_sim.engine.layout import JOB, WATCH_CALLS
    from hearts_sim.engine.machine import Machine
    from hearts_sim.strategy.table import Lineup
    from hearts_sim.tournament.plan.policy import FaultRules

    by_seat = [str(row["strategy"]) for row in sorted(rows, key=lambda row: int(row["seat"]))]
    names = list(dict.fromkeys(by_seat))
    machine = Machine(results.rules, int(results.info["identity"]["seed"]), "plays", len(names))
    lineup = Lineup(machine, _find_strategies(results, names))
    jobs = np.zeros(1, JOB)
    jobs["block"], jobs["seating"] = rows[0]["block"], rows[0]["seating"]
    jobs["number"], jobs["watch"] = rows[0]["game"], WATCH_CALLS
    for seat, name in enumerate(by_seat):
        jobs["entries"][0, seat] = names.index(name)
        lineup.seat(names.index(name), seat)
    rules = FaultRules(**results.info["identity"]["faults"])
    return SetUp(machine, lineup, jobs, rules, _due(results, part, int(rows[0]["game"])), by_seat)


def _due(results: Results, part: int, game: int) -> list[Due]:
    """What is in the log of a game's hard faults: time, memory and the end of a process."""
    from hearts_sim.strategy.faults import HARD
    from hearts_sim.tournament.players.due import Due, key_of

    if not results.folder.parts()[part]["faults"]:
        return []
    return [
        Due(
            row["block"],
            row["seating"],
            key_of(row["hand"], row["hook"], row["trick"], row["seat"]),
            row["kind"],
            row["message"],
        )
        for row in _rows(results, "faults", part, game).to_pylist()
        if row["kind"] in HARD
    ]


def _play_again(
    results: Results, rows: Sequence[Mapping[str, Any]], part: int
) -> dict[str, pa.Table]:
    """Play the game of these rows of the games table, and return its rows of all tables."""
    from hearts_sim.tournament.log.columns import arrow_table, names_for
    from hearts_sim.tournament.players.judge import Judge

    again = _set_up(results, rows, part)
    judge = Judge(again.machine, again.lineup, again.rules)
    judge.expect(again.due)
    try:
        again.machine.play_on(again.jobs, judge)
    finally:
        again.lineup.close()
    texts = names_for(results.rules, list(dict.fromkeys(again.names)))
    tables = ("hands", "games", "plays")
    return {
        table: arrow_table(table, played, texts)
        for table, played in zip(tables, again.machine.rows(), strict=True)
    }


def _find_strategies(results: Results, names: Sequence[str]) -> list[Seated]:
    """Load the strategies of some entries, which must be as they were in the run."""
    from hearts_sim.strategy.loader import load_folders
    from hearts_sim.tournament.plan.spec import EntrySpec, problem_of, seat_entry

    library = load_folders(results.info["config"]["strategies"]["folders"])
    entries = {
        entry["name"]: EntrySpec(**entry | {"command": tuple(entry["command"])})
        for entry in results.info["entries"]
    }
    problems = [problem for name in names if (problem := problem_of(entries[name], library))]
    if problems:
        raise StrategyLoadError(
            f"the log of {results.path} keeps no cards (log: {results.log}), and its strategies "
            "cannot play this game again:\n"
            + "\n".join(problems)
            + "\nput the files back as they were, or play the run again with log: plays"
        )
    return [seat_entry(entries[name], library) for name in names]


def _difference(
    results: Results, logged: Mapping[str, pa.Table], played: Mapping[str, pa.Table]
) -> str:
    """The first difference between the log and the game that was played again."""
    for name in ("hands", "games"):  # of a hand one sees more than of the whole game
        where = _first_difference(logged[name], played[name]) if name in logged else ""
        if where:
            return f"played again, the game is not the one in the log: {where}. {_why(results)}"
    return ""


def _first_difference(logged: pa.Table, played: pa.Table) -> str:
    for old, new in zip(logged.to_pylist(), played.to_pylist(), strict=False):
        hand = f"hand {old['hand']}, " if "hand" in old else ""
        for column, value in old.items():
            if new[column] != value:
                return (
                    f"{hand}seat {old['seat']} ({old['strategy']}) has {column} {new[column]}, "
                    f"in the log {value}"
                )
    if logged.num_rows != played.num_rows:
        return f"it has {played.num_rows} rows of hands and seats, in the log {logged.num_rows}"
    return ""


def _why(results: Results) -> str:
    from hearts_sim import __version__

    info = results.info
    versions = {
        "rules": (info["identity"].get("rules_version"), RULES_VERSION),
        "hearts-sim": (info.get("hearts_sim"), __version__),
    }
    changed = [f"{name} {old}, now {new}" for name, (old, new) in versions.items() if old != new]
    if changed:
        return f"Another version played it ({'; '.join(changed)})"
    return (
        "A strategy uses a clock, global randomness or state that outlives a game: a strategy "
        "whose games can be repeated uses self.rng and nothing else"
    )
