"""Presets: every value of every one, from the rule texts; sizes, points, decks and names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hearts_sim.cards import CardSet
from hearts_sim.errors import RulesError
from hearts_sim.rules import DECKS, PRESETS, Rules, find_preset

# The presets that follow the texts, with the default number of players first and in brackets all
# numbers that the text has. `usual`, `pagat`, ... stand for the tables below.
MATRIX = """\
setting                 | black_lady   | black_widow  | hearts         | pagat
players                 | 4 (3-7)      | 4            | 4 (3-7)        | 4 (3-5)
teams                   | none         | none         | none           | none
packs                   | 1            | 1            | 1              | 1
deck_removal            | usual        | usual        | usual          | usual
leftover                | remove       | remove       | remove         | remove
pass_count              | 3            | 3            | 3              | 3
pass_cycle              | usual        | usual        | usual          | pagat
pass_forbidden          | []           | []           | []             | []
first_lead              | lowest_club  | lowest_club  | lowest_club    | lowest_club
first_trick_points      | forbidden    | forbidden    | forbidden      | free
first_trick_all_points  | any          | any          | any            | any
hearts_lead             | after_broken | after_broken | after_broken   | after_broken
broken_by               | heart        | heart        | heart_or_queen | heart
hearts_instead_of_queen | false        | false        | false          | false
queen_lead              | free         | free         | free           | free
queen_discard           | free         | free         | free           | free
queen_forced            | false        | false        | false          | false
trick_winner            | highest_led  | highest_led  | highest_led    | highest_led
heart_scale             | ones         | ones         | ones           | ones
cards                   | {QS: 13}     | {QS: 13}     | {QS: 13}       | {QS: 13}
bonus                   | {}           | {}           | {}             | {}
no_trick_bonus          | 0            | 0            | 0              | 0
moon                    | old          | old          | choice         | choice
moon_value              | auto         | auto         | auto           | auto
moon_needs_bonus        | false        | false        | false          | false
moon_scope              | player       | player       | player         | player
moon_partner            | normal       | normal       | normal         | normal
sun                     | off          | off          | off            | off
score_floor             | none         | none         | none           | none
exact_target            | off          | off          | off            | off
win                     | lowest       | lowest       | lowest         | lowest
end                     | points       | points       | points         | points
target                  | 100          | 100          | 100            | 100
end_cmp                 | >=           | >            | >=             | >=
tie                     | play_on      | draw         | play_on        | play_on

setting                 | bicycle        | microsoft    | original     | original_1887
players                 | 4 (3-5)        | 4            | 4 (3-7)      | 4 (3-6)
teams                   | none           | none         | none         | none
packs                   | 1              | 1            | 1            | 1
deck_removal            | usual          | usual        | usual        | morehead
leftover                | remove         | remove       | remove       | remove
pass_count              | 3              | 3            | 3            | 3
pass_cycle              | usual          | usual        | H            | H
pass_forbidden          | []             | []           | []           | []
first_lead              | lowest_club    | lowest_club  | lowest_club  | eldest_any
first_trick_points      | forbidden      | forbidden    | forbidden    | free
first_trick_all_points  | any            | any          | any          | any
hearts_lead             | after_broken   | after_broken | after_broken | free
broken_by               | heart_or_queen | heart        | heart        | heart
hearts_instead_of_queen | false          | false        | false        | false
queen_lead              | free           | free         | free         | free
queen_discard           | free           | free         | free         | free
queen_forced            | false          | false        | false        | false
trick_winner            | highest_led    | highest_led  | highest_led  | highest_led
heart_scale             | ones           | ones         | ones         | ones
cards                   | {QS: 13}       | {QS: 13}     | {}           | {}
bonus                   | {}             | {}           | {}           | {}
no_trick_bonus          | 0              | 0            | 0            | 0
moon                    | old            | old          | off          | off
moon_value              | auto           | auto         | auto         | auto
moon_needs_bonus        | false          | false        | false        | false
moon_scope              | player         | player       | player       | player
moon_partner            | normal         | normal       | normal       | normal
sun                     | off            | off          | off          | off
score_floor             | none           | none         | none         | none
exact_target            | off            | off          | off          | off
win                     | lowest         | lowest       | lowest       | lowest
end                     | points         | points       | points       | deals(8)
target                  | 100            | 100          | 100          | 100
end_cmp                 | >=             | >=           | >=           | >=
tie                     | draw           | draw         | play_on      | draw

setting                 | black_maria 3           | black_maria 4           | spot
players                 | 3                       | 4                       | 4 (3-7)
teams                   | none                    | none                    | none
packs                   | 1                       | 1                       | 1
deck_removal            | 2C                      | usual                   | usual
leftover                | remove                  | remove                  | remove
pass_count              | 3                       | 3                       | 3
pass_cycle              | R                       | R                       | usual
pass_forbidden          | []                      | []                      | []
first_lead              | eldest_any              | eldest_any              | lowest_club
first_trick_points      | free                    | free                    | forbidden
first_trick_all_points  | any                     | any                     | any
hearts_lead             | free                    | free                    | after_broken
broken_by               | heart                   | heart                   | heart
hearts_instead_of_queen | false                   | false                   | false
queen_lead              | free                    | free                    | free
queen_discard           | free                    | free                    | free
queen_forced            | false                   | false                   | false
trick_winner            | highest_led             | highest_led             | highest_led
heart_scale             | ones                    | ones                    | pips14
cards                   | {QS: 13, KS: 10, AS: 7} | {QS: 13, KS: 10, AS: 7} | {QS: 25}
bonus                   | {}                      | {}                      | {}
no_trick_bonus          | 0                       | 0                       | 0
moon                    | off                     | off                     | old
moon_value              | auto                    | auto                    | auto
moon_needs_bonus        | false                   | false                   | false
moon_scope              | player                  | player                  | player
moon_partner            | normal                  | normal                  | normal
sun                     | off                     | off                     | off
score_floor             | none                    | none                    | none
exact_target            | off                     | off                     | off
win                     | lowest                  | lowest                  | lowest
end                     | points                  | points                  | points
target                  | 100                     | 100                     | 500
end_cmp                 | >=                      | >=                      | >=
tie                     | play_on                 | play_on                 | play_on

setting                 | partnership  | partnership_pooled | reverse
players                 | 4            | 4                  | 4 (3-7)
teams                   | singly       | pooled             | none
packs                   | 1            | 1                  | 1
deck_removal            | usual        | usual              | usual
leftover                | remove       | remove             | remove
pass_count              | 3            | 3                  | 3
pass_cycle              | usual        | usual              | usual
pass_forbidden          | []           | []                 | []
first_lead              | lowest_club  | lowest_club        | lowest_club
first_trick_points      | forbidden    | forbidden          | forbidden
first_trick_all_points  | any          | any                | any
hearts_lead             | after_broken | after_broken       | after_broken
broken_by               | heart        | heart              | heart
hearts_instead_of_queen | false        | false              | false
queen_lead              | free         | free               | free
queen_discard           | free         | free               | free
queen_forced            | false        | false              | false
trick_winner            | highest_led  | highest_led        | highest_led
heart_scale             | ones         | ones               | ones
cards                   | {QS: 13}     | {QS: 13}           | {QS: 13}
bonus                   | {}           | {}                 | {}
no_trick_bonus          | 0            | 0                  | 0
moon                    | old          | choice             | off
moon_value              | auto         | auto               | auto
moon_needs_bonus        | false        | false              | false
moon_scope              | player       | team               | player
moon_partner            | normal       | normal             | normal
sun                     | off          | off                | off
score_floor             | none         | none               | none
exact_target            | off          | off                | off
win                     | lowest       | lowest             | highest
end                     | points       | points             | points
target                  | 100          | 100                | 100
end_cmp                 | >=           | >=                 | >=
tie                     | play_on      | play_on            | play_on

setting                 | omnibus      | omnibus_ten  | cancellation
players                 | 4 (3-7)      | 4 (3-7)      | 6 (6-11)
teams                   | none         | none         | none
packs                   | 1            | 1            | 2
deck_removal            | usual        | usual        | none
leftover                | remove       | remove       | kitty_first_trick
pass_count              | 3            | 3            | 3
pass_cycle              | usual        | usual        | H
pass_forbidden          | []           | []           | []
first_lead              | lowest_club  | lowest_club  | eldest_any
first_trick_points      | forbidden    | forbidden    | free
first_trick_all_points  | any          | any          | any
hearts_lead             | after_broken | after_broken | after_broken
broken_by               | heart        | heart        | heart
hearts_instead_of_queen | false        | false        | false
queen_lead              | free         | free         | free
queen_discard           | free         | free         | free
queen_forced            | false        | false        | false
trick_winner            | highest_led  | highest_led  | cancel_pairs
heart_scale             | ones         | ones         | ones
cards                   | {QS: 13}     | {QS: 13}     | {QS: 13}
bonus                   | {JD: -10}    | {TD: -10}    | {}
no_trick_bonus          | 0            | 0            | 0
moon                    | choice       | new          | old
moon_value              | auto         | auto         | auto
moon_needs_bonus        | false        | true         | false
moon_scope              | player       | player       | player
moon_partner            | normal       | normal       | normal
sun                     | off          | off          | off
score_floor             | none         | none         | none
exact_target            | off          | off          | off
win                     | lowest       | lowest       | lowest
end                     | points       | points       | points
target                  | 100          | 100          | 100
end_cmp                 | >=           | >=           | >=
tie                     | play_on      | play_on      | play_on
"""

USUAL = {3: "2D", 4: "", 5: "2C 2D", 6: "3C 4C 2D 3D", 7: "3C 2D 3D", 8: "2C 3C 2D 2S"}
REMOVED = {
    "usual": USUAL,
    "2C": {3: "2C"},
    "none": dict.fromkeys(range(6, 12), ""),
    "morehead": {3: "2C", 4: "", 5: "2C 2D", 6: "2C 3C 2D 2S"},
}
LEFT_AND_RIGHT = dict.fromkeys(range(5, 9), "L R")
CYCLES = {
    "usual": {3: "L R H", 4: "L R A H", **LEFT_AND_RIGHT},
    "pagat": {3: "L R H", 4: "L R A H", 5: "L R L2 R2 H"},
    "H": dict.fromkeys(range(3, 12), "H"),
    "R": dict.fromkeys(range(3, 12), "R"),
}
# Where Hartenkaartspel gives the decks, Board Game Arena adds one for eight.
ALSO_WITH_EIGHT = ("black_lady", "original", "spot", "reverse", "omnibus", "omnibus_ten")


# Where a preset is not what the matrix says, on purpose: the setting, its value, and why.
DEVIATIONS = {
    "omnibus_ten": (
        "moon_value",
        "16",
        "Culbertson has 26 points off for the deal, and the ten of diamonds, without which there "
        "is no moon, takes 10 of them off by itself. With auto it would be 36.",
    ),
}


def read_matrix() -> dict[str, dict[str, str]]:
    """The columns of `MATRIX`: preset (and number of players, where it has two columns)."""
    columns: dict[str, dict[str, str]] = {}
    for block in MATRIX.split("\n\n"):
        heads, *rows = [[cell.strip() for cell in line.split(" | ")] for line in block.splitlines()]
        for place, head in enumerate(heads[1:], start=1):
            columns[head] = {row[0]: row[place] for row in rows}
    return columns


COLUMNS = read_matrix()


def sizes(cell: str) -> list[int]:
    """Numbers of players of a cell such as ``4 (3-7)``."""
    low, _, high = cell.partition("(")[2].rstrip(")").partition("-")
    return list(range(int(low), int(high) + 1)) if high else [int(cell)]


def plain(value: Any) -> str:
    """A value as the cells of `MATRIX` have it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        if "deals" in value:
            return f"deals({value['deals']})"
        return "{" + ", ".join(f"{key}: {points}" for key, points in value.items()) + "}"
    return str(value)


def cards_in_order(cell: str) -> str:
    """A mapping of cards, whose order does not matter, in the order of the deck."""
    pairs = [pair.split(": ") for pair in cell.strip("{}").split(", ") if pair]
    ordered = sorted(pairs, key=lambda pair: CardSet.of(pair[0]))
    return "{" + ", ".join(": ".join(pair) for pair in ordered) + "}"


def tables() -> list[tuple[str, int]]:
    """Every column of the matrix with every number of players of it."""
    found = []
    for head, column in COLUMNS.items():
        found += [(head, players) for players in sizes(column["players"])]
        if head in ALSO_WITH_EIGHT:
            found.append((head, 8))
    return found


def test_the_matrix_is_whole() -> None:
    """It has a line for every setting but those that are no rule of a text."""
    settings = set(Rules().settings()) - {"hand_size", "sun_first_trick", "cancel_two_pairs"}
    for column in COLUMNS.values():
        assert set(column) == settings - {"tie_cap", "max_hands"}
    assert len(tables()) == 63


@pytest.mark.parametrize(("head", "players"), tables())
def test_presets_are_what_the_texts_say(head: str, players: int) -> None:
    """Every setting of a preset, with every number of players, is the one of the matrix.

    But for `DEVIATIONS`.
    """
    name, column = head.split()[0], COLUMNS[head]
    mine = Rules.preset(name, players=players).settings()
    assert mine.pop("players") == players
    assert mine.pop("deck_removal") == REMOVED[column["deck_removal"]][players].split()
    assert mine.pop("pass_cycle") == CYCLES[column["pass_cycle"]][players].split()
    # What the texts do not decide is as it always is.
    del mine["hand_size"]
    assert mine.pop("sun_first_trick") == "counts"
    assert mine.pop("cancel_two_pairs") is False
    assert (mine.pop("tie_cap"), mine.pop("max_hands")) == (20, 1000)
    expected = {name: column[name] for name in mine}
    expected["cards"] = cards_in_order(expected["cards"])
    if name in DEVIATIONS:
        setting, value, why = DEVIATIONS[name]
        assert expected[setting] != value, why
        expected[setting] = value
    assert {name: plain(value) for name, value in mine.items()} == expected


@pytest.mark.parametrize("head", COLUMNS)
def test_numbers_of_players_are_those_of_the_texts(head: str) -> None:
    """A preset is for the numbers of players of its column, and the first is its default."""
    name, cell = head.split()[0], COLUMNS[head]["players"]
    preset = PRESETS[name]
    if name == "black_maria":  # usual with three
        assert (preset.players, preset.default_players) == ((3, 4), 3)
        return
    expected = sizes(cell) + [8] * (name in ALSO_WITH_EIGHT)
    assert list(preset.players) == expected
    assert preset.default_players == int(cell.split()[0])


# The presets that take `black_lady` further: what they change, with their default players.
FURTHER: dict[str, dict[str, Any]] = {
    "black_jack": {"cards": {"JS": 10}},
    "pink_lady": {"cards": {"QS": 13, "QH": 13}},
    "hooligan": {"cards": {"7C": 7, "QS": 13}},
    "pip": {"heart_scale": "pips14", "cards": {}, "target": 500},
    "greek": {
        "heart_scale": "court10_ace15", "cards": {"QS": 50}, "moon_value": 150, "target": 500,
    },
    "greek_parlett": {
        "cards": {"QS": 50, "JH": 10, "QH": 10, "KH": 10, "AH": 15}, "target": 500,
    },
    "greek_culbertson": {"pass_cycle": ["R"], "bonus": {"JD": -10}},
    "kitty": {"hand_size": 12, "leftover": "kitty_first_penalty"},
    "heartsette": {
        "deck_removal": ["2S"], "hand_size": 12, "leftover": "kitty_first_trick",
        "pass_cycle": ["H"], "first_lead": "eldest_any", "first_trick_points": "free",
        "hearts_lead": "free", "cards": {}, "moon": "off", "end": {"deals": 8}, "tie": "draw",
    },
    "shoot_the_sun": {"sun": "double"},
    "no_trick": {"no_trick_bonus": -5},
    "small": {
        "deck_removal": [rank + suit for suit in "CDSH" for rank in "234567"], "hand_size": 7,
        "cards": {"QS": 7}, "moon": "new",
    },
    "hartenjagen_32": {
        "deck_removal": [rank + suit for suit in "CDSH" for rank in "23456"], "hand_size": 8,
        "cards": {"JC": 2, "QS": 5},
    },
}  # fmt: skip
DIRTY_LADY = {
    "pass_cycle": ["L"], "pass_forbidden": ["QS"], "first_lead": "eldest_any",
    "first_trick_points": "free", "hearts_lead": "free", "heart_scale": "face5432", "moon": "new",
}  # fmt: skip


@pytest.mark.parametrize("name", FURTHER)
def test_further_presets(name: str) -> None:
    """They differ from `black_lady` in just what their text says."""
    base = Rules().settings()
    mine = Rules.preset(name).settings()
    assert {key: value for key, value in mine.items() if value != base[key]} == FURTHER[name]


def test_dirty_lady() -> None:
    """It is a game for three without 2D, in which all 14 penalty cards count in one's favour."""
    base = Rules(players=3).settings()
    rules = Rules.preset("dirty_lady")
    mine = rules.settings()
    assert {key: value for key, value in mine.items() if value != base[key]} == DIRTY_LADY
    assert mine["deck_removal"] == ["2D"]
    assert (len(rules.penalty_cards), rules.moon_points) == (14, 36)


@pytest.mark.parametrize("players", PRESETS["omnibus_ten"].players)
def test_a_moon_of_omnibus_ten_takes_26_off(players: int) -> None:
    """The moon and the ten of diamonds, which it needs, take off what all penalty cards cost."""
    rules = Rules.preset("omnibus_ten", players=players)
    assert (rules.moon, rules.moon_needs_bonus) == ("new", True)
    assert -rules.moon_points + sum(rules.bonuses) == -26 == -rules.total


def test_no_preset_is_forgotten() -> None:
    """Every preset is in one of the tables of this file."""
    assert {head.split()[0] for head in COLUMNS} | set(FURTHER) | {"dirty_lady"} == set(PRESETS)


@pytest.mark.parametrize(
    ("name", "players"),
    [(preset.name, players) for preset in PRESETS.values() for players in preset.players],
)
def test_presets_work_for_all_their_players(name: str, players: int) -> None:
    """Every preset gives rules for every number of players that it allows; they come back."""
    rules = Rules.preset(name, players=players)
    assert rules.players == players
    assert rules.warnings() == []
    assert Rules(**json.loads(json.dumps(rules.settings()))) == rules
    assert rules.players * rules.hand_size + rules.kitty_size == rules.deck_size
    assert (rules.leftover != "remove") or rules.kitty_size == 0
    assert (rules.team_count, rules.sides) == ((2, 2) if rules.teams != "none" else (0, players))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_say_what_they_are(name: str) -> None:
    """A preset has its name, a line that says what it is, a source and a default table."""
    preset = PRESETS[name]
    assert preset.name == name
    assert preset.summary
    assert preset.source
    assert preset.default_players in preset.players
    assert list(preset.players) == list(range(preset.players[0], preset.players[-1] + 1))


# Preset, players: cards of a hand, of the kitty, and points in play, added up by hand.
SIZES = {
    ("black_lady", 3): (17, 0, 26),
    ("black_lady", 4): (13, 0, 26),
    ("black_lady", 5): (10, 0, 26),
    ("black_lady", 6): (8, 0, 26),
    ("black_lady", 7): (7, 0, 26),
    ("black_lady", 8): (6, 0, 26),
    ("original", 4): (13, 0, 13),
    ("original_1887", 6): (8, 0, 13),
    ("black_maria", 3): (17, 0, 43),
    ("black_maria", 4): (13, 0, 43),
    ("spot", 4): (13, 0, 129),  # 2 to 10 are 54, the courts 36, the ace 14, the queen 25
    ("omnibus", 4): (13, 0, 26),
    ("omnibus_ten", 4): (13, 0, 26),
    ("cancellation", 6): (17, 2, 52),
    ("cancellation", 7): (14, 6, 52),
    ("cancellation", 8): (13, 0, 52),
    ("cancellation", 9): (11, 5, 52),
    ("cancellation", 10): (10, 4, 52),
    ("cancellation", 11): (9, 5, 52),
    ("black_jack", 4): (13, 0, 23),
    ("pink_lady", 4): (13, 0, 38),
    ("hooligan", 4): (13, 0, 33),
    ("dirty_lady", 3): (17, 0, 36),  # nine hearts of 1, then 2 + 3 + 4 + 5, and 13
    ("pip", 4): (13, 0, 104),
    ("greek", 4): (13, 0, 149),  # 54, three courts of 10, 15, and 50
    ("greek_parlett", 4): (13, 0, 104),  # 9, three courts of 10, 15, and 50
    ("kitty", 3): (17, 1, 26),
    ("kitty", 4): (12, 4, 26),
    ("kitty", 5): (10, 2, 26),
    ("kitty", 6): (8, 4, 26),
    ("kitty", 7): (7, 3, 26),
    ("heartsette", 3): (16, 3, 13),
    ("heartsette", 4): (12, 3, 13),
    ("heartsette", 5): (10, 2, 13),
    ("heartsette", 6): (8, 4, 13),
    ("small", 4): (7, 0, 14),
    ("hartenjagen_32", 4): (8, 0, 15),
}


MOONS = {"greek": 150, "omnibus_ten": 16}


@pytest.mark.parametrize(("name", "players"), SIZES)
def test_sizes_and_points(name: str, players: int) -> None:
    """Hands, kitty and points are those of the texts; a moon is worth them, but in `MOONS`."""
    rules = Rules.preset(name, players=players)
    assert (rules.hand_size, rules.kitty_size, rules.total) == SIZES[name, players]
    assert rules.moon_points == MOONS.get(name, rules.total)
    assert rules.deck_size == 52 * rules.packs - len(rules.deck_removal)


def test_cards_that_are_there_twice() -> None:
    """In Cancellation every card is, and a card taken out loses one copy."""
    rules = Rules.preset("cancellation")
    assert rules.deck == rules.deck_twice == CardSet((1 << 52) - 1)
    assert rules.copies(0) == 2
    assert (rules.deck_size, len(rules.penalty_cards)) == (104, 14)

    stripped = Rules.preset("cancellation", deck_removal=["2C", "2D", "2H", "2H", "3H", "QS"])
    assert (stripped.deck_size, stripped.hand_size, stripped.kitty_size) == (98, 16, 2)
    assert "2C" in stripped.deck
    assert "2C" not in stripped.deck_twice
    assert "2H" not in stripped.deck
    assert [stripped.copies(card) for card in CardSet.parse("2C 2H 3H 4H")] == [1, 0, 1, 2]
    assert stripped.total == 52 - 13 - 3


# Decks.

DECK_TABLE = {
    "hartenkaartspel": USUAL,
    "board_game_arena": {**USUAL, 6: "2C 3C 2D 2S", 7: "2C 2D 2S"},
    "morehead": REMOVED["morehead"],
    "foster": {3: "2S", 4: "", 5: "2C 2S", 6: "2C 2D 2S 2H"},
    "culbertson": {3: "2C", 4: "", 5: "2C 2D", 6: "2C 2D 2S 2H", 7: "2C 2D 2S"},
}


def test_named_decks() -> None:
    """There are these decks for these numbers of players, and no others."""
    assert {name: list(deck) for name, deck in DECKS.items()} == {
        name: list(deck) for name, deck in DECK_TABLE.items()
    }


@pytest.mark.parametrize(
    ("name", "players"), [(name, players) for name, deck in DECK_TABLE.items() for players in deck]
)
def test_decks_come_out_even(name: str, players: int) -> None:
    """A deck takes out the cards that its source says, and leaves the same number for each seat."""
    rules = Rules(players=players, deck_removal=name)
    removed = DECK_TABLE[name][players].split()
    assert [card.name for card in rules.deck_removal] == removed
    assert rules.kitty_size == 0
    assert rules.hand_size == (52 - len(removed)) / players
    assert rules.total == 26 - ("2H" in removed)  # a heart that is out costs nobody
    assert rules.moon_points == rules.total


@pytest.mark.parametrize(
    ("name", "players", "opening"),
    [
        ("hartenkaartspel", 3, "2C"),
        ("hartenkaartspel", 5, "3C"),
        ("hartenkaartspel", 6, "2C"),
        ("hartenkaartspel", 7, "2C"),
        ("morehead", 6, "4C"),
        ("board_game_arena", 6, "4C"),
        ("board_game_arena", 7, "3C"),
    ],
)
def test_lowest_club_of_a_deck(name: str, players: int, opening: str) -> None:
    """The deck decides which club opens."""
    deck = Rules(players=players, deck_removal=name).deck
    assert deck.suit("C").lowest().name == opening


# Names.

NAMES = {
    "Black Widow": "black_widow",
    "Black Lady": "black_lady",
    "Black Lady Hearts": "black_lady",
    "Rickety Kate": "black_lady",
    "Slippery Anne": "black_lady",
    "American Hearts": "black_lady",
    "Discard Hearts": "black_lady",
    "Cardgames.io": "black_lady",
    "Hearts": "hearts",
    "Hartenjagen": "hearts",
    "Hartenkaartspel": "hearts",
    "Pagat": "pagat",
    "Bicycle": "bicycle",
    "Microsoft Hearts": "microsoft",
    "Windows Hearts": "microsoft",
    "Original Hearts": "original",
    "Black Maria": "black_maria",
    "Slippery Bitch": "black_maria",
    "Dirty Lady": "dirty_lady",
    "Spot Hearts": "spot",
    "Partnership Hearts": "partnership",
    "Partner Hearts": "partnership",
    "Reverse Hearts": "reverse",
    "Omnibus Hearts": "omnibus",
    "Cancellation Hearts": "cancellation",
    "Black Jack": "black_jack",
    "Pink Lady": "pink_lady",
    "Hooligan Hearts": "hooligan",
    "Pip Hearts": "pip",
    "Greek Hearts": "greek",
    "Heartsette": "heartsette",
    "Shoot the Sun": "shoot_the_sun",
    "Small Hearts": "small",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_lead_to_a_preset(name: str) -> None:
    """The names of the game are understood in any case and spacing, also in a config."""
    for spelled in (
        name, name.lower(), name.upper(), name.replace(" ", "_"), name.replace(" ", "-"),
        f" {name.replace(' ', '')} ",
    ):  # fmt: skip
        assert find_preset(spelled).name == NAMES[name]
    assert Rules.from_spec(name) == Rules.preset(NAMES[name])
    assert Rules.from_spec({"preset": name.upper()}) == Rules.preset(NAMES[name])


def test_every_other_name_is_one_presets_alone() -> None:
    """No name leads to two presets, and each of them leads to its own."""
    for preset in PRESETS.values():
        for name in (preset.name, *preset.also):
            assert find_preset(name) is preset


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("black_laddy", "unknown preset 'black_laddy': did you mean 'black_lady'"),
        ("Ricketty Kate", "did you mean 'black_lady'"),
        ("cancelation", "did you mean 'cancellation'"),
        ("whist", "unknown preset 'whist': there is black_lady, black_widow, hearts"),
        ("Widow Hearts", "unknown preset 'Widow Hearts'"),
        ("", "unknown preset '': there is black_lady"),
    ],
)
def test_unknown_presets_are_refused(name: str, message: str) -> None:
    """With the nearest name, or all there are."""
    with pytest.raises(RulesError, match=message) as caught:
        find_preset(name)
    assert caught.value.settings == ("preset",)


# Other numbers of players.


@pytest.mark.parametrize(
    ("name", "players", "allowed"),
    [
        ("black_widow", 5, "4 players, not 5"),
        ("hearts", 8, "3 to 7 players, not 8"),
        ("pagat", 6, "3 to 5 players, not 6"),
        ("dirty_lady", 4, "3 players, not 4"),
        ("cancellation", 5, "6 to 11 players, not 5"),
    ],
)
def test_other_tables_are_refused(name: str, players: int, allowed: str) -> None:
    """A preset says for how many it is, and what to do for another number."""
    with pytest.raises(
        RulesError, match=f"{name} is a game for {allowed}: .*deck_removal"
    ) as caught:
        Rules.preset(name, players=players)
    assert caught.value.settings == ("preset", "players")


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("black_lady", {}),
        ("hearts", {}),
        ("dirty_lady", {}),
        ("black_lady", {"deck_removal": ["2C", "2D", "2S", "3C", "3D", "3S", "4C"]}),
        ("cancellation", {"packs": 1}),
    ],
)
def test_nine_players_need_two_packs(name: str, overrides: dict[str, Any]) -> None:
    """That one pack is too small is said before anything about the preset."""
    message = (
        r"^9 players need two packs \(packs: 2, as in the preset cancellation\): "
        "one pack is enough for 8$"
    )
    with pytest.raises(RulesError, match=message) as caught:
        Rules.preset(name, players=9, **overrides)
    assert caught.value.settings == ("players", "packs")


@pytest.mark.parametrize(
    ("name", "overrides", "size"),
    [
        ("black_widow", {"players": 5, "deck_removal": ["2D", "2C"]}, (10, 0)),
        ("hearts", {"players": 8, "deck_removal": "board_game_arena"}, (6, 0)),
        (
            "black_maria",
            {"players": 5, "leftover": "kitty_first_trick", "deck_removal": []},
            (10, 2),
        ),
        ("partnership", {"players": 6, "deck_removal": "hartenkaartspel"}, (8, 0)),
        ("cancellation", {"players": 5, "leftover": "kitty_last_trick"}, (20, 4)),
        ("black_lady", {"players": 8, "packs": 2, "trick_winner": "latest_of_equals"}, (13, 0)),
        (
            "hearts",
            {
                "players": 9,
                "packs": 2,
                "trick_winner": "cancel_pairs",
                "leftover": "kitty_first_trick",
            },
            (11, 5),
        ),
    ],
)
def test_other_tables_with_a_deck(
    name: str, overrides: dict[str, Any], size: tuple[int, int]
) -> None:
    """Who says which cards are taken out, or leaves a kitty, may have another number."""
    rules = Rules.preset(name, **overrides)
    assert (rules.hand_size, rules.kitty_size) == size
