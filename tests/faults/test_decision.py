"""A game with faults played again, and one decision of it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import zoo
from click.testing import CliRunner, Result

from hearts_sim import run
from hearts_sim.cli import main
from hearts_sim.tournament.reading.replay import replay_game
from hearts_sim.tournament.reading.results import Results

HAND, TRICK = 2, 3


def play(tmp_path: Path, *names: str, policy: str = "substitute", **more: Any) -> Results:
    """Some of the zoo against a good bot; one hand after another is logged, no cards."""
    animals = [zoo.BY_NAME[name] for name in names]
    entries = [animal.entry("shared", HAND, TRICK) for animal in animals]
    config = {
        "seed": 3,
        "rules": {"players": 3, "end": {"deals": 3}, "tie": "draw"},
        "strategies": {
            "folder": str(zoo.place(tmp_path / "s", *animals)),
            "entries": [zoo.GOOD, *entries],
        },
        "format": {"type": "gauntlet", "newcomers": list(names), "blocks": 1},
        "faults": {"policy": policy, "max_rate": 1, **more.pop("faults", {})},
    }
    return run(config, output=tmp_path / "out", report=False, **more)


def invoke(command: str) -> Result:
    """A command as it stands in the log."""
    return CliRunner().invoke(main, shlex.split(command)[1:])


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run with a bot that raises."""
    return play(tmp_path_factory.mktemp("raised"), "Raises")


def test_the_command_in_the_log(raised: Results) -> None:
    """It shows what the bot sees, what goes wrong, and where in the bot."""
    for fault in raised.faults().to_dict("records"):
        done = invoke(fault["replay"])
        assert done.exit_code == 1
        assert fault["message"] in done.stdout
        assert fault["traceback"] == "" or fault["traceback"].strip() in done.stdout
        cards = fault["given"].removeprefix("hand: ").split("; legal: ")
        assert f"holds {cards[0]}; " in done.stdout
        assert f"legal: {cards[1]}" in done.stdout


def test_a_decision_that_does_not_fail(raised: Results) -> None:
    """Any other decision of the game can be asked for too, also after a fault."""
    game = raised.faults()["game"].iloc[0]
    rows = raised.hands()
    for seat in range(3):
        for hand, trick in ((1, 1), (3, 5)):
            name = rows[(rows["game"] == game) & (rows["seat"] == seat)]["strategy"].iloc[0]
            where = f"--hand {hand} --trick {trick} --seat {seat}"
            done = invoke(f"hearts-sim replay {raised.path} {game} {where}")
            if name == "Raises" and hand == 3:
                continue  # it goes on raising
            assert done.exit_code == 0, done.output
            assert f"{name}, choose_card: hand {hand}, trick {trick}, seat {seat}: " in done.stdout
            lowest = done.stdout.split("legal: ")[1].split()[0]
            assert f"it answers {lowest}\n" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--seat 1 --hand 99 --trick 1", "has no such decision: seat 1 is not asked choose_card"),
        ("--seat 7 --hand 1 --trick 1", "has no such decision: seat 7"),
        ("--seat 1 --trick 1", "choose_card is asked in a hand: give its --hand"),
        ("--seat 1 --hand 1 --hook choose_card", "give its --trick"),
        ("--trick 1", "give its --seat too"),
        ("--seat 1 --hand 1 --trick 1 --json", "--seat asks for a decision"),
    ],
)
def test_what_is_refused(raised: Results, options: str, words: str) -> None:
    """A decision that there is not, or half of one, is refused with a reason."""
    done = invoke(f"hearts-sim replay {raised.path} 0 {options}")
    assert done.exit_code in (1, 2)
    assert words in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("name", "policy", "faults"),
    [
        ("IllegalLate", "substitute", {}),
        ("IllegalLate", "forfeit", {}),
        ("OsExit", "substitute", {}),
        pytest.param("OsExit", "forfeit", {}, marks=pytest.mark.long),
        ("SpinForever", "substitute", {"decision_seconds": 0.3}),
    ],
)
def test_a_game_again(tmp_path: Path, name: str, policy: str, faults: dict[str, Any]) -> None:
    """Played again in this process it is the game of the log: nobody who ended it is asked."""
    results = play(tmp_path, name, policy=policy, jobs=1, faults=faults)
    assert set(results.faults()["strategy"]) == {name}
    games = results.games()
    for game in games[games["faults"] > 0]["game"].unique():
        replay = replay_game(results, int(game))
        assert replay.again
        assert replay.differs == ""
        rows = games[games["game"] == game].reset_index(drop=True)
        assert replay.games["score"].tolist() == rows["score"].tolist()
        assert replay.games["faults"].tolist() == rows["faults"].tolist()
