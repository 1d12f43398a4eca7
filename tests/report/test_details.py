"""Every frame of the details is recomputed from the log with pandas alone, in plain steps."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made import Game, random_games, write_run
from scipy import stats
from trial import FOUR, play_inline, write_files

import hearts_sim
from hearts_sim.report.details import Details
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.rules import Rules
from hearts_sim.stats import bradley_terry, placement_pairs
from hearts_sim.tournament.counting.kept import GAME_COLUMNS, HAND_COLUMNS

CLUMSY = """
from hearts_sim import Strategy

class Clumsy(Strategy):
    '''Fails now and then.'''

    def choose_card(self, view):
        if self.rng.random() < 0.003:
            raise ValueError("oops")
        return view.legal.highest()
"""
SHORT: dict[str, Any] = {"end": {"deals": 5}, "tie": "draw"}
RUNS: dict[str, dict[str, Any]] = {
    "a table": {"format": {"type": "table", "blocks": 12}},
    "a duel": {
        "rules": SHORT,
        "format": {"type": "duel", "a": "Low", "b": "High", "blocks": 4},
    },
    "pooled teams that shoot": {
        "rules": {**SHORT, "teams": "pooled", "moon_scope": "team"},
        "entries": ["Chance", "High"],
    },
    "partners alone": {"rules": {**SHORT, "teams": "singly"}},
    "two packs": {"rules": {"preset": "cancellation", "players": 6, **SHORT}},
    "long games that the highest wins": {
        "rules": {"end": {"deals": 42}, "tie": "draw", "win": "highest"},
        "format": {"type": "table", "blocks": 4},
    },
    "three seats": {
        "rules": {**SHORT, "players": 3, "pass_cycle": ["R", "scatter", "L", "H", "R2"]},
        "entries": ["Chance", "Low"],
    },
    "forfeits": {
        "rules": SHORT,
        "entries": ["Chance", "Clumsy", "High", "Low"],
        "faults": {"policy": "forfeit", "max_rate": 1},
    },
    "log of games": {"rules": SHORT, "log": "games"},
}
BY_HANDS = (
    "by_pass", "by_hand", "trajectory", "moons", "queens", "queens_given", "takes", "worst",
    "stopping",
)  # fmt: skip
BY_GAMES = ("by_seat", "lengths", "convergence", "timing", "faults")


@dataclass
class Played:
    """A run, its frames, and its log with texts as text."""

    summary: Summary
    games: pd.DataFrame
    hands: pd.DataFrame

    @property
    def details(self) -> Details:
        return self.summary.details

    @property
    def names(self) -> list[str]:
        return self.summary.results.names


def log_of(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of the log with plain columns and wide numbers."""
    plain = {}
    for name, column in frame.items():
        whole = pd.api.types.is_integer_dtype(column)
        text = isinstance(column.dtype, pd.CategoricalDtype)
        plain[name] = column.astype("int64") if whole else column.astype(str) if text else column
    return pd.DataFrame(plain)


@pytest.fixture(scope="module", params=RUNS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    kind: dict[str, Any] = RUNS[request.param]
    folder = tmp_path_factory.mktemp("played")
    write_files(folder / "bots", {**FOUR, "clumsy.py": CLUMSY})
    config = {
        "name": "trial",
        "strategies": {
            "folder": str(folder / "bots"),
            "entries": kind.get("entries", ["Low", "High", "Chance", "Middle"]),
        },
        "format": {"type": "table", "blocks": 8},
        **{key: value for key, value in kind.items() if key != "entries"},
    }
    with pytest.MonkeyPatch.context() as patch:
        play_inline(patch)
        results = hearts_sim.run(config, output=folder / "a run", report=False)
    hands = log_of(results.hands()) if results.has("hands") else pd.DataFrame()
    return Played(summarise(results), log_of(results.games()), hands)


def clustered(rows: pd.DataFrame, by: list[str], total: str, count: str) -> pd.DataFrame:
    """Ratio of sums for each group, with blocks as clusters: step by step, as on paper."""
    found = []
    for key, group in rows.groupby(by, sort=False):
        blocks = group.groupby("block")[[total, count]].sum()
        blocks = blocks[blocks[count] > 0]
        number, t, n = len(blocks), blocks[total].sum(), blocks[count].sum()
        if not number:
            continue
        share = (blocks[total] - t / n * blocks[count]) / n
        width = np.nan
        if number > 1:
            error = np.sqrt(number / (number - 1) * (share**2).sum())
            width = stats.t.ppf(0.975, number - 1) * error
        found.append((*key, t / n, t / n - width, t / n + width, t, n, number))
    columns = [*by, "estimate", "low", "high", "total", "count", "blocks"]
    return pd.DataFrame(found, columns=columns)


def assert_frame(found: pd.DataFrame, wanted: dict[str, Any]) -> None:
    """The same columns, in this order, with the same values."""
    assert list(found.columns) == list(wanted)
    for name, values in wanted.items():
        column = found[name]
        assert len(column) == len(values), name
        if pd.api.types.is_float_dtype(column):
            np.testing.assert_allclose(
                column, np.asarray(values, float), rtol=1e-9, atol=1e-9, err_msg=name
            )
        else:
            assert column.tolist() == list(values), name


def in_order(frame: pd.DataFrame, names: list[str], column: str, values: list[Any]) -> pd.DataFrame:
    """Rows by strategy, in the order of the names, and by a column, in the order of its values."""
    keys = frame["strategy"].map(names.index), frame[column].map(values.index)
    return frame.iloc[np.lexsort((keys[1], keys[0]))].reset_index(drop=True)


def points_by(
    played: Played, rows: pd.DataFrame, column: str, values: list[Any], count: str = "one"
) -> dict[str, Any]:
    rows = rows[rows[column].isin(values)]
    found = clustered(rows, ["strategy", column], "points", count)
    found = in_order(found, played.names, column, values)
    return {
        "strategy": found["strategy"],
        column: found[column],
        "points": found["estimate"],
        "low": found["low"],
        "high": found["high"],
        "hands": found["count"],
        "blocks": found["blocks"],
    }


@pytest.fixture
def hands(played: Played) -> pd.DataFrame:
    if played.hands.empty:
        pytest.skip("this run has no log of hands")
    return played.hands.assign(one=1)


def usual(played: Played) -> list[int]:
    """Hands that one of a hundred games reaches, up to the fortieth."""
    length = played.games.groupby("game")["hands"].first()
    return [h for h in range(1, 41) if (length >= h).sum() >= max(1, 0.01 * len(length))]


def test_by_pass(played: Played, hands: pd.DataFrame) -> None:
    """Points by direction, as the directions come."""
    ordered = hands.sort_values("hand")["pass"].drop_duplicates().tolist()
    assert played.details.by_pass is not None
    assert_frame(played.details.by_pass, points_by(played, hands, "pass", ordered))


def test_by_seat(played: Played) -> None:
    """Points by seat need no log of hands."""
    seats = sorted(played.games["seat"].unique())
    assert_frame(
        played.details.by_seat, points_by(played, played.games, "seat", seats, count="hands")
    )


def test_by_hand(played: Played, hands: pd.DataFrame) -> None:
    """Points by number of the hand."""
    assert played.details.by_hand is not None
    assert_frame(played.details.by_hand, points_by(played, hands, "hand", usual(played)))


def test_rare_hands_are_left_out(
    played: Played, hands: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that too few games reach is told of nobody."""
    monkeypatch.setattr("hearts_sim.report.details.RARE", 0.5)
    details = Details(played.summary)
    length = played.games.groupby("game")["hands"].first()
    often = [h for h in range(1, 41) if 2 * (length >= h).sum() >= len(length)]
    assert details.by_hand is not None
    assert details.trajectory is not None
    assert_frame(details.by_hand, points_by(played, hands, "hand", often))
    assert sorted(set(details.trajectory["hand"])) == often


def test_trajectory(played: Played, hands: pd.DataFrame) -> None:
    """Mean and quantiles of the totals after each hand."""
    rows = hands[hands["hand"].isin(usual(played))]
    found = clustered(rows, ["strategy", "hand"], "score", "one")
    found = in_order(found, played.names, "hand", usual(played))
    scores = rows.groupby(["strategy", "hand"])["score"]
    keys = list(zip(found["strategy"], found["hand"], strict=True))
    assert played.details.trajectory is not None
    assert_frame(
        played.details.trajectory,
        {
            "strategy": found["strategy"],
            "hand": found["hand"],
            "score": found["estimate"],
            "low": found["low"],
            "high": found["high"],
            "q10": scores.quantile(0.1)[keys],
            "q90": scores.quantile(0.9)[keys],
            "games": found["count"],
        },
    )


def test_lengths(played: Played) -> None:
    """Games by their number of hands."""
    length = played.games.groupby("game")["hands"].first().value_counts().sort_index()
    assert_frame(played.details.lengths, {"hands": length.index, "games": length})


def share_of(rows: pd.DataFrame, names: list[str], column: str, most: int) -> pd.DataFrame:
    """Share of the hands of each strategy, with its interval inside what is possible."""
    found = clustered(rows, ["strategy"], column, "one")
    found = found.iloc[found["strategy"].map(names.index).argsort()].reset_index(drop=True)
    told = (found["total"] > 0) & (found["total"] < most * found["count"])
    found["low"] = found["low"].clip(lower=0).where(told)
    found["high"] = found["high"].clip(upper=most).where(told)
    return found


def beside(hands: pd.DataFrame, column: str) -> pd.DataFrame:
    """For each row that names a seat in a column, the row of that seat: its index is `whose`."""
    named = hands[hands[column] >= 0].reset_index(names="row")
    seats = hands.reset_index(names="whose")
    return named.merge(
        seats,
        left_on=["game", "hand", column],
        right_on=["game", "hand", "seat"],
        suffixes=("", "_other"),
        validate="many_to_one",
    )


def test_moons(played: Played, hands: pd.DataFrame) -> None:
    """Moons that were made, suffered, stopped, and failed."""
    stops = beside(hands, "moon_stopped_by")
    rows = hands.assign(
        made=hands["moon"] == 1,
        suffered=hands["moon"] == -1,
        stopped=hands.index.isin(stops["whose"]),
        failed=hands["moon_stopped_by"] >= 0,
    )
    kinds = ("made", "suffered", "stopped")
    shares = {kind: share_of(rows, played.names, kind, 1) for kind in kinds}
    failed = share_of(rows, played.names, "failed", 1)
    wanted = {"strategy": failed["strategy"]}
    wanted |= {kind: found["total"] for kind, found in shares.items()}
    wanted |= {"failed": failed["total"], "hands": failed["count"]}
    for kind, found in shares.items():
        ends = {"share": "estimate", "low": "low", "high": "high"}
        wanted |= {f"{kind}_{end}": found[column] for end, column in ends.items()}
    assert played.details.moons is not None
    assert_frame(played.details.moons, wanted)


def test_stopping(played: Played, hands: pd.DataFrame) -> None:
    """Who stopped whom: partners' attempt is one."""
    stops = beside(hands, "moon_stopped_by")
    stops = stops.drop_duplicates(["game", "hand", "strategy"])
    number = stops.groupby(["strategy_other", "strategy"]).size()
    pairs = [(a, b) for a in played.names for b in played.names if (a, b) in number.index]
    assert played.details.stopping is not None
    assert_frame(
        played.details.stopping,
        {
            "strategy": [a for a, _ in pairs],
            "shooter": [b for _, b in pairs],
            "hands": [number[pair] for pair in pairs],
        },
    )


def queens(played: Played, hands: pd.DataFrame, count: str, counts: pd.DataFrame) -> dict[str, Any]:
    packs = played.summary.results.rules.packs
    found = []
    for how in ("led", "followed", "dumped"):
        shares = share_of(hands.assign(n=counts[how]), played.names, "n", packs)
        found.append(shares.assign(how=how))
    whole = in_order(pd.concat(found), played.names, "how", ["led", "followed", "dumped"])
    return {
        "strategy": whole["strategy"],
        "how": whole["how"],
        count: whole["total"],
        "share": whole["estimate"],
        "low": whole["low"],
        "high": whole["high"],
    }


def test_queens(played: Played, hands: pd.DataFrame) -> None:
    """Queens that were taken, by how they came; one in a kitty did not come."""
    hows = ("led", "followed", "dumped")
    counts = pd.DataFrame({how: hands["queen"].where(hands["queen_how"] == how, 0) for how in hows})
    assert played.details.queens is not None
    assert_frame(played.details.queens, queens(played, hands, "taken", counts))


def test_queens_given(played: Played, hands: pd.DataFrame) -> None:
    """Queens that another side took."""
    given = beside(hands, "queen_by")
    partners = (given["team"] >= 0) & (given["team"] == given["team_other"])
    given = given[(given["seat"] != given["seat_other"]) & ~partners]
    counts = pd.DataFrame(0, index=hands.index, columns=["led", "followed", "dumped"])
    for row, how in zip(given["whose"], given["queen_how"], strict=True):
        counts.loc[row, how] += 1
    assert played.details.queens_given is not None
    assert_frame(played.details.queens_given, queens(played, hands, "given", counts))


def test_takes(played: Played, hands: pd.DataFrame) -> None:
    """Cards and tricks taken by hand, and hands in which nothing was."""
    wanted: dict[str, Any] = {}
    for name, column in {"hearts": "hearts", "queens": "queen", "tricks": "tricks"}.items():
        found = clustered(hands, ["strategy"], column, "one")
        found = found.iloc[found["strategy"].map(played.names.index).argsort()]
        wanted |= {"strategy": found["strategy"], name: found["estimate"]}
        wanted |= {f"{name}_low": found["low"].clip(lower=0), f"{name}_high": found["high"]}
    clean = share_of(hands.assign(clean=hands["raw"] == 0), played.names, "clean", 1)
    wanted |= {"clean": clean["estimate"], "clean_low": clean["low"], "clean_high": clean["high"]}
    assert played.details.takes is not None
    assert_frame(played.details.takes, wanted | {"hands": clean["count"]})


def test_worst(played: Played, hands: pd.DataFrame) -> None:
    """The five worst hands of each, and commands that show them."""
    highest = played.summary.highest_wins
    keys = ["points", "block", "seating", "hand", "seat"]
    frames = []
    for name in played.names:
        own = hands[(hands["strategy"] == name) & (hands["moon"] != -1)]
        frames.append(own.sort_values(keys, ascending=[highest, *[True] * 4]).head(5))
    whole = pd.concat(frames)
    path = shlex.quote(str(played.summary.results.path))
    assert "'" in path
    columns = ("points", "block", "seating", "game", "hand", "seat")
    assert played.details.worst is not None
    assert_frame(
        played.details.worst,
        {
            "strategy": whole["strategy"],
            "rank": [rank for frame in frames for rank in range(1, len(frame) + 1)],
            **{column: whole[column] for column in columns},
            "replay": [
                f"hearts-sim replay {path} {game} --hand {hand}"
                for game, hand in zip(whole["game"], whole["hand"], strict=True)
            ],
        },
    )


def test_convergence(played: Played) -> None:
    """Elo and points are those of the first blocks alone, and in the end those of the board."""
    frame, games = played.details.convergence, played.games
    numbers = sorted(frame["blocks"].unique())
    assert numbers[-1] == games["block"].nunique()
    assert frame["strategy"].tolist() == [name for name in played.names for _ in numbers]
    codes = games["strategy"].map(played.names.index)
    teams = games["team"] if (games["team"] >= 0).any() else None
    for number in numbers:
        kept = games["block"].isin(sorted(games["block"].unique())[:number])
        rows = frame[frame["blocks"] == number].set_index("strategy")
        found = clustered(games[kept], ["strategy"], "points", "hands").set_index("strategy")
        for column, name in {"points": "estimate", "points_low": "low"}.items():
            np.testing.assert_allclose(rows.loc[found.index, column], found[name], rtol=1e-9)
        columns = (games["block"], games["game"], codes, games["place"])
        pairs = placement_pairs(
            *(column[kept] for column in columns), None if teams is None else teams[kept]
        )
        ratings = bradley_terry(pairs, len(played.names))
        measured = (ratings.bound == 0) & np.isfinite(ratings.elo)
        assert (rows["elo"].notna() == measured).all()
        np.testing.assert_allclose(rows["elo"][measured], ratings.elo[measured], atol=1e-6)
        ends = np.isfinite(ratings.half_width) & measured
        np.testing.assert_allclose(rows["high"][ends], ratings.high[ends], atol=1e-6)
        assert rows["high"][~ends].isna().all()
    board = played.summary.board.set_index("strategy")
    last = frame[frame["blocks"] == numbers[-1]].set_index("strategy")
    assert (last["points"] == board.loc[last.index, "points"]).all()


def test_timing(played: Played) -> None:
    """Nanoseconds and decisions are those that the parts note."""
    parts = played.summary.results.folder.parts()
    rows = pd.DataFrame(
        [
            (name, number, notes["nanoseconds"][name] / 1000, notes["decisions"][name])
            for number, notes in parts.items()
            for name in played.names
        ],
        columns=["strategy", "block", "spent", "decisions"],
    )
    found = clustered(rows, ["strategy"], "spent", "decisions")
    assert_frame(
        played.details.timing,
        {
            "strategy": found["strategy"],
            "microseconds": found["estimate"],
            "low": found["low"].clip(lower=0),
            "high": found["high"],
            "decisions": found["count"],
        },
    )


def test_faults(played: Played) -> None:
    """Faults are counted as the log has them."""
    frame = played.details.faults
    log = played.summary.results.faults()
    number = log.groupby([log["strategy"].astype(str), "kind"]).size()
    assert frame.set_index(["strategy", "kind"])["faults"].to_dict() == number.to_dict()
    assert frame["faults"].dtype == np.int64


def test_what_has_no_hands_is_none(played: Played) -> None:
    """Without the log of hands their frames are None; the others are there, with their types."""
    with_hands = not played.hands.empty
    for name in BY_HANDS:
        assert (getattr(played.details, name) is not None) == with_hands
    for name in (*BY_GAMES, *(BY_HANDS if with_hands else ())):
        frame = getattr(played.details, name)
        for column in {"hands", "blocks", "games", "taken", "given", "decisions"} & set(frame):
            assert frame[column].dtype == np.int64, (name, column)


def test_log_and_players_count_the_same(played: Played) -> None:
    """What is counted of a part from its log is what its player kept, to the last bit."""
    for part in played.summary.results.kept_parts():
        games = part.rows("games", GAME_COLUMNS)
        hands = None if played.hands.empty else part.rows("hands", HAND_COLUMNS)
        blocks = range(*part.notes["blocks"])
        file = part.counter.file(blocks, games, hands, part.notes["digest"])
        assert file == part.folder.read_counts(part.number)


def test_parts_make_up_the_whole(played: Played) -> None:
    """Counts of the parts, merged in any order, are those of all rows at once."""
    parts = list(played.summary.results.kept_parts())
    assert len(parts) > 3

    def all_rows(table: str, columns: Any) -> dict[str, Any]:
        rows = [part.rows(table, columns) for part in parts]
        return {name: np.concatenate([each[name] for each in rows]) for name in columns}

    games = all_rows("games", GAME_COLUMNS)
    hands = None if played.hands.empty else all_rows("hands", HAND_COLUMNS)
    counter = parts[0].counter
    whole = counter.count(range(parts[-1].notes["blocks"][1]), games, hands)
    backwards = counter.count(range(0), {name: it[:0] for name, it in games.items()}, None)
    for part in parts[::-1]:
        backwards.details.merge(part.counts().details)
        backwards.tally.merge(part.counts().tally)
    for found in (played.summary.detailed, backwards.details):
        assert_arrays(found.to_arrays(), whole.details.to_arrays())
    for batches in (played.summary.batches, backwards.tally.batches):
        assert_arrays(batches.to_arrays(), whole.tally.batches.to_arrays())


def assert_arrays(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert found.keys() == wanted.keys()
    for name, array in found.items():
        np.testing.assert_array_equal(array, wanted[name], err_msg=name)


def made(path: Path, rules: Rules, games: list[Game], **more: Any) -> Details:
    return summarise(write_run(path, rules, games, **more)).details


def test_who_never_played(tmp_path: Path) -> None:
    """An entry without a game has no row; only of its estimates it is said that there are none."""
    games = random_games(Rules(), entries=4, blocks=3)
    details = made(tmp_path / "run", Rules(), games, entries=5)
    for name in (*BY_HANDS, *BY_GAMES):
        frame = getattr(details, name)
        if name not in ("lengths", "timing", "convergence"):
            assert "E" not in set(frame["strategy"]), name
    last = details.convergence.query("strategy == 'E'")
    assert len(last) == 2
    assert last.drop(columns=["strategy", "blocks"]).isna().all(axis=None)


def test_never_and_always_have_no_interval(tmp_path: Path) -> None:
    """Of what happened in no hand, or in every one, nobody knows how rare the other is."""
    games = random_games(Rules(), entries=4)
    details = made(tmp_path / "run", Rules(), games)  # no card is taken in made hands
    assert details.takes is not None
    assert details.moons is not None
    assert details.queens is not None
    assert (details.takes["clean"] == 1).all()
    assert (details.moons["made_share"] == 0).all()
    assert (details.queens["share"] == 0).all()
    ends = (details.takes["clean_low"], details.moons["made_high"], details.queens["high"])
    assert all(end.isna().all() for end in ends)
    assert (details.takes["hearts_high"] == 0).all()


def test_one_block_tells_no_interval(tmp_path: Path) -> None:
    """Means are there, and their limits are not."""
    details = made(tmp_path / "run", Rules(), [(0, [0, 1, 2, 3], [1, 5, 8, 12])])
    for name in ("by_pass", "by_seat", "by_hand", "trajectory"):
        frame = getattr(details, name)
        assert len(frame) == 4, name
        assert frame["low"].isna().all()
        assert frame["high"].isna().all()
    assert len(details.convergence) == 4
    assert details.convergence["points"].tolist() == [1, 5, 8, 12]
    assert details.convergence["points_low"].isna().all()


def test_nothing_but_forfeits(tmp_path: Path) -> None:
    """Where no hand was finished the frames are empty."""
    games: list[Game] = [(block, [0, 1, 2, 3], [0, 0, 0, 0]) for block in range(3)]
    details = made(tmp_path / "run", Rules(), games, forfeits={0: 1, 1: 1, 2: 1})
    for name in BY_HANDS:
        assert getattr(details, name).empty, name
    assert details.by_seat.empty
    assert details.lengths.to_dict("list") == {"hands": [0], "games": [3]}


def test_a_bound_is_no_elo(tmp_path: Path) -> None:
    """Who won everything is only known to be above: its points converge, its Elo does not."""
    games: list[Game] = [
        (block, [0, 1, 2, 3], [0, *np.roll([3, 5, 20], block).tolist()]) for block in range(12)
    ]
    frame = made(tmp_path / "run", Rules(), games).convergence
    first = frame["strategy"] == "A"
    assert frame.loc[first, ["elo", "low", "high"]].isna().all(axis=None)
    assert frame.loc[first, "points"].eq(0).all()
    assert frame.loc[~first, "elo"].iloc[-1] == pytest.approx(1500, abs=200)


def test_an_anchor_that_met_nobody_yet(tmp_path: Path) -> None:
    """Elo relative to an anchor begins with the anchor's first game."""
    games: list[Game] = [
        (block, np.roll(([0, 1, 2, 0] if block < 6 else [0, 1, 2, 3]), turn).tolist(), totals)
        for block in range(12)
        for turn, totals in enumerate(([1, 5, 8, 12], [4, 9, 1, 12], [7, 1, 6, 12], [12, 1, 2, 3]))
    ]
    details = made(tmp_path / "run", Rules(), games, report={"anchor": "D"})
    frame = details.convergence.query("strategy == 'D'").set_index("blocks")
    assert frame.index.min() < 6
    assert frame["elo"][frame.index <= 6].isna().all()
    assert (frame["elo"][frame.index > 6] == 1500).all()
    assert details.convergence["points"].isna().sum() == (frame.index <= 6).sum()
