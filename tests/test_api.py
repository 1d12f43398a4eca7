"""Playing and reading from Python."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from trial import FOUR, settings, write_files

import hearts_sim
from hearts_sim import CompiledStrategy, Rules, Strategy, Table, load, play_game, run
from hearts_sim.errors import (
    ConfigError,
    HeartsError,
    IllegalPlayError,
    ResultsError,
    RulesError,
    StrategyFault,
    StrategyLoadError,
)
from hearts_sim.strategy.toolkit import lowest
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.reading.results import Results


class Low(Strategy):
    """Plays its lowest card."""

    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


class High(Strategy):
    """Plays its highest card."""

    def __init__(self, risk: float = 0.0) -> None:
        self.risk = risk

    def choose_card(self, view: Any) -> Any:
        return view.legal.highest()


class Quick(CompiledStrategy):
    """Plays its lowest card, compiled."""

    @staticmethod
    def choose_card(view: Any) -> Any:
        return lowest(view.legal)


SHORT = {"end": {"deals": 1}, "tie": "draw"}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("four"), FOUR)


# play_game


def test_one_game() -> None:
    """A game gives totals, places, wins, how it ended, and the rows that a run would log."""
    game = play_game([Low, High, Low, High], seed=4)
    assert len(game.scores) == len(game.places) == len(game.wins) == 4
    assert max(game.scores) >= 100
    assert game.ended == "target"
    assert sum(game.wins) == 1
    assert sum(game.places) == 10
    best = game.scores.index(min(game.scores))
    assert (game.wins[best], game.places[best]) == (1.0, 1.0)
    last = game.hands[game.hands["hand"] == game.hands["hand"].max()]
    assert tuple(last["score"]) == game.scores
    assert list(last["strategy"]) == ["Low", "High", "Low", "High"]
    assert list(last["seat"]) == [0, 1, 2, 3]
    assert len(game.plays[game.plays["trick"] > 0]) == 52 * game.hands["hand"].max()
    assert all(type(score) is int for score in game.scores)


def test_the_seed_decides() -> None:
    """Equal seeds play equal games; the seed is 0 unless given."""
    assert play_game([Low] * 4).plays.equals(play_game([Low] * 4, None, 0).plays)
    assert not play_game([Low] * 4).plays.equals(play_game([Low] * 4, seed=1).plays)


def test_in_this_process_and_thread() -> None:
    """Bots play in the caller's own process and thread, so that a breakpoint works."""
    import threading

    places = set()

    class Here(Low):
        def choose_card(self, view: Any) -> Any:
            places.add((os.getpid(), threading.get_ident()))
            return view.legal.lowest()

    play_game([Here] * 4, SHORT)
    assert places == {(os.getpid(), threading.get_ident())}


def test_bots_in_every_form() -> None:
    """Classes, instances and compiled classes may sit at one table."""
    game = play_game([Low, High(risk=2), Quick, Low()], SHORT, 4)
    assert list(game.hands["strategy"]) == ["Low", "High", "Quick", "Low"]
    same = play_game([Low, High, Low, Low], SHORT, 4)
    assert game.scores == same.scores
    bot = Low()
    assert play_game([bot] * 4, seed=2).scores == play_game([Low] * 4, seed=2).scores


RULES: dict[str, Any] = {
    "name": "black_lady",
    "mapping": {"moon": "old"},
    "preset": {"preset": "black_lady", "players": 4},
    "Rules": Rules(),
    "nothing": None,
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rules_in_every_form(rules: Any) -> None:
    """Rules are a preset's name, a mapping, `Rules` or nothing, which is black_lady."""
    assert play_game([Low, High] * 2, rules).scores == play_game([Low, High] * 2).scores


@pytest.mark.parametrize("players", range(3, 8))
def test_tables_of_every_size(players: int) -> None:
    """Without rules the number of bots is the number of players."""
    game = play_game([Low] * players)
    assert len(game.scores) == players
    assert sum(game.hands["raw"][game.hands["hand"] == 1]) == 26


def test_how_games_end() -> None:
    """`ended` says what ended a game, and shared places are means."""
    assert play_game([Low] * 4, SHORT).ended == "deals"
    assert play_game([Low] * 4, {"max_hands": 2}).ended == "max_hands"
    queen = {**SHORT, "heart_scale": "zero", "moon": "off"}
    game = play_game([Low] * 4, queen)
    assert sorted(game.scores) == [0, 0, 0, 13]
    assert sorted(game.places) == [2, 2, 2, 4]
    assert sorted(game.wins) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])


WRONG: dict[str, tuple[Any, type[HeartsError], str]] = {
    "too few": (lambda: play_game([Low] * 2), RulesError, "players must be a whole number from 3"),
    "not as the rules": (
        lambda: play_game([Low] * 3, "black_lady"),
        ConfigError,
        "the rules are for 4 players, but 3 bots came",
    ),
    "preset": (lambda: play_game([Low] * 4, "lady"), RulesError, "unknown preset 'lady'"),
    "setting": (
        lambda: play_game([Low] * 4, {"mon": "old"}),
        RulesError,
        "unknown setting 'mon': did you mean 'moon'?",
    ),
    "seed": (lambda: play_game([Low] * 4, seed=-1), ConfigError, "seed must be a whole number"),
    "seed float": (lambda: play_game([Low] * 4, seed=1.0), ConfigError, "got 1.0"),  # type: ignore[arg-type]
    "seed true": (lambda: play_game([Low] * 4, seed=True), ConfigError, "got True"),
    "no strategy": (
        lambda: play_game([Low, Low, Low, int]),  # type: ignore[list-item]
        StrategyLoadError,
        "<class 'int'> is no strategy: give a class with choose_card",
    ),
    "a name": (
        lambda: play_game(["Low"] * 4),  # type: ignore[list-item]
        StrategyLoadError,
        "'Low' is no strategy",
    ),
    "base class": (
        lambda: play_game([Strategy] * 4),
        StrategyLoadError,
        "Strategy has no choose_card",
    ),
    "compiled instance": (
        lambda: play_game([Quick()] * 4),  # type: ignore[list-item]
        StrategyLoadError,
        "is no strategy: give a class",
    ),
}


@pytest.mark.parametrize(("call", "kind", "words"), WRONG.values(), ids=WRONG)
def test_wrong_games(call: Any, kind: type[HeartsError], words: str) -> None:
    """What cannot be played is an error that says why."""
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)


def test_ctrl_c_in_a_game() -> None:
    """Ctrl-C in a strategy comes out as it is."""

    class Stopped(Low):
        def choose_card(self, view: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game([Stopped] * 4)


def test_a_fault_in_a_game() -> None:
    """A strategy that fails is a fault whose cause is its exception."""

    class Fails(Low):
        def choose_card(self, view: Any) -> Any:
            raise LookupError("lost")

    with pytest.raises(StrategyFault, match="Fails failed in choose_card") as caught:
        play_game([Low, Fails, Low, Low])
    assert isinstance(caught.value.__cause__, LookupError)


# run and load


def test_run_in_every_form(four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A config is a path, a mapping or a `Config`; the run goes to results/NAME or to `output`."""
    monkeypatch.chdir(tmp_path)
    text = f"name: trial\nstrategies: {{folder: {four}}}\nformat: {{type: table, games: 8}}\n"
    Path("league.yaml").write_text(text)
    by_path = run("league.yaml", report=False)
    assert by_path.path == Path("results/trial")
    assert Path("results/trial/config.yaml").read_text() == text
    forms = (Path("league.yaml"), settings(four), config_from_mapping(settings(four)))
    for number, config in enumerate(forms):
        results = run(config, output=f"out{number}", report=False)
        assert results.digest() == by_path.digest()
        assert results.path == Path(f"out{number}")
    assert not Path("out1/config.yaml").exists()


def test_a_folder_is_relative_to_the_config(
    four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders in a mapping are relative to the current folder, in a file to the file's own."""
    monkeypatch.chdir(four)
    mapping = {"strategies": {"folder": "."}, "format": {"type": "table", "games": 4}}
    assert run(mapping, output=tmp_path / "1", report=False).names == [
        "Chance", "High", "Low", "Middle",
    ]  # fmt: skip
    (tmp_path / "c.yaml").write_text(
        f"strategies: {{folder: {os.path.relpath(four, tmp_path)}}}\n"
        "format: {type: table, games: 4}\n"
    )
    assert run(tmp_path / "c.yaml", output=tmp_path / "2", report=False).names[0] == "Chance"


def test_run_in_this_process(tmp_path: Path) -> None:
    """Without `jobs` a run is played in the caller's own process."""
    bot = f"""
        import os
        from hearts_sim import Strategy

        class Here(Strategy):
            def choose_card(self, view):
                assert os.getpid() == {os.getpid()}
                return view.legal.lowest()
    """
    folder = write_files(tmp_path / "s", {"here.py": bot})
    run(settings(folder, rules=SHORT), output=tmp_path / "inline", report=False)


def test_run_with_a_report(four: Path, tmp_path: Path) -> None:
    """`run` writes the report too, and `load` opens what it wrote."""
    results = run(settings(four, rules=SHORT), output=tmp_path / "out")
    assert (tmp_path / "out" / "report.html").exists()
    assert isinstance(results, Results)
    again = load(str(tmp_path / "out"))
    assert again.digest() == results.digest()
    assert again.info == results.info
    hands = again.hands(columns=["points"], strategies=["Low"])
    assert list(hands.columns) == ["points", "strategy"]
    assert len(hands) == len(again.hands()) // 4
    assert len(again.games()) == 8 * 4


def test_wrong_runs(four: Path, tmp_path: Path) -> None:
    """What cannot be played or opened is an error of ours, before anything is played."""
    with pytest.raises(ConfigError, match="seed"):
        run(settings(four, seed=-1), output=tmp_path / "out")
    with pytest.raises(ConfigError, match="no such file"):
        run(tmp_path / "nothing.yaml")
    with pytest.raises(StrategyLoadError, match=r"strategies\.entries\[0\]: no strategy is called"):
        run(settings(four, ["Lov"]), output=tmp_path / "out")
    with pytest.raises(ResultsError, match="holds no run"):
        load(tmp_path)
    assert not (tmp_path / "out").exists()


# Table


def test_table_from_the_top() -> None:
    """A game can be played card by card, and is the one that strategies would play."""
    table = Table(Rules(end={"deals": 1}, tie="draw"), seed=6)  # type: ignore[arg-type]
    table.deal()
    table.exchange([table.default_pass(seat) for seat in range(4)])
    with pytest.raises(IllegalPlayError):
        table.play(table.legal.lowest() + 1 if len(table.legal) == 1 else "AH")
    while not table.hand_over:
        table.play(table.legal.lowest())
    result = table.score()
    game = play_game([Low] * 4, SHORT, 6)
    assert result.scores == table.scores == game.scores
    assert table.places == game.places
    assert hearts_sim.Table is Table


def test_errors_have_one_root() -> None:
    """All errors can be caught as one, and those of values as ValueError."""
    for kind in (ConfigError, RulesError, StrategyLoadError, StrategyFault, ResultsError):
        assert issubclass(kind, HeartsError)
    for kind in (ConfigError, RulesError, IllegalPlayError):
        assert issubclass(kind, ValueError)
