"""A slow and very plain Hearts engine, used in tests as an independent oracle.

It was written from the rules reference alone and shares no code with any other engine.
Cards are strings of rank and suit ("TD", "QS"); seats count clockwise, so left is +1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from twin_rules import (
    QUEEN,
    RANKS,
    TwinRules,
    contains,
    hearts_of,
    in_order,
    without,
)


@dataclass
class HandResult:
    """The outcome of one hand; every list has one entry per seat.

    With pooled teams `points`, `bonus`, `adjust` and `scores` are those of the side, the same
    for both partners.
    """

    raw: list[int]  # penalty points that the seat itself took, with the kitty
    bonus: list[int]  # bonus cards taken and the bonus for no trick
    points: list[int]  # points of the hand after the moon, with the bonus
    adjust: list[int]  # what else changed the total: a floor, a sun, the exact target
    scores: list[int]  # totals after the hand
    hearts: list[int]  # hearts taken
    queen: list[int]  # queens of spades taken
    queen_how: list[str | None]  # the last queen taken in a trick: "led", "followed" or "dumped"
    queen_by: list[int | None]  # who played that queen
    tricks: list[int]  # tricks won
    moon: list[int]  # 1 for the shooter, or for all seats of the side that shot
    pays: set[int]  # the seats that are charged the value of the moon
    moon_stopped_by: list[int | None]  # who stopped the moon of this seat, or of its side


class TwinGame(TwinRules):
    """One game of Hearts under a plain dict of rules, played card by card.

    Cards of hands, tricks and so on are sorted lists: with two packs a card can be there twice.
    """

    def __init__(self, rules: dict[str, Any]) -> None:
        """Start a game with no hand dealt yet; refuses rules that cannot be played."""
        super().__init__(rules)
        self.hand_number = 0
        self.scores = [0] * self.players
        self.game_over = False
        self.ended: str | None = None
        self.places: list[float] = []
        self.wins: list[float] = []
        self._phase = "between hands"  # then "passing", "playing", "scoring"
        self._latched: str | None = None  # what ended the game, while ties may prolong it
        self._latched_at = 0  # the hand in which that happened
        self._clear_hand([[] for _ in self.seats], [])

    def _clear_hand(self, hands: list[list[str]], kitty: list[str]) -> None:
        """Set everything that belongs to one hand to its start."""
        self.hands: list[list[str]] = [in_order(hand) for hand in hands]
        self.kitty: list[str] = in_order(kitty)
        self.kitty_seat: int | None = None  # who has got the kitty
        self.passed: list[list[str]] = [[] for _ in self.seats]
        self.received: list[list[str]] = [[] for _ in self.seats]
        self.taken: list[list[str]] = [[] for _ in self.seats]  # in tricks, without the kitty
        self.played_by: list[list[str]] = [[] for _ in self.seats]
        self.voids: list[set[str]] = [set() for _ in self.seats]
        self.tricks_won = [0] * self.players
        self.raw = [0] * self.players  # without the kitty
        self.history: list[list[tuple[int, str]]] = []
        self.takers: list[int | None] = []  # who got each trick of the history; None while held
        self.held: list[str] = []  # cards of tricks without a winner, still on the table
        self.held_tricks = 0
        self.trick: list[tuple[int, str]] = []
        self.leader: int | None = None
        self.to_play: int | None = None
        self.broken = False

    # ---- deal and pass ----------------------------------------------------------------------

    @property
    def eldest(self) -> int:
        """The seat left of the dealer, who is seat 0 in the first hand."""
        dealer = (self.hand_number - 1) % self.players
        return (dealer + 1) % self.players

    def start_hand(self, hands: list[list[str]], kitty: Iterable[str] = ()) -> None:
        """Start the next hand with the given cards for seats 0, 1, ... and in the kitty."""
        if self.game_over:
            raise ValueError("the game is over")
        if self._phase != "between hands":
            raise ValueError("the hand before is not finished")
        kitty = list(kitty)
        if in_order([card for hand in hands for card in hand] + kitty) != self.deck():
            raise ValueError("the hands and the kitty are not the deck")
        sizes = [len(hand) for hand in hands]
        if sizes != [self.rules["hand_size"]] * self.players:
            raise ValueError("every seat must get the same number of cards")
        self.hand_number += 1
        self._clear_hand(hands, kitty)
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

    def passable(self, seat: int) -> list[str]:
        """The cards a seat may pass; a ban lapses if it leaves too few."""
        hand = self.hands[seat]
        free = [card for card in hand if card not in self.rules["pass_forbidden"]]
        return free if len(free) >= self.pass_size else list(hand)

    def exchange(self, choices: list[Iterable[str]]) -> None:
        """Pass the chosen cards of all seats at once, then begin play."""
        if self._phase != "passing":
            raise ValueError("there is nothing to pass now")
        if len(choices) != self.players:
            raise ValueError("every seat must choose")
        chosen = [in_order(choice) for choice in choices]
        for seat in self.seats:
            if len(chosen[seat]) != self.pass_size:
                raise ValueError(f"seat {seat} must pass {self.pass_size} cards")
            if not contains(self.passable(seat), chosen[seat]):
                raise ValueError(f"seat {seat} may not pass {chosen[seat]}")
        self.passed = chosen
        for seat in self.seats:
            for i, card in enumerate(chosen[seat]):
                step = i + 1 if self.pass_token == "scatter" else self._distance(self.pass_token)
                self.received[(seat + step) % self.players].append(card)
        for seat in self.seats:
            self.received[seat] = in_order(self.received[seat])
            kept = without(self.hands[seat], self.passed[seat])
            self.hands[seat] = in_order(kept + self.received[seat])
        self._begin_play()

    # ---- play -------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        """Put the seat on lead that opens the hand."""
        self._phase = "playing"
        self.leader = self.eldest
        clubs = in_order(card for hand in self.hands for card in hand if card[1] == "C")
        if self.rules["first_lead"] != "eldest_any" and clubs:
            clockwise = [(self.eldest + step) % self.players for step in self.seats]
            self.leader = next(seat for seat in clockwise if clubs[0] in self.hands[seat])
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
                return set(in_order(clubs)[:1])
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
        return f"{card} is not among the legal cards {in_order(self.legal())}"

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
        self.played_by[seat] = in_order([*self.played_by[seat], card])
        self.trick.append((seat, card))
        self.broken = self.broken or self._breaks(card)
        if len(self.trick) == self.players:
            self._finish_trick()
        else:
            self.to_play = (seat + 1) % self.players

    def trick_winner(self, trick: list[tuple[int, str]]) -> int | None:
        """The seat that wins a trick, or None if no card can; also of a trick under way."""
        copies = Counter(card for _, card in trick)
        able = [(seat, card) for seat, card in trick if card[1] == trick[0][1][1]]
        if self.rules["trick_winner"] == "cancel_pairs":
            able = [(seat, card) for seat, card in able if copies[card] == 1]
            pairs = list(copies.values()).count(2)
            if not able or (pairs >= 2 and self.rules["cancel_two_pairs"]):
                return None
        top = max(RANKS.index(card[0]) for _, card in able)
        best = [seat for seat, card in able if RANKS.index(card[0]) == top]
        return best[-1]

    def _finish_trick(self) -> None:
        """Give the full trick, and what is held, to its winner, who leads next.

        Without a winner the cards are held and the same seat leads again. On the last trick that
        seat, who is the winner of the last trick that was won, takes all that is on the table.
        """
        self.held = in_order(self.held + [card for _, card in self.trick])
        self.held_tricks += 1
        taker = self.trick_winner(self.trick)
        last = not any(self.hands)
        if taker is None and last:
            taker = self.leader
        self.history.append(self.trick)
        self.takers.append(None)
        self.trick = []
        if taker is not None:
            self.leader = taker
            self._take_table(taker, last)
        self.to_play = self.leader
        if last:
            self.leader = self.to_play = None
            self._phase = "scoring"

    def _take_table(self, taker: int, last: bool) -> None:
        """Give all held cards to a seat, and the kitty if it is due."""
        for number in range(len(self.history) - self.held_tricks, len(self.history)):
            self.takers[number] = taker
        self.taken[taker] = in_order(self.taken[taker] + self.held)
        self.raw[taker] += sum(self.cost(card) for card in self.held)
        self.tricks_won[taker] += self.held_tricks
        penalty = any(self.cost(card) > 0 for card in self.held)
        self.held = []
        self.held_tricks = 0
        due = {"kitty_first_trick": True, "kitty_first_penalty": penalty}
        if self.kitty and self.kitty_seat is None and (last or due.get(self.rules["leftover"])):
            self.kitty_seat = taker

    # ---- the moon ---------------------------------------------------------------------------

    def captured(self, seat: int) -> list[str]:
        """The cards that count for a seat: those of its tricks, and the kitty if it got it."""
        if seat != self.kitty_seat:
            return list(self.taken[seat])
        return in_order(self.taken[seat] + self.kitty)

    def moon_seats(self) -> list[int]:
        """The seat or the side that took all a moon needs; empty if none did (or moon off)."""
        if self.rules["moon"] == "off":
            return []
        by_team = self.rules["moon_scope"] == "team"
        needed = self._moon_cards()
        for seats in self.sides if by_team else [[seat] for seat in self.seats]:
            cards = [card for seat in seats for card in self.captured(seat)]
            if contains(cards, needed):
                return seats
        return []

    def shooter(self) -> int | None:
        """The seat that is asked: of the moon's seats the one with the last costly card."""
        seats = self.moon_seats()
        if not seats:
            return None
        if any(self.cost(card) > 0 for card in self.kitty):
            return self.kitty_seat  # the kitty is given out at the end of the hand
        last = None
        for trick, taker in zip(self.history, self.takers, strict=True):
            if taker in seats and any(self.cost(card) > 0 for _, card in trick):
                last = taker
        return last

    def sun(self) -> bool:
        """Whether the moon's seats also won all tricks, where that is a sun."""
        seats = self.moon_seats()
        if not seats or self.rules["sun"] == "off":
            return False
        tricks = self.takers[1:] if self.rules["sun_first_trick"] == "exempt" else self.takers
        return all(taker in seats for taker in tricks)

    def _sun_resets(self) -> bool:
        return self.rules["sun"] == "reset_to_zero" and self.sun()

    def moon_options(self) -> set[str]:
        """What the shooter may choose; empty when there is nothing to choose."""
        if self.shooter() is None or self._sun_resets():
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
        """Whether the old moon would end the game with the shooter's side beaten."""
        totals = self._totals(self._points("add"))
        ends = self._latched is not None or self._end_reason(totals) is not None
        rank = self._ranking(totals)
        return ends and min(rank) < rank[self.side_of(self.shooter())]

    def _moon_value(self) -> int:
        """What a moon is worth."""
        value = self.rules["moon_value"]
        if value == "auto":
            value = sum(self.cost(card) for card in self._costly_cards())
        return 2 * value if self.rules["sun"] == "double" and self.sun() else value

    def _rewarded(self) -> set[int]:
        """The moon's seats and those that have one score together with them."""
        return {other for seat in self.moon_seats() for other in self.sharers(seat)}

    def _charged(self) -> set[int]:
        """The seats that pay if the moon is settled by adding."""
        free = self._rewarded()
        if self.rules["teams"] == "singly" and self.rules["moon_partner"] == "exempt":
            free.update(self.sides[self.side_of(self.shooter())])
        return set(self.seats) - free

    def _moon_stoppers(self) -> list[int | None]:
        """For each seat, who stopped the moon of it (or of its side, if sides shoot).

        That is who took a costly card after that seat or side alone had taken all so far, and at
        least half of those of the deck (in a kitty too). What a kitty brings stops nobody.
        """
        groups = self.sides if self.rules["moon_scope"] == "team" else [[s] for s in self.seats]
        costly = self._costly_cards()
        stoppers: list[int | None] = [None] * self.players
        running: list[list[int]] = []  # groups on their way at the end of some earlier trick
        got = [0] * self.players
        for trick, taker in zip(self.history, self.takers, strict=True):
            won = sum(self.cost(card) > 0 for _, card in trick)
            for seats in running:
                for seat in seats:
                    if won and taker not in seats and stoppers[seat] is None:
                        stoppers[seat] = taker
            got[taker] += won
            for seats in groups:
                mine = sum(got[seat] for seat in seats)
                if mine == sum(got) and 2 * mine >= len(costly):
                    running.append(seats)
        return stoppers

    # ---- scoring and the end of the game ----------------------------------------------------

    def score_hand(self, choice: str | None = None) -> HandResult:
        """Score the finished hand, with the shooter's choice if he has one."""
        if self._phase != "scoring":
            raise ValueError("there is no finished hand to score")
        if choice is not None and choice not in self.moon_options():
            raise ValueError(f"the moon cannot be settled by {choice!r}")
        payment = None
        if self._sun_resets():
            payment = "sun"
        elif self.moon_seats():
            fixed = {"old": "add", "new": "subtract", "void": "void"}
            payment = choice or fixed.get(self.rules["moon"]) or self.default_moon()
        before = self.scores
        points = self._points(payment)
        self.scores = self._totals(points)
        self._phase = "between hands"
        self._test_end()

        captured = [self.captured(seat) for seat in self.seats]
        result = HandResult(
            raw=[self._raw(seat) for seat in self.seats],
            bonus=[self._bonus(seat) for seat in self.seats],
            points=points,
            adjust=[self.scores[seat] - before[seat] - points[seat] for seat in self.seats],
            scores=list(self.scores),
            hearts=[sum(card[1] == "H" for card in cards) for cards in captured],
            queen=[cards.count(QUEEN) for cards in captured],
            queen_how=[None] * self.players,
            queen_by=[None] * self.players,
            tricks=list(self.tricks_won),
            moon=[int(seat in self.moon_seats()) for seat in self.seats],
            pays=self._charged() if payment == "add" else set(),
            moon_stopped_by=self._moon_stoppers(),
        )
        for trick, taker in zip(self.history, self.takers, strict=True):
            for place, (seat, card) in enumerate(trick):
                if card == QUEEN:
                    result.queen_by[taker] = seat
                    if place == 0:
                        result.queen_how[taker] = "led"
                    elif trick[0][1][1] == "S":
                        result.queen_how[taker] = "followed"
                    else:
                        result.queen_how[taker] = "dumped"
        return result

    def _raw(self, seat: int) -> int:
        """The penalty points that a seat itself took."""
        return sum(self.cost(card) for card in self.captured(seat))

    def _bonus(self, seat: int) -> int:
        """The bonus of a seat, or of its side if that has one score."""
        sharers = self.sharers(seat)
        cards = [card for sharer in sharers for card in self.captured(sharer)]
        bonus = sum(self.rules["bonus"].get(card, 0) for card in cards)
        if not any(self.tricks_won[sharer] for sharer in sharers) and not self.moon_seats():
            bonus += self.rules["no_trick_bonus"]
        return bonus

    def _penalty(self, seat: int, payment: str | None) -> int:
        """The penalty of a seat, or of its side if that has one score, after the moon.

        The payment of a moon replaces what was taken: "add", "subtract", "void" or "sun" (with
        all totals of the shooters reset); None if there is no moon.
        """
        if payment is None:
            return sum(self._raw(sharer) for sharer in self.sharers(seat))
        if payment == "add" and seat in self._charged():
            return self._moon_value()
        if payment == "subtract" and seat in self._rewarded():
            return -self._moon_value()
        return 0

    def _points(self, payment: str | None) -> list[int]:
        """The points of the hand under a payment of the moon."""
        points = [self._penalty(seat, payment) + self._bonus(seat) for seat in self.seats]
        if self.rules["score_floor"] == "hand0":
            points = [max(0, some) for some in points]
        return points

    def _totals(self, points: list[int]) -> list[int]:
        """The totals after a hand with these points."""
        totals = [self.scores[seat] + points[seat] for seat in self.seats]
        if self._sun_resets():
            for seat in self._rewarded():
                totals[seat] = 0
        if self.rules["score_floor"] == "total0":
            totals = [max(0, total) for total in totals]
        return [total + self._relief(total) for total in totals]

    def _relief(self, total: int) -> int:
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
        """A sort key per side, smallest is best: exact hitters first, then by total."""
        sign = 1 if self.rules["win"] == "lowest" else -1
        hitters = self._exact_hitters(totals)
        ranking = []
        for seats in self.sides:
            standing = sum(totals[seat] for seat in seats)  # pooled: twice, which is the same order
            hit = any(seat in hitters for seat in seats)
            ranking.append((False, 0) if hit else (True, sign * standing))
        return ranking

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
        """Close the game and work out places and wins of sides; ties share the mean place."""
        self.game_over = True
        self.ended = reason
        rank = self._ranking(self.scores)
        best = rank.count(min(rank))
        for seat in self.seats:
            mine = rank[self.side_of(seat)]
            better = sum(other < mine for other in rank)
            same = rank.count(mine)
            self.places.append(better + (same + 1) / 2)
            self.wins.append(1 / best if better == 0 else 0.0)
