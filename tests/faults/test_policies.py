"""What is done about a bot that fails: stop, substitute, forfeit, disqualify."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trial import LOW, settings, write_files

from hearts_sim import run
from hearts_sim.cards import CardSet
from hearts_sim.engine.legal import neutral_card
from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.tournament.reading.results import Results

# Plays its lowest card, like Low, until it is to fail.
FAILS = """
from hearts_sim import Strategy

class Fails(Strategy):
    def choose_card(self, view):
        if {when}:
            {how}
        return view.legal.lowest()
"""
LATE = "view.hand_number == 2 and view.trick_number == 5"
MANY = {"end": {"deals": 4}, "tie": "draw"}


def bots(folder: Path, when: str = LATE, how: str = "return 99") -> Path:
    """Five bots that play the lowest card; one of them fails."""
    files = {f"{name}.py": LOW.replace("Low", name) for name in ("A", "B", "C", "D")}
    return write_files(folder, {**files, "fails.py": FAILS.format(when=when, how=how)})


def play(tmp_path: Path, name: str = "out", **more: Any) -> Results:
    """Play a league with the failing bot, which nothing disqualifies."""
    faults = {"max_rate": 1, **more.pop("faults", {})}
    config = settings(tmp_path / "s", rules=MANY, faults=faults, log="plays", **more)
    return run(config, output=tmp_path / name, report=False)


def rows(results: Results, table: str) -> Any:
    return getattr(results, table)()


def without(results: Results, name: str, table: str) -> Any:
    """Rows of the blocks in which somebody does not sit."""
    games = results.games()
    tainted = games[games["strategy"] == name]["block"].unique()
    frame = rows(results, table)
    kept = frame[~frame["block"].isin(tainted)]
    return kept.drop(columns="strategy", errors="ignore").reset_index(drop=True)


@pytest.mark.parametrize(
    ("legal", "card"),
    [
        ("5C", "5C"),
        ("5C 9C 2D", "5C"),
        ("KC 3D 4D", "3D"),
        ("KC 3D", "KC"),  # equally long: clubs first
        ("4H 2H QS JS", "JS"),  # spades before hearts
        ("AH 9H 8H QS JS", "8H"),
    ],
)
def test_the_neutral_card(legal: str, card: str) -> None:
    """The lowest card of the longest legal suit, as the documentation says."""
    assert int(neutral_card(int(CardSet.parse(legal)))) == int(CardSet.parse(card).lowest())


def test_substitute(tmp_path: Path) -> None:
    """The game goes on with a neutral card; the fault is counted where it happened, and told."""
    bots(tmp_path / "s")
    results = play(tmp_path, games=40)
    games, faults = results.games(), results.faults()
    failed = games["strategy"] == "Fails"
    assert games[failed]["faults"].eq(1).all()
    assert games[~failed]["faults"].eq(0).all()
    assert len(faults) == failed.sum() > 20
    first = faults.iloc[0]
    assert (first["strategy"], first["kind"], first["hook"]) == (
        "Fails", "illegal_card", "choose_card",
    )  # fmt: skip
    assert (first["hand"], first["trick"]) == (2, 5)
    assert first["message"] == "it played 99, which is no card, which it may not"
    assert first["answer"] == "99, which is no card"
    assert first["replay"] == (
        f"hearts-sim replay {results.path} {first['game']} --hand 2 --trick 5 "
        f"--seat {first['seat']} --hook choose_card"
    )
    # What was played is the neutral card of what it was given.
    plays = results.plays()
    for fault in faults.itertuples():
        legal = fault.given.split("legal: ")[1]
        card = plays[
            (plays["game"] == fault.game) & (plays["hand"] == 2)
            & (plays["trick"] == 5) & (plays["seat"] == fault.seat)
        ]["card"].item()  # fmt: skip
        assert card == int(neutral_card(int(CardSet.parse(legal))))


@pytest.mark.parametrize("policy", ["substitute", "forfeit"])
def test_blocks_without_it_are_the_same(tmp_path: Path, policy: str) -> None:
    """Blocks in which the bot does not sit are those of a run with a good bot in its place."""
    bots(tmp_path / "s")
    bad = play(tmp_path, "bad", games=40, faults={"policy": policy})
    bots(tmp_path / "s", when="False")
    good = play(tmp_path, "good", games=40)
    assert len(without(good, "Fails", "plays")) > 1000
    for table in ("games", "hands", "plays"):
        assert without(bad, "Fails", table).equals(without(good, "Fails", table))


def test_forfeit(tmp_path: Path) -> None:
    """The game ends with the hand before; who failed is last, the others stand by their scores."""
    bots(tmp_path / "s")
    results = play(tmp_path, games=40, faults={"policy": "forfeit"})
    games = results.games()
    for _, table in games.groupby("game"):
        failed = table[table["strategy"] == "Fails"]
        if failed.empty:
            assert table["ended"].eq("deals").all()
            continue
        assert table["ended"].eq("forfeit").all()
        assert table["hands"].eq(1).all()
        assert failed["place"].item() == 4
        assert failed["win"].item() == 0
        others = table[table["strategy"] != "Fails"]
        assert others["place"].tolist() == others["score"].rank().tolist()
        assert others["win"].sum() == pytest.approx(1)
    assert results.hands().groupby("game")["hand"].max().isin([1, 4]).all()


@pytest.mark.parametrize(
    ("hook", "hands"), [("start_game", 0), ("start_hand", 0), ("choose_pass", 0), ("end_hand", 1)]
)
def test_forfeit_at_any_hook(tmp_path: Path, hook: str, hands: int) -> None:
    """A hand that is scored counts, one that is not does not."""
    bot = LOW.replace("Low", "Fails") + f"\n    def {hook}(self, view):\n        raise OSError\n"
    write_files(tmp_path / "s", {"fails.py": bot, "low.py": LOW})
    results = play(tmp_path, games=8, type="duel", faults={"policy": "forfeit"})
    games = results.games()
    assert games["ended"].eq("forfeit").all()
    assert games["hands"].eq(hands).all()
    assert len(results.hands()) == 4 * hands * games["game"].nunique()
    # The first that is asked forfeits; further ones are never asked.
    assert games.groupby("game")["faults"].sum().eq(1).all()
    assert games[games["faults"] > 0]["place"].eq(4).all()
    assert games[games["faults"] > 0]["strategy"].eq("Fails").all()


def test_forfeit_of_a_team(tmp_path: Path) -> None:
    """The team of who failed is last."""
    bots(tmp_path / "s", when="view.trick_number == 3")
    config = settings(tmp_path / "s", games=40, rules="partnership")
    config["faults"] = {"policy": "forfeit", "max_rate": 1}
    games = run(config, output=tmp_path / "out", report=False).games()
    forfeited = games[games["ended"] == "forfeit"]
    assert len(forfeited)
    for _, table in forfeited.groupby("game"):
        team = table[table["faults"] > 0]["team"].item()
        assert table[table["team"] == team]["place"].eq(2).all()
        assert table[table["team"] != team]["place"].eq(1).all()


def test_strict(tmp_path: Path) -> None:
    """The run stops at once."""
    bots(tmp_path / "s")
    with pytest.raises(StrategyFault, match=r"Fails failed in choose_card \(block 0, .*trick 5"):
        play(tmp_path, games=40, faults={"policy": "strict"})


@pytest.mark.parametrize("hook", ["__init__", "start_game"])
def test_a_bot_that_does_not_begin(tmp_path: Path, hook: str) -> None:
    """It has failed once in each game, and neutral cards are played to its end."""
    arguments = "self" if hook == "__init__" else "self, view"
    bot = LOW.replace("Low", "Fails") + f"\n    def {hook}({arguments}):\n        raise OSError\n"
    write_files(tmp_path / "s", {"fails.py": bot, "low.py": LOW})
    games = play(tmp_path, games=14, type="duel").games()
    failed = games["strategy"] == "Fails"
    assert games["ended"].eq("deals").all()
    assert games[failed]["faults"].eq(1).all()
    assert games[~failed]["faults"].eq(0).all()


def test_what_is_played_instead(tmp_path: Path) -> None:
    """The default pass and the better way to pay for a moon stand in for those choices."""
    plain = LOW.replace("Low", "Same")
    bad = LOW.replace("Low", "Same") + (
        "\n    def choose_pass(self, view):\n        return []\n"
        "\n    def choose_moon(self, view):\n        return 'both'\n"
    )
    digests = []
    for bot in (plain, bad):
        write_files(tmp_path / "s", {"same.py": bot, "low.py": LOW})
        config = settings(tmp_path / "s", games=14, type="duel", log="plays")
        config |= {"rules": {**MANY, "moon": "choice"}, "faults": {"max_rate": 1}}
        results = run(config, output=tmp_path / "out", force=True, report=False)
        digests.append(results.plays())
        kinds = set(results.faults()["kind"])
    assert digests[0].equals(digests[1])
    assert "illegal_pass" in kinds


# Disqualification


def test_disqualified(tmp_path: Path) -> None:
    """After 20 faulty games above the rate an entry plays no more; the others go on."""
    bots(tmp_path / "s", when="view.seat == 0 and " + LATE)
    results = play(tmp_path, games=400, faults={"max_rate": 0.2})
    (out,) = results.info["disqualified"]
    assert out["strategy"] == "Fails"
    games = results.games()
    own = games[games["strategy"] == "Fails"]
    assert (out["games"], out["faulty"]) == (len(own), int((own["faults"] > 0).sum()))
    assert out["faulty"] >= 20
    assert out["faulty"] > 0.2 * out["games"]
    assert own["block"].max() < out["block"]
    ends = {notes["blocks"][1]: notes for notes in results.folder.parts().values()}
    assert out["block"] in ends
    # One part before, it was not to be disqualified yet.
    before = own[own["block"] < ends[out["block"]]["blocks"][0]]
    faulty = (before["faults"] > 0).sum()
    assert faulty < 20 or faulty <= 0.2 * len(before)
    # A fifth of the blocks have all others, and all of them are played.
    left = games[games["block"] >= out["block"]]
    assert set(left["strategy"]) == {"A", "B", "C", "D"}
    assert results.info["blocks"] == 100
    assert left["block"].nunique() == pytest.approx((100 - out["block"]) / 5, abs=1)
    assert results.info["ended_early"] == ""


def test_disqualification_does_not_depend_on_the_order(tmp_path: Path) -> None:
    """Parts that were begun too early are played again: any number of processes, equal runs."""
    bots(tmp_path / "s")
    faults = {"max_rate": 0.01}
    runs = [play(tmp_path, "inline", games=300, faults=faults)]
    config = settings(tmp_path / "s", rules=MANY, faults=faults, log="plays", games=300)
    runs += [run(config, output=tmp_path / "2", jobs=2, report=False)]
    assert len(runs[0].info["disqualified"]) == 1
    for key in ("disqualified", "digest", "blocks", "games"):
        assert runs[0].info[key] == runs[1].info[key]
    # In two steps too.
    config["format"]["games"] = 100
    run(config, output=tmp_path / "steps", report=False)
    config["format"]["games"] = 300
    steps = run(config, output=tmp_path / "steps", report=False)
    assert steps.info["digest"] == runs[0].info["digest"]
    assert steps.info["disqualified"] == runs[0].info["disqualified"]


def test_nothing_is_left_to_play(tmp_path: Path) -> None:
    """When everybody is needed the run ends, says why, and is done."""
    bots(tmp_path / "s")
    config = settings(tmp_path / "s", ["Fails", "A"], games=400, type="duel", rules=MANY)
    results = run(config, output=tmp_path / "out", report=False)
    assert results.info["ended_early"] == (
        "every game that was left has somebody disqualified in it (Fails)"
    )
    assert results.info["blocks"] < 20
    assert results.games()["block"].max() == results.info["blocks"] - 1
    again = run(config, output=tmp_path / "out", report=False)
    assert again.info["finished"] == results.info["finished"]


@pytest.mark.parametrize("kind", ["selfplay", "gauntlet"])
def test_others_of_the_block_play_on(tmp_path: Path, kind: str) -> None:
    """Where only some games of a block have the bot, the others are played."""
    bots(tmp_path / "s")
    more = {"newcomers": ["Fails", "A"]} if kind == "gauntlet" else {}
    config = settings(tmp_path / "s", rules=MANY, games=600, type=kind)
    config["format"] |= more
    results = run(config, output=tmp_path / "out", report=False)
    (out,) = results.info["disqualified"]
    games = results.games()
    late = games[games["block"] >= out["block"]]
    assert "Fails" not in set(late["strategy"])
    assert late["block"].nunique() == results.info["blocks"] - out["block"]


# Bots that cannot be loaded


def test_prepare_fails(tmp_path: Path) -> None:
    """A bot that cannot play is out from the first block, and its fault is in the log."""
    bot = LOW.replace("Low", "Fails") + (
        "\n    @classmethod\n    def prepare(cls, options):\n        open('no such file')\n"
    )
    bots(tmp_path / "s")
    write_files(tmp_path / "s", {"fails.py": bot})
    results = play(tmp_path, games=40)
    (out,) = results.info["disqualified"]
    assert (out["strategy"], out["block"], out["games"]) == ("Fails", 0, 0)
    assert "prepare raised FileNotFoundError" in out["why"]
    assert set(results.games()["strategy"]) == {"A", "B", "C", "D"}
    (fault,) = results.faults().to_dict("records")
    assert (fault["strategy"], fault["kind"]) == ("Fails", "import_error")
    assert fault["message"] == out["why"]
    with pytest.raises(StrategyFault, match="prepare raised"):
        play(tmp_path, "strict", games=40, faults={"policy": "strict"})
    config = settings(tmp_path / "s", ["Fails", "A"], type="duel")
    with pytest.raises(StrategyLoadError, match="prepare raised"):
        run(config, output=tmp_path / "duel", report=False)


def test_numbers_of_faulty_games(tmp_path: Path) -> None:
    """Several seats of one bot in a game are one game with a fault."""
    bots(tmp_path / "s")
    config = settings(tmp_path / "s", ["Fails", "A"], type="duel", games=14, rules=MANY)
    results = run(config, output=tmp_path / "out", report=False)
    games = results.games()
    (notes,) = results.folder.parts().values()
    own = games[games["strategy"] == "Fails"]
    assert notes["seated"] == {"Fails": 14, "A": 14}
    assert notes["faulty"] == {"Fails": 14, "A": 0}
    assert notes["faults"] == own["faults"].sum() == len(own) == 28
    assert np.array_equal(np.sort(own["game"].unique()), np.arange(14))
