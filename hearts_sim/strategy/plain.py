"""Players in plain Python at the compiled table.

The core calls an address; behind it stands a function made here that lets the strategy decide and
writes the answer into the view. Nothing that happens in a strategy passes it: an exception is kept
and 0 goes back.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hearts_sim.cards import Card, CardSet, parse_card
from hearts_sim.engine.layout import HOOKS, MOON_ADD, MOON_SUBTRACT, NO_ANSWER, OWN, VIEW
from hearts_sim.errors import CardError
from hearts_sim.strategy.base import Strategy, has_hook
from hearts_sim.strategy.faults import BadAnswer
from hearts_sim.strategy.randomness import SeatRandom
from hearts_sim.strategy.view import View

if TYPE_CHECKING:
    from hearts_sim.engine.machine import Machine

# The address of the view is left out: the function knows where it is, and a C caller does not mind.
_HOOK = ctypes.CFUNCTYPE(ctypes.c_int64)
_ANSWER, _ANSWER_TWICE = (
    int(VIEW.fields[name][1]) // 8  # type: ignore[index]
    for name in ("answer", "answer_twice")
)
_NO_ANSWER = int(NO_ANSWER)
_MOON_ANSWERS = {"add": int(MOON_ADD), "subtract": int(MOON_SUBTRACT)}


class PlainPlayer:
    """A strategy on one seat of a machine.

    Parameters
    ----------
    strategy : subclass of Strategy, or an instance of one
        From a class a fresh instance is made for each game.
    options : mapping
        Keywords of the constructor.
    """

    compiled = 0

    def __init__(
        self,
        strategy: type[Strategy] | Strategy,
        options: Mapping[str, Any],
        machine: Machine,
    ) -> None:
        self._given = strategy if isinstance(strategy, Strategy) else None
        self.strategy: type[Strategy] = strategy if self._given is None else type(strategy)  # type: ignore[assignment]
        self.options = dict(options)
        self._shown = machine.shown, machine.rules
        self.view = View(*self._shown)
        self.words = machine.words
        self.own = np.zeros(1, OWN)
        self.rng = SeatRandom(self.own["rng"][0])
        self.error: BaseException | None = None
        self.answer: Any = None
        self.bot: Strategy | None = None
        self._choose_card: Callable[[View], Any] = self._not_started
        # The core calls this one by itself, since a call by address costs more than most decisions.
        self._decide = self._make_card_function()
        self.card_function = id(self._decide)
        makers = {
            "start_game": self._make_start_game,
            "choose_pass": self._make_choose_pass,
            "choose_card": self._make_choose_card,
            "choose_moon": self._make_choose_moon,
        }
        # Kept alive for as long as the core may call them.
        self._callbacks = {
            hook: _HOOK(makers[hook]() if hook in makers else self._make_event(hook))
            for hook in HOOKS
            if hook == "start_game" or has_hook(self.strategy, hook)
        }

    def addresses(self) -> list[int]:
        """Address of each hook, 0 where the strategy has none."""
        return [
            ctypes.cast(self._callbacks[hook], ctypes.c_void_p).value or 0
            if hook in self._callbacks
            else 0
            for hook in HOOKS
        ]

    def close(self) -> None:
        """Nothing of it is outside of this process."""

    def drop(self) -> None:
        """Let go the bot of the last game, and what it answered."""
        self.bot = self.error = self.answer = None
        self._choose_card = self._not_started

    @staticmethod
    def _not_started(view: View) -> Any:
        raise RuntimeError("no game was started")

    def _new_bot(self) -> Strategy:
        if self._given is not None:
            self._given.rng = self.rng
            return self._given
        # Before __init__, which may use it and need not call ours.
        bot = self.strategy.__new__(self.strategy)
        bot.rng = self.rng
        bot.__init__(**self.options)  # type: ignore[misc]
        return bot

    def _make_start_game(self) -> Callable[[], int]:
        tells = has_hook(self.strategy, "start_game")
        view, shown = self.view, self._shown

        def start_game() -> int:
            try:
                self.drop()
                view.__init__(*shown)  # type: ignore[misc]  # whatever the last bot has set there
                self.bot = self._new_bot()
                self._choose_card = self.bot.choose_card
                if tells:
                    self.bot.start_game(view)
                return 1
            except BaseException as error:
                self.error = error
                return 0

        return start_game

    def _make_event(self, hook: str) -> Callable[[], int]:
        def event() -> int:
            try:
                getattr(self.bot, hook)(self.view)
                return 1
            except BaseException as error:
                self.error = error
                return 0

        return event

    def _make_card_function(self) -> Callable[[], int]:
        view = self.view

        def decide() -> int:
            try:
                card = self._choose_card(view)
                if type(card) is Card:
                    return card
                self.answer = card
                return as_card(card)
            except BaseException as error:
                self.error = error
                return _NO_ANSWER

        return decide

    def _make_choose_card(self) -> Callable[[], int]:
        words, decide = self.words, self._decide

        def choose_card() -> int:
            card = decide()
            if card == _NO_ANSWER:
                return 0
            words[_ANSWER] = card
            return 1

        return choose_card

    def _make_choose_pass(self) -> Callable[[], int]:
        words, view = self.words, self.view

        def choose_pass() -> int:
            try:
                cards = self.bot.choose_pass(view)  # type: ignore[union-attr]
                self.answer = cards
                words[_ANSWER], words[_ANSWER_TWICE] = as_pass(cards, view.rules.packs)
                return 1
            except BaseException as error:
                self.error = error
                return 0

        return choose_pass

    def _make_choose_moon(self) -> Callable[[], int]:
        words, view = self.words, self.view

        def choose_moon() -> int:
            try:
                answer = self.bot.choose_moon(view)  # type: ignore[union-attr]
                self.answer = answer
                if not isinstance(answer, str) or answer not in _MOON_ANSWERS:
                    raise BadAnswer(f'choose_moon must return "add" or "subtract", not {answer!r}')
                words[_ANSWER] = _MOON_ANSWERS[answer]
                return 1
            except BaseException as error:
                self.error = error
                return 0

        return choose_moon


def as_card(answer: Any) -> int:
    """Number of the card that a strategy answered, -1 for a number that is no card's.

    Raises
    ------
    BadAnswer
        When it is neither a whole number nor the text of a card.
    """
    if isinstance(answer, str):
        try:
            return parse_card(answer)
        except CardError as error:
            raise BadAnswer(str(error)) from None
    if isinstance(answer, CardSet | bool | np.bool_):
        raise BadAnswer(f"choose_card must return one card, not {answer!r}")
    if isinstance(answer, int | np.integer):
        return int(answer) if 0 <= answer < 52 else -1
    kind = type(answer).__name__
    raise BadAnswer(f"choose_card must return one card (such as view.legal.lowest()), not {kind}")


def as_pass(answer: Any, packs: int = 1) -> tuple[int, int]:
    """Masks of the cards that a strategy chose to pass, and of those of which both copies go.

    Raises
    ------
    BadAnswer
        When it is no collection of cards, or names a card more often than there are packs.
    """
    if isinstance(answer, CardSet):
        return int(answer), 0
    if isinstance(answer, str | int) or not hasattr(answer, "__iter__"):
        kind = type(answer).__name__
        raise BadAnswer(f"choose_pass must return a collection of cards, not {kind}")
    mask, twice = 0, 0
    for place, item in enumerate(answer):
        if place > 60:
            raise BadAnswer("choose_pass returned more than 60 cards")
        card = as_card(item)
        if card < 0:
            raise BadAnswer(f"choose_pass returned {item!r}, which is no card")
        if (twice if packs == 2 else mask) >> card & 1:
            times = "three times" if packs == 2 else "twice"
            raise BadAnswer(f"choose_pass returned {Card(card)} {times}")
        twice |= mask & 1 << card
        mask |= 1 << card
    return mask, twice
