"""Frames of a run's details, made up: plausible figures without a game being played.

The columns are those of `Summary.details`; equal arguments give equal frames.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pandas as pd

PASSES: Final = {
    3: ["left", "right", "hold"],
    4: ["left", "right", "across", "hold"],
}
HOWS: Final = ("led", "followed", "dumped")
FAULTS: Final = (
    "illegal_card", "illegal_pass", "wrong_type", "exception", "too_slow", "memory", "crash",
    "protocol", "import_error",
)  # fmt: skip

Shape = tuple[int, ...]
Interval = dict[str, Any]


class _Maker:
    """One field, its skill, and the random numbers of its frames."""

    def __init__(
        self,
        strategies: Sequence[str],
        players: int,
        *,
        teams: int,
        blocks: int,
        moons: bool,
        far: float,
        seed: int,
    ) -> None:
        self.names = list(strategies)
        self.players = players
        self.sides = teams or players
        self.blocks = blocks
        self.moons = moons
        self.rng = np.random.default_rng([seed, players, teams, blocks, len(self.names)])
        self.hands = 40 * blocks
        self.elo = 1500 + self.rng.normal(0, 80, len(self.names))
        self.elo[0] += far
        self.mean = 26 / players - np.clip((self.elo - 1500) / 100, -4, 26 / players - 0.5)

    def around(self, middle: Any, width: float, least: float = -np.inf) -> Interval:
        """Low and high about the values; unknown where there is a single block."""
        wide = width * self.rng.uniform(0.7, 1.4, np.shape(middle)) * (400 / self.blocks) ** 0.5
        if self.blocks < 2:
            wide = wide * np.nan
        return {"low": np.maximum(middle - wide, least), "high": middle + wide}

    def grid(self, column: str, values: Sequence[Any]) -> dict[str, Any]:
        """Every strategy with every value of a second column."""
        return {
            "strategy": np.repeat(np.array(self.names, dtype=object), len(values)),
            column: list(values) * len(self.names),
        }

    def spread(self, size: int) -> Any:
        """Points about a strategy's own mean, one for each of `size` things."""
        own = np.repeat(self.mean, size)
        return np.maximum(own + self.rng.normal(0, 0.25, len(own)), 0)

    def counts(self, length: int, each: int) -> dict[str, Any]:
        return {
            "hands": np.full(length, each, np.int64),
            "blocks": np.full(length, self.blocks, np.int64),
        }

    def points_by(self, column: str, values: Sequence[Any]) -> pd.DataFrame:
        points = self.spread(len(values))
        return pd.DataFrame(
            self.grid(column, values)
            | {"points": points}
            | self.around(points, 0.2)
            | self.counts(len(points), max(self.hands // len(values), 1))
        )

    def trajectory(self, hands: int) -> pd.DataFrame:
        hand = np.tile(np.arange(1, hands + 1), len(self.names))
        score = np.repeat(self.mean, hands) * hand + self.rng.normal(0, 0.3, len(hand))
        games = np.int64(6 * self.blocks * np.minimum(1, 1.5 - hand / hands))
        return pd.DataFrame(
            self.grid("hand", range(1, hands + 1))
            | {"score": score}
            | self.around(score, 0.5)
            | {
                "q10": np.maximum(score - 6 * np.sqrt(hand), 0),
                "q90": score + 6 * np.sqrt(hand),
                "games": np.maximum(games, 1),
            }
        )

    def lengths(self, hands: int) -> pd.DataFrame:
        number = np.arange(max(hands - 8, 1), hands + 9)
        games = 900 * np.exp(-(((number - hands) / 3.0) ** 2))
        return pd.DataFrame({"hands": number, "games": np.int64(games) + 1})

    def by_share(self, middle: float) -> Interval:
        share = middle * self.rng.uniform(0.3, 1.7, len(self.names))
        return {"share": share, **self.around(share, 0.15 * middle, 0.0)}

    def moon_frame(self) -> pd.DataFrame:
        scale = 1.0 if self.moons else 0.0
        kinds = {"made": 0.012, "suffered": 0.03, "stopped": 0.025}
        shares = {kind: self.by_share(scale * middle) for kind, middle in kinds.items()}
        columns: dict[str, Any] = {"strategy": self.names}
        for kind, found in shares.items():
            columns[kind] = np.int64(found["share"] * self.hands)
        columns["failed"] = np.int64(scale * self.rng.integers(1, 60, len(self.names)))
        columns["hands"] = np.full(len(self.names), self.hands, np.int64)
        for kind, found in shares.items():
            columns |= {f"{kind}_{end}": found[end] for end in ("share", "low", "high")}
        return pd.DataFrame(columns)

    def queens(self, count: str) -> pd.DataFrame:
        parts = np.array([0.02, 0.07, 0.16]) * self.rng.uniform(0.5, 1.5, (len(self.names), 3))
        share = parts.ravel()
        return pd.DataFrame(
            self.grid("how", HOWS)
            | {count: np.int64(share * self.hands), "share": share}
            | self.around(share, 0.01, 0.0)
        )

    def takes(self) -> pd.DataFrame:
        columns: dict[str, Any] = {"strategy": self.names}
        whole = {
            "hearts": 13 / self.players,
            "queens": 1 / self.players,
            "tricks": 52 / self.players**2,
            "clean": 0.3,
        }
        for name, middle in whole.items():
            value = middle * self.rng.uniform(0.8, 1.2, len(self.names))
            columns[name] = value
            for end, bound in self.around(value, 0.03 * middle, 0.0).items():
                columns[f"{name}_{end}"] = bound
        return pd.DataFrame(columns | {"hands": np.full(len(self.names), self.hands, np.int64)})

    def convergence(self) -> pd.DataFrame:
        steps = np.unique(np.geomspace(1, self.blocks, 12).round().astype(np.int64))
        grid = self.grid("blocks", [int(step) for step in steps])
        blocks = np.array(grid["blocks"])
        noise = self.rng.normal(0, 1, len(blocks)) / np.sqrt(blocks)
        columns: dict[str, Any] = grid
        for name, middle, width in (("elo", self.elo, 200.0), ("points", self.mean, 3.0)):
            value = np.repeat(middle, len(steps)) + 0.5 * width * noise
            wide = np.where(blocks > 1, width / np.sqrt(blocks), np.nan)
            columns[name] = value
            low, high = ("low", "high") if name == "elo" else ("points_low", "points_high")
            columns |= {low: value - wide, high: value + wide}
        order = "strategy blocks elo low high points points_low points_high"
        return pd.DataFrame(columns)[order.split()]

    def timing(self) -> pd.DataFrame:
        spent = 10 ** self.rng.uniform(-1, 4, len(self.names))
        wide = spent * self.rng.uniform(0.02, 0.3, len(self.names))
        if self.blocks < 2:
            wide = wide * np.nan
        return pd.DataFrame(
            {
                "strategy": self.names,
                "microseconds": spent,
                "low": spent - wide,
                "high": spent + wide,
                "decisions": np.full(len(self.names), 13 * self.hands, np.int64),
            }
        )

    def faults(self, failed: int) -> pd.DataFrame:
        rows = [
            (name, kind, int(self.rng.integers(1, 400)))
            for name in self.names[:failed]
            for kind in self.rng.permutation(FAULTS)[: self.rng.integers(1, 1 + len(FAULTS))]
        ]
        frame = pd.DataFrame(rows, columns=["strategy", "kind", "faults"])
        return frame.astype({"faults": np.int64})

    def worst(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.grid("rank", range(1, 6)))
        rows = len(frame)
        frame["points"] = 26 - frame["rank"] // 2
        places = {"block": self.blocks, "seating": 4, "game": 6 * self.blocks}
        for column, most in places.items():
            frame[column] = self.rng.integers(0, most, rows)
        frame["hand"] = self.rng.integers(1, 12, rows)
        frame["seat"] = self.rng.integers(0, self.players, rows)
        frame["replay"] = [
            f"hearts-sim replay results/made {game} --hand {hand}"
            for game, hand in zip(frame["game"], frame["hand"], strict=True)
        ]
        return frame

    def stopping(self) -> pd.DataFrame:
        rows = [
            (one, other, int(self.rng.integers(1, 90)))
            for one in self.names
            for other in self.names
            if one != other and self.moons
        ]
        return pd.DataFrame(rows, columns=["strategy", "shooter", "hands"])


def made_details(
    strategies: Sequence[str],
    players: int = 4,
    *,
    teams: int = 0,
    blocks: int = 400,
    hands: int = 12,
    moons: bool = True,
    far: float = 0.0,
    failed: int | None = None,
    log_hands: bool = True,
    seed: int = 1,
) -> SimpleNamespace:
    """Make all frames of the details of a run.

    Parameters
    ----------
    strategies
        Names, in the order of `Results.names`.
    players, teams
        Seats of a table, and teams that they form (0 for none).
    blocks
        Blocks played; with one there is no interval.
    hands
        Hands of an ordinary game.
    moons
        Whether anybody ever shoots the moon.
    far
        Elo points by which the first strategy is better than it would be.
    failed
        How many strategies have faults; by default a third.
    log_hands
        False: frames that need hands are None.
    seed
        Of the generator.

    Returns
    -------
    SimpleNamespace
        An attribute for each frame.
    """
    maker = _Maker(strategies, players, teams=teams, blocks=blocks, moons=moons, far=far, seed=seed)
    passes = PASSES.get(players) or [f"{step} to the left" for step in range(1, players)] + ["hold"]
    from_hands: dict[str, Callable[[], pd.DataFrame]] = {
        "by_pass": lambda: maker.points_by("pass", passes),
        "by_hand": lambda: maker.points_by("hand", range(1, hands + 1)),
        "trajectory": lambda: maker.trajectory(hands),
        "moons": maker.moon_frame,
        "queens": lambda: maker.queens("taken"),
        "queens_given": lambda: maker.queens("given"),
        "takes": maker.takes,
        "worst": maker.worst,
        "stopping": maker.stopping,
    }
    some = len(strategies) // 3 if failed is None else failed
    return SimpleNamespace(
        **{name: make() if log_hands else None for name, make in from_hands.items()},
        by_seat=maker.points_by("seat", range(players)),
        lengths=maker.lengths(hands),
        convergence=maker.convergence(),
        timing=maker.timing(),
        faults=maker.faults(some),
    )
