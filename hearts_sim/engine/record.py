"""From `Rules` to the record that the compiled core reads."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hearts_sim.cards import HEARTS_MASK, QUEEN_OF_SPADES, mask_of
from hearts_sim.engine.layout import RULES, codes
from hearts_sim.rules import CHOICES, Rules

FIRST_LEADS: Final = CHOICES["first_lead"]
LOWEST_CLUB, ANY_CLUB, ELDEST_ANY = codes(3)
MOONS: Final = CHOICES["moon"]
MOON_OFF, MOON_OLD, MOON_NEW, MOON_CHOICE, MOON_MIXED, MOON_AUTO, MOON_VOID = codes(7)
EXACT_OFF, EXACT_MINUS50, EXACT_ZERO, EXACT_WIN = codes(4)
ALL_POINTS_ANY, ALL_POINTS_HEARTS, ALL_POINTS_QUEEN = codes(3)

ENDS: Final = ("", "target", "deals", "exact", "tie_cap", "max_hands")
NOT_ENDED, END_TARGET, END_DEALS, END_EXACT, END_TIE_CAP, END_MAX_HANDS = codes(6)


def compile_rules(rules: Rules) -> Any:
    """Record of the rules for the compiled core.

    Returns
    -------
    ndarray of shape (1,) and dtype `RULES`
    """
    records = np.zeros(1, RULES)
    record = records[0]
    deck = list(rules.deck)
    breakers = {
        "heart": HEARTS_MASK,
        "heart_or_queen": HEARTS_MASK | 1 << QUEEN_OF_SPADES,
        "any_penalty": rules.point_cards,
    }[rules.broken_by]
    values: dict[str, Any] = {
        "players": rules.players,
        "hand_size": rules.hand_size,
        "deck_size": len(deck),
        "deck_cards": deck + [-1] * (52 - len(deck)),
        "pass_count": rules.pass_count,
        "pass_forbidden": mask_of(rules.pass_forbidden),
        "cycle_length": len(rules.pass_cycle),
        "first_lead": FIRST_LEADS.index(rules.first_lead),
        "first_trick_ban": rules.first_trick_points == "forbidden",
        "first_trick_all_points": CHOICES["first_trick_all_points"].index(
            rules.first_trick_all_points
        ),
        "hearts_lead_barred": rules.hearts_lead == "after_broken",
        "breakers": int(breakers),
        "hearts_instead_of_queen": rules.hearts_instead_of_queen,
        "queen_lead_barred": rules.queen_lead == "after_broken",
        "queen_discard_barred": rules.queen_discard == "after_broken",
        "queen_forced": rules.queen_forced,
        "point_cards": int(rules.point_cards),
        "penalty_cards": int(rules.penalty_cards),
        "penalty_count": len(rules.penalty_cards),
        "cost": rules.costs,
        "moon": MOONS.index(rules.moon),
        "moon_points": rules.moon_points,
        "exact_target": CHOICES["exact_target"].index(rules.exact_target),
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
    for index, token in enumerate(rules.pass_cycle):
        record["cycle"][index] = rules.pass_offset(token)
    return records
