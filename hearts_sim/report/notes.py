"""What was played, what one must know to read the figures, and what they say, in sentences."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np

from hearts_sim.report.board import elo_difference, points_difference
from hearts_sim.report.summary import Summary
from hearts_sim.report.text import counted
from hearts_sim.report.verdicts import PROVISIONAL_BLOCKS, verdict
from hearts_sim.rules import PRESETS, Rules

SELFPLAY: Final = (
    "In self-play nobody meets anybody else: there is no Elo, and points tell what games a "
    "strategy makes with its own copies, not how good it is. "
)
TEAM_POINTS: Final = "Points per hand are those of the team, the same for both partners."
TEAM_PLACES: Final = "A place is that of the team, the same for both partners."

_MOST_NAMED: Final = 5
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
        f"{interim}{_KINDS[identity['format']]}, {counted(summary.games, 'game')} in "
        f"{counted(summary.blocks, 'block')}, {counted(summary.hands, 'hand')}"
        f"{f' of {preset}' if preset else ''}, {rules.players} players"
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
    return next((name for name, same in _presets(rules.players) if same == rules), "")


@cache
def _presets(players: int) -> list[tuple[str, Rules]]:
    """Presets for a number of players, each with its name."""
    return [
        (name, Rules.preset(name, players=players))
        for name, preset in PRESETS.items()
        if players in preset.players
    ]


def legend(summary: Summary) -> str:
    """What the leaderboard's figures mean, in one paragraph."""
    share = f"{100 * summary.confidence:g} %"
    against = f"{summary.anchor} stands at 1500" if summary.anchor else "the field's mean is 1500"
    if summary.anchor is None and summary.ratings is not None and not summary.ratings.connected:
        against = "1500 is the mean of those that results in both directions tie together"
    pairs = "pairs" if summary.results.rules.teams == "none" else "pairs of opponents"
    better = "more" if summary.highest_wins else "fewer"
    elo = (
        f"Elo is Bradley-Terry on the places of all {pairs} at a table; {against}. It holds for "
        f"{field_of(summary)}. LOS is the probability to be truly better than the next in rank, "
        "best the share of bootstrap draws in which it is the best of all. "
    )
    return (
        f"Points per hand: {better} are better. "
        + (elo if summary.ratings is not None else SELFPLAY)
        + f"± is half of a {share} interval with whole blocks of equal deals as the unit; deff, "
        "the design effect, is its variance over that of independent games."
        + (" Ranks in brackets are still possible." if summary.ratings is not None else "")
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
    found += _provisional(summary)
    ended = info.get("verdict")
    if ended is not None:
        found.append(_how_it_ended(ended))
    if info.get("ended_early"):
        found.append(f"The run ended early: {info['ended_early'].rstrip('.')}.")
    if info.get("audit"):
        found += _chosen_otherwise(info["audit"])
    found += info.get("remarks", [])
    found += _about_faults(summary)
    found += _about_the_game(summary)
    found += _about_the_ratings(summary)
    found += _about_the_duel(summary)
    return found


def _provisional(summary: Summary) -> list[str]:
    said = f"Provisional: with fewer than {PROVISIONAL_BLOCKS} blocks intervals cannot be trusted"
    if summary.blocks < PROVISIONAL_BLOCKS:
        return [f"{said}, and here there {_are(summary.blocks)}."]
    names = [
        name
        for name, blocks in zip(summary.results.names, summary.points.blocks, strict=True)
        if 0 < blocks < PROVISIONAL_BLOCKS
    ]
    if not names:
        return []
    who = ", ".join(names) if len(names) <= _MOST_NAMED else f"{len(names)} strategies"
    return [f"{said}, and {who} {'has' if len(names) == 1 else 'have'} no more."]


def _how_it_ended(ended: dict[str, Any]) -> str:
    if ended["rule"]["rule"] == "sprt":
        if not ended["ends"]:
            return f"Sequential test at the cap: {ended['text']}."
        return (
            f"Sequential test: {ended['text']}. Where a test has ended a run, estimates lean to "
            "its decision, and intervals hold a little less than they promise."
        )
    reached = "reached" if ended["ends"] else "not reached at the cap"
    return f"Target {reached}: {ended['text']}."


_POLICIES: Final = {
    "substitute": "Where a bot failed, a neutral card (or pass) was played in its place; its "
    "points are then not its own play.",
    "forfeit": "Where a bot failed, the game ended and it got the last place; of such a game only "
    "the hands before count.",
}


def _about_faults(summary: Summary) -> list[str]:
    """Who was disqualified, and what a fault does to the figures."""
    faults, counts = summary.faults, summary.counts
    found = [
        f"{item['strategy']} is disqualified and has no rank: {item['why'].rstrip('.')}; what was "
        "left of its games was not played."
        for item in faults.disqualified
    ]
    if counts.tainted:
        found += [_POLICIES[faults.policy]] if faults.policy in _POLICIES else []
        by = _named(
            [
                f"{name} in {blocks:,.0f}"
                for name, blocks in zip(
                    summary.results.names, counts.totals["tainting"], strict=True
                )
                if blocks
            ]
        )
        found.append(
            f"{len(counts.tainted):,} of {counted(summary.blocks, 'block')} "
            f"{'is' if len(counts.tainted) == 1 else 'are'} tainted by a fault ({by}); under "
            "Faults are the figures without."
        )
    if faults.not_reproducible:
        blocks = faults.not_reproducible
        found.append(
            f"{counted(blocks, 'block')} with a fault of time or memory "
            f"({_named(faults.not_reproducible_by)}) {'is' if blocks == 1 else 'are'} not "
            "reproducible."
        )
    return found


def _named(items: list[str]) -> str:
    """The items, unless there are too many for a sentence."""
    if len(items) <= _MOST_NAMED:
        return ", ".join(items)
    return f"{', '.join(items[:_MOST_NAMED])} and {len(items) - _MOST_NAMED} more"


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
        (ratings.undefeated, "won", "a lower"),
        (ratings.winless, "lost", "an upper"),
    )
    for flagged, did, which in flags:
        found += [
            f"{name} {did} every comparison: its Elo is only {which} bound, its rank untested."
            for name in names[np.asarray(flagged)]
        ]
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


def _about_the_duel(summary: Summary) -> list[str]:
    """The errors of a duel's two players belong together: what counts is the difference."""
    if summary.results.info["identity"]["format"] != "duel" or summary.ratings is None:
        return []
    elo = elo_difference(summary, 0, 1)
    points = points_difference(summary, 0, 1).design_effect
    if elo is None or math.isnan(points) or math.isnan(elo.design_effect):
        return []
    return [
        f"Design effect of the difference: {points:.2f} in points, {elo.design_effect:.2f} in Elo; "
        "below 1 the equal deals have paid."
    ]


def verdicts(summary: Summary) -> list[str]:
    """A sentence on each strategy and the next in rank; none in self-play, where nobody met.

    A disqualified strategy is in none of them.
    """
    if summary.ratings is None:
        return []
    names = summary.results.names
    order = [names.index(name) for name in summary.board["strategy"]]
    order = [entry for entry in order if summary.ranked[entry]]
    found = []
    for one, other in itertools.pairwise(order):
        signs: dict[str, int] = {}
        if len(names) > 2:
            ranking = summary.ranking
            signs = {
                name: int(better[one, other]) - int(better[other, one])
                for name, better in (
                    ("elo_sign", ranking.better),
                    ("points_sign", ranking.better_points),
                )
            }
        found.append(
            verdict(
                names[one],
                names[other],
                points_difference(summary, one, other),
                elo_difference(summary, one, other),
                games=summary.games,
                blocks=int(min(summary.points.blocks[one], summary.points.blocks[other])),
                highest_wins=summary.highest_wins,
                **signs,
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
    if not summary.faults:
        said.append("No strategy failed.")
    said += [_about_alike(summary, group) for group in found["alike"]]
    if not found["alike"] and len(found["not_compared"]) < len(summary.results.names):
        said.append("No two strategies chose alike in all decisions of a game with themselves.")
    if found["not_compared"]:
        said.append(
            "Not looked at for being alike, since that would take too long or they failed in it: "
            f"{', '.join(found['not_compared'])}."
        )
    if info.get("audit"):
        said += _about_audit(info["audit"])
    return said


def _chosen_otherwise(audit: dict[str, Any]) -> Iterator[str]:
    """Who chose otherwise when games were played again."""
    for change in audit["changes"]:
        first = change["first"]
        trick = f", trick {first['trick']}" if first["trick"] else ""
        yield (
            f"WARNING: {change['strategy']} chose otherwise in {counted(change['games'], 'game')} "
            f"of {audit['games']:,} that were played again, in another process and order; first in "
            f"{first['hook']} (block {first['block']}, seating {first['seating']}, game "
            f"{first['game']}, hand {first['hand']}{trick}, seat {first['seat']}): {first['was']}, "
            f"then {first['now']}. Something in it outlives a game, or it uses a clock or random "
            "numbers other than self.rng; hearts-sim check looks for the line."
        )


def _about_audit(audit: dict[str, Any]) -> Iterator[str]:
    """What came of playing some blocks again."""
    compared = f"{counted(audit['blocks'], 'block')} ({counted(audit['games'], 'game')})"
    found = "everybody chose the same" if audit["games"] else "nothing could be compared"
    if audit["changes"]:
        names = ", ".join(change["strategy"] for change in audit["changes"])
        found = f"not everybody chose the same ({names})"
    yield f"Audit: {compared} played again in another process and order: {found}."
    if audit["passed_over"]:
        names = ", ".join(audit["passed_over"])
        yield f"Audit: passed over, since they decide by a clock: {names}."
    for key, why in (
        ("failed", "in which somebody failed"),
        ("lost", "whose process ended when they were played again"),
        ("unrecorded", "that were played without --audit"),
    ):
        if audit[key]:
            unit = "game" if key == "failed" else "block"
            yield f"Audit: left out: {counted(audit[key], unit)} {why}."


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
    found = (points_difference(summary, one, other), elo_difference(summary, one, other))
    # A single block, of which no error is known, says as much here.
    return all(gap is None or (gap.difference == 0 and gap.se in (0, math.inf)) for gap in found)
