"""The shape of a config that tunes options of a strategy: its section ``sweep``.

What concerns more than one of its keys is in `config.sweep_checks`, what is made of it in `sweep`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from hearts_sim.tournament.config.models import (
    DEFAULT_MAX_GAMES,
    MAX_GAMES,
    Common,
    Config,
    Entry,
    Format,
    OptionName,
    Section,
    Sprt,
    Strategies,
    Target,
    entry_from,
    listed,
    means,
)
from hearts_sim.tournament.config.yaml_source import MAX_INT

DEFAULT_MAX_DUELS: Final = 100
MOST_DUELS: Final = 10_000
CONFIRM_GAMES: Final = 5_000
"""Games of the confirmation where neither it nor the duels have a fixed number."""


def _tried(value: Any) -> Any:
    if not isinstance(value, bool | int | float | str):
        raise PydanticCustomError("type", "not a plain value")
    return value


_Values = Annotated[
    tuple[Annotated[Any, AfterValidator(_tried)], ...],
    Field(min_length=1),
    BeforeValidator(listed),
]


class Confirm(Section):
    """The last duel of a sweep: the winner on fresh deals."""

    games: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of games, 1 or more",
        json_schema_extra=means(
            "Games that the winner plays on fresh deals; left out, as many as a duel has, or "
            f"{CONFIRM_GAMES:,} where duels end by their results."
        ),
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        le=MAX_INT,
        description=f"a whole number from 0 to {MAX_INT}",
        json_schema_extra=means("Seed of these deals; left out, the seed of the duels plus 1."),
    )


class Sweep(Section):
    """Whose options are tried, which values, against whom and how long.

    One of `games`, `blocks`, `target` and `sprt` says how long a duel is, as in `Format`.
    """

    strategy: Annotated[Entry, BeforeValidator(entry_from)] = Field(
        description="the name of a strategy, or {strategy: ..., options: ...}",
        json_schema_extra=means(
            "Whose options are tried: the name of an entry or of a class, or an entry with the "
            "options that it has beside those that are tried."
        ),
    )
    options: dict[OptionName, _Values] = Field(
        description="a mapping from options to lists of values, such as {risk: [0.2, 0.4]}",
        json_schema_extra=means("The values of each option that are tried, as lists."),
    )
    against: Annotated[Entry, BeforeValidator(entry_from)] | None = Field(
        default=None,
        description="the name of a strategy, or {strategy: ..., options: ...}",
        json_schema_extra=means(
            "The opponent: the name of an entry or of a class, or an entry; left out, the strategy "
            "itself with the options that it has without the sweep."
        ),
    )
    method: Literal["grid", "climb"] = Field(
        default="grid",
        description="grid or climb",
        json_schema_extra=means(
            "What is tried: grid (every combination of values meets the opponent) or climb (one "
            "option after the other: who beats the best so far becomes the best)."
        ),
    )
    games: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of games, 1 or more",
        json_schema_extra=means("Number of games of each duel, rounded up to whole blocks."),
    )
    blocks: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of blocks, 1 or more",
        json_schema_extra=means("Number of blocks of each duel."),
    )
    target: Target | None = Field(
        default=None,
        description="a mapping such as {points_halfwidth: 0.1}",
        json_schema_extra=means("Play each duel until its interval is as narrow as this."),
    )
    sprt: Sprt | None = Field(
        default=None,
        description="a mapping such as {measure: points, h0: 0, h1: 0.3}",
        json_schema_extra=means(
            "Play each duel until a sequential test of whether the tried options are better has "
            "decided."
        ),
    )
    max_games: int | None = Field(
        default=None,
        ge=1,
        le=MAX_GAMES,
        description="a whole number of games, 1 or more",
        json_schema_extra=means(
            f"Most games of a duel that ends by its results; {DEFAULT_MAX_GAMES} if left out."
        ),
    )
    max_duels: int = Field(
        default=DEFAULT_MAX_DUELS,
        ge=1,
        le=MOST_DUELS,
        description=f"a whole number of duels from 1 to {MOST_DUELS}",
        json_schema_extra=means("A larger grid is refused, and a climb ends after so many duels."),
    )
    confirm: Confirm = Field(
        default_factory=Confirm,
        description="a mapping such as {games: 5000}",
        json_schema_extra=means("The last duel: the winner against the opponent on fresh deals."),
    )

    @property
    def measure(self) -> Literal["points", "elo"]:
        """What points are compared by: points per hand, or Elo where that is tested."""
        if self.sprt is not None:
            return self.sprt.measure
        by_elo = self.target is not None and self.target.elo_halfwidth is not None
        return "elo" if by_elo else "points"


class SweepConfig(Common):
    """The config of a sweep, valid by itself."""

    sweep: Sweep = Field(
        description="a mapping such as {strategy: Dodger, options: {risk: [0.2, 0.4]}, games: 100}",
        json_schema_extra=means("Options of a strategy to be tuned by 'hearts-sim sweep'."),
    )

    def resolved(self) -> dict[str, Any]:
        """As of a run, with ``sweep`` in place of ``format``."""
        plain = super().resolved()
        for key in ("strategy", "against"):
            entry = getattr(self.sweep, key)
            if entry is not None:
                self.trim(entry, plain["sweep"][key])
        return plain

    def duel(self, name: str, a: Entry, b: Entry) -> Config:
        """The config of a duel of the search: `a` is the one that is tried."""
        sweep = self.sweep
        budget = {
            "games": sweep.games, "blocks": sweep.blocks, "target": sweep.target,
            "sprt": sweep.sprt, "max_games": sweep.max_games,
        }  # fmt: skip
        return self._duel(name, a, b, budget, self.seed)

    def confirmation(self, name: str, a: Entry, b: Entry) -> Config:
        """The config of the last duel: other deals, and a number of games that is fixed."""
        sweep = self.sweep
        games, blocks = sweep.confirm.games, None
        if games is None and sweep.sprt is None and sweep.target is None:
            games, blocks = sweep.games, sweep.blocks
        if games is None and blocks is None:
            games = CONFIRM_GAMES
        return self._duel(name, a, b, {"games": games, "blocks": blocks}, self.confirm_seed)

    @property
    def confirm_seed(self) -> int:
        """Seed of the deals of the confirmation."""
        seed = self.sweep.confirm.seed
        return (self.seed + 1) % (MAX_INT + 1) if seed is None else seed

    def _duel(self, name: str, a: Entry, b: Entry, budget: dict[str, Any], seed: int) -> Config:
        budget = {key: value for key, value in budget.items() if value is not None}
        strategies: Strategies = self.strategies.model_copy(update={"entries": (a, b)})
        return Config.model_validate(
            {
                "name": name,
                "seed": seed,
                "rules": self.rules,
                "strategies": strategies,
                "format": Format(type="duel", a=a.name, b=b.name, **budget),
                "log": self.log,
                "faults": self.faults,
                "report": self.report,
            },
            context={"base": self.strategies.base, "origin": self._origin},
        )
