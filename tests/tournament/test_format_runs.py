"""Every format as it is played: seats, reports, equal players, and what a run checks of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from trial import CHANCE, FOUR, LOW, write_files

from hearts_sim import run
from hearts_sim.report.summary import summarise
from hearts_sim.report.write import as_json
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.counting import deals
from hearts_sim.tournament.counting.deals import count_deals
from hearts_sim.tournament.plan.spec import plan_run
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.run.checks import alike, worth_checking

SHORT: dict[str, Any] = {"end": {"deals": 1}, "tie": "draw"}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


def config(folder: Path, format_: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A config of games of one deal; ``entries`` is left out for all in the folder."""
    strategies: dict[str, Any] = {"folder": str(folder)}
    if "entries" in more:
        strategies["entries"] = more.pop("entries")
    rules = {**SHORT, **more.pop("rules", {})}
    return {"name": "trial", "strategies": strategies, "format": format_, "rules": rules, **more}


def play(folder: Path, output: Path, format_: Mapping[str, Any], **more: Any) -> Results:
    return run(config(folder, format_, **more), output=output, report=False)


# Each format at tables of each size

FORMATS: dict[str, dict[str, Any]] = {
    "table": {"type": "table", "games": 12},
    "duel": {"type": "duel", "a": "Low", "b": "High", "blocks": 2},
    "gauntlet": {"type": "gauntlet", "newcomers": ["Low", "Chance"], "games": 12},
    "self-play": {"type": "selfplay", "blocks": 2},
}
TABLES: dict[str, dict[str, Any]] = {
    "three": {"players": 3},
    "four": {"players": 4},
    "five": {"players": 5},
    "eight with two packs": {"preset": "cancellation", "players": 8},
    "partners": {"preset": "partnership"},
    "six in teams": {"players": 6, "teams": "pooled"},
}


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("format_", FORMATS.values(), ids=FORMATS)
def test_every_format_at_every_table(
    four: Path, tmp_path: Path, format_: dict[str, Any], rules: dict[str, Any]
) -> None:
    """The log has the games of the schedule, seat by seat, and a report can be made of it."""
    results = play(four, tmp_path / "out", format_, rules=rules)
    spec, _ = plan_run(config_from_mapping(config(four, format_, rules=rules)))
    games = results.games()
    logged: dict[int, list[str]] = {}
    for row in games.itertuples():
        logged.setdefault(row.game, []).append(str(row.strategy))
    wanted = [
        [spec.names[entry] for entry in seating]
        for block in spec.schedule
        for seating in block.seatings
    ]
    assert list(logged.values()) == wanted
    info = results.info
    assert (info["status"], info["verdict"]) == ("finished", None)
    assert info["games"] == len(wanted) == spec.schedule.total_games
    assert info["blocks"] == games["block"].nunique() == spec.schedule.blocks
    assert info["checks"]["deals"] == {"played": info["blocks"], "repeated": 0}
    assert info["checks"]["alike"] == info["checks"]["not_compared"] == []
    document = as_json(summarise(results))
    assert {row["strategy"] for row in document["strategies"]} == set(spec.names)
    assert document["format"] == format_["type"]


def test_newcomers_on_the_same_deals(four: Path, tmp_path: Path) -> None:
    """In a block of a gauntlet the newcomers have the same cards in the same seats."""
    format_ = {"type": "gauntlet", "newcomers": ["Low", "High"], "blocks": 4}
    rules = {"pass_cycle": ["H"]}
    plays = play(four, tmp_path / "out", format_, rules=rules, log="plays").plays()
    dealt: dict[int, set[Any]] = {}
    for (block, _), rows in plays.groupby(["block", "seating"]):
        cards = tuple(frozenset(rows["card"][rows["seat"] == seat]) for seat in range(4))
        dealt.setdefault(block, set()).add(cards)
    assert len(dealt) == 4
    assert all(len(deals) == 1 for deals in dealt.values())


# Equal players

TWINS = [{"strategy": "Low", "name": "one"}, {"strategy": "Low", "name": "other"}]
COLUMNS = ["score", "points", "place", "win", "hands", "moons", "queens"]


@pytest.mark.parametrize("source", [LOW, CHANCE], ids=["deterministic", "random"])
@pytest.mark.parametrize("kind", ["duel", "selfplay"])
@pytest.mark.parametrize("rules", [{}, {"players": 3}, {"players": 6}, {"preset": "partnership"}])
def test_equal_players_are_equal(
    tmp_path: Path, kind: str, source: str, rules: dict[str, Any]
) -> None:
    """One strategy under two names has equal sums in every block, and is found to be one player."""
    folder = write_files(tmp_path / "s", {"bot.py": source.replace("Chance", "Low")})
    results = play(
        folder, tmp_path / "out", {"type": kind, "blocks": 3}, entries=TWINS, rules=rules
    )
    games = results.games()
    sums = games.groupby(["block", "strategy"], observed=True)[COLUMNS].sum()
    one, other = (sums.xs(name, level="strategy") for name in ("one", "other"))
    assert len(one) == 3
    assert one.equals(other)
    assert results.info["checks"]["alike"] == [["one", "other"]]


def test_a_duel_of_equals_differs_by_nothing(four: Path, tmp_path: Path) -> None:
    """The report of a duel of equals shows the same points and places for both."""
    results = play(four, tmp_path / "out", {"type": "duel", "blocks": 12}, entries=TWINS)
    board = summarise(results).board.set_index("strategy")
    for column in ("points", "elo"):
        assert board.loc["one", column] == board.loc["other", column]


# What a run checks of itself


def test_who_chose_alike(four: Path, tmp_path: Path) -> None:
    """Strategies that choose alike are found, whatever their classes; others are not."""
    entries = [
        "Low",
        "High",
        {"strategy": "Middle", "name": "lowest", "options": {"risk": 0.0}},
        "Chance",
        {"strategy": "Chance", "name": "again"},
        {"strategy": "Middle", "name": "upper", "options": {"risk": 0.9}},
    ]
    results = play(four, tmp_path / "out", {"type": "selfplay", "blocks": 1}, entries=entries)
    assert results.info["checks"]["alike"] == [["Low", "lowest"], ["Chance", "again"]]


def test_groups_of_digests() -> None:
    """Groups are in the order of the entries; who has no digest is in none."""
    digests = {3: "x", 0: "y", 1: "x", 2: None, 4: None, 5: "x", 6: "y", 7: "z"}
    assert alike(list("abcdefgh"), digests) == [["a", "g"], ["b", "d", "f"]]


STOPS = """
    from hearts_sim import Strategy

    class Stops(Strategy):
        games = 0

        def start_game(self, view):
            Stops.games += 1
            if Stops.games > {after}:
                raise ValueError("game over")

        def choose_card(self, view):
            return view.legal.lowest()
"""


def test_a_strategy_that_fails_against_itself(tmp_path: Path) -> None:
    """A strategy that fails only when it is checked is not compared; the run is finished."""
    # A block of a duel has 14 games of four seats, and half of them are its: 56 in two blocks.
    folder = write_files(tmp_path / "s", {"low.py": LOW, "stops.py": STOPS.format(after=56)})
    tasks._players.clear()
    results = play(folder, tmp_path / "out", {"type": "duel", "blocks": 2})
    assert results.info["status"] == "finished"
    assert results.info["games"] == 28
    assert results.info["checks"]["not_compared"] == ["Stops"]
    assert results.info["checks"]["alike"] == []


def test_who_is_worth_checking() -> None:
    """A check of 1,000 cards may take one second, or a hundredth of the run's time."""
    # Two parts: a takes 1 ms for a card, b 1.1 ms, c a tenth of that; d did not play.
    notes = [
        {
            "decisions": {"a": 10, "b": 30, "c": 1, "d": 0},
            "nanoseconds": {"a": 12_000_000, "b": 33_000_000, "c": 110_000, "d": 0},
        },
        {
            "decisions": {"a": 10, "b": 10, "c": 0, "d": 0},
            "nanoseconds": {"a": 8_000_000, "b": 11_000_000, "c": 0, "d": 0},
        },
    ]
    assert worth_checking("abcd", notes, 1.0) == [0, 2, 3]
    assert worth_checking("abcd", notes, 100.0) == [0, 2, 3]
    assert worth_checking("abcd", notes, 111.0) == [0, 1, 2, 3]


# Deals


def test_deals_are_counted(four: Path, tmp_path: Path) -> None:
    """A deal counts once however many seatings played it; the log of hands says as many."""
    results = play(
        four,
        tmp_path / "out",
        {"type": "duel", "a": "Low", "b": "High", "blocks": 5},
        rules={"end": {"deals": 3}},
    )
    hands = results.hands(["block", "seating", "hand"])
    deals = {(row.block, row.hand) for row in hands.itertuples()}
    assert results.info["checks"]["deals"] == {"played": len(deals), "repeated": 0}
    assert len(deals) == 15


def test_games_of_a_block_differ_in_length(four: Path, tmp_path: Path) -> None:
    """Of games that end at a target the longest says how many deals a block has."""
    settings = config(four, {"type": "selfplay", "blocks": 3}, rules={})
    settings["rules"] = {"target": 50}
    results = run(settings, output=tmp_path / "out", report=False)
    hands = results.hands(["block", "seating", "hand"])
    lengths = hands.groupby(["block", "seating"])["hand"].max()
    assert lengths.groupby("block").nunique().max() > 1
    longest = lengths.groupby("block").max()
    assert results.info["checks"]["deals"] == {"played": longest.sum(), "repeated": 0}


def dealt(**blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Blocks, named ``b7``, with these numbers of deals."""
    return np.array([int(name[1:]) for name in blocks]), np.array(list(blocks.values()))


def test_repeated_deals_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that is there twice repeats all its deals; other blocks and seeds share none."""
    spec: Any = SimpleNamespace(seed=5)
    parts = [dealt(b0=4, b1=2), dealt(b2=9)]
    assert count_deals(spec, parts) == {"played": 15, "repeated": 0}
    assert count_deals(spec, [*parts, dealt(b3=1, b1=3)]) == {"played": 19, "repeated": 2}
    assert count_deals(spec, [parts[0]] * 3) == {"played": 18, "repeated": 12}
    assert count_deals(spec, []) == {"played": 0, "repeated": 0}
    monkeypatch.setattr(deals, "MOST_KEYS", 5)  # the same in several goes
    assert count_deals(spec, [parts[0]] * 3) == {"played": 18, "repeated": 12}
    assert count_deals(spec, [*parts, dealt(b3=1, b1=3)]) == {"played": 19, "repeated": 2}


def test_who_sits_how_often(four: Path, tmp_path: Path) -> None:
    """Seats of a gauntlet by hand: a newcomer once in each seat of a block, the field in turn."""
    format_ = {"type": "gauntlet", "newcomers": ["Low"], "blocks": 5}
    games = play(four, tmp_path / "out", format_).games()
    counts = Counter(zip(games["strategy"].astype(str), games["seat"], strict=True))
    # A field of three fills the three other seats of each of the five blocks.
    assert counts == {
        (name, seat): 5 for name in ("Chance", "High", "Low", "Middle") for seat in range(4)
    }
