"""What a player process sends back; light, for who takes it in plays nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from hearts_sim.strategy.faults import Fault


@dataclass(frozen=True)
class PartResult:
    """A played part: its files as bytes, and what the run wants to know at once.

    Attributes
    ----------
    number : int
    absent : tuple of int
        Entries whose games were left out.
    files : dict of name to bytes
        Parquet, by name of the table, and what is counted of them; none when every game was left
        out.
    digest : str
        Over all rows.
    games, hands : int
    decisions, nanoseconds : list of int
        By entry, in timed games.
    seated, faulty : list of int
        By entry: games in which it sat, and those in which it failed.
    faults : list of Fault
    """

    number: int
    absent: tuple[int, ...]
    files: dict[str, bytes]
    digest: str
    games: int
    hands: int
    decisions: list[int]
    nanoseconds: list[int]
    seated: list[int]
    faulty: list[int]
    faults: list[Fault] = field(default_factory=list)
