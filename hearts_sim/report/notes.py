"""What was played, what one must know to read the figures, and what they say, in sentences."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np

from hearts_sim.report.board import elo_difference, points_difference
from hearts_sim.report.summary import Summary
from hearts_sim.report.verdicts import PROVISIONAL_BLOCKS, verdict
from hearts_sim.rules import PRESETS, Rules

TEAM_POINTS: Final = "Points per hand are those of the team, the same for both partners."
TEAM_PLACES: Final = "A place is that of the team, the same for both partners."

_KINDS: Final = {
    "table": "table tournament",
    "duel": "duel",
    "gauntlet": "gauntlet",
    "selfplay": "self-play",
}


def facts(summary: Summary) -> str:
    """One line that says what was played."""
    info = summary.results.info
    identity = info["identity"]
    interim = "" if info["status"] == "finished" else "interim: "
    rules = summary.results.rules
    preset = preset_of(rules)
    return (
        f"{interim}{_KINDS[identity['format']]}, {summary.games:,} games in {summary.blocks:,} "
        f"{'block' if summary.blocks == 1 else 'blocks'}, "
        f"{summary.hands:,} hands{f' of {preset}' if preset else ''}, {rules.players} players"
        f"{f' in {rules.team_count} teams' if rules.team_count else ''}, "
        f"seed {identity['seed']}"
    )


def field_of(summary: Summary) -> str:
    """Field and format, without which a rating means nothing."""
    identity = summary.results.info["identity"]
    size = len(summary.results.names)
    field = f"this field of {size}"
    newcomers = identity.get("newcomers") or []
    if newcomers:
        field = f"{', '.join(newcomers)} and a field of {size - len(newcomers)}"
    kind = _KINDS[identity["format"]]
    return f"{field} in a {kind} of {summary.results.rules.players} players"


def preset_of(rules: Rules) -> str:
    """Name of the preset that has exactly these rules; empty when none has."""
    for name, preset in PRESETS.items():
        if rules.players in preset.players and Rules.preset(name, players=rules.players) == rules:
            return name
    return ""


def legend(summary: Summary) -> str:
    """What the leaderboard's figures mean, in one paragraph."""
    share = f"{100 * summary.confidence:g} %"
    against = f"{summary.anchor} stands at 1500" if summary.anchor else "the field's mean is 1500"
    pairs = "pairs" if summary.results.rules.teams == "none" else "pairs of opponents"
    better = "more" if summary.highest_wins else "fewer"
    elo = (
        f"Elo is Bradley-Terry on the places of all {pairs} at a table; {against}. It holds for "
        f"{field_of(summary)}. LOS is the probability to be truly better than the next in rank, "
        "best that to be the best of all. "
    )
    return (
        f"Points per hand: {better} are better. "
        + (elo if summary.ratings is not None else "Self-play gives no Elo. ")
        + f"± is half of a {share} interval with whole blocks of equal deals as the unit; deff is "
        "the variance by blocks over that by games: below 1 the equal deals have paid. Ranks are "
        "those that are still possible."
    )


MORE_LEGEND: Final = (
    "All per hand, but for points/game. net is less the mean of the others at the table; datum is "
    "less the mean of all who held the same seat on the same deal; ±10 Elo is how many games more "
    "the run would need for that."
)


def notes(summary: Summary) -> list[str]:
    """Sentences that a reader of the ratings must know."""
    info = summary.results.info
    found = []
    if info["status"] != "finished":
        found.append("The run is not finished: all figures are interim.")
    if summary.blocks < PROVISIONAL_BLOCKS:
        found.append(
            f"Provisional: with fewer than {PROVISIONAL_BLOCKS} blocks intervals cannot be "
            f"trusted, and here there {_are(summary.blocks)}."
        )
    ended = info.get("verdict")
    if ended is not None:
        found.append(_how_it_ended(ended))
    found += _about_the_game(summary)
    found += _about_the_ratings(summary)
    return found


def _how_it_ended(ended: dict[str, Any]) -> str:
    if ended["rule"]["rule"] == "sprt":
        cap = "" if ended["ends"] else " at the cap"
        return f"Sequential test{cap}: {ended['text']}."
    reached = "reached" if ended["ends"] else "not reached at the cap"
    return f"Target {reached}: {ended['text']}."


def _about_the_game(summary: Summary) -> list[str]:
    """What is unlike the usual game, in which everybody plays for low points of their own."""
    rules = summary.results.rules
    found = []
    if rules.win == "highest":
        found.append("The highest total wins.")
    if rules.teams == "none":
        return found
    if summary.ratings is None:
        found.append("Partners share a place.")
    else:
        found.append(
            "Partners share a place; pairs within a team are not compared. Half of a team is "
            "the partner, so differences in Elo come out smaller than without teams."
        )
    if rules.teams == "pooled":
        found.append(TEAM_POINTS)
    return found


def _about_the_ratings(summary: Summary) -> list[str]:
    ratings = summary.ratings
    if ratings is None:
        return []
    found = []
    wanted = summary.results.info["config"]["report"]["anchor"]
    if wanted is not None and summary.anchor is None:
        found.append(f"{wanted} has met nobody yet: the field's mean stands in for it.")
    names = np.array(summary.results.names)
    flags = (
        (ratings.undefeated, "won every comparison: its Elo is only a lower bound."),
        (ratings.winless, "lost every comparison: its Elo is only an upper bound."),
    )
    for flagged, said in flags:
        found += [f"{name} {said}" for name in names[np.asarray(flagged)]]
    if not ratings.connected:
        groups = [
            ", ".join(names[ratings.components == group])
            for group in range(int(ratings.components.max()) + 1)
        ]
        found.append(
            "The field falls into groups without results in both directions, between which there "
            f"are no Elo differences: {'; '.join(groups)}."
        )
    return found


def _are(blocks: int) -> str:
    return "is 1" if blocks == 1 else f"are {blocks}"


def verdicts(summary: Summary) -> list[str]:
    """A sentence on each strategy and the next in rank; of a duel, on the two."""
    names = summary.results.names
    order = [names.index(name) for name in summary.board["strategy"]]
    found = []
    for one, other in itertools.pairwise(order):
        elo_sign = None
        if summary.ratings is not None and len(names) > 2:
            better = summary.ranking.better
            elo_sign = int(better[one, other]) - int(better[other, one])
        found.append(
            verdict(
                names[one],
                names[other],
                points_difference(summary, one, other),
                elo_difference(summary, one, other),
                games=summary.games,
                blocks=int(min(summary.points.blocks[one], summary.points.blocks[other])),
                highest_wins=summary.highest_wins,
                elo_sign=elo_sign,
            )
        )
    return found


def checks(summary: Summary) -> list[str]:
    """What the run found out about itself."""
    info = summary.results.info
    found = info.get("checks")
    if found is None:
        return []
    deals = found["deals"]
    said = [
        f"{deals['played']:,} deals, none of them used twice."
        if not deals["repeated"]
        else f"WARNING: {deals['repeated']:,} of {deals['played']:,} deals were used twice; their "
        "blocks are not independent."
    ]
    if _sat_equally(summary):
        said.append("Everybody sat equally often in every seat.")
    said += [_about_alike(summary, group) for group in found["alike"]]
    if not found["alike"] and len(found["not_compared"]) < len(summary.results.names):
        said.append("No two strategies chose alike in all decisions of a game with themselves.")
    if found["not_compared"]:
        said.append(
            "Not looked at for being alike, since that would take too long or they failed in it: "
            f"{', '.join(found['not_compared'])}."
        )
    return said


def _sat_equally(summary: Summary) -> bool:
    names = summary.results.names
    newcomers = set(summary.results.info["identity"].get("newcomers") or ())
    is_new = np.array([name in newcomers for name in names])
    seats = summary.counts.seats
    return all(len(np.unique(seats[role])) == 1 for role in (is_new, ~is_new) if role.any())


def _about_alike(summary: Summary, group: list[str]) -> str:
    who = ", ".join(group[:-1]) + f" and {group[-1]}"
    said = f"{who} chose alike in every decision of a game with themselves: they are one player"
    if summary.results.info["identity"]["format"] not in ("duel", "selfplay"):
        return f"{said} under several names, or differ in rare situations only."
    numbers = [summary.results.names.index(name) for name in group]
    if all(_differ_by_nothing(summary, numbers[0], other) for other in numbers[1:]):
        return f"{said} under several names, and differ by exactly nothing, as they must."
    return (
        f"{said}, or differ in rare situations only; if they are one, something in them depends on "
        "more than the game, since they do not differ by exactly nothing: a clock, or random "
        "numbers other than self.rng."
    )


def _differ_by_nothing(summary: Summary, one: int, other: int) -> bool:
    elo = elo_difference(summary, one, other)
    points = points_difference(summary, one, other)
    return points.is_nothing and (elo is None or elo.is_nothing)
