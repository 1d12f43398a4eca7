"""A game of a run as a page to click through: one file that needs nothing else.

The page holds the game as JSON, and a script in it shows the table after any card. Names of
strategies are foreign text: in the JSON no character can end the script, and the script puts them
on the page as text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hearts_sim.cards import Card
from hearts_sim.report.hand_text import final_text, hand_text, replay_json
from hearts_sim.tournament.reading.replay import Replay
from hearts_sim.tournament.reading.retell import ToldHand


def replay_page(replay: Replay, hands: Sequence[ToldHand]) -> str:
    """The page of a game, or of some of its hands.

    Without a script it has the same as text.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("hearts_sim.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    texts = [hand_text(replay, hand) for hand in hands]
    if hands[0].number == 1 and hands[-1].ended:
        texts.append(final_text(replay, hands))
    page: str = environment.get_template("replay.html.j2").render(
        title=f"{replay.run}, game {replay.game}",
        differs=replay.differs,
        data=for_script(page_data(replay, hands)),
        text="\n\n\n".join(texts),
    )
    return page


def page_data(replay: Replay, hands: Sequence[ToldHand]) -> dict[str, Any]:
    """What the script of the page needs: `replay_json`, and what follows from the rules."""
    rules = replay.rules
    data = replay_json(replay, hands)
    for told, hand in zip(hands, data["hands"], strict=True):
        hand["offset"] = told.offset
        hand["kitty_trick"] = kitty_trick(replay, told)
        hand["ended"] = told.ended
        hand["places"] = list(told.places)
    teams = [rules.team(seat) for seat in range(rules.players)] if rules.team_count else None
    return data | {
        "teams": teams,
        "costs": {Card(card).name: cost for card, cost in enumerate(rules.costs) if cost},
        "bonus": {card.name: points for card, points in rules.bonus.items()},
        "pairs_cancel": rules.trick_winner == "cancel_pairs",
    }


def kitty_trick(replay: Replay, hand: ToldHand) -> int | None:
    """Place of the trick, from 0, with which somebody got the kitty; None without one."""
    if hand.kitty_seat is None:
        return None
    last = len(hand.tricks) - 1
    rule = replay.rules.leftover
    costs = replay.rules.costs
    waiting = 0
    for place, trick in enumerate(hand.tricks):
        waiting += sum(costs[card] > 0 for card in trick.cards)
        if trick.winner == hand.kitty_seat and (
            rule == "kitty_first_trick" or (rule == "kitty_first_penalty" and waiting)
        ):
            return place
    return last


def for_script(value: Any) -> str:
    """JSON that may stand in a script of HTML: nothing in it is taken for a tag or its end."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
