"""How often intervals hold the truth and sequential tests err, in simulations: a Markdown page.

``python tests/stats/long_coverage.py > docs/verification/coverage.md``
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from math import sqrt

import numpy as np
import scipy
from simulated import (
    Coverage,
    Draw,
    Run,
    cover_elo,
    cover_points,
    decide,
    gamma_values,
    look_blocks,
    normal_values,
    share_values,
    simulate,
    true_elo,
    true_points,
)
from tqdm import tqdm

from hearts_sim.stats import PairCounts, SequentialTest, bradley_terry, ratio_by_block
from hearts_sim.stats.sequential import MIN_BLOCKS
from hearts_sim.tournament.run.deciding import FEWEST_BLOCKS

REPLICATIONS = 2000
TESTS = 10_000
CAP = 4000
ENTRIES = (4, 8)
BLOCKS = (10, 20, 40, 80)
TARGETS = {"points per hand": (0.5, 0.22), "Elo": (75.0, 33.0)}
STOP_CAP = 504
A, B = 0, 1
EFFECTS = (0.1, 0.3, 1.0)
ERRORS = ((0.05, 0.05), (0.01, 0.1))
TAIL_ERRORS = (*ERRORS, (0.1, 0.01))
VALUES: dict[str, Draw] = {
    "normal": normal_values,
    "shares in steps of 1/22": share_values,
}
LONG_TAILS: dict[str, Draw] = {
    "gamma, skewness 0.5": gamma_values(16.0),
    "gamma, skewness 2": gamma_values(1.0),
}

HEAD = """# Do intervals and tests keep their promises?

Tournaments and duels are simulated with strengths that are known, {replications:,} times and more,
and counted is how often a nominal 95 % interval of `hearts_sim.stats` holds the true value, and how
often a sequential test decides wrongly. Every figure has its Monte-Carlo error (one standard error)
beside it or in the text. A promise is *kept* when the figure itself is within it, *perhaps kept*
when it is at most two of these errors outside, else *missed*. A short version is in the suite, and
it checks the figures on this page.

```sh
python tests/stats/long_coverage.py > docs/verification/coverage.md
```

Seeds are fixed. numpy {numpy}, scipy {scipy}.
"""

INTERVALS = """
## Intervals

Four entries, all in every block, or eight at tables of four, so that each is in half of the blocks.
A block is one deal sequence in four rotations. Its deals suit some entries, with the same standard
deviation as chance within a game, and games last 8 to 13 hands. Ratings are against the field's
mean; the truth of an Elo rating is what the fit tends to with endless games. All ratings or all
differences of a simulated tournament count, and the error is that of the mean over tournaments.
Any two of eight entries share about three in seven of their blocks.

Promised are 94–96 % from 20 blocks on and 93–97 % at 10. The naive interval, which takes
comparisons (Elo) or games (points) as independent, is there to show that the deals matter.
"""

STOPPING = """
## Playing until an interval is narrow

Four entries play until half the width of the interval of A's difference to B is at most the target,
looked at after {looks} ... blocks. Stopping when the data look
steady favours moments at which the error is underestimated; the coverage tends to the nominal one
as targets get smaller (Chow and Robbins 1965, "On the asymptotic theory of fixed-width sequential
confidence intervals for the mean", Annals of Mathematical Statistics 36(2), 457–462). Promised are
93–97 % at the wide target and 94–96 % at the narrow one; {replications:,} replications.
"""

SEQUENTIAL = """
## Sequential tests

`SequentialTest` with {min_blocks} blocks before the first decision, looked at after {looks}
... blocks and at most {cap:,}. Effect is (h1 − h0) / standard deviation of a block value. Type I is
the share of tests that decide for h1 when the mean is h0, type II for h0 when it is h1; *halfway*,
the mean lies between both, and neither answer is wrong. Blocks are means, those of undecided tests
included. {tests:,} replications of each; the Monte-Carlo error of a share of 5 % is {mc5}, of
1 % {mc1}, of 10 % {mc10}.

Promised are type I and type II errors of at most alpha and beta.
"""

LONG_TAIL = """
### Values with a long tail

With a long tail on the upper side, a sample that misses the tail has both a low mean and a low
variance, and so seems to be sure of h0. The test allows for that by the skewness of the sample. The
values here are shifted gamma values; those of skewness 2 have an exponential distribution.

One promise is missed. Where 1 % of errors are allowed on the side without the tail, and decisions
come after few blocks, the skewness of an exponential distribution is not known well enough.
"""


def percent(share: float) -> str:
    """Write a share with two digits."""
    return f"{100 * share:.2f} %"


def kept(is_kept: bool, perhaps: bool) -> str:
    """Say whether a promise was kept, or perhaps kept, as far as the simulation can tell."""
    return "kept" if is_kept else "perhaps kept" if perhaps else "**missed**"


def in_band(share: float, error: float, low: float, high: float) -> str:
    """Say whether a coverage is within its band."""
    verdict = kept(low <= share <= high, low - 2 * error <= share <= high + 2 * error)
    return f"{100 * low:.0f}–{100 * high:.0f} %: {verdict}"


def interval_rows(bar: tqdm[None]) -> Iterator[str]:
    """Yield the table of coverages."""
    yield "| interval of | entries | blocks | coverage | error | naive | error | promise |"
    yield "|---|--:|--:|--:|--:|--:|--:|---|"
    for entries in ENTRIES:
        for blocks in BLOCKS:
            low, high = (0.94, 0.96) if blocks >= 20 else (0.93, 0.97)
            elo = cover_elo(blocks, entries, REPLICATIONS, bar.update)
            points = cover_points(blocks, entries, REPLICATIONS, bar.update)
            names = ("Elo", "difference of Elo", "points per hand", "difference of points")
            for name, cover in zip(names, (*elo, *points), strict=True):
                figures = []
                for held in Coverage(*cover):
                    figures += [held.mean(), held.std(ddof=1) / sqrt(held.size)]
                cells = " | ".join(percent(figure) for figure in figures)
                promise = in_band(figures[0], figures[1], low, high)
                yield f"| {name} | {entries} | {blocks} | {cells} | {promise} |"


def stop(run: Run, truth: dict[str, np.ndarray]) -> list[tuple[int, bool]]:
    """Return, for each measure and target, the blocks at the stop and whether A - B was held."""
    pairs = run.pairs()
    open_targets = [(name, target) for name, targets in TARGETS.items() for target in targets]
    found: dict[tuple[str, float], tuple[int, bool]] = {}
    for blocks in look_blocks(STOP_CAP):
        if blocks < FEWEST_BLOCKS:
            continue
        part = run.until(blocks)
        for name in dict(open_targets):
            if name == "Elo":
                ratings = bradley_terry(first(pairs, blocks), 4)
                value, half = ratings.elo, ratings.difference_half_width()[A, B]
            else:
                ratio = ratio_by_block(part.block, part.entry, part.points, part.hands, 4)
                value, half = ratio.estimate, ratio.difference_half_width()[A, B]
            error = abs((value[A] - value[B]) - (truth[name][A] - truth[name][B]))
            for target in TARGETS[name]:
                if (name, target) in open_targets and (half <= target or blocks == STOP_CAP):
                    found[name, target] = (blocks, bool(error <= half))
                    open_targets.remove((name, target))
        if not open_targets:
            break
    return [found[name, target] for name, targets in TARGETS.items() for target in targets]


def first(pairs: PairCounts, blocks: int) -> PairCounts:
    """Return the comparisons of the first blocks."""
    rows = slice(np.searchsorted(pairs.block, blocks))
    columns = (pairs.block, pairs.i, pairs.j, pairs.games, pairs.wins)
    return PairCounts(*(column[rows] for column in columns))


def stopping_rows(bar: tqdm[None]) -> Iterator[str]:
    """Yield the table of coverages at the stop."""
    yield "| difference of | half width | blocks | 5 % to 95 % | coverage | error | promise |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    truth = {"points per hand": true_points(4), "Elo": true_elo(4)}
    rng = np.random.default_rng([2028, 4])
    stops = []
    for _ in range(REPLICATIONS):
        stops.append(stop(simulate(rng, STOP_CAP, 4), truth))
        bar.update(1)
    cells = [(name, i, t) for name, targets in TARGETS.items() for i, t in enumerate(targets)]
    for (name, narrow, target), column in zip(cells, zip(*stops, strict=True), strict=True):
        blocks, held = np.array(column).T
        share, error = held.mean(), held.std(ddof=1) / sqrt(held.size)
        low, high = (0.94, 0.96) if narrow else (0.93, 0.97)
        early, late = np.quantile(blocks, (0.05, 0.95))
        yield (
            f"| {name} | {target:g} | {blocks.mean():.1f} | {early:.0f} to {late:.0f} "
            f"| {percent(share)} | {percent(error)} | {in_band(share, error, low, high)} |"
        )


def sequential_rows(
    values: dict[str, Draw], errors: tuple[tuple[float, float], ...], bar: tqdm[None]
) -> Iterator[str]:
    """Yield the table of errors of the sequential test."""
    yield (
        "| values | effect | alpha | beta | type I | type II | blocks at h0 | at h1 "
        "| halfway: for h0 | for h1 | blocks | undecided at h0 | at h1 | halfway | promise |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    for name, draw in values.items():
        for effect in EFFECTS:
            for alpha, beta in errors:
                test = SequentialTest(0.0, effect, alpha, beta)
                cell = [2029, *name.encode(), round(100 * effect), round(100 * alpha)]
                at_h0, at_h1, halfway = (
                    decide(test, draw, mean, TESTS, CAP, [*cell, at])
                    for at, mean in enumerate((0.0, effect, effect / 2))
                )
                bar.update(TESTS // 100)
                promise = kept(
                    at_h0.h1 <= alpha and at_h1.h0 <= beta,
                    at_h0.h1 <= allowed(alpha) and at_h1.h0 <= allowed(beta),
                )
                cells = (
                    *(name, f"{effect:g}", f"{alpha:g}", f"{beta:g}"),
                    *(percent(at_h0.h1), percent(at_h1.h0)),
                    *(f"{at_h0.mean_blocks:.1f}", f"{at_h1.mean_blocks:.1f}"),
                    *(percent(halfway.h0), percent(halfway.h1), f"{halfway.mean_blocks:.1f}"),
                    *(percent(way.undecided) for way in (at_h0, at_h1, halfway)),
                    promise,
                )
                yield f"| {' | '.join(cells)} |"


def allowed(error: float) -> float:
    """Return a promised error with two Monte-Carlo errors on top."""
    return error + 2 * sqrt(error * (1 - error) / TESTS)


def show(rows: Iterable[str]) -> None:
    """Print a table, line by line as it grows."""
    print()
    for row in rows:
        print(row, flush=True)


def main() -> None:
    """Print the page."""
    looks = look_blocks(CAP)
    stops, first = (
        ", ".join(map(str, looks[looks.index(least) :][:7]))
        for least in (FEWEST_BLOCKS, MIN_BLOCKS)
    )
    steps = 2 * len(ENTRIES) * len(BLOCKS) * REPLICATIONS + REPLICATIONS
    tests = len(VALUES) * len(ERRORS) + len(LONG_TAILS) * len(TAIL_ERRORS)
    steps += tests * len(EFFECTS) * (TESTS // 100)
    with tqdm(total=steps, unit="run", file=sys.stderr) as bar:
        print(HEAD.format(replications=REPLICATIONS, numpy=np.__version__, scipy=scipy.__version__))
        print(INTERVALS.strip())
        show(interval_rows(bar))
        print(STOPPING.format(looks=stops, replications=REPLICATIONS).rstrip())
        show(stopping_rows(bar))
        mc5, mc1, mc10 = (percent(sqrt(p * (1 - p) / TESTS)) for p in (0.05, 0.01, 0.1))
        print(
            SEQUENTIAL.format(
                **{"min_blocks": MIN_BLOCKS, "looks": first, "cap": CAP, "tests": TESTS},
                **{"mc5": mc5, "mc1": mc1, "mc10": mc10},
            ).rstrip()
        )
        show(sequential_rows(VALUES, ERRORS, bar))
        print(LONG_TAIL.rstrip())
        show(sequential_rows(LONG_TAILS, TAIL_ERRORS, bar))


if __name__ == "__main__":
    main()
