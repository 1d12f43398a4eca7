"""Two entries compared: every figure again from the frames of the log, by loops and statsmodels."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from trial import FOUR, LOW, settings, write_files

import hearts_sim
from hearts_sim.errors import ResultsError
from hearts_sim.report.comparing import _Counts
from hearts_sim.report.comparing import compare as compare_entries
from hearts_sim.report.comparison import Comparison, Measure
from hearts_sim.report.comparison_text import as_json, comparison_text
from hearts_sim.report.same_field import differences
from hearts_sim.report.verdicts import Difference
from hearts_sim.stats import Crosstable
from hearts_sim.tournament.reading.results import Results

SIX = FOUR | {
    "extra.py": LOW.replace("Low", "Extra"),
    "other.py": LOW.replace("Low", "Other").replace("lowest", "highest"),
}
FIVE = ["Low", "High", "Chance", "Middle", "Other"]
BOLD = ["Low", "High", "Chance", {"strategy": "Middle", "options": {"risk": 0.9}}, "Other"]
SHORT = {"end": {"deals": 4}}
BRIEF = {"end": {"deals": 2}, "tie": "draw"}

# Of each run: who plays, and what is not as usual.
RUNS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "table": (FIVE, {"games": 40}),
    "duel": (["Low", "High"], {"type": "duel", "games": 126, "rules": BRIEF}),
    "twins": (["Low", "Extra"], {"type": "duel", "games": 42}),
    "gauntlet": (FIVE, {"format": {"type": "gauntlet", "games": 60, "newcomers": ["Low", "High"]}}),
    "selfplay": (["Low", "High", "Chance"], {"type": "selfplay", "games": 24}),
    "pooled": (["Low", "Chance"], {"type": "duel", "games": 60,
               "rules": {"preset": "partnership", "end": {"deals": 3}}}),
    "singly": (FIVE, {"games": 40, "rules": {"teams": "singly", "end": {"deals": 3}}}),
    "highest": (["Low", "High"], {"type": "duel", "games": 56,
                "rules": {"win": "highest", **SHORT}}),
    "packs": (["Low", "Chance"], {"type": "duel", "games": 100,
              "rules": {"preset": "cancellation", "players": 6, "end": {"deals": 2}}}),
    "rival": (["Chance", "High"], {"type": "duel", "games": 140, "rules": BRIEF}),
    "bold": (BOLD, {"games": 40}),
    "long": (BOLD, {"games": 60}),
    "later": (BOLD, {"games": 60, "seed": 4}),
    "games": (["Low", "High"], {"type": "duel", "games": 28, "log": "games"}),
}  # fmt: skip


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Results]:
    """The runs above by name, each played when it is first asked for."""
    home = tmp_path_factory.mktemp("compared")
    bots = write_files(home / "bots", SIX)
    played: dict[str, Results] = {}

    def of(name: str) -> Results:
        if name not in played:
            entries, more = RUNS[name]
            config = settings(bots, entries, **({"rules": SHORT, "seed": 3} | more))
            played[name] = hearts_sim.run(config, output=home / name, report=False)
        return played[name]

    return of


@functools.cache
def compare(
    first: Results, a: str, b: str, second: Results | None = None, force: bool = False
) -> Comparison:
    """The comparison, made once."""
    return compare_entries(first, a, b, second, force=force)


def expected(frame: pd.DataFrame, key: str = "block") -> dict[str, Any]:
    """Ratio of each side, their difference, its error and bounds of its freedom, block by block.

    `frame` has columns side (0 or 1), total, count, and the block; or another cluster, `key`.
    """
    sums = frame.groupby(["side", key])[["total", "count"]].sum()
    ratios, shares = [], []
    for side in (0, 1):
        own = [(at[1], t, n) for at, t, n in sums.itertuples() if at[0] == side and n]
        whole = sum(n for _, _, n in own)
        ratio = sum(t for _, t, _ in own) / whole
        factor = math.sqrt(len(own) / (len(own) - 1))
        shares.append({cluster: factor * (t - ratio * n) / whole for cluster, t, n in own})
        ratios.append(ratio)
    squares = sum(
        (shares[0].get(cluster, 0.0) - shares[1].get(cluster, 0.0)) ** 2
        for cluster in {*shares[0], *shares[1]}
    )
    least, most = min(map(len, shares)) - 1, len({*shares[0], *shares[1]}) - 1
    return {
        "ratios": tuple(ratios),
        "difference": ratios[0] - ratios[1],
        "se": math.sqrt(squares),
        "freedom": (least, most),
        "blocks": least + 1,
    }


def check(measure: Measure, frame: pd.DataFrame) -> None:
    """Compare a measure with the frame that it is from."""
    true, found = expected(frame), measure.difference
    assert (measure.first, measure.second) == pytest.approx(true["ratios"], abs=1e-9)
    assert found.difference == pytest.approx(true["difference"], abs=1e-9)
    assert found.se == pytest.approx(true["se"], abs=1e-7)
    assert measure.blocks == true["blocks"]
    # Equal where both played the same blocks.
    assert true["freedom"][0] <= found.freedom <= true["freedom"][1]
    width = scipy.stats.t.ppf(0.975, found.freedom) * true["se"]
    ends = true["difference"] - width, true["difference"] + width
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-6)


def rows_of(frame: pd.DataFrame, a: str, b: str, total: Any, count: Any = 1) -> pd.DataFrame:
    """The rows of the two, with what is added up."""
    found = frame.assign(
        total=total, count=count, side=frame["strategy"].map({a: 0, b: 1}).astype(float)
    )
    return found[found["side"].notna()]


ONE_RUN = ["table", "duel", "gauntlet", "selfplay", "pooled", "singly", "highest", "packs"]
PAIRS = {"pooled": ("Low", "Chance"), "packs": ("Low", "Chance")}


@pytest.mark.parametrize("name", ONE_RUN)
def test_points(runs: Callable[[str], Results], name: str) -> None:
    """Points per hand, against the table and against the datum, in every format."""
    results, (a, b) = runs(name), PAIRS.get(name, ("Low", "High"))
    games, hands = results.games(), results.hands()
    found = compare(results, a, b)
    frame = rows_of(games, a, b, games["points"], games["hands"])
    check(found.points, frame)
    by_game = expected(frame, "game")["se"]
    effect = (found.points.difference.se / by_game) ** 2
    assert found.points.difference.design_effect == pytest.approx(effect)
    assert found.games == games["game"].nunique() == results.info["games"]
    assert found.blocks == found.points.blocks

    datum = hands.groupby(["block", "hand", "seat"])["points"].transform("mean")
    assert found.datum is not None
    check(found.datum, rows_of(hands, a, b, hands["points"] - datum))
    if name == "selfplay":
        assert found.net is None
        assert found.elo is None
        return
    whole = games.groupby("game")["points"]
    side = [-1 - row.seat if row.team < 0 else row.team for row in games.itertuples()]
    own = games.assign(own=side).groupby(["game", "own"])["points"]
    others = whole.transform("sum") - own.transform("sum")
    net = games["points"] - others / (whole.transform("size") - own.transform("size"))
    assert found.net is not None
    check(found.net, rows_of(games, a, b, net, games["hands"]))


@pytest.mark.parametrize("name", ["table", "duel", "selfplay", "packs"])
def test_details(runs: Callable[[str], Results], name: str) -> None:
    """By pass, by seat, and what is counted in the hands."""
    results, (a, b) = runs(name), PAIRS.get(name, ("Low", "High"))
    hands = results.hands()
    own = hands[hands["strategy"].isin([a, b])]
    found = compare(results, a, b)
    for rows, key in ((found.passes, "pass"), (found.seats, "seat")):
        assert {row.name for row in rows} == set(own[key].astype(str))
        for row in rows:
            part = own[own[key].astype(str) == row.name]
            assert row.hands == len(part)
            check(row, rows_of(part, a, b, part["points"]))
    how = hands["queen_how"].astype(str)
    totals = {
        "moons made": 100 * (hands["moon"] == 1),
        "moons suffered": 100 * (hands["moon"] == -1),
        "queens taken": 100 * hands["queen"].astype(int),
        **{f"queens {word}": 100 * (how == word) for word in ("led", "followed", "dumped")},
        "hearts": hands["hearts"].astype(int),
        "tricks": hands["tricks"].astype(int),
    }
    assert [row.name for row in found.play] == list(totals)
    for row in found.play:
        check(row, rows_of(hands, a, b, totals[row.name].astype(int)))
    if name != "packs":
        taken, *ways = (found.play[place].first for place in (2, 3, 4, 5))
        assert taken == pytest.approx(sum(ways))


def comparisons(frame: pd.DataFrame) -> list[tuple[int, str, str, float]]:
    """Every comparison of two seats: block, one, other, and what the one scored."""
    tables: dict[Any, list[Any]] = {}
    for row in frame.itertuples():
        tables.setdefault((row.block, row.game), []).append(row)
    found = []
    for (block, _), table in tables.items():
        for one, other in itertools.combinations(table, 2):
            partners = one.team == other.team and one.team >= 0
            if one.strategy != other.strategy and not partners:
                score = 0.5 + 0.5 * float(np.sign(other.place - one.place))
                found.append((block, str(one.strategy), str(other.strategy), score))
    return found


def fitted(frame: pd.DataFrame, a: str, b: str) -> tuple[float, float]:
    """Elo difference and its error, from a binomial GLM whose errors are clustered by block."""
    import statsmodels.api as sm

    rows = comparisons(frame)
    names = sorted({name for row in rows for name in row[1:3]})
    design = np.zeros((len(rows), len(names)))
    for place, (_, one, other, _) in enumerate(rows):
        design[place, names.index(one)] += 1
        design[place, names.index(other)] -= 1
    keep = [place for place, name in enumerate(names) if name != names[0]]
    fit = sm.GLM(
        np.array([row[3] for row in rows]), design[:, keep], family=sm.families.Binomial()
    ).fit(
        cov_type="cluster", cov_kwds={"groups": [row[0] for row in rows], "use_correction": False}
    )
    contrast = np.array([float(names[at] == a) - float(names[at] == b) for at in keep])
    scale = 400 / math.log(10)
    se = scale * math.sqrt(contrast @ fit.cov_params() @ contrast)
    return scale * float(contrast @ fit.params), se


@pytest.mark.parametrize("name", ["table", "duel", "gauntlet", "pooled", "highest"])
def test_elo(runs: Callable[[str], Results], name: str) -> None:
    """Elo from the whole field, against statsmodels; what follows from it, against scipy."""
    results, (a, b) = runs(name), PAIRS.get(name, ("Low", "High"))
    games = results.games()
    found = compare(results, a, b)
    gap, se = fitted(games, a, b)
    blocks = min(games[games["strategy"] == entry]["block"].nunique() for entry in (a, b))
    assert found.elo is not None
    # The prior of 1000 Elo moves a little; entries that miss blocks have factors of their own.
    assert found.elo.difference == pytest.approx(gap, rel=0.02)
    assert found.elo.se == pytest.approx(se * math.sqrt(blocks / (blocks - 1)), rel=0.05)
    if name != "table":
        assert found.elo.freedom == blocks - 1
    assert found.los_from == "elo"
    chance = scipy.stats.t.cdf(found.elo.difference / found.elo.se, found.elo.freedom)
    assert found.los == pytest.approx(chance)
    needed = found.games * ((found.elo.half_width / 10) ** 2 - 1)
    assert found.games_needed == pytest.approx(max(needed, 0))
    assert f"{a} is better" in found.verdict or found.elo.low < 0


@pytest.mark.parametrize("name", ["duel", "packs", "table"])
def test_line_ups(runs: Callable[[str], Results], name: str) -> None:
    """One against many and many against one; in a table tournament those who met."""
    results, (a, b) = runs(name), PAIRS.get(name, ("Low", "High"))
    games = results.games()
    found = compare(results, a, b)
    here = {entry: (games["strategy"] == entry).groupby(games["game"]).sum() for entry in (a, b)}
    players = results.rules.players
    names = [row.name for row in found.line_ups]
    if name == "table":
        assert names == ["both at the table"]
        groups = {names[0]: (here[a] > 0) & (here[b] > 0)}
    else:
        order = [1, players - 1, *range(2, players - 1)]
        assert names == [f"{count} {a}, {players - count} {b}" for count in order]
        groups = {f"{count} {a}, {players - count} {b}": here[a] == count for count in order}
    for row in found.line_ups:
        chosen = groups[row.name]
        part = games[games["game"].isin(chosen[chosen].index)]
        assert row.games == part["game"].nunique() == chosen.sum()
        check(row.points, rows_of(part, a, b, part["points"], part["hands"]))
        scores = [
            score if one == a else 1 - score
            for _, one, other, score in comparisons(part)
            if {one, other} == {a, b}
        ]
        assert row.score == pytest.approx(np.mean(scores))
        if name != "table" and 0.05 < row.score < 0.95:
            assert row.elo is not None
            odds = 400 * math.log10(row.score / (1 - row.score))
            assert row.elo.difference == pytest.approx(odds, rel=0.05)


def test_line_ups_of_two_duels(runs: Callable[[str], Results]) -> None:
    """Two opponents of one third: by how many seats each has in its own run."""
    first, second = runs("duel"), runs("rival")
    found = compare(first, "Low", "Chance", second)
    assert [row.name for row in found.line_ups] == ["1 of 4 seats", "3 of 4 seats", "2 of 4 seats"]
    for row in found.line_ups:
        parts = []
        for run, name in ((first, "Low"), (second, "Chance")):
            games = run.games()
            games = games[games["block"] < first.info["blocks"]]
            seats = (games["strategy"] == name).groupby(games["game"]).transform("sum")
            parts.append(games[(seats == int(row.name[0])) & (games["strategy"] == name)])
        part = pd.concat([frame.astype({"strategy": str}) for frame in parts])
        check(row.points, rows_of(part, "Low", "Chance", part["points"], part["hands"]))
        assert math.isnan(row.score)
        assert row.elo is not None


def gaps(first: pd.DataFrame, second: pd.DataFrame, a: str, b: str) -> pd.Series[float]:
    """Mean points of a less those of b for each seat of each deal that both held."""
    means = [
        frame[frame["strategy"] == name].groupby(["block", "hand", "seat"])["points"].mean()
        for frame, name in ((first, a), (second, b))
    ]
    return (means[0] - means[1]).dropna()


@pytest.mark.parametrize("name", ["duel", "table", "selfplay", "packs", "two runs", "two duels"])
def test_telling_hands(runs: Callable[[str], Results], name: str) -> None:
    """The ten largest differences, and the nearest two games that show each."""
    a, b = PAIRS.get(name, ("Low", "High"))
    results, against = runs({"two runs": "table", "two duels": "duel"}.get(name, name)), None
    if name == "two runs":
        a, b, against = "Middle", "Middle", runs("bold")
    elif name == "two duels":
        a, b, against = "Low", "Chance", runs("rival")
    found = compare(results, a, b, against).telling
    hands, theirs = results.hands(), (against or results).hands()
    largest = gaps(hands, theirs, a, b)
    ranked = largest.abs().sort_values(ascending=False)
    assert [abs(hand.difference) for hand in found] == pytest.approx(list(ranked[:10]))
    spots = [(hand.block, hand.hand, hand.seat) for hand in found]
    assert len(set(spots)) == 10
    order = [(-abs(hand.difference), *spot) for hand, spot in zip(found, spots, strict=True)]
    assert order == sorted(order)
    for hand, spot in zip(found, spots, strict=True):
        assert hand.difference == pytest.approx(largest[spot])
        sides = []
        for frame, entry in ((hands, a), (theirs, b)):
            points, seated = {}, {}
            chosen = frame[(frame["block"] == hand.block) & (frame["hand"] == hand.hand)]
            for row in chosen.itertuples():
                own = against is not None and row.strategy == entry
                seated.setdefault(row.game, []).append("its own" if own else str(row.strategy))
                if (row.seat, row.strategy) == (hand.seat, entry):
                    points[row.game] = row.points
            sides.append((points, {game: seated[game] for game in points}))
        (mine, my_tables), (others, their_tables) = sides
        assert mine[hand.first_game] == hand.first_points
        assert others[hand.second_game] == hand.second_points
        assert hand.first_mean == pytest.approx(np.mean(list(mine.values())))
        distance = {
            (one, two): sum(x != y for seat, (x, y) in enumerate(
                zip(my_tables[one], their_tables[two], strict=True)) if seat != hand.seat)
            for one in mine for two in others
        }  # fmt: skip
        assert hand.others_differ == min(distance.values())
        assert hand.others_differ == distance[hand.first_game, hand.second_game]
        # Of the nearest games those that show most.
        sign = np.sign(hand.difference)
        nearest = [sign * (mine[one] - others[two]) for (one, two), count in distance.items()
                   if count == hand.others_differ]  # fmt: skip
        assert sign * (hand.first_points - hand.second_points) == max(nearest)


def differences_in(found: Comparison) -> list[tuple[str, Difference]]:
    """Every difference of a comparison."""
    measures = [m for m in (found.points, found.net, found.datum) if m is not None]
    measures += [*found.passes, *found.seats, *found.play, *(row.points for row in found.line_ups)]
    elos = [found.elo, *(row.elo for row in found.line_ups)]
    return [(m.name, m.difference) for m in measures] + [("Elo", elo) for elo in elos if elo]


def test_one_player_under_two_names(runs: Callable[[str], Results]) -> None:
    """The same strategy entered twice differs by exactly nothing, everywhere."""
    found = compare(runs("twins"), "Low", "Extra")
    every = differences_in(found)
    assert len(every) > 20
    for name, difference in every:
        assert (difference.difference, difference.se) == (0.0, 0.0), name
    assert found.telling == []
    assert found.los == 0.5
    assert "exactly nothing" in found.verdict
    assert [row.score for row in found.line_ups] == [0.5] * 3


@pytest.mark.parametrize("name", ["table", "duel", "gauntlet", "selfplay", "two runs"])
def test_exchange(runs: Callable[[str], Results], name: str) -> None:
    """The other way round every sign turns, and nothing else."""
    if name == "two runs":
        one = compare(runs("table"), "Middle", "Middle", runs("bold"))
        two = compare(runs("bold"), "Middle", "Middle", runs("table"))
    else:
        one, two = (compare(runs(name), *pair) for pair in (("Low", "High"), ("High", "Low")))
    assert one.los == pytest.approx(1 - two.los)
    mine, theirs = dict(_keyed(one)), dict(_keyed(two))
    for key, difference in mine.items():
        other = theirs[key]
        assert difference.difference == pytest.approx(-other.difference, abs=1e-9)
        assert (difference.low, difference.high) == pytest.approx((-other.high, -other.low))
        assert difference.se == pytest.approx(other.se)
    for hand, other_hand in zip(one.telling, two.telling, strict=True):
        assert hand.difference == -other_hand.difference
        assert (hand.first_game, hand.second_game) == (
            other_hand.second_game, other_hand.first_game
        )  # fmt: skip


def _keyed(found: Comparison) -> list[tuple[str, Difference]]:
    parts = [found.passes, found.seats, found.play]
    keyed = [
        (f"{place} {row.name}", row.difference) for place, rows in enumerate(parts) for row in rows
    ]
    keyed.append(("points", found.points.difference))
    keyed += [(key, m.difference) for key, m in (("net", found.net), ("datum", found.datum)) if m]
    return keyed + ([("elo", found.elo)] if found.elo else [])


def test_elo_outside_the_largest_group() -> None:
    """Two who beat each other, and lost to all others, have a difference with an error."""
    rng = np.random.default_rng(1)
    block, place, entry = [], [], []
    for number in range(30):
        order = [*(2 + rng.permutation(3)), *rng.choice([[0, 1], [1, 0], [0, 1]])]
        for seat in range(5):
            block.append(number)
            entry.append(seat)
            place.append(order.index(seat))
    table = Crosstable.from_placements(block, block, entry, place, 5)
    counts = SimpleNamespace(
        joined=SimpleNamespace(runs=(None,)), first=0, second=1, confidence=0.95
    )
    found = _Counts._elo(counts, table)  # type: ignore[arg-type]
    wins = sum(place[5 * number] < place[5 * number + 1] for number in range(30))
    assert found is not None
    assert found.difference == pytest.approx(400 * math.log10(wins / (30 - wins)), rel=0.02)
    p = wins / 30
    se = 400 / math.log(10) * math.sqrt(30 / 29 * p * (1 - p) / 30) / (p * (1 - p))
    assert found.se == pytest.approx(se, rel=0.02)


# Two runs


def both(first: Results, second: Results, table: str) -> pd.DataFrame:
    """Rows of both runs; the compared entries have names of their own, and so have games."""
    frames = []
    for number, run in enumerate((first, second)):
        frame = getattr(run, table)()
        frame["strategy"] = frame["strategy"].astype(str).replace({"Middle": f"Middle {number}"})
        frames.append(frame.assign(game=2 * frame["game"] + number))
    return pd.concat(frames, ignore_index=True)


def test_paired_runs(runs: Callable[[str], Results]) -> None:
    """With the same seed the blocks of two runs are the same deals, and one observation."""
    first, second = runs("table"), runs("bold")
    found = compare(first, "Middle", "Middle", second)
    assert (found.paired, found.unpaired_because, found.left_out) == (True, "", 0)
    assert found.shared == 4
    games, hands = both(first, second, "games"), both(first, second, "hands")
    names = "Middle 0", "Middle 1"
    check(found.points, rows_of(games, *names, games["points"], games["hands"]))
    by_game = expected(rows_of(games, *names, games["points"], games["hands"]), "game")["se"]
    effect = (found.points.difference.se / by_game) ** 2
    assert found.points.difference.design_effect == pytest.approx(effect)
    datum = hands.groupby(["block", "hand", "seat"])["points"].transform("mean")
    assert found.datum is not None
    check(found.datum, rows_of(hands, *names, hands["points"] - datum))
    for row in found.passes:
        part = hands[hands["pass"].astype(str) == row.name]
        check(row, rows_of(part, *names, part["points"]))
    gap, se = fitted(games, *names)
    blocks = found.blocks
    assert found.elo is not None
    assert found.elo.difference == pytest.approx(gap, rel=0.02)
    assert found.elo.se == pytest.approx(se * math.sqrt(blocks / (blocks - 1)), rel=0.05)
    assert found.first.label == f"Middle ({first.path})"
    assert found.first.label in found.verdict


@pytest.mark.parametrize("name", ["table", "duel"])
def test_runs_of_different_length(runs: Callable[[str], Results], name: str) -> None:
    """Only the blocks that both have are compared, also where a part of one holds more of them."""
    first, second = runs(name), runs({"table": "long", "duel": "rival"}[name])
    a, b = ("Middle", "Middle") if name == "table" else ("Low", "Chance")
    found = compare(first, a, b, second)
    shorter, longer = first.info["blocks"], second.info["blocks"]
    if name == "duel":
        last = max(first.folder.parts())
        ends = [run.folder.parts()[last]["blocks"][1] for run in (first, second)]
        assert ends == [9, 10]
    assert found.left_out == longer - shorter > 0
    games = both(first, second, "games")
    games = games[games["block"] < shorter]
    names = ("Middle 0", "Middle 1") if name == "table" else (a, b)
    check(found.points, rows_of(games, *names, games["points"], games["hands"]))
    assert found.games == games["game"].nunique()
    assert "left out" in comparison_text(found)
    turned = compare(second, b, a, first)
    assert turned.points.difference.difference == -found.points.difference.difference
    assert turned.games == found.games


def test_independent_runs(runs: Callable[[str], Results]) -> None:
    """With another seed: errors add up in squares, degrees of freedom by Welch."""
    first, second = runs("table"), runs("later")
    found = compare(first, "Middle", "Middle", second)
    assert found.paired is False
    assert found.unpaired_because == "the seeds are 3 and 4"
    assert found.datum is None
    assert found.telling == []
    games = both(first, second, "games")
    games["block"] = games["block"] + 1000 * (games["game"] % 2)
    check(found.points, rows_of(games, "Middle 0", "Middle 1", games["points"], games["hands"]))
    variances, freedoms = [], []
    for run in (first, second):
        own = run.games(strategies=["Middle"])
        hands = own["hands"].sum()
        ratio = own["points"].sum() / hands
        z = [
            (rows["points"].sum() - ratio * rows["hands"].sum()) / hands
            for _, rows in own.groupby("block")
        ]
        variances.append(len(z) / (len(z) - 1) * sum(value**2 for value in z))
        freedoms.append(len(z) - 1)
    assert freedoms[0] != freedoms[1]
    difference = found.points.difference
    assert difference.se == pytest.approx(math.sqrt(sum(variances)))
    welch = sum(variances) ** 2 / sum(v**2 / f for v, f in zip(variances, freedoms, strict=True))
    assert difference.freedom == pytest.approx(welch, rel=0.1)
    gap, se = fitted(games, "Middle 0", "Middle 1")
    assert found.elo is not None
    assert found.elo.difference == pytest.approx(gap, rel=0.02, abs=0.5)
    assert found.elo.se == pytest.approx(se, rel=0.1)


def test_one_bot_in_two_runs(runs: Callable[[str], Results], tmp_path: Path) -> None:
    """The same bot in the same field and on the same deals is exactly itself."""
    for name, entry in (("table", "Low"), ("duel", "High"), ("selfplay", "Low")):
        first = runs(name)
        entries = [
            {"strategy": found["strategy"], "name": found["name"]}
            for found in first.info["identity"]["entries"]
        ]
        place = first.names.index(entry)
        entries[place]["name"] = "New"
        config = {key: first.info["config"][key] for key in ("name", "seed", "rules")}
        config["strategies"] = {
            "folder": first.info["config"]["strategies"]["folder"], "entries": entries,
        }  # fmt: skip
        config["format"] = {
            key: value for key, value in first.info["config"]["format"].items() if value is not None
        }
        second = hearts_sim.run(config, output=tmp_path / name, report=False)
        found = compare(first, entry, "New", second)
        assert found.paired is True
        for key, difference in differences_in(found):
            assert (difference.difference, difference.se) == (0.0, 0.0), key
        assert found.telling == []
        assert found.los == 0.5
        if name == "duel":
            assert [row.name for row in found.line_ups] == [
                "1 of 4 seats", "3 of 4 seats", "2 of 4 seats",
            ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("bold", ["the field: the options of Middle are {} and {risk: 0.9}"]),
        (
            "singly",
            ["the rules: teams is none and singly", "the rules: end is {deals: 4} and {deals: 3}"],
        ),
        (
            "duel",
            [
                "the format: table and duel",
                *(
                    f"the field: {other} is missing in RUN2"
                    for other in ("Chance", "Middle", "Other")
                ),
            ],
        ),
        ("gauntlet", ["the format: table and gauntlet"]),
        ("packs", ["the table: 4 and 6 players", "the field: High is missing in RUN2"]),
    ],
)
def test_runs_that_differ(runs: Callable[[str], Results], name: str, reasons: list[str]) -> None:
    """Refused with each reason; with force the figures come, with the reasons beside them."""
    first, second = runs("table"), runs(name)
    said = differences(first, second, "Low", "Low")
    with pytest.raises(ResultsError) as caught:
        compare(first, "Low", "Low", second)
    for reason in reasons:
        text = reason.replace("RUN2", str(second.path))
        assert text in said
        assert text in str(caught.value)
    if name == "bold":
        assert said == reasons
    found = compare(first, "Low", "Low", second, force=True)
    assert found.differ == said
    assert found.paired is False
    text = comparison_text(found)
    assert all(reason in text for reason in said)
    own = [run.games(strategies=["Low"]) for run in (first, second)]
    ratios = [games["points"].sum() / games["hands"].sum() for games in own]
    assert found.points.difference.difference == pytest.approx(ratios[0] - ratios[1])


def test_changed_source(runs: Callable[[str], Results], tmp_path: Path) -> None:
    """A bot of the field that was edited between two runs is found."""
    first = runs("duel")
    files = SIX | {"high.py": SIX["high.py"] + "\n# edited\n"}
    config = settings(write_files(tmp_path / "bots", files), ["Low", "High"], 28, type="duel",
                      rules=BRIEF, seed=3)  # fmt: skip
    second = hearts_sim.run(config, output=tmp_path / "run", report=False)
    (said,) = differences(first, second, "Low", "Low")
    assert said.startswith("the field: the source of High has the digest ")
    # The one that was changed may be the one that is compared.
    assert differences(first, second, "High", "High") == []
    found = compare(first, "High", "High", second)
    assert found.points.difference.is_nothing


# What is there of it


def test_log_of_games(runs: Callable[[str], Results]) -> None:
    """Without the log of hands the rest is shown, and what would be needed is said."""
    found = compare(runs("games"), "Low", "High")
    assert found.datum is None
    assert found.passes == found.seats == found.play == found.telling == []
    assert [row.name for row in found.line_ups] == [
        "1 Low, 3 High",
        "3 Low, 1 High",
        "2 Low, 2 High",
    ]
    text = comparison_text(found)
    assert "need log: hands; this was played with log: games" in text
    whole = compare(runs("duel"), "Low", "High")
    assert "need log" not in comparison_text(whole)


def test_unfinished_run(runs: Callable[[str], Results], tmp_path: Path) -> None:
    """Figures of an unfinished run are those of what is played, and called interim."""
    import shutil

    path = tmp_path / "run"
    shutil.copytree(runs("duel").path, path)
    info = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(info | {"status": "running"}))
    results = Results(path)
    results.folder.drop_part(2)
    found = compare(results, "Low", "High")
    games = results.games()
    assert not found.finished
    check(found.points, rows_of(games, "Low", "High", games["points"], games["hands"]))
    assert found.blocks == runs("duel").info["blocks"] - 1
    assert "interim" in comparison_text(found).splitlines()[0]
    for part in results.folder.parts():
        results.folder.drop_part(part)
    with pytest.raises(ResultsError, match="nothing is played yet"):
        compare_entries(results, "Low", "High")


def test_highest_wins(runs: Callable[[str], Results]) -> None:
    """Where many points are good, the one who takes more is better."""
    found = compare(runs("highest"), "Low", "High")
    assert found.points.difference.difference < 0
    assert found.elo is not None
    assert found.elo.difference < 0
    assert found.los < 0.5
    assert "many points are good" in comparison_text(found)
    assert "High" in found.verdict.split(" is better")[0]


def test_self_play(runs: Callable[[str], Results]) -> None:
    """Without Elo the likelihood is from points."""
    found = compare(runs("selfplay"), "Low", "High")
    difference = found.points.difference
    assert found.los_from == "points"
    t = -difference.difference / difference.se
    assert found.los == pytest.approx(scipy.stats.t.cdf(t, found.blocks - 1))
    assert "There is no Elo: in self-play nobody meets anybody else." in comparison_text(found)
    assert as_json(found)["elo"] is None


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("Hihg", "Low", "no entry of .* has the name 'Hihg': did you mean 'High'"),
        ("Low", "Nobody", "no entry of .* has the name 'Nobody'"),
        ("Low", "Low", "Low and Low are one entry: name two, or the run .*--against"),
    ],
)
def test_names(runs: Callable[[str], Results], a: str, b: str, message: str) -> None:
    """Names that are none, and one that is there twice."""
    with pytest.raises(ResultsError, match=message):
        compare(runs("table"), a, b)


def test_text_and_json_say_the_same(runs: Callable[[str], Results]) -> None:
    """Every part of the text is in the document, whose numbers are finite or null."""
    for found in (
        compare(runs("duel"), "Low", "High"),
        compare(runs("table"), "Middle", "Middle", runs("bold")),
        compare(runs("pooled"), "Low", "Chance"),
    ):
        document = as_json(found)
        text = comparison_text(found)
        assert json.loads(json.dumps(document, allow_nan=False)) == document
        assert document["verdict"] in text
        assert document["sign"] in text
        assert all(note in text for note in document["notes"])
        assert document["design_effect"] == found.points.difference.design_effect
        assert document["points"]["se"] == found.points.difference.se
        for hand in document["telling"]:
            assert hand["first_replay"] in text
            assert hand["second_replay"] in text
        for row in (*found.passes, *found.seats):
            assert any(line.split()[0] == row.name.split()[0] for line in text.splitlines() if line)
        assert ("one in twenty" in text) is True
        keys = {field.name for field in dataclasses.fields(Comparison)}
        assert keys <= set(document)
