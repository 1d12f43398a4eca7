"""Eight bots of one line each, as published for another engine, and what they score here.

The other engine is that of SanjinDedic/agent_games, with the bots of its validation: 6,500 to 8,600
hands against three random players, and 46,119 hands of all tables of four of the eight; standard
errors 0.07 to 0.09 points. In both engines only hearts break hearts and a total of 100 ends a game.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

import hearts_sim
from hearts_sim.stats.points import ratio_by_block
from hearts_sim.tournament.config.reading import read_config
from hearts_sim.tournament.reading.results import Results

FOLDER = Path(__file__).parent


class Figures(NamedTuple):
    """Of one bot at one kind of table; `half_width` is of the points, nan for published ones.

    Attributes
    ----------
    points : float
        Mean points per hand.
    half_width : float
        Of their 95 % interval.
    wins : float
        Share of games won, in per cent; k who tie for first have 1/k each.
    moons : float
        Own moons in per cent of hands.
    """

    points: float
    half_width: float
    wins: float
    moons: float


NONE = float("nan")
AGAINST_RANDOM = {
    "TrickDucker": Figures(2.76, NONE, 89.5, 0.13),
    "QueenDumper": Figures(3.12, NONE, 83.9, 0.14),
    "Cautious": Figures(3.63, NONE, 79.8, 0.27),
    "VoidMaker": Figures(3.96, NONE, 70.8, 0.36),
    "HeartAvoider": Figures(4.04, NONE, 70.9, 0.24),
    "LowballBot": Figures(4.72, NONE, 57.8, 0.05),
    "RandomBot": Figures(6.70, NONE, 24.1, 0.32),
    "MoonShooter": Figures(7.73, NONE, 14.0, 0.76),
}
ROUND_ROBIN = {
    "TrickDucker": Figures(4.84, NONE, 47.3, NONE),
    "QueenDumper": Figures(4.95, NONE, 43.5, NONE),
    "Cautious": Figures(5.45, NONE, 32.2, NONE),
    "VoidMaker": Figures(5.84, NONE, 28.2, NONE),
    "HeartAvoider": Figures(5.84, NONE, 28.3, NONE),
    "LowballBot": Figures(6.60, NONE, 15.4, NONE),
    "RandomBot": Figures(9.69, NONE, 3.1, NONE),
    "MoonShooter": Figures(12.74, NONE, 1.9, NONE),
}
PUBLISHED = {"against_random": AGAINST_RANDOM, "round_robin": ROUND_ROBIN}


def play(name: str, output: Path, games: int | None = None, jobs: int | None = 2) -> Results:
    """Play one of the two configs beside this file, with its own number of games or another."""
    config = read_config(FOLDER / f"{name}.yaml")
    if games is not None:
        budget = config.format.model_copy(update={"games": games})
        config = config.model_copy(update={"format": budget})
    return hearts_sim.run(config, output=output, jobs=jobs, report=False)


def figures(results: Results) -> dict[str, Figures]:
    """What each of the eight bots scored."""
    hands, games = results.hands(), results.games()
    names = list(AGAINST_RANDOM)
    hands = hands[hands["strategy"].isin(names)]
    entry = hands["strategy"].astype(str).map(names.index).to_numpy()
    found = ratio_by_block(
        hands["block"].to_numpy(),
        entry,
        hands["points"].to_numpy().astype(float),
        np.ones(len(hands)),
        entries=len(names),
    )
    width = found.half_width
    wins = games.groupby("strategy", observed=True)["win"].mean()
    moons = (hands["moon"] > 0).groupby(entry).mean()
    return {
        name: Figures(
            float(found.estimate[place]),
            float(width[place]),
            100 * float(wins[name]),
            100 * float(moons[place]),
        )
        for place, name in enumerate(names)
    }
