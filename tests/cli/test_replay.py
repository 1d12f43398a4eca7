"""`hearts-sim replay`: the same from any log, right by another count, honest when it differs."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from trial import FOUR, HIGH, LOW, settings, write_files

import hearts_sim
from hearts_sim import Rules, Table
from hearts_sim.cli import main
from hearts_sim.report.hand_text import coloured, hand_text
from hearts_sim.tournament.reading.replay import replay_game
from hearts_sim.tournament.reading.results import Results
from hearts_sim.tournament.reading.retell import retell

RANKS = "23456789TJQKA"
FIVE = FOUR | {"extra.py": LOW.replace("Low", "Extra")}


def replay(*arguments: Any) -> Result:
    """The command in this process."""
    result = CliRunner().invoke(main, ["replay", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def shown(*arguments: Any) -> str:
    """What it prints to stdout, when it works and has nothing to say on stderr."""
    result = replay(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def fails(*arguments: Any) -> str:
    """The message of an error."""
    result = replay(*arguments)
    assert (result.exit_code, result.stdout) == (1, "") or result.exit_code == 2
    assert "Traceback" not in result.stderr
    return result.stderr


def play(folder: Path, bots: Path | None = None, **more: Any) -> Results:
    """Play a small run into a folder."""
    bots = bots or write_files(folder / "bots", FOUR)
    config = settings(bots, **({"rules": {"end": {"deals": 4}}, "seed": 3} | more))
    return hearts_sim.run(config, output=folder / more.get("log", "hands"), report=False)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    """One run of five strategies, logged in the three ways."""
    home = tmp_path_factory.mktemp("league")
    bots = write_files(home / "bots", FIVE)
    return {log: play(home, bots, games=36, log=log) for log in ("games", "hands", "plays")}


# What is shown


def test_any_log_shows_the_same(league: dict[str, Results]) -> None:
    """Read from the log or played again, text, Python and JSON are the same."""
    for form in ([], ["--hand", 2], ["--text"], ["--hand", 1, "--text"]):
        texts = {shown(results.path, 17, *form) for results in league.values()}
        assert len(texts) == 1
    documents = [json.loads(shown(results.path, 17, "--json")) for results in league.values()]
    assert [document.pop("source") for document in documents] == [
        "played again", "played again", "log",
    ]  # fmt: skip
    assert documents[0] == documents[1] == documents[2]
    assert documents[0]["differs"] == ""


@pytest.mark.parametrize("log", ["hands", "plays"])
def test_every_game_is_found(league: dict[str, Results], log: str) -> None:
    """Each game of all parts has its own rows, and no others."""
    results = league[log]
    tables = {name: getattr(results, name)() for name in ("games", "hands")}
    plays = league["plays"].plays()
    assert len(results.folder.parts()) > 8
    total = results.info["games"]
    for game in (0, *range(3, total, 5), total - 1):
        found = replay_game(results, game)
        assert found.differs == ""
        rows = tables["games"][tables["games"]["game"] == game]
        assert found.names == tuple(rows["strategy"])
        assert found.games.astype(str).values.tolist() == rows.astype(str).values.tolist()
        rows = tables["hands"][tables["hands"]["game"] == game]
        assert found.hands.astype(str).values.tolist() == rows.astype(str).values.tolist()
        assert found.plays.values.tolist() == plays[plays["game"] == game].values.tolist()


def test_text(league: dict[str, Results]) -> None:
    """The printed tricks, counted by hand: the highest of the led suit wins, hearts and QS cost."""
    results = league["hands"]
    rows = results.hands()
    for game in (0, 23):
        own = rows[rows["game"] == game]
        text = shown(results.path, game)
        *hands, last = text.split("\n\n\n")
        assert len(hands) == own["hand"].max()
        for number, hand in enumerate(hands, 1):
            assert shown(results.path, game, "--hand", number) == hand + "\n"
            assert f"trial, game {game} (block " in hand.splitlines()[0]
            assert f", hand {number}, " in hand.splitlines()[0]
            check_printed_hand(hand, own[own["hand"] == number].to_dict("records"))
        assert last.startswith(f"Final scores after {len(hands)} hand")
        scores = [line.split()[2] for line in last.splitlines()[3:]]
        assert scores == own[own["hand"] == len(hands)]["score"].astype(str).tolist()


def check_printed_hand(text: str, rows: Sequence[dict[str, Any]]) -> None:
    """Compare a printed hand with the logged rows of its seats."""
    taken, tricks = [0] * 4, [0] * 4
    leader = None
    lines = re.findall(r"^ +(\d+) ((?: +>?[2-9TJQKA][CDSH]\*?){4}) +(\d+)$", text, re.MULTILINE)
    assert [int(line[0]) for line in lines] == list(range(1, 14))
    for _, cells, points in lines:
        cards = [cell.strip(">*") for cell in cells.split()]
        led = next(seat for seat, cell in enumerate(cells.split()) if ">" in cell)
        suit = cards[led][1]
        follow = [seat for seat in range(4) if cards[seat][1] == suit]
        winner = max(follow, key=lambda seat: RANKS.index(cards[seat][0]))
        assert [seat for seat, cell in enumerate(cells.split()) if "*" in cell] == [winner]
        cost = sum(card[1] == "H" for card in cards) + 13 * ("QS" in cards)
        assert int(points) == cost
        assert leader is None or led == leader
        leader = winner
        taken[winner] += cost
        tricks[winner] += 1
    assert taken == [row["raw"] for row in rows]
    assert tricks == [row["tricks"] for row in rows]
    last = [line.split() for line in text.splitlines()[-4:]]
    assert [line[1] for line in last] == [row["strategy"] for row in rows]
    assert [line[-1] for line in last] == [str(row["score"]) for row in rows]
    assert [line[-2] for line in last] == [str(row["points"]) for row in rows]


def test_colours(league: dict[str, Results]) -> None:
    """On a terminal cards that cost are red, and what takes a trick is bold; the text stays."""
    played = replay_game(league["plays"], 0)
    text = hand_text(played, retell(played)[0])
    painted = coloured(played, text, click.style)
    assert click.unstyle(painted) == text
    costly = re.findall(r"\b(?:[2-9TJQKA]H|QS)\b", text)
    assert painted.count("\x1b[31m") == len(costly) >= 28
    assert len(re.findall(r"\x1b\[1m>?[2-9TJQKA][CDSH]\*", painted)) == 13
    assert not re.search(r"\x1b\[31m(\x1b\[1m)?>?[2-9TJQKA][CD]", painted)


def test_passes(league: dict[str, Results]) -> None:
    """Left, right, across and hold: who gets what, and the cards played are those left."""
    document = json.loads(shown(league["games"].path, 17, "--json"))
    assert len(document["hands"]) == 4
    before = [0] * 4
    for hand in document["hands"]:
        offset = {"left": 1, "right": 3, "across": 2, "hold": 0}[hand["pass"]]
        assert hand["pass"] == ("left", "right", "across", "hold")[(hand["hand"] - 1) % 4]
        for seat in range(4) if offset else ():
            assert hand["received"][(seat + offset) % 4] == hand["passed"][seat]
            assert len(hand["passed"][seat]) == 3
        check_cards(hand, 1)
        assert hand["scores_before"] == before
        before = hand["scores"]
    assert before == document["scores"]
    first = shown(league["games"].path, 17, "--hand", 1)
    giver, receiver = document["strategies"][3], document["strategies"][0]
    cards = " ".join(document["hands"][0]["passed"][3])
    assert re.search(rf"^ +3  {giver} +{cards}  0 {receiver}", first, re.MULTILINE)


def check_cards(hand: dict[str, Any], packs: int) -> None:
    """Dealt, less passed, plus received, is what each seat plays; together it is the deck."""
    played: list[Counter[str]] = [Counter() for _ in hand["dealt"]]
    for trick in hand["tricks"]:
        for seat, card in trick["plays"]:
            played[seat][card] += 1
    for seat, dealt in enumerate(hand["dealt"]):
        rest = Counter(dealt)
        rest.subtract(hand["passed"][seat])
        assert min(rest.values()) >= 0
        assert +(rest + Counter(hand["received"][seat])) == played[seat]
    deck = Counter(card for cards in (*hand["dealt"], hand["kitty"]) for card in cards)
    assert deck == dict.fromkeys([rank + suit for rank in RANKS for suit in "CDSH"], packs)


def test_python(league: dict[str, Results]) -> None:
    """What `--text` prints is Python, and a `Table` plays it to the same points."""
    text = shown(league["games"].path, 17, "--hand", 1, "--text")
    values = {
        item.targets[0].id: ast.literal_eval(item.value)  # type: ignore[attr-defined]
        for item in ast.parse(text).body
    }
    assert list(values) == ["hands", "passes", "plays", "points"]
    table = Table(Rules())
    table.deal(values["hands"])
    table.exchange(values["passes"])
    for seat, card in values["plays"]:
        assert table.turn == seat
        table.play(card)
    assert list(table.score().points) == values["points"]
    rows = league["hands"].hands()
    logged = rows[(rows["game"] == 17) & (rows["hand"] == 1)]["points"]
    assert values["points"] == logged.tolist()


# Other rules


def documents(results: Results) -> list[dict[str, Any]]:
    """All games of a run, with their logged rows in ``rows``."""
    rows = results.hands()
    found = []
    for game in range(results.info["games"]):
        document = json.loads(shown(results.path, game, "--json"))
        for hand in document["hands"]:
            own = rows[(rows["game"] == game) & (rows["hand"] == hand["hand"])]
            hand["rows"] = own.to_dict("records")
            assert hand["points"] == own["points"].tolist()
            assert hand["scores"] == own["score"].tolist()
        found.append(document)
    return found


def test_two_packs(tmp_path: Path) -> None:
    """Equal cards, or two pairs a whole trick, cancel; what nobody wins is held."""
    bots = write_files(tmp_path / "bots", FOUR | {"more.py": HIGH.replace("High", "More")})
    bots = write_files(bots, {"extra.py": FIVE["extra.py"]})
    rules = {
        "preset": "cancellation",
        "cancel_two_pairs": True,
        "pass_cycle": ["L", "scatter", "H"],
        "end": {"deals": 3},
    }
    results = play(tmp_path, bots, rules=rules, games=6)
    held = 0
    for document in documents(results):
        for hand in document["hands"]:
            check_cards(hand, 2)
            held += check_cancelled(hand)
        text = shown(results.path, document["game"])
        assert text.count(" held\n") == sum(
            trick["winner"] is None for hand in document["hands"] for trick in hand["tricks"]
        )
        # Three, and more after a tie.
        assert text.count("The kitty (") == len(document["hands"]) >= 3
        assert text.count("one to each") == 6
    assert held > 3


def check_cancelled(hand: dict[str, Any]) -> int:
    """Recount the tricks of a hand with two packs; returns how many were held."""
    raw, waiting, held = [0] * 6, 0, 0
    leader = hand["tricks"][0]["leader"]
    for number, trick in enumerate(hand["tricks"], 1):
        assert trick["leader"] == trick["plays"][0][0] == leader
        cards = [card for _, card in trick["plays"]]
        waiting += sum(card[1] == "H" for card in cards) + 13 * cards.count("QS")
        single = {
            card: seat
            for seat, card in trick["plays"]
            if card[1] == cards[0][1] and cards.count(card) == 1
        }
        pairs = sum(number == 2 for number in Counter(cards).values())
        winner = None
        if single and pairs < 2:
            winner = single[max(single, key=lambda card: RANKS.index(card[0]))]
        if winner is None and number == len(hand["tricks"]):
            winner = leader
        assert trick["winner"] == winner
        if winner is None:
            assert trick["points"] == 0
            held += 1
            continue
        assert trick["points"] == waiting
        raw[winner] += waiting
        waiting = 0
        leader = winner
    first = next(trick["winner"] for trick in hand["tricks"] if trick["winner"] is not None)
    assert hand["kitty_seat"] == first
    cost = sum(card[1] == "H" for card in hand["kitty"]) + 13 * hand["kitty"].count("QS")
    assert hand["kitty_points"] == cost
    raw[first] += cost
    assert raw == hand["raw"] == [row["raw"] for row in hand["rows"]]
    return held


def test_kitty(tmp_path: Path) -> None:
    """The kitty goes to the first seat that takes a penalty card, with its points."""
    results = play(tmp_path, rules={"preset": "kitty", "end": {"deals": 3}}, games=4, log="plays")
    costs = 0
    for document in documents(results):
        for hand in document["hands"]:
            check_cards(hand, 1)
            assert len(hand["kitty"]) == 4
            first = next(trick["winner"] for trick in hand["tricks"] if trick["points"])
            assert hand["kitty_seat"] == first
            costs += hand["kitty_points"]
            points = sum(trick["points"] for trick in hand["tricks"]) + hand["kitty_points"]
            assert points == 26 == sum(row["raw"] for row in hand["rows"])
        first = document["hands"][0]["kitty_seat"]
        cards = " ".join(document["hands"][0]["kitty"])
        text = shown(results.path, document["game"], "--hand", 1)
        assert f"The kitty ({cards}) goes to seat {first} ({document['strategies'][first]})" in text
        assert re.search(r"^ +\(kitty\) +", text, re.MULTILINE)
        assert "\nkitty = [" in shown(results.path, document["game"], "--hand", 1, "--text")
    assert costs > 0


def test_teams(tmp_path: Path) -> None:
    """Partners sit opposite, and with a pooled score have the same points."""
    results = play(tmp_path, rules={"preset": "partnership_pooled", "end": {"deals": 2}}, games=4)
    for document in documents(results):
        for hand in document["hands"]:
            assert hand["points"][:2] == hand["points"][2:]
        text = shown(results.path, document["game"], "--hand", 1)
        lines = [line.split() for line in text.splitlines()[-5:]]
        assert lines[0][:3] == ["seat", "strategy", "team"]
        assert [line[2] for line in lines[1:]] == ["0", "1", "0", "1"]


@pytest.mark.parametrize("answer", ["add", "subtract"])
def test_chosen_moons(tmp_path: Path, answer: str) -> None:
    """What the shooter of a moon chose is not in the log by name, and still comes out."""
    choice = f"\n    def choose_moon(self, view):\n        return {answer!r}\n"
    bots = write_files(tmp_path / "bots", FOUR | {"high.py": HIGH + choice})
    rules = {"moon": "choice", "end": {"deals": 6}}
    results = play(tmp_path, bots, rules=rules, games=16, log="plays")
    rows = results.hands()
    moons = rows[(rows["moon"] == 1) & (rows["strategy"] == "High")]
    assert len(moons)
    for row in moons.to_dict("records"):
        text = shown(results.path, row["game"], "--hand", row["hand"])
        (line,) = [line for line in text.splitlines() if " shot " in line]
        points, score = line.split()[-2:]
        assert (int(points), int(score)) == (0 if answer == "add" else -26, row["score"])
        assert text.count(" pays ") == (3 if answer == "add" else 0)


# What it refuses, and what it warns of


def test_out_of_range(league: dict[str, Results]) -> None:
    """A game or hand that does not exist is refused, with those that do."""
    path = league["plays"].path
    games = league["plays"].info["games"]
    assert fails(path, games) == (
        f"Error: {path} has no game {games}: its games are 0 to {games - 1}\n"
    )
    rows = league["plays"].hands()
    hands = rows[rows["game"] == 17]["hand"].max()
    assert fails(path, 17, "--hand", hands + 1) == (
        f"Error: game 17 of trial has no hand {hands + 1}: its hands are 1 to {hands}\n"
    )
    assert "--hand" in fails(path, 17, "--hand", 0)
    assert "give one of them" in fails(path, 17, "--text", "--json")
    assert "holds no run" in fails(path / "nothing", 0)


def test_unfinished(tmp_path: Path) -> None:
    """Of an unfinished run the games are shown that are played."""
    results = play(tmp_path, games=12, log="plays")
    whole = {game: shown(results.path, game) for game in (0, 3, 8, 11)}
    for name in ("timing/part-00001.json", "games/part-00001.parquet"):
        (results.path / name).unlink()
    for game in (4, 7):
        assert fails(results.path, game) == (
            f"Error: game {game} of {results.path} is not played yet: 8 of 12 games are; let "
            "the run come to its end first\n"
        )
    for game, text in whole.items():
        assert shown(results.path, game) == text


def test_an_edited_strategy(tmp_path: Path) -> None:
    """A strategy edited after the run cannot play again, and is named; the log still can."""
    bots = write_files(tmp_path / "bots", FIVE)
    logs = {log: play(tmp_path, bots, games=20, log=log) for log in ("hands", "plays")}
    names = [set(replay_game(logs["plays"], game).names) for game in range(20)]
    with_it = next(game for game in range(20) if "Extra" in names[game])
    without = next(game for game in range(20) if "Extra" not in names[game])
    before = {game: shown(logs["hands"].path, game) for game in (with_it, without)}
    (bots / "extra.py").write_text(FIVE["extra.py"].replace("lowest", "highest"))
    result = replay(logs["hands"].path, with_it)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{bots / 'extra.py'}: Extra was changed after the run" in result.stderr
    assert "low.py" not in result.stderr
    assert "play the run again with log: plays" in result.stderr
    assert shown(logs["hands"].path, without) == before[without]
    assert shown(logs["plays"].path, with_it) == before[with_it]
    (bots / "extra.py").unlink()
    assert f"{bots / 'extra.py'}: the file of Extra is gone" in fails(logs["hands"].path, with_it)


CLOCK = """
from random import SystemRandom
from hearts_sim import Strategy

class Clock(Strategy):
    '''Never plays the same game twice.'''

    def choose_card(self, view):
        print("tick")
        return SystemRandom().choice(list(view.legal))
"""


@pytest.mark.parametrize("log", ["games", "hands"])
def test_a_clock(tmp_path: Path, log: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A game that comes out otherwise is shown with a warning that says where and why."""
    bots = write_files(tmp_path / "bots", FOUR | {"clock.py": CLOCK})
    results = play(tmp_path, bots, entries=["Clock", "High", "Low", "Middle"], log=log)
    result = replay(results.path, 2, "--json")
    assert result.exit_code == 0
    differs = json.loads(result.stdout)["differs"]
    assert f"Warning: {differs}\n" in result.stderr
    assert "tick" in result.stderr
    where = "hand 1, seat" if log == "hands" else "seat"
    assert re.match(
        rf"played again, the game is not the one in the log: {where} \d \(\w+\) has \w+ .+, in the "
        r"log .+\. A strategy uses a clock, global randomness or state",
        differs.replace("hand 1, seat", where),
    )
    assert "tick" in capsys.readouterr().out  # of the run itself


def test_another_version(league: dict[str, Results], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another version played a game that differs, that is the reason given."""
    results = Results(league["games"].path)
    results.info["hearts_sim"] = "0.0.1"
    assert replay_game(results, 17).differs == ""
    results.info["identity"]["seed"] += 1
    assert "Another version played it (hearts-sim 0.0.1, now " in replay_game(results, 17).differs


def test_a_damaged_log(tmp_path: Path) -> None:
    """Cards that the rules do not allow, and files that are no Parquet, are said to be damage."""
    results = play(tmp_path, games=4, log="plays")
    file = results.folder.part_path("plays", 0)
    rows = pq.read_table(file)
    cards = pa.array([card.as_py() ^ 1 for card in rows["card"]], pa.uint8())
    pq.write_table(rows.set_column(6, "card", cards), file)
    assert "the log of game 1, hand 1 does not fit the rules (" in fails(results.path, 1)
    file.write_bytes(b"PAR1")
    assert f"{file} is missing or damaged" in fails(results.path, 1)
