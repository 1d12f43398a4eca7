"""What is said of a run: what was played, what one must know, what it found out about itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import Game, random_games, write_run
from trial import LOW, settings, write_files

from hearts_sim import run
from hearts_sim.report.notes import (
    TEAM_PLACES,
    TEAM_POINTS,
    checks,
    facts,
    field_of,
    legend,
    notes,
    preset_of,
    verdicts,
)
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.write import as_json, draw, write_report
from hearts_sim.rules import PRESETS, Rules

MIXED = [[place >> seat & 1 for seat in range(4)] for place in range(1, 15)]
"""The 14 mixed seatings of a duel of four players."""


def duel_games(blocks: int, totals: list[int] | None = None) -> list[Game]:
    """Blocks of a duel; without given totals the first of the two takes fewer points."""
    return [
        (
            block,
            seated,
            totals or [3 + 6 * entry + (block + seat) % 3 for seat, entry in enumerate(seated)],
        )
        for block in range(blocks)
        for seated in MIXED
    ]


def made(path: Path, games: list[Game], entries: int = 4, **more: Any) -> Summary:
    return summarise(write_run(path / "run", Rules(), games, entries=entries, **more))


# What was played


@pytest.mark.parametrize(
    ("identity", "entries", "kind", "field"),
    [
        ({"format": "table"}, 4, "table tournament", "this field of 4 in a table tournament"),
        ({"format": "duel"}, 2, "duel", "this field of 2 in a duel"),
        ({"format": "selfplay"}, 4, "self-play", "this field of 4 in a self-play"),
        (
            {"format": "gauntlet", "newcomers": ["B"]},
            4,
            "gauntlet",
            "B and a field of 3 in a gauntlet",
        ),
        (
            {"format": "gauntlet", "newcomers": ["A", "D"]},
            4,
            "gauntlet",
            "A, D and a field of 2 in a gauntlet",
        ),
        ({"format": "table", "newcomers": []}, 4, "table tournament", "this field of 4 in a table"),
    ],
)
def test_each_format(
    identity: dict[str, Any], entries: int, kind: str, field: str, tmp_path: Path
) -> None:
    """Facts begin with the kind, and the ratings hold for its field only."""
    games = random_games(Rules(), entries=entries, blocks=3)
    summary = made(tmp_path, games, entries, identity=identity)
    assert facts(summary) == (
        f"{kind}, 12 games in 3 blocks, 12 hands of black_lady, 4 players, seed 1"
    )
    assert field_of(summary).startswith(field)
    assert field_of(summary).endswith(" of 4 players")
    assert f"It holds for {field_of(summary)}." in legend(summary)
    assert as_json(summary)["holds_for"] == field_of(summary)


def test_large_numbers_and_one_block(tmp_path: Path) -> None:
    """Thousands are set apart; a single block is one."""
    games: list[Game] = [(0, [0, 1, 2, 3], [1, 2, 3, 20])] * 1200
    said = facts(made(tmp_path, games))
    assert said.startswith("table tournament, 1,200 games in 1 block, 1,200 hands of")


def test_interim(tmp_path: Path) -> None:
    """An unfinished run says so in its facts and notes, and has no checks yet."""
    games = random_games(Rules(), entries=4)
    summary = made(tmp_path, games, status="running")
    assert facts(summary).startswith("interim: table tournament, 48 games")
    assert notes(summary)[0] == "The run is not finished: all figures are interim."
    assert checks(summary) == []
    assert as_json(summary)["checks"] == []


# What one must know

PROVISIONAL = (
    "Provisional: with fewer than 10 blocks intervals cannot be trusted, and here there {}."
)


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (1, [PROVISIONAL.format("is 1")]),
        (2, [PROVISIONAL.format("are 2")]),
        (9, [PROVISIONAL.format("are 9")]),
        (10, []),
    ],
)
def test_provisional(blocks: int, said: list[str], tmp_path: Path) -> None:
    """With fewer than ten blocks, and each sentence on a pair says it too."""
    summary = made(tmp_path, duel_games(blocks), 2, identity={"format": "duel"})
    assert [note for note in notes(summary) if note.startswith("Provisional")] == said
    assert all(one.startswith("Provisional") == (1 < blocks < 10) for one in verdicts(summary))


def test_few_blocks_of_some_are_provisional(tmp_path: Path) -> None:
    """E has played 8 of 24 blocks, and is named; pairs with it are called provisional."""
    games = [
        (block, [4 if entry == 0 and block < 8 else entry for entry in seated], totals)
        for block, seated, totals in random_games(Rules(), entries=4, blocks=24, span=30)
    ]
    summary = made(tmp_path, games, 5)
    said = PROVISIONAL.partition(", and")[0]
    assert [note for note in notes(summary) if note.startswith("Provisional")] == [
        f"{said}, and E has no more."
    ]
    assert any(verdict.startswith("Provisional") for verdict in verdicts(summary))
    assert not summary.ranking.better[4].any()
    assert np.isnan(summary.ranking.p_holm[4, :4]).all()
    assert (summary.ranking.p_holm[:4, :4] >= 0).all()


@pytest.mark.parametrize(
    ("rule", "ends", "text", "said"),
    [
        ("target", True, "widest interval ±9 Elo, target ±10", "Target reached: "),
        ("target", False, "widest interval ±14 Elo, target ±10", "Target not reached at the cap: "),
        ("sprt", True, "LLR +2.96: A is ahead of B", "Sequential test: "),
        ("sprt", False, "LLR +0.10: undecided", "Sequential test at the cap: "),
    ],
)
def test_how_it_ended(rule: str, ends: bool, text: str, said: str, tmp_path: Path) -> None:
    """A run that ends by its results says by which, or that the cap was first."""
    ended = {"rule": {"rule": rule}, "ends": ends, "text": text}
    summary = made(tmp_path, random_games(Rules(), entries=4), verdict=ended)
    assert notes(summary)[0].startswith(f"{said}{text}.")
    assert ("estimates lean to its decision" in notes(summary)[0]) is (rule == "sprt" and ends)
    assert len(notes(summary)) == 1
    assert as_json(summary)["ended"] == ended


def test_without_a_stop_nothing_is_said_of_it(tmp_path: Path) -> None:
    """A usual run needs no note."""
    assert notes(made(tmp_path, random_games(Rules(), entries=4))) == []


GROUPS = (
    "The field falls into groups without results in both directions, between which there are no "
    "Elo differences: {}."
)


def test_undefeated_and_winless(tmp_path: Path) -> None:
    """A won all, D lost all; B and C won from each other."""
    games: list[Game] = [
        (block, seated, [{0: 0, 1: 2 + block % 2, 2: 3 - block % 2, 3: 20}[e] for e in seated])
        for block in range(12)
        for seated in ([0, 1, 2, 3], [3, 0, 1, 2])
    ]
    summary = made(tmp_path, games)
    assert notes(summary) == [
        "A won every comparison: its Elo is only a lower bound, its rank untested.",
        "D lost every comparison: its Elo is only an upper bound, its rank untested.",
        GROUPS.format("A; B, C; D"),
    ]
    first, middle, last = verdicts(summary)
    assert "no Elo difference" in first
    assert first.endswith("in points A is ahead of B by 2.50 ±0.33 per hand.")
    assert middle.startswith("B and C: not distinguishable (+0 ±")
    assert last.endswith("in points C is ahead of D by 17.50 ±0.33 per hand.")


def test_groups_that_never_met(tmp_path: Path) -> None:
    """Two fields in one run, and one that met nobody: no word on who is better across them."""
    games = [
        (block, [entry + 4 * (block % 2) for entry in seated], totals)
        for block, seated, totals in random_games(Rules(), entries=4, blocks=24, span=20)
    ]
    summary = made(tmp_path, games, 9)
    assert notes(summary) == [GROUPS.format("A, B, C, D; E, F, G, H")]
    order = list(summary.board["strategy"])
    assert sorted(order[:4]) == list("ABCD")
    across, last = verdicts(summary)[3], verdicts(summary)[-1]
    assert "no Elo difference" in across
    assert last.endswith("nothing can be said yet; it takes two blocks at least.")


def test_groups_of_which_one_beats_the_other(tmp_path: Path) -> None:
    """Nobody is undefeated, but A and B always beat C and D."""
    games: list[Game] = [
        (block, [0, 1, 2, 3], totals)
        for block in range(12)
        for totals in ([1, 2, 10, 13], [2, 1, 13, 10])
    ]
    assert notes(made(tmp_path, games)) == [GROUPS.format("A, B; C, D")]


def test_verdicts_follow_the_board(tmp_path: Path) -> None:
    """A sentence on each and the next in rank, tested with all other pairs."""
    summary = made(tmp_path, random_games(Rules(), entries=7, blocks=40, span=20), 7)
    order = list(summary.board["strategy"])
    said = verdicts(summary)
    assert len(said) == 6
    for place, sentence in enumerate(said):
        assert f"{order[place]} " in sentence
        assert order[place + 1] in sentence
        assert ("better than" not in sentence) or not summary.ranking.better.any()


# What the run found out about itself

DEALS = {"played": 2672, "repeated": 0}


def found(**more: Any) -> dict[str, Any]:
    return {"deals": DEALS, "alike": [], "not_compared": []} | more


def test_all_is_well(tmp_path: Path) -> None:
    """No deal twice, fair seats, different strategies."""
    games = random_games(Rules(), entries=4)
    summary = made(tmp_path, games, checks=found())
    assert checks(summary) == [
        "2,672 deals, none of them used twice.",
        "Everybody sat equally often in every seat.",
        "No strategy failed.",
        "No two strategies chose alike in all decisions of a game with themselves.",
    ]
    assert as_json(summary)["checks"] == checks(summary)


def test_deals_that_were_used_twice(tmp_path: Path) -> None:
    """That is an alarm, and the first thing said."""
    deals = {"played": 12000, "repeated": 1034}
    summary = made(tmp_path, random_games(Rules(), entries=4), checks=found(deals=deals))
    assert checks(summary)[0] == (
        "WARNING: 1,034 of 12,000 deals were used twice; their blocks are not independent."
    )
    assert sum("WARNING" in said for said in checks(summary)) == 1


SEATS = "Everybody sat equally often in every seat."


def test_seats_are_counted(tmp_path: Path) -> None:
    """One game less, and it is not said; of a gauntlet each role is looked at by itself."""
    games = random_games(Rules(), entries=4)
    assert SEATS in checks(made(tmp_path / "all", games, checks=found()))
    assert SEATS not in checks(made(tmp_path / "less", games[:-1], checks=found()))
    # Newcomer A in every game, B to E in turn.
    rotated: list[Game] = [
        (block, [line[(seat + shift) % 4] for seat in range(4)], [1, 2, 3, 20])
        for block, line in enumerate(([0, 1, 2, 3], [0, 2, 3, 4], [0, 3, 4, 1], [0, 4, 1, 2]))
        for shift in range(4)
    ]
    for name, newcomers, fair in (("a", ["A"], True), ("b", ["B"], False), ("none", [], False)):
        identity = {"format": "gauntlet", "newcomers": newcomers}
        summary = made(tmp_path / name, rotated, 5, checks=found(), identity=identity)
        assert (SEATS in checks(summary)) is fair


ALIKE = "chose alike in every decision of a game with themselves: they are one player"
POINTED_OUT = f"{ALIKE} under several names, or differ in rare situations only."
EXACTLY = f"{ALIKE} under several names, and differ by exactly nothing, as they must."
NOT_EXACTLY = f"{ALIKE}, or differ in rare situations only; if they are one, something in them"


@pytest.mark.parametrize(
    ("group", "who"), [(["A", "C"], "A and C"), (["A", "B", "D"], "A, B and D")]
)
def test_alike_at_a_table(group: list[str], who: str, tmp_path: Path) -> None:
    """Only pointed out: in their places they may differ by luck."""
    summary = made(tmp_path, random_games(Rules(), entries=4), checks=found(alike=[group]))
    assert checks(summary)[3:] == [f"{who} {POINTED_OUT}"]


def test_two_groups_are_told_apart(tmp_path: Path) -> None:
    """A sentence for each."""
    alike = found(alike=[["A", "C"], ["B", "D"]])
    summary = made(tmp_path, random_games(Rules(), entries=4), checks=alike)
    assert checks(summary)[3:] == [f"A and C {POINTED_OUT}", f"B and D {POINTED_OUT}"]


@pytest.mark.parametrize("blocks", [1, 2, 12])
@pytest.mark.parametrize("totals", [[6, 7, 6, 7], [1, 2, 3, 20]])
def test_alike_in_a_duel_with_an_exact_zero(blocks: int, totals: list[int], tmp_path: Path) -> None:
    """Equal players have equal sums over the mixed seatings, already in a single block."""
    summary = made(
        tmp_path,
        duel_games(blocks, totals),
        2,
        checks=found(alike=[["A", "B"]]),
        identity={"format": "duel"},
    )
    assert checks(summary)[3:] == [f"A and B {EXACTLY}"]
    nothing = "A and B differ by exactly nothing in every block."
    assert (nothing in verdicts(summary)[0]) is (blocks > 1)


@pytest.mark.parametrize("blocks", [1, 12])
@pytest.mark.parametrize("turn", [0, 1])
def test_alike_in_a_duel_without_an_exact_zero(blocks: int, turn: int, tmp_path: Path) -> None:
    """One game that goes otherwise by points, or only by places, and it is noticed."""
    games = duel_games(blocks, [4, 4, 4, 14])
    block, seated, _ = games[0]
    games[0] = (block, seated, [14, 4, 4, 4] if turn == 0 else [3, 5, 4, 14])
    identity = {"format": "duel"}
    summary = made(tmp_path, games, 2, checks=found(alike=[["A", "B"]]), identity=identity)
    (said,) = checks(summary)[3:]
    assert said.startswith(f"A and B {NOT_EXACTLY}")
    assert "a clock, or random numbers other than self.rng" in said


@pytest.mark.parametrize("blocks", [1, 2])
def test_one_strategy_against_itself(blocks: int, tmp_path: Path) -> None:
    """A real duel of one strategy under two names."""
    folder = write_files(tmp_path / "s", {"low.py": LOW})
    entries = [{"strategy": "Low", "name": name} for name in ("One", "Other")]
    config = settings(folder, entries)
    config["format"] = {"type": "duel", "a": "One", "b": "Other", "blocks": blocks}
    summary = summarise(
        run(config | {"rules": {"target": 30}}, output=tmp_path / "run", report=False)
    )
    assert f"One and Other {EXACTLY}" in checks(summary)
    assert not any("WARNING" in said for said in checks(summary))


def test_who_was_not_looked_at(tmp_path: Path) -> None:
    """Named; and with nobody left, nothing is said of who is different."""
    games = random_games(Rules(), entries=4)
    some = checks(made(tmp_path / "some", games, checks=found(not_compared=["B", "D"])))
    assert "No two strategies chose alike in all decisions of a game with themselves." in some
    assert some[-1].startswith("Not looked at for being alike")
    assert some[-1].endswith(": B, D.")
    none = checks(made(tmp_path / "none", games, checks=found(not_compared=list("ABCD"))))
    assert len(none) == 4
    assert none[-1].endswith(": A, B, C, D.")
    alike = found(alike=[["A", "C"]], not_compared=["B", "D"])
    assert len(checks(made(tmp_path / "alike", games, checks=alike))) == 5


# Rules that are unlike the usual ones


def test_facts_name_preset_and_teams(tmp_path: Path) -> None:
    """The line of facts has the preset, if these are just its rules, and the teams."""
    for number, (rules, words) in enumerate(
        (
            (Rules(), "1 hand of black_lady, 4 players, seed 1"),
            (Rules(target=77), "1 hand, 4 players, seed 1"),
            (Rules.preset("cancellation", players=11), "of cancellation, 11 players, seed 1"),
            (Rules.preset("partnership"), "of partnership, 4 players in 2 teams, seed 1"),
            (Rules(players=6, teams="pooled"), "1 hand, 6 players in 3 teams, seed 1"),
        )
    ):
        games = random_games(rules, entries=12, blocks=1)[:1]
        summary = summarise(write_run(tmp_path / str(number), rules, games, entries=12))
        assert facts(summary).endswith(words)
        assert draw(summary, "places").texts[1].get_text() == facts(summary)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_recognised(name: str) -> None:
    """Rules of a preset, also read from a file, have its name."""
    for players in PRESETS[name].players:
        rules = Rules.preset(name, players=players)
        assert preset_of(Rules(**rules.settings())) == name
        assert preset_of(Rules(**(rules.settings() | {"max_hands": 999}))) == ""


PARTNERS = "Partners share a place; pairs within a team are not compared."
UNLIKE: dict[str, tuple[dict[str, Any], list[str]]] = {
    "usual": ({}, []),
    "highest": ({"win": "highest"}, ["The highest total wins."]),
    "singly": ({"teams": "singly"}, [PARTNERS]),
    "pooled, highest": (
        {"teams": "pooled", "win": "highest"},
        ["The highest total wins.", PARTNERS, TEAM_POINTS],
    ),
}


@pytest.fixture(params=UNLIKE)
def unlike(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Summary, list[str]]:
    """A run of unusual rules and how its notes begin."""
    settings, notes = UNLIKE[request.param]
    rules = Rules(**settings)
    return summarise(write_run(tmp_path / "run", rules, random_games(rules, entries=4))), notes


def test_what_is_noted(unlike: tuple[Summary, list[str]]) -> None:
    """The notes say what is unlike the usual game, on the pages and as JSON; so does the legend."""
    summary, wanted = unlike
    rules = summary.results.rules
    said = notes(summary)
    assert len(said) == len(wanted)
    assert all(one.startswith(other) for one, other in zip(said, wanted, strict=True))
    assert as_json(summary)["notes"] == said
    better = "more" if rules.win == "highest" else "fewer"
    assert legend(summary).startswith(f"Points per hand: {better} are better.")
    assert ("all pairs of opponents at a table" in legend(summary)) is (rules.teams != "none")
    write_report(summary)
    for name in ("report.md", "report.html"):
        page = (summary.results.path / name).read_text(encoding="utf-8")
        assert all(note in page.replace("\\", "").replace("&#39;", "'") for note in said)


def test_words_of_charts(unlike: tuple[Summary, list[str]]) -> None:
    """Charts say which way points are better, and whose points and places are shown."""
    summary, _ = unlike
    rules = summary.results.rules
    better = "higher is better \u2192" if rules.win == "highest" else "\u2190 lower is better"
    for kind in ("ratings", "points"):
        shown = [text.get_text() for text in draw(summary, kind).texts]
        assert better in shown
        assert (TEAM_POINTS in shown) is (rules.teams == "pooled")
    shown = [text.get_text() for text in draw(summary, "places").texts]
    assert (TEAM_PLACES in shown) is (rules.teams != "none")
    places = ["1st", "2nd", "3rd", "4th"]
    assert [text for text in shown if text in places] == places[: rules.sides]


def test_an_anchor_that_met_nobody(tmp_path: Path) -> None:
    """While the anchor has no opponent yet, ratings refer to the mean, and a note says so."""
    games = random_games(Rules(), entries=4)
    late = write_run(tmp_path / "run", Rules(), games, entries=5, report={"anchor": "E"})
    summary = summarise(late)
    assert summary.reference == "mean"
    assert summary.board["elo"].mean() == pytest.approx(1500)
    assert "E has met nobody yet: the field's mean stands in for it." in notes(summary)
    assert write_report(summary)
    known = write_run(tmp_path / "known", Rules(), games, report={"anchor": "D"})
    assert summarise(known).reference == "D"
