"""``hearts-sim check --positions``: what bots are shown, and how it is counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from hearts_sim import Strategy
from hearts_sim.cli import main
from hearts_sim.strategy.seated import Seated
from hearts_sim.testing.asking import ask
from hearts_sim.testing.endgames import endgames
from hearts_sim.testing.watch import Beat

POSITIONS = endgames()
FEW = POSITIONS[:: max(1, len(POSITIONS) // 6)]

KNOWS = """
from hearts_sim import Strategy
from hearts_sim.testing.endgames import endgames

BEST = {(item.hands[-1].plays, item.seat): item.best[-1] for item in endgames()}

class Knows(Strategy):
    "Plays every position as it is solved, and at random before it."

    def choose_card(self, view):
        plays = tuple(card for _, cards in view.tricks for card in cards)
        return BEST.get((plays, view.seat)) or self.rng.choice(list(view.legal))

class Fails(Strategy):
    "Raises in the position and not before."

    def choose_card(self, view):
        plays = tuple(card for _, cards in view.tricks for card in cards)
        if (plays, view.seat) in BEST:
            raise ValueError("no idea")
        return view.legal.highest()
"""


def run(*arguments: str) -> Any:
    """The command, as part of the whole program."""
    result = CliRunner().invoke(main, ["check", *arguments])
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    return result


def play(strategy: type[Strategy], position: Any) -> Any:
    return ask(Seated("It", strategy), position, 0, Beat(None)).card


def test_it_sees_the_game_as_it_went() -> None:
    """All hooks in their order, and at the position the view of its seat."""

    class Sees(Strategy):
        seen: list[Any] = []

        def start_game(self, view: Any) -> None:
            self.seen.append("game")

        def start_hand(self, view: Any) -> None:
            self.seen.append(("hand", view.hand_number, view.hand))

        def choose_pass(self, view: Any) -> Any:
            self.seen.append("pass")
            return list(view.legal)[: view.pass_count]

        def end_hand(self, view: Any) -> None:
            self.seen.append("end")

        def choose_card(self, view: Any) -> Any:
            self.last = view.copy()
            self.seen.append(self.last)
            return view.legal.highest()

    for position in FEW:
        Sees.seen.clear()
        play(Sees, position)
        table, seat = position.table(), position.seat
        *before, last = Sees.seen
        assert before[0] == "game"
        assert before.count("end") == len(position.hands) - 1
        started = [item for item in before if isinstance(item, tuple)]
        assert [(hand, list(cards)) for _, hand, cards in started] == [
            (number, list(hand.dealt[seat])) for number, hand in enumerate(position.hands, 1)
        ]
        assert last.seat == seat == table.turn
        assert last.hand == table.hands[seat]
        assert last.legal == table.legal
        assert last.scores == table.scores
        assert last.passed == table.passed[seat]
        assert last.received == table.received[seat]
        assert last.taken == table.taken
        assert last.trick == table.trick
        plays = tuple(card for _, cards in last.tricks for card in cards)
        assert plays == position.hands[-1].plays


def test_who_plays_the_solution_solves_all(tmp_path: Path) -> None:
    """And who fails is told so, with the exit code of a fault."""
    file = tmp_path / "bots.py"
    file.write_text(KNOWS, encoding="utf-8")
    result = run(str(file), "--positions", "--strategy", "Knows", "--json")
    document = json.loads(result.stdout)["strategies"][0]
    number = len(POSITIONS)
    assert result.exit_code == 0
    assert document["positions"]["solved"] == document["positions"]["asked"] == number
    assert document["positions"]["missed"] == []
    assert sum(kind["asked"] for kind in document["positions"]["kinds"].values()) == number
    result = run(str(file), "--position", "1", "--strategy", "Fails")
    assert result.exit_code == 1
    assert "no idea" in result.stdout


def test_scores_counted_by_hand() -> None:
    """Of the lowest and the highest card, by the cards that the file has."""

    class Low(Strategy):
        def choose_card(self, view: Any) -> Any:
            return view.legal.lowest()

    class High(Strategy):
        def choose_card(self, view: Any) -> Any:
            return view.legal.highest()

    for position in FEW:
        assert play(Low, position) == min(position.points)
        assert play(High, position) == max(position.points)


def test_a_program(tmp_path: Path) -> None:
    """Bots in a process of their own are asked in the same way."""
    program = tmp_path / "bot.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        '        print(\'{"type":"hello","protocol":1}\', flush=True)\n'
        "    elif message['type'] == 'choose_card':\n"
        "        answer = {'id': message['id'], 'card': message['legal'][0]}\n"
        "        print(json.dumps(answer), flush=True)\n"
        "    elif message['type'] == 'choose_pass':\n"
        "        answer = {'id': message['id'], 'cards': message['legal'][:3]}\n"
        "        print(json.dumps(answer), flush=True)\n",
        encoding="utf-8",
    )
    result = run("--position", "1", "--", sys.executable, str(program))
    assert result.exit_code == 0, result.output
    assert f"plays {min(POSITIONS[0].points)}" in result.stdout


def test_a_position_is_shown_without_a_bot() -> None:
    """The table as its seat sees it: its cards, the tricks, what each card leads to."""
    position = POSITIONS[0]
    result = run("--position", "1")
    assert result.exit_code == 0
    table = position.table()
    assert f"trick {position.trick}, seat {position.seat} in turn" in result.stdout
    assert " ".join(card.name for card in table.hands[position.seat]) in result.stdout
    for card in position.points:
        assert f"\n{card.name}" in result.stdout or f"\n  {card.name}" in result.stdout


def test_refusals() -> None:
    """What does not go together is said, with the exit code of a wrong command."""
    result = run("--position", str(len(POSITIONS) + 1))
    assert result.exit_code == 2
    assert f"they are 1 to {len(POSITIONS)}" in result.output
    result = run("nothing.py", "--positions", "--all")
    assert result.exit_code == 2
    assert "leave them out with --positions" in result.output
    assert run("--positions").exit_code == 2
    assert run("nothing.py", "--positions").exit_code == 2
