"""The messages of the protocol: what the table writes, and whatever a program may write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hearts_sim import Rules, Strategy, play_game
from hearts_sim.rules import PRESETS
from hearts_sim.strategy.faults import BadAnswer, BotProtocolError
from hearts_sim.strategy.json_lines import (
    ANSWERS,
    GOODBYE,
    PROTOCOL,
    card_of,
    end_hand_line,
    hello_line,
    moon_of,
    pass_of,
    read_answer,
    read_hello,
    request_line,
    start_game_line,
    start_hand_line,
)
from hearts_sim.strategy.view import View

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text(encoding="utf-8")
)
PRESETS_TRIED = ("black_lady", "partnership_pooled", "kitty", "cancellation", "omnibus", "reverse")
HOOKS_TOLD = ("start_game", "start_hand", "choose_pass", "choose_card", "choose_moon", "end_hand")


def validator(part: str) -> Any:
    """Checks messages against a part of the schema."""
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{part}", "anyOf": [{}]})


def named_in(part: str) -> set[str]:
    """The fields that the schema names for a message."""
    schema = SCHEMA["$defs"][part]
    names = set(schema.get("properties", ()))
    for other in schema.get("allOf", ()):
        names |= named_in(other["$ref"].rpartition("/")[2])
    return names


class Scribe(Strategy):
    """Plays its highest card, and writes down every message that a program would get."""

    lines: list[bytes]  # of all seats

    def start_game(self, view: View) -> None:
        self.number = 0
        self.lines.append(hello_line("scribe", {"risk": 0.5}, view))
        self.lines.append(start_game_line(view, 2**53 - 1))

    def start_hand(self, view: View) -> None:
        self.lines.append(start_hand_line(view, 0))

    def end_hand(self, view: View) -> None:
        self.lines.append(end_hand_line(view))

    def _ask(self, hook: str, view: View) -> None:
        self.number += 1
        self.lines.append(request_line(hook, self.number, view))

    def choose_pass(self, view: View) -> Any:
        self._ask("choose_pass", view)
        return list(view.legal)[: view.pass_count]

    def choose_card(self, view: View) -> Any:
        self._ask("choose_card", view)
        return view.legal.highest()

    def choose_moon(self, view: View) -> str:
        self._ask("choose_moon", view)
        return "subtract"


class Shy(Strategy):
    """Plays what costs nothing, lowest first, so that a scribe may shoot the moon."""

    def choose_card(self, view: View) -> Any:
        return (view.legal - view.penalty_cards or view.legal).lowest()


def written(rules: Rules, seed: int = 3, shy: bool = False) -> list[dict[str, Any]]:
    """All messages of a game, to every seat that has a scribe."""

    class Here(Scribe):
        lines: list[bytes] = []

    bots = [Here if seat == 0 or not shy else Shy for seat in range(rules.players)]
    play_game(bots, rules, seed)
    for line in Here.lines:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert line.isascii()
    return [json.loads(line) for line in Here.lines]


@pytest.mark.parametrize("preset", PRESETS_TRIED)
def test_messages_of_a_game(preset: str) -> None:
    """Every message to a program is one of the schema, and all its fields are described there."""
    rules = Rules.preset(preset, end={"deals": 1}, tie="draw")
    checks = {kind: validator(kind) for kind in ("hello", *HOOKS_TOLD)}
    kinds = set()
    for message in written(rules):
        checks[message["type"]].validate(message)
        if message["type"] not in kinds:
            validator("to_bot").validate(message)
        kinds.add(message["type"])
        assert set(message) <= named_in(message["type"])
        assert message.get("hand_twice") is None or rules.packs == 2
        assert ("partner" in message) == (rules.team_count > 0) or message["type"] == "hello"
    expected = set(HOOKS_TOLD) - {"choose_moon"} | {"hello"}
    assert kinds >= expected - (set() if rules.pass_cycle != ("H",) else {"choose_pass"})


def test_moon_is_asked_for() -> None:
    """A shooter is asked how the moon is paid, with the table as it is after the last trick."""
    rules = Rules.preset("pagat", end={"deals": 1}, tie="draw")
    for seed in range(200):
        asked = [each for each in written(rules, seed, shy=True) if each["type"] == "choose_moon"]
        if asked:
            break
    (message,) = asked
    validator("to_bot").validate(message)
    assert message["points"] == [26, 0, 0, 0]
    assert len(message["tricks"]) == 13


def test_schema_is_valid_and_its_examples_too() -> None:
    """The schema is one of its draft, and knows right messages from wrong ones."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator("to_bot").validate(json.loads(GOODBYE))
    check = validator("from_bot")
    good: list[Any] = [
        {"type": "hello", "protocol": 1},
        {"type": "hello", "protocol": 1, "name": "x", "hooks": ["choose_card", "end_hand"]},
        {"id": 1, "card": "QS"},
        {"id": 1, "cards": ["QS", "2C", "TD"], "because": "it is high"},
        {"id": 1, "moon": "add"},
    ]
    bad: list[Any] = [
        {"type": "hello", "protocol": 2},
        {"type": "hello", "protocol": 1, "hooks": ["end_hand"]},
        {"type": "hello", "protocol": 1, "hooks": ["choose_card", "play"]},
        {"id": 0, "card": "QS"},
        {"card": "QS"},
        {"id": 1, "card": "10S"},
        {"id": 1, "card": 36},
        {"id": 1, "cards": "QS"},
        {"id": 1, "moon": "maybe"},
        [],
    ]
    for message in good:
        check.validate(message)
    for message in bad:
        assert not check.is_valid(message), message


def test_page_describes_every_message_and_field() -> None:
    """docs/protocol.md names all that the schema names, and the schema all that the page shows."""
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    to_bot = [other["$ref"].rpartition("/")[2] for other in SCHEMA["$defs"]["to_bot"]["oneOf"]]
    for kind in to_bot:
        assert f"`{kind}`" in page
        for name in named_in(kind) - {"type", "id"}:
            assert f"`{name}`" in page, name
    for answer in re.findall(r"`(\{\"(?:id|type)\":[^`]*\})`", page):
        assert validator("from_bot").is_valid(json.loads(answer)) or '"goodbye"' in answer, answer


# What the messages say, against a count of our own


def hands_of(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The messages of each seat in each hand, in order; seats change with every message."""
    by_seat: dict[int, list[dict[str, Any]]] = {}
    for message in messages:
        if "hand_number" in message:
            by_seat.setdefault(message["seat"], []).append(message)
    for told in by_seat.values():
        for number in sorted({message["hand_number"] for message in told}):
            yield [message for message in told if message["hand_number"] == number]


@pytest.mark.parametrize("preset", ["black_lady", "partnership", "kitty", "black_maria"])
def test_messages_tell_the_truth(preset: str) -> None:
    """From hello and the tricks alone follows what the other fields say (with one pack)."""
    rules = Rules.preset(preset, end={"deals": 2}, tie="draw")
    messages = written(rules)
    hello = next(message for message in messages if message["type"] == "hello")
    assert Rules(**hello["rules"]) == rules
    deck, cost, players = set(hello["deck"]), hello["cost"], hello["players"]
    assert len(deck) == hello["hand_size"] * players + hello["kitty_size"]
    assert sum(cost.values()) == hello["moon_points"]
    assert set(cost) == set(hello["penalty_cards"])
    for told in hands_of(messages):
        start = told[0]
        assert start["type"] == "start_hand"
        assert len(start["hand"]) == hello["hand_size"]
        for message in told[1:]:
            if message["type"] == "choose_pass":
                assert message["hand"] == start["hand"]
                assert set(message["legal"]) <= set(message["hand"])
                continue
            seat, tricks = message["seat"], message["tricks"]
            assert message["scores"][seat] == start["scores"][seat] or message["type"] == "end_hand"
            assert len(message["passed"]) == len(message["received"]) == message["pass_count"]
            assert set(message["passed"]) <= set(start["hand"])
            whole = [trick for trick in tricks if len(trick["cards"]) == players]
            taken: list[set[str]] = [set() for _ in range(players)]
            voids: list[set[str]] = [set() for _ in range(players)]
            played: set[str] = set()
            mine: set[str] = set()
            leader = tricks[0]["leader"] if tricks else message["leader"]
            for trick in tricks:
                assert trick["leader"] == leader
                led = trick["cards"][0][1]
                for place, card in enumerate(trick["cards"]):
                    who = (leader + place) % players
                    played.add(card)
                    if card[1] != led:
                        voids[who].add(led)
                    if who == seat:
                        mine.add(card)
                if trick in whole:
                    best = max(
                        (card for card in trick["cards"] if card[1] == led),
                        key=lambda card: "23456789TJQKA".index(card[0]),
                    )
                    leader = (leader + trick["cards"].index(best)) % players
                    taken[leader] |= set(trick["cards"])
            assert [set(suits) for suits in message["voids"]] == voids
            assert message["tricks_won"] == [len(cards) // players for cards in taken]
            hand = set(start["hand"]) - set(message["passed"]) | set(message["received"])
            kitty = set(message.get("kitty", ()))
            assert set(message["unseen"]) == deck - hand - played - kitty
            if message["type"] == "end_hand":
                continue
            assert [set(cards) for cards in message["taken"]] == taken
            assert message["points"] == [
                sum(cost.get(card, 0) for card in cards) for cards in taken
            ]
            if message["type"] == "choose_card":
                assert set(message["hand"]) == hand - mine
                assert set(message["legal"]) <= set(message["hand"])
                trick = [] if len(tricks) == len(whole) else tricks[-1]["cards"]
                assert message["trick"] == trick
                assert message["leader"] == leader
                assert message["trick_number"] == len(whole) + 1
                assert (leader + len(trick)) % players == seat
                assert message["led_suit"] == (trick[0][1] if trick else None)
                assert message["trick_points"] == sum(cost.get(card, 0) for card in trick)


def test_nothing_tells_the_deal() -> None:
    """No message has the seed, the block, or the number of the game."""
    rules = Rules.preset("black_lady", end={"deals": 1}, tie="draw")
    for message in written(rules, seed=987_654_321):
        names = set(message) | set(message.get("rules", ()))
        assert not names & {"seed", "block", "game", "seating", "number", "run"}
        assert "987654321" not in json.dumps(message)


def test_options_that_are_no_json() -> None:
    """Options that JSON cannot write are refused, not written as something else."""
    rules = Rules()
    view = View(memoryview(bytearray(8 * 1000)).cast("q"), rules)
    assert json.loads(hello_line("é", {"a": [1, None, "é"]}, view))["name"] == "é"
    for value in (float("nan"), float("inf"), np.int64(3), {1, 2}):
        with pytest.raises((TypeError, ValueError)):
            hello_line("x", {"a": value}, view)


# What programs write


def test_right_answers() -> None:
    """Answers of the protocol are read, with whatever else is in them."""
    assert read_hello(b'{"type":"hello","protocol":1}') == ("choose_card",)
    hello = b' { "hooks" : ["choose_pass", "choose_card"], "protocol":1,"type":"hello", "x": {}}\r'
    assert read_hello(hello) == ("choose_pass", "choose_card")
    assert card_of(read_answer(b'{"id":7,"card":"QS"}', 7, "choose_card")) == 36
    assert card_of("2c") == 0
    assert pass_of(["2C", "4C"]) == (0b101, 0)
    assert pass_of(["2C", "2C"], packs=2) == (1, 1)
    assert (moon_of("add"), moon_of("subtract")) == (0, 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "a JSON object in one line, but it wrote ''"),
        (b"thinking...", "wrote 'thinking...'.*belongs to standard error"),
        (b"[1]", r"a JSON object, but it wrote '\[1\]'"),
        (b"7", "a JSON object, but it wrote '7'"),
        (b'\xff\xfe{"id":7}', "UnicodeDecodeError"),
        (b"[" * 50_000, r"50,000 bytes\) \(RecursionError\)"),
        (b'{"id":' + b"9" * 5000 + b',"card":"QS"}', "ValueError"),
        (b'{"id":8,"card":"QS"}', 'must have "id":7, not 8: '),
        (b'{"id":6,"card":"QS"}', "not 6; request 6 was answered before"),
        (b'{"id":"7","card":"QS"}', 'not "7"'),
        (b'{"id":7.0,"card":"QS"}', "not 7.0"),
        (b'{"id":true,"card":"QS"}', "not true"),
        (b'{"card":"QS"}', "not null"),
        (b'{"id":7}', 'must have "card": '),
        (b'{"id":7,"cards":["QS"]}', 'must have "card": '),
    ],
)
def test_wrong_answers(line: bytes, message: str) -> None:
    """A line that is no answer to the request is quoted, with what was expected."""
    with pytest.raises(BotProtocolError, match=message) as caught:
        read_answer(line, 7, "choose_card")
    assert "request 7 (choose_card)" in str(caught.value)
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello", 'its answer to "hello", a JSON object'),
        (b'{"id":1,"card":"QS"}', "its first line must be its answer"),
        (b'{"type":"hello"}', 'it speaks version null.*expected "protocol":1'),
        (b'{"type":"hello","protocol":2}', "it speaks version 2"),
        (b'{"type":"hello","protocol":true}', "it speaks version true"),
        (b'{"type":"hello","protocol":1,"hooks":"choose_card"}', "must be a list"),
        (b'{"type":"hello","protocol":1,"hooks":[1]}', "must be a list"),
        (b'{"type":"hello","protocol":1,"hooks":["choose_cards"]}', "did you mean 'choose_card'"),
        (b'{"type":"hello","protocol":1,"hooks":["zzz"]}', "there is start_game, start_hand"),
        (b'{"type":"hello","protocol":1,"hooks":[]}', 'must name "choose_card"'),
    ],
)
def test_wrong_hellos(line: bytes, message: str) -> None:
    """A first line that is no hello of this version is refused."""
    assert PROTOCOL == 1
    with pytest.raises(BotProtocolError, match=message):
        read_hello(line)


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (card_of, "1X", "'1X' is no card"),
        (card_of, 7, '"card" must be a text such as "QS", not 7'),
        (card_of, None, "not null"),
        (card_of, ["QS"], r'not \["QS"\]'),
        (pass_of, 7, '"cards" must be a list'),
        (pass_of, "QS AH 2C", '"cards" must be a list'),
        (pass_of, [36, 1, 2], '"cards" must be a list'),
        (pass_of, ["QS", "QS", "2C"], "QS twice"),
        (pass_of, ["QS"] * 70, "QS twice"),
        (moon_of, "maybe", '"moon" must be "add" or "subtract", not "maybe"'),
        (moon_of, [], "not "),
    ],
)
def test_wrong_values(read: Callable[[Any], Any], value: Any, message: str) -> None:
    """A value that no card, pass or choice has is a bad answer."""
    with pytest.raises(BadAnswer, match=message):
        read(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "type": st.just("hello") | JSON,
        "protocol": st.just(1) | JSON,
        "hooks": st.lists(st.sampled_from(HOOKS_TOLD)) | JSON,
        "id": st.just(7) | JSON,
        "card": st.sampled_from(["QS", "1X", "10h"]) | JSON,
        "cards": st.lists(st.sampled_from(["QS", "2C", "AH"])) | JSON,
        "moon": st.sampled_from(["add", "maybe"]) | JSON,
    },
)
LINES = st.binary() | NEARLY.map(json.dumps).map(str.encode) | JSON.map(json.dumps).map(str.encode)


@given(line=LINES, hook=st.sampled_from(sorted(ANSWERS)))
@example(line=b'{"id":7,"card":"\\ud800"}', hook="choose_card")
@example(line=b'{"id":7,"card":"\xc3\x9f\xc3\x9f"}', hook="choose_card")
@example(line=b'{"id":7,"cards":[[]]}', hook="choose_pass")
@example(line=b'{"id":7,"card":1e999}', hook="choose_card")
@example(line=b'{"id":' + b"[" * 30_000, hook="choose_card")
def test_whatever_bytes_come(line: bytes, hook: str) -> None:
    """Any line is an answer, a `BotProtocolError` or a `BadAnswer`, with a text one can print."""
    for packs in (1, 2):
        readers = {
            "choose_card": card_of,
            "choose_pass": lambda value, packs=packs: pass_of(value, packs),
            "choose_moon": moon_of,
        }
        try:
            value = readers[hook](read_answer(line, 7, hook))
        except (BotProtocolError, BadAnswer) as error:
            str(error).encode("utf-8")
        else:
            masks = value if hook == "choose_pass" else (1 << value, 0)
            assert all(type(mask) is int and 0 <= mask < 1 << 52 for mask in masks)
            assert masks[1] & ~masks[0] == 0
    try:
        hooks = read_hello(line)
    except BotProtocolError as error:
        str(error).encode("utf-8")
    else:
        assert "choose_card" in hooks
        assert set(hooks) <= set(HOOKS_TOLD)


def test_presets_tried_cover_the_forms() -> None:
    """Among the presets tried are teams, a kitty, two packs, bonus cards and the highest total."""
    tried = [Rules.preset(name) for name in PRESETS_TRIED]
    assert set(PRESETS_TRIED) <= set(PRESETS)
    assert any(rules.team_count for rules in tried)
    assert any(rules.kitty_size and rules.packs == 1 for rules in tried)
    assert any(rules.packs == 2 for rules in tried)
    assert any(rules.bonus for rules in tried)
    assert any(rules.win == "highest" for rules in tried)
