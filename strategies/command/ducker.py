#!/usr/bin/env python3
"""A bot that speaks JSON lines: it ducks.

It needs nothing but Python's standard library and works from any folder. Copy it to begin a bot of
your own: `choose_card` and `choose_pass` are the idea, `main` is the protocol, and the same few
lines do in any language. docs/protocol.md describes all messages.

Passes: the high spades where the queen is in play, then the cards of highest rank.
Plays: leads its lowest rank; follows with the highest card that does not win the trick, or its
    lowest; as the last to a trick without points it wins with its highest; without the suit it
    throws what costs most, then what is highest.
"""

import json
import sys

RANKS = "23456789TJQKA"
HIGH_SPADES = ("QS", "KS", "AS")


def rank(card):
    """Rank of a card such as "QS", 0 for the two to 12 for the ace."""
    return RANKS.index(card[0])


class Ducker:
    """What it knows: the hello of the table, which says what never changes."""

    def __init__(self, hello):
        self.players = hello["players"]
        self.cost = hello["cost"]  # points of the cards that cost some, such as {"QS": 13}

    def choose_pass(self, table):
        """The cards to pass, out of table["legal"]."""
        # With two packs one may hold a card twice, and pass both.
        cards = table["legal"] + [
            card for card in table.get("hand_twice", []) if card in table["legal"]
        ]
        cards.sort(key=self.danger, reverse=True)
        return cards[: table["pass_count"]]

    def danger(self, card):
        """How gladly a card is passed."""
        return ("QS" in self.cost and card in HIGH_SPADES, rank(card), self.cost.get(card, 0))

    def choose_card(self, table):
        """The card to play, out of table["legal"]."""
        legal, trick = table["legal"], table["trick"]
        led = table["led_suit"]
        if led is None:
            return min(legal, key=lambda card: (rank(card), self.cost.get(card, 0)))
        if legal[0][1] != led:
            return max(legal, key=lambda card: (self.cost.get(card, 0), rank(card)))
        # There is no winning card when equal cards cancel each other out.
        winning = table["winning_card"]
        losing = [card for card in legal if winning and rank(card) < rank(winning)]
        if losing:
            return max(losing, key=lambda card: (self.cost.get(card, 0), rank(card)))
        last = len(trick) == self.players - 1
        if last and table["trick_points"] == 0:
            return max(legal, key=lambda card: (-self.cost.get(card, 0), rank(card)))
        return min(legal, key=lambda card: (self.cost.get(card, 0), rank(card)))


def answer(message):
    """Write one message to the table, at once."""
    sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def main():
    """Read messages until the table says goodbye or is gone."""
    bot = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            bot = Ducker(message)
            hooks = ["choose_card", "choose_pass"]
            answer({"type": "hello", "protocol": 1, "name": "ducker", "hooks": hooks})
        elif kind == "choose_pass":
            answer({"id": message["id"], "cards": bot.choose_pass(message)})
        elif kind == "choose_card":
            answer({"id": message["id"], "card": bot.choose_card(message)})
        elif kind == "goodbye":
            return
        # Whatever else comes is for other bots, or for later versions.
        # To see what goes on: print("...", file=sys.stderr), never to standard output.


if __name__ == "__main__":
    main()
