"""`check_strategy` for one's own tests."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from bots import PLAYING, write
from trial import python

from hearts_sim import Rules, Strategy
from hearts_sim.errors import HeartsError, RulesError, StrategyLoadError
from hearts_sim.strategy.loader import load_folders
from hearts_sim.testing import CheckFailed, check_strategy
from hearts_sim.testing.target import all_tables


class Steady(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view):
        return view.legal.lowest()


def made(body: str) -> type[Strategy]:
    """A class as somebody types it into a session."""
    names: dict[str, type[Strategy]] = {}
    exec(f"from hearts_sim import Strategy\nimport random\n{body}", names)
    return names["Bot"]


def test_class_of_session() -> None:
    class Here(Steady):
        """Plays as Steady."""

        rules = {"players": 3}

    state = random.getstate()
    report = check_strategy(Here, games=2)
    assert report.ok
    assert report.findings == []
    assert "rules of its own" not in str(report)
    assert "black_lady, 3 players" in str(report)
    assert "in another process" not in str(report)
    assert random.getstate() == state
    report.raise_for_errors()


def test_faults_of_session() -> None:
    seen = made(
        "class Bot(Strategy):\n"
        "    '''Counts.'''\n"
        "    cards = 0\n"
        "    def choose_card(self, view):\n"
        "        Bot.cards += 1\n"
        "        return list(view.legal)[Bot.cards // 7 % len(view.legal)]\n"
    )
    report = check_strategy(seen, games=2)
    assert [finding.kind for finding in report.findings] == ["state"]
    assert "Bot.cards" in report.findings[0].message


def test_raise_for_errors() -> None:
    bot = made(
        "class Bot(Strategy):\n"
        "    '''Raises.'''\n"
        "    def choose_card(self, view):\n"
        "        raise ValueError('nothing fits')\n"
    )
    report = check_strategy(bot, games=1)
    with pytest.raises(CheckFailed, match="nothing fits") as caught:
        report.raise_for_errors()
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, HeartsError)


def test_options_are_not_shared() -> None:
    class Eats(Strategy):
        """Takes from the list that it is given."""

        def __init__(self, weights=()):
            self.weights = weights

        def choose_card(self, view):
            if len(self.weights) > 1:
                self.weights.pop()
            return view.legal.lowest()

    report = check_strategy(Eats, games=1, options={"weights": [1, 2, 3]})
    assert [finding.kind for finding in report.findings] == ["changes_options"]


@pytest.mark.long
def test_every_preset() -> None:
    class Here(Steady):
        """Plays as Steady."""

    report = check_strategy(Here, games=1, every=True)
    assert report.findings == []
    assert f"plays legally: {len(all_tables())} games" in str(report)


def test_file_and_its_class(tmp_path: Path) -> None:
    """A path, and a class that was loaded from it: both in a process of their own."""
    write(tmp_path, {"IllegalCard": PLAYING["IllegalCard"]})
    bad = check_strategy(load_folders([tmp_path]).get("IllegalCard").strategy, games=1)
    assert [finding.kind for finding in bad.findings] == ["illegal_card"]
    assert bad.findings[0].place == f"{(tmp_path / 'illegalcard.py').resolve()}:6"
    again = check_strategy(tmp_path / "illegalcard.py", games=1)
    assert [finding.kind for finding in again.findings] == ["illegal_card"]


def test_rules_that_are_given() -> None:
    class Here(Steady):
        """Plays as Steady."""

    report = check_strategy(Here, rules=["pagat", Rules(players=6)], games=1)
    assert report.ok
    assert "(pagat, 4 players, black_lady, 6 players)" in str(report)


def test_what_is_no_strategy() -> None:
    with pytest.raises(StrategyLoadError, match="is no strategy: expected a class"):
        check_strategy(int)  # type: ignore[arg-type]
    with pytest.raises(StrategyLoadError, match="nowhere does not exist"):
        check_strategy("nowhere")
    with pytest.raises(RulesError, match="unknown preset"):
        check_strategy(Steady, rules="no such rules")


def test_import_is_cheap() -> None:
    program = (
        "import sys; from hearts_sim.testing import check_strategy, Report; "
        "print(sorted({'numba', 'pandas', 'scipy', 'pyarrow', 'pydantic'} & set(sys.modules)))"
    )
    done = python("-c", program)
    assert (done.stdout, done.stderr) == ("[]\n", "")
