"""From `Rules` to the record that the compiled core reads."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.cards import HEARTS_MASK, QUEEN_OF_SPADES, mask_of
from hearts_sim.engine.layout import MAX_CARDS, RULES, WIDE_RULES, codes
from hearts_sim.rules import CHOICES, Rules

FIRST_LEADS: Final = CHOICES["first_lead"]
LOWEST_CLUB, ANY_CLUB, ELDEST_ANY = codes(3)
MOONS: Final = CHOICES["moon"]
MOON_OFF, MOON_OLD, MOON_NEW, MOON_CHOICE, MOON_MIXED, MOON_AUTO, MOON_VOID = codes(7)
EXACT_OFF, EXACT_MINUS50, EXACT_ZERO, EXACT_WIN = codes(4)
ALL_POINTS_ANY, ALL_POINTS_HEARTS, ALL_POINTS_QUEEN = codes(3)
NO_KITTY, KITTY_FIRST_TRICK, KITTY_FIRST_PENALTY, KITTY_LAST_TRICK = codes(4)
HIGHEST_LED, CANCEL_PAIRS, LATEST_OF_EQUALS = codes(3)
SUN_OFF, SUN_DOUBLE, SUN_RESET = codes(3)
FLOOR_NONE, FLOOR_HAND, FLOOR_TOTAL = codes(3)

ENDS: Final = ("", "target", "deals", "exact", "tie_cap", "max_hands", "forfeit")
NOT_ENDED, END_TARGET, END_DEALS, END_EXACT, END_TIE_CAP, END_MAX_HANDS, END_FORFEIT = codes(7)


def compile_rules(rules: Rules) -> Any:
    """Record of the rules for the compiled core.

    Returns
    -------
    ndarray of shape (1,) and dtype `RULES`, or `WIDE_RULES` for two packs or a kitty
    """
    wide = rules.packs == 2 or rules.kitty_size > 0
    records = np.zeros(1, WIDE_RULES if wide else RULES)
    record = records[0]
    deck = [card for card in rules.deck for _ in range(rules.copies(card))]
    bonus_cards = mask_of(rules.bonus)
    moon_cards = rules.penalty_cards | (bonus_cards if rules.moon_needs_bonus else 0)
    breakers = {
        "heart": HEARTS_MASK,
        "heart_or_queen": HEARTS_MASK | 1 << QUEEN_OF_SPADES,
        "any_penalty": rules.point_cards,
    }[rules.broken_by]
    values: dict[str, Any] = {
        "players": rules.players,
        "hand_size": rules.hand_size,
        "deck_size": len(deck),
        "deck_cards": deck + [-1] * (MAX_CARDS - len(deck)),
        "deck_twice": int(rules.deck_twice),
        "kitty_rule": _index("leftover", rules.leftover) if rules.kitty_size else NO_KITTY,
        "kitty_size": rules.kitty_size,
        "sides": rules.sides,
        "team_count": rules.team_count,
        "singly": rules.teams == "singly",
        "pooled": rules.teams == "pooled",
        "pass_count": rules.pass_count,
        "pass_forbidden": mask_of(rules.pass_forbidden),
        "cycle_length": len(rules.pass_cycle),
        "first_lead": FIRST_LEADS.index(rules.first_lead),
        "first_trick_ban": rules.first_trick_points == "forbidden",
        "first_trick_all_points": _index("first_trick_all_points", rules.first_trick_all_points),
        "hearts_lead_barred": rules.hearts_lead == "after_broken",
        "breakers": int(breakers),
        "hearts_instead_of_queen": rules.hearts_instead_of_queen,
        "queen_lead_barred": rules.queen_lead == "after_broken",
        "queen_discard_barred": rules.queen_discard == "after_broken",
        "queen_forced": rules.queen_forced,
        "trick_winner": _index("trick_winner", rules.trick_winner),
        "cancel_two_pairs": rules.cancel_two_pairs,
        "point_cards": int(rules.point_cards),
        "penalty_cards": int(rules.penalty_cards),
        "penalty_count": sum(rules.copies(card) for card in rules.penalty_cards),
        "cost": rules.costs,
        "bonus_cards": bonus_cards,
        "bonus": rules.bonuses,
        "no_trick_bonus": rules.no_trick_bonus,
        "moon": MOONS.index(rules.moon),
        "moon_points": rules.moon_points,
        "moon_cards": int(moon_cards),
        "moon_by_team": rules.moon_scope == "team",
        "moon_spares": rules.teams == "pooled" or rules.moon_partner == "exempt",
        "sun": _index("sun", rules.sun),
        "sun_spares_first": rules.sun_first_trick == "exempt",
        "floor": _index("score_floor", rules.score_floor),
        "exact_target": _index("exact_target", rules.exact_target),
        "win_highest": rules.win == "highest",
        "deals": rules.deals,
        "target": rules.target,
        "pass_target": rules.end_cmp == ">",
        "tie_draw": rules.tie == "draw",
        "tie_cap": rules.tie_cap,
        "max_hands": rules.max_hands,
    }
    for name, value in values.items():
        record[name] = value
    for seat in range(rules.players):
        side = seat % rules.sides
        record["side"][seat] = side
        record["moon_side"][seat] = side if rules.moon_scope == "team" else seat
    for index, token in enumerate(rules.pass_cycle):
        record["cycle"][index] = rules.pass_offset(token)
    return records


def _index(setting: str, value: str) -> int:
    return CHOICES[setting].index(value)
