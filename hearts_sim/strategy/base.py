"""What a strategy is: a class with `choose_card`, in plain Python or compiled."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from hearts_sim.strategy.view import View


class Strategy:
    """A player in plain Python. Subclass it and write `choose_card`; everything else is optional.

    A fresh instance plays each game on each seat, so nothing carries over from game to game. The
    keywords of ``__init__`` are the strategy's options, set in the config. An exception, or an
    answer that is no legal card, is a fault.

    Attributes
    ----------
    rng : random.Random
        Random numbers of this seat, the same in every run with the same seed. There from the start,
        also in ``__init__``.
    uses_clock : bool or str
        Whether it decides by a clock, so that its games cannot be repeated; or the name of an
        option, such as a budget of seconds, with which it does. An audit passes such games over.
    with_two_packs : str
        What it does otherwise in games in which a card may be there twice: a sentence, which a run
        of such games tells.
    """

    rng: random.Random
    uses_clock: ClassVar[bool | str] = False
    with_two_packs: ClassVar[str] = ""

    @classmethod
    def prepare(cls, options: Mapping[str, Any]) -> None:
        """Load what is dear to load; called once in each process that plays."""

    def start_game(self, view: View) -> None:
        """A game begins; seat, rules and scores are in the view."""

    def start_hand(self, view: View) -> None:
        """A hand was dealt; ``view.hand`` holds the cards before the pass."""

    def choose_pass(self, view: View) -> Iterable[int | str]:
        """Choose ``view.pass_count`` different cards of ``view.legal`` to pass.

        Without this method the cards of highest rank are passed.
        """
        raise NotImplementedError

    def choose_card(self, view: View) -> int | str:
        """Choose one card of ``view.legal``."""
        raise NotImplementedError

    def choose_moon(self, view: View) -> str:
        """After shooting the moon where the rules give a choice: ``"add"`` or ``"subtract"``.

        ``"add"`` charges every other seat, ``"subtract"`` relieves one's own. Without this method
        the better one is taken: to subtract when adding would end the game with another seat ahead.
        """
        raise NotImplementedError

    def end_hand(self, view: View) -> None:
        """A hand was scored; ``view.points`` holds its points, ``view.scores`` the totals."""


class CompiledStrategy:
    """A player that numba compiles: the same hooks as static methods of a `VIEW` record.

    ::

        class Low(CompiledStrategy):
            @staticmethod
            def choose_card(view):
                return lowest(view.legal)

    Cards are ints, sets of cards are int masks, fields have the names of `View`;
    `hearts_sim.strategy.toolkit` has what works on them. `choose_pass` returns a mask,
    `choose_moon` 0 (add) or 1 (subtract), the other hooks nothing.

    Attributes
    ----------
    options : mapping of name to number
        Options with their defaults; ``options(view)`` of the toolkit has an entry's values in this
        order.
    memory_words : int
        Size of a scratch memory of int64, zeroed for each game: ``memory(view)`` of the toolkit.
    uses_clock : bool or str
    with_two_packs : str
        As of `Strategy`.
    """

    options: ClassVar[Mapping[str, float]] = {}
    memory_words: ClassVar[int] = 0
    uses_clock: ClassVar[bool | str] = False
    with_two_packs: ClassVar[str] = ""


AnyStrategy = type[Strategy] | type[CompiledStrategy]

OPTIONAL_HOOKS = ("start_game", "start_hand", "choose_pass", "choose_moon", "end_hand")


def decides_by_clock(declared: bool | str, options: Mapping[str, Any]) -> bool:
    """What a class's ``uses_clock`` says about an entry with these options."""
    return bool(options.get(declared) if isinstance(declared, str) else declared)


def has_hook(strategy: AnyStrategy, hook: str) -> bool:
    """Whether a class has a hook of its own (or of a parent other than the base classes)."""
    method = getattr(strategy, hook, None)
    return method is not None and method is not getattr(Strategy, hook, None)
