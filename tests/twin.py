"""A slow and very plain Hearts engine, used in tests as an independent oracle.

It was written from the rules reference alone and shares no code with any other engine.
Cards are strings of rank and suit ("TD", "QS"); seats count clockwise, so left is +1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDSH"
QUEEN = "QS"

HEART_SCALES: dict[str, list[int]] = {  # the cost of the hearts from 2 up to the ace
    "ones": [1] * 13,
    "pips14": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    "court10_ace15": [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15],
    "pips_ace1": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1],
    "face5432": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
    "zero": [0] * 13,
}


def card_order(card: str) -> tuple[int, int]:
    """Sort key of a card: suits in the order C D S H, ranks ascending."""
    return SUITS.index(card[1]), RANKS.index(card[0])


def hearts_of(cards: Iterable[str]) -> set[str]:
    """The hearts among the given cards."""
    return {card for card in cards if card[1] == "H"}


@dataclass
class HandResult:
    """The outcome of one hand; every list has one entry per seat."""

    raw: list[int]  # penalty points taken
    points: list[int]  # points of the hand after the moon
    adjust: list[int]  # change of the total for standing exactly on the target
    scores: list[int]  # totals after the hand
    hearts: list[int]  # hearts taken
    queen: list[int]  # 1 for the seat that took the queen of spades
    queen_how: list[str | None]  # for that seat: "led", "followed" or "dumped"
    queen_by: list[int | None]  # for that seat: who played the queen
    tricks: list[int]  # tricks won
    moon: list[int]  # 1 for the shooter
    moon_stopped_by: list[int | None]  # who stopped this seat's moon


class TwinGame:
    """One game of Hearts under a plain dict of rules, played card by card."""

    def __init__(self, rules: dict[str, Any]) -> None:
        """Start a game with no hand dealt yet; refuses rules that cannot be played."""
        self.rules = rules
        self.players: int = rules["players"]
        self.seats = range(self.players)
        self._check_rules()

        self.hand_number = 0
        self.scores = [0] * self.players
        self.game_over = False
        self.ended: str | None = None
        self.places: list[float] = []
        self.wins: list[float] = []
        self._phase = "between hands"  # then "passing", "playing", "scoring"
        self._latched: str | None = None  # what ended the game, while ties may prolong it
        self._latched_at = 0  # the hand in which that happened
        self._clear_hand([[] for _ in self.seats])

    def _check_rules(self) -> None:
        """Raise ValueError for rules that cannot be played."""
        rules = self.rules
        if not 3 <= self.players <= 7:
            raise ValueError("there must be 3 to 7 players")
        if not rules["pass_cycle"]:
            raise ValueError("the pass cycle is empty")
        deck = self.deck()
        if len(deck) % self.players:
            raise ValueError("the deck does not divide by the number of players")
        if not self._costly_cards():
            raise ValueError("the deck holds no penalty card")
        if rules["win"] == "highest" and rules["exact_target"] in ("minus50", "zero"):
            raise ValueError("relief on the exact target makes no sense when the highest wins")
        for token in rules["pass_cycle"]:
            if self._size_of_pass(token) > len(deck) // self.players:
                raise ValueError("a hand is too small for the pass")
            if token not in ("H", "scatter") and self._distance(token) % self.players == 0:
                raise ValueError(f"pass {token} comes back to the passer")

    def _clear_hand(self, hands: list[list[str]]) -> None:
        """Set everything that belongs to one hand to its start."""
        self.hands: list[set[str]] = [set(hand) for hand in hands]
        self.passed: list[set[str]] = [set() for _ in self.seats]
        self.received: list[set[str]] = [set() for _ in self.seats]
        self.taken: list[set[str]] = [set() for _ in self.seats]
        self.played_by: list[set[str]] = [set() for _ in self.seats]
        self.voids: list[set[str]] = [set() for _ in self.seats]
        self.tricks_won = [0] * self.players
        self.raw = [0] * self.players
        self.history: list[list[tuple[int, str]]] = []
        self.trick: list[tuple[int, str]] = []
        self.leader: int | None = None
        self.to_play: int | None = None
        self.broken = False

    # ---- the deck and its costs -------------------------------------------------------------

    def deck(self) -> list[str]:
        """The cards dealt under the rules, sorted."""
        removed = self.rules["deck_removal"]
        return [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in removed]

    def cost(self, card: str) -> int:
        """The penalty of a card; an entry in `cards` beats the scale of the hearts."""
        if card in self.rules["cards"]:
            return self.rules["cards"][card]
        if card[1] == "H":
            return HEART_SCALES[self.rules["heart_scale"]][RANKS.index(card[0])]
        return 0

    def is_penalty(self, card: str) -> bool:
        """Whether a card is banned from the first trick: any heart, any card in `cards`."""
        return card[1] == "H" or card in self.rules["cards"]

    def _costly_cards(self) -> set[str]:
        """The dealt cards that cost more than zero: those a shooter needs."""
        return {card for card in self.deck() if self.cost(card) > 0}

    # ---- deal and pass ----------------------------------------------------------------------

    def start_hand(self, hands: list[list[str]]) -> None:
        """Start the next hand with the given cards for seats 0, 1, ..."""
        if self.game_over:
            raise ValueError("the game is over")
        if self._phase != "between hands":
            raise ValueError("the hand before is not finished")
        if sorted(card for hand in hands for card in hand) != sorted(self.deck()):
            raise ValueError("the hands are not the deck")
        if len(hands) != self.players or len({len(hand) for hand in hands}) != 1:
            raise ValueError("every seat must get the same number of cards")
        self.hand_number += 1
        self._clear_hand(hands)
        self._phase = "passing"
        if self.pass_size == 0:
            self._begin_play()

    @property
    def pass_token(self) -> str:
        """The entry of the pass cycle for this hand."""
        cycle = self.rules["pass_cycle"]
        return cycle[(self.hand_number - 1) % len(cycle)]

    @property
    def pass_size(self) -> int:
        """How many cards each seat passes in this hand."""
        return self._size_of_pass(self.pass_token)

    def _size_of_pass(self, token: str) -> int:
        """How many cards each seat passes under a token."""
        if token == "H" or self.rules["pass_count"] == 0:
            return 0
        return self.players - 1 if token == "scatter" else self.rules["pass_count"]

    def _distance(self, token: str) -> int:
        """How many seats to the left a pass goes (negative: to the right)."""
        if token == "A":
            if self.players % 2:
                raise ValueError("no seat is straight across at an odd table")
            return self.players // 2
        return {"L": 1, "L2": 2, "L3": 3, "R": -1, "R2": -2, "R3": -3}[token]

    def passable(self, seat: int) -> set[str]:
        """The cards a seat may pass; a ban lapses if it leaves too few."""
        free = self.hands[seat] - set(self.rules["pass_forbidden"])
        return free if len(free) >= self.pass_size else set(self.hands[seat])

    def exchange(self, choices: list[set[str]]) -> None:
        """Pass the chosen cards of all seats at once, then begin play."""
        if self._phase != "passing":
            raise ValueError("there is nothing to pass now")
        if len(choices) != self.players:
            raise ValueError("every seat must choose")
        for seat in self.seats:
            chosen = set(choices[seat])
            if len(choices[seat]) != self.pass_size or len(chosen) != self.pass_size:
                raise ValueError(f"seat {seat} must pass {self.pass_size} different cards")
            if not chosen <= self.passable(seat):
                raise ValueError(f"seat {seat} may not pass {sorted(chosen - self.passable(seat))}")
        for seat in self.seats:
            self.passed[seat] = set(choices[seat])
            for i, card in enumerate(sorted(choices[seat], key=card_order)):
                step = i + 1 if self.pass_token == "scatter" else self._distance(self.pass_token)
                self.received[(seat + step) % self.players].add(card)
        for seat in self.seats:
            self.hands[seat] = (self.hands[seat] - self.passed[seat]) | self.received[seat]
        self._begin_play()

    # ---- play -------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        """Put the seat on lead that opens the hand."""
        self._phase = "playing"
        clubs = [card for card in self.deck() if card[1] == "C"]
        if self.rules["first_lead"] == "eldest_any" or not clubs:
            dealer = (self.hand_number - 1) % self.players
            self.leader = (dealer + 1) % self.players
        else:
            self.leader = next(seat for seat in self.seats if clubs[0] in self.hands[seat])
        self.to_play = self.leader

    @property
    def trick_number(self) -> int:
        """The number of the current trick, from 1 (after the last trick: one more)."""
        return len(self.history) + 1

    @property
    def led_suit(self) -> str | None:
        """The suit led to the current trick."""
        return self.trick[0][1][1] if self.trick else None

    @property
    def hand_over(self) -> bool:
        """Whether all cards of the hand are played."""
        return bool(self.history) and not any(self.hands)

    def legal(self) -> set[str]:
        """The cards the seat to play may play."""
        if self._phase != "playing":
            raise ValueError("nobody is to play")
        hand = self.hands[self.to_play]
        leading = not self.trick
        first_trick = self.trick_number == 1

        # 1. the card that opens the hand
        clubs = {card for card in hand if card[1] == "C"}
        if leading and first_trick and clubs:
            if self.rules["first_lead"] == "lowest_club":
                return {min(clubs, key=card_order)}
            if self.rules["first_lead"] == "lowest_club_holder_any_club":
                return clubs

        # 2. and 3. follow suit if able
        follow = {card for card in hand if card[1] == self.led_suit}
        cards = follow or set(hand)

        # 4. no penalty cards on the first trick
        if first_trick and self.rules["first_trick_points"] == "forbidden":
            harmless = {card for card in cards if not self.is_penalty(card)}
            cards = harmless or self._all_points(cards)

        cards = self._leadable(cards) if leading else self._with_queen_rules(cards, void=not follow)
        assert cards
        return cards

    def _all_points(self, cards: set[str]) -> set[str]:
        """Step 4, second half: only penalty cards could be played to the first trick."""
        rule = self.rules["first_trick_all_points"]
        if rule == "hearts_only" and hearts_of(cards):
            return hearts_of(cards)
        if rule == "queen_first" and QUEEN in cards:
            return {QUEEN}
        return cards

    def _leadable(self, cards: set[str]) -> set[str]:
        """Steps 5 to 7: what may be led before hearts are broken."""
        if self.broken:
            return cards
        left = set(cards)
        dropped: set[str] = set()
        if self.rules["hearts_lead"] == "after_broken":
            dropped = hearts_of(cards)
            left -= dropped
        if self.rules["queen_lead"] == "after_broken":
            left -= {QUEEN}
        if self.rules["hearts_instead_of_queen"] and left == {QUEEN}:
            left |= dropped
        return left or cards

    def _with_queen_rules(self, cards: set[str], void: bool) -> set[str]:
        """Step 8: when the queen of spades may not, or must, be played by a follower."""
        if void and self.rules["queen_discard"] == "after_broken" and not self.broken:
            cards = (cards - {QUEEN}) or cards
        if self.rules["queen_forced"] and QUEEN in cards:
            in_trick = {card for _, card in self.trick}
            covered = self.led_suit == "S" and bool(in_trick & {"KS", "AS"})
            if void or covered:
                return {QUEEN}
        return cards

    def _why_illegal(self, card: str) -> str:
        """The reason why the seat to play may not play this card."""
        hand = self.hands[self.to_play]
        if card not in hand:
            return f"seat {self.to_play} does not hold {card}"
        if card[1] != self.led_suit and any(held[1] == self.led_suit for held in hand):
            return f"{card} does not follow suit"
        return f"{card} is not among the legal cards {sorted(self.legal(), key=card_order)}"

    def _breaks(self, card: str) -> bool:
        """Whether playing this card breaks hearts."""
        if card[1] == "H":
            return True
        if self.rules["broken_by"] == "heart_or_queen":
            return card == QUEEN
        return self.rules["broken_by"] == "any_penalty" and self.is_penalty(card)

    def play(self, card: str) -> None:
        """Play a card for the seat to play; ValueError says why if it is illegal."""
        if card not in self.legal():
            raise ValueError(self._why_illegal(card))
        seat = self.to_play
        if self.trick and card[1] != self.led_suit:
            self.voids[seat].add(self.led_suit)
        self.hands[seat].remove(card)
        self.played_by[seat].add(card)
        self.trick.append((seat, card))
        self.broken = self.broken or self._breaks(card)
        if len(self.trick) == self.players:
            self._finish_trick()
        else:
            self.to_play = (seat + 1) % self.players

    def trick_winner(self, trick: list[tuple[int, str]]) -> int:
        """The seat with the highest card of the led suit in a full trick."""
        suit = trick[0][1][1]
        in_suit = [(RANKS.index(card[0]), seat) for seat, card in trick if card[1] == suit]
        return max(in_suit)[1]

    def _finish_trick(self) -> None:
        """Give the full trick to its winner, who leads next."""
        winner = self.trick_winner(self.trick)
        for _, card in self.trick:
            self.taken[winner].add(card)
            self.raw[winner] += self.cost(card)
        self.tricks_won[winner] += 1
        self.history.append(self.trick)
        self.trick = []
        self.leader = self.to_play = winner
        if not any(self.hands):
            self.leader = self.to_play = None
            self._phase = "scoring"

    # ---- the moon ---------------------------------------------------------------------------

    def shooter(self) -> int | None:
        """The seat that took every costly card, or None (always None with the moon off)."""
        if self.rules["moon"] == "off":
            return None
        for seat in self.seats:
            if self._costly_cards() <= self.taken[seat]:
                return seat
        return None

    def moon_options(self) -> set[str]:
        """What the shooter may choose; empty when there is nothing to choose."""
        if self.shooter() is None:
            return set()
        if self.rules["moon"] == "choice":
            return {"add", "subtract"}
        if self.rules["moon"] == "mixed" and self._old_moon_loses():
            return {"add", "subtract"}
        return set()

    def default_moon(self) -> str:
        """The shooter's choice if he gives no answer."""
        if self.shooter() is None:
            raise ValueError("nobody shot the moon")
        return "subtract" if self._old_moon_loses() else "add"

    def _old_moon_loses(self) -> bool:
        """Whether the old moon would end the game with the shooter beaten."""
        points = self._moon_points("add")
        totals = [self.scores[seat] + points[seat] for seat in self.seats]
        totals = [total + self._adjust(total) for total in totals]
        ends = self._latched is not None or self._end_reason(totals) is not None
        rank = self._ranking(totals)
        return ends and min(rank) < rank[self.shooter()]

    def _moon_points(self, payment: str) -> list[int]:
        """The points of a hand with a shooter: "add", "subtract" or "void"."""
        value = self.rules["moon_value"]
        if value == "auto":
            value = sum(self.cost(card) for card in self._costly_cards())
        shooter = self.shooter()
        if payment == "add":
            return [0 if seat == shooter else value for seat in self.seats]
        if payment == "subtract":
            return [-value if seat == shooter else 0 for seat in self.seats]
        return [0] * self.players

    def _moon_stoppers(self) -> list[int | None]:
        """For each seat, who stopped its moon after it had half of the costly cards alone."""
        costly = self._costly_cards()
        stoppers: list[int | None] = [None] * self.players
        running: set[int] = set()  # seats that were on their way at some earlier trick's end
        got: list[set[str]] = [set() for _ in self.seats]
        for trick in self.history:
            winner = self.trick_winner(trick)
            won = {card for _, card in trick} & costly
            for seat in running:
                if won and winner != seat and stoppers[seat] is None:
                    stoppers[seat] = winner
            got[winner] |= won
            for seat in self.seats:
                alone = all(not got[other] for other in self.seats if other != seat)
                if alone and 2 * len(got[seat]) >= len(costly):
                    running.add(seat)
        return stoppers

    # ---- scoring and the end of the game ----------------------------------------------------

    def score_hand(self, choice: str | None = None) -> HandResult:
        """Score the finished hand, with the shooter's choice if he has one."""
        if self._phase != "scoring":
            raise ValueError("there is no finished hand to score")
        if choice is not None and choice not in self.moon_options():
            raise ValueError(f"the moon cannot be settled by {choice!r}")
        shooter = self.shooter()
        points = list(self.raw)
        if shooter is not None:
            fixed = {"old": "add", "new": "subtract", "void": "void"}
            payment = choice or fixed.get(self.rules["moon"]) or self.default_moon()
            points = self._moon_points(payment)
        totals = [self.scores[seat] + points[seat] for seat in self.seats]
        adjust = [self._adjust(total) for total in totals]
        self.scores = [totals[seat] + adjust[seat] for seat in self.seats]
        self._phase = "between hands"
        self._test_end()

        result = HandResult(
            raw=list(self.raw),
            points=points,
            adjust=adjust,
            scores=list(self.scores),
            hearts=[len(hearts_of(self.taken[seat])) for seat in self.seats],
            queen=[int(QUEEN in self.taken[seat]) for seat in self.seats],
            queen_how=[None] * self.players,
            queen_by=[None] * self.players,
            tricks=list(self.tricks_won),
            moon=[int(seat == shooter) for seat in self.seats],
            moon_stopped_by=self._moon_stoppers(),
        )
        for trick in self.history:
            for seat, card in trick:
                if card == QUEEN:
                    taker = self.trick_winner(trick)
                    result.queen_by[taker] = seat
                    if trick[0][1] == QUEEN:
                        result.queen_how[taker] = "led"
                    elif trick[0][1][1] == "S":
                        result.queen_how[taker] = "followed"
                    else:
                        result.queen_how[taker] = "dumped"
        return result

    def _adjust(self, total: int) -> int:
        """The relief for a total that is exactly the target."""
        if total != self.rules["target"]:
            return 0
        return {"minus50": -50, "zero": -total}.get(self.rules["exact_target"], 0)

    def _exact_hitters(self, totals: list[int]) -> list[int]:
        """The seats that win outright by standing exactly on the target."""
        if self.rules["exact_target"] != "win":
            return []
        return [seat for seat in self.seats if totals[seat] == self.rules["target"]]

    def _end_reason(self, totals: list[int]) -> str | None:
        """Why these totals after this hand end the game, or None."""
        if self.rules["end"] == "points":
            target = self.rules["target"]
            over = [t > target or (self.rules["end_cmp"] == ">=" and t == target) for t in totals]
            if any(over):
                return "target"
        elif self.hand_number == self.rules["end"]["deals"]:
            return "deals"
        return "exact" if self._exact_hitters(totals) else None

    def _ranking(self, totals: list[int]) -> list[tuple[bool, int]]:
        """A sort key per seat, smallest is best: exact hitters first, then by total."""
        sign = 1 if self.rules["win"] == "lowest" else -1
        hitters = self._exact_hitters(totals)
        if hitters:
            return [(False, 0) if s in hitters else (True, sign * totals[s]) for s in self.seats]
        return [(True, sign * total) for total in totals]

    def _test_end(self) -> None:
        """After a scored hand, see whether the game ends, and how."""
        if self._latched is None:
            self._latched = self._end_reason(self.scores)
            self._latched_at = self.hand_number
        if self._latched is not None:
            rank = self._ranking(self.scores)
            normal = "exact" if self._exact_hitters(self.scores) else self._latched
            extra_hands = self.hand_number - self._latched_at
            if rank.count(min(rank)) == 1 or self.rules["tie"] == "draw":
                self._end_game(normal)
            elif extra_hands >= self.rules["tie_cap"]:
                self._end_game("tie_cap")
        if not self.game_over and self.hand_number >= self.rules["max_hands"]:
            self._end_game("max_hands")

    def _end_game(self, reason: str) -> None:
        """Close the game and work out places and wins; ties share the mean place."""
        self.game_over = True
        self.ended = reason
        rank = self._ranking(self.scores)
        best = rank.count(min(rank))
        for mine in rank:
            better = sum(other < mine for other in rank)
            same = rank.count(mine)
            self.places.append(better + (same + 1) / 2)
            self.wins.append(1 / best if better == 0 else 0.0)
