"""Shards: a run is shared out among machines that know nothing of each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hearts_sim.errors import ConfigError
from hearts_sim.tournament.plan.schedule import Part


@dataclass(frozen=True)
class Shard:
    """One of `of` shares of a run, counted from 1.

    A shard owns whole parts, and which they are follows from the schedule alone: part 0 is of shard
    1, part 1 of shard 2, and so on, round and round.
    """

    number: int
    of: int

    def owns(self, part: int) -> bool:
        """Whether a part, by its number, is of this shard."""
        return part % self.of == self.number - 1

    def share(self, parts: Sequence[Part]) -> list[Part]:
        """Its parts."""
        return [part for part in parts if self.owns(part.number)]

    def plain(self) -> dict[str, Any]:
        """The shard as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def read_shard(text: str) -> Shard:
    """A shard from a text such as ``2/3``.

    Raises
    ------
    ConfigError
        When it is none.
    """
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is not None:
        number, of = int(found[1]), int(found[2])
        if 1 <= number <= of:
            return Shard(number, of)
    raise ConfigError(
        f"{text!r} is no shard: expected its number and how many there are, from 1/3 to 3/3 for "
        "three"
    )


def shard_of(info: dict[str, Any]) -> Shard | None:
    """The shard that a folder holds, by its ``run.json``; None for a whole run."""
    return Shard(**info["shard"]) if info.get("shard") else None
