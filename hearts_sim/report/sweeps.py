"""What a sweep found: its table, its sentences, its chart and its files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from hearts_sim.report import text
from hearts_sim.tournament.sweep.points import value_text
from hearts_sim.tournament.sweep.runner import DuelResult, SweepResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_VERDICTS: Final = {
    "h1": "better (h1)",
    "h0": "not better (h0)",
    "undecided": "undecided",
    "ahead": "better",
    "behind": "worse",
    "open": "may be chance",
    "same": "the opponent",
    "disqualified": "disqualified",
}

SELECTION: Final = (
    "The gain of a winner in the search is too high on average, since it was chosen for it among "
    "others; its gain on fresh deals is not."
)


def facts(result: SweepResult) -> str:
    """What was played, in a line."""
    plan, sweep = result.plan, result.plan.config.sweep
    points = math.prod(map(len, sweep.options.values()))
    played = [row for row in result.duels if row.games]
    games = sum(row.games for row in played)
    if result.confirmed is not None:
        games += result.confirmed.games
    how = f"grid of {points:,} points of" if sweep.method == "grid" else "climb over options of"
    usual = " (as it is)" if sweep.against is None else ""
    return text.printable(
        f"{plan.config.name}: {how} {plan.strategy.name} against {plan.opponent.name}{usual}, "
        f"{text.counted(len(played), 'duel')}"
        f"{' and a confirmation' if result.confirmed is not None else ''}, "
        f"{text.counted(games, 'game')}, seed {plan.config.seed}"
    )


def table(result: SweepResult) -> tuple[list[str], list[list[str]], list[int]]:
    """Heads, rows and the columns to the left: a row for each duel, the confirmation last."""
    plan = result.plan
    sweep = plan.config.sweep
    climbs, tests = sweep.method == "climb", sweep.sprt is not None
    unit = "Elo" if sweep.measure == "elo" else "gain/hand"
    heads = ["duel", *plan.lists, *["against"] * climbs, unit, "games", *["LLR"] * tests]
    heads += ["verdict", "folder"]
    rows = [_row(result, row, climbs, tests) for row in result.duels]
    if result.confirmed is not None:
        last = _row(result, result.confirmed, climbs, tests)
        rows.append([*last[:-2], f"{last[-2]}, fresh deals", last[-1]])
    if not any(row.faulty for row in result.duels):
        return heads, rows, [len(heads) - 2, len(heads) - 1]
    faults = [*result.duels, *([result.confirmed] if result.confirmed else [])]
    rows = [[*row, f"{one.faulty:,}"] for row, one in zip(rows, faults, strict=True)]
    return [*heads, "faulty games"], rows, [len(heads) - 2, len(heads) - 1]


def _row(result: SweepResult, row: DuelResult, climbs: bool, tests: bool) -> list[str]:
    plan = result.plan
    measure = plan.config.sweep.measure
    options = [value_text(row.options[name]) if name in row.options else "–" for name in plan.lists]
    marks = [
        word
        for word, point in (("best", result.winner), ("default", plan.defaults.plain))
        if point == row.options and not climbs and row is not result.confirmed
    ]
    return [
        str(row.duel),
        *map(text.printable, options),
        *[text.printable(row.against)] * climbs,
        amount(row, measure),
        f"{row.games:,}",
        *[text.number(row.llr, 2, sign=True)] * tests,
        " – ".join([_VERDICTS[row.verdict], *marks]),
        row.folder or "–",
    ]


def amount(row: DuelResult, measure: str) -> str:
    """A gain with half of its interval, as ``+0.31 ±0.08``."""
    gain, low, high = row.by(measure)
    half = (high - low) / 2 if math.isfinite(low) and math.isfinite(high) else math.inf
    return text.with_error(gain, half, 0 if measure == "elo" else 2, sign=True)


def sentences(result: SweepResult) -> list[str]:
    """What came of it: who won, by how much, and what to do."""
    plan = result.plan
    said = _verdict(result)
    if not result.found.complete:
        limit = plan.config.sweep.max_duels
        said.append(
            f"The climb ended at max_duels ({limit:,}), and not since no neighbour was better: "
            "with more it may go on."
        )
    out = [row.point.text for row in result.duels if row.verdict == "disqualified"]
    if out:
        said.append(f"Disqualified, since they failed too often: {', '.join(out)}.")
    return [text.printable(sentence) for sentence in said]


def _verdict(result: SweepResult) -> list[str]:
    plan = result.plan
    opponent, measure = plan.opponent.name, plan.config.sweep.measure
    unit = "Elo" if measure == "elo" else "points per hand"
    if result.found.winner is None:
        if plan.config.sweep.method == "climb":
            start = plan.defaults.text or plan.strategy.name
            return [f"No neighbour is better than {start}, where the climb began: keep it."]
        return [f"No point is ahead of {opponent}: keep the options as they are."]
    winner = result.found.winner.text
    row = result.confirmed
    if row is None:
        return [f"The climb ended at {winner}, which is the opponent itself: keep it."]
    fresh = f"{text.counted(row.games, 'game')} on fresh deals (seed {plan.config.confirm_seed})"
    searched = [one for one in result.duels if one.point == result.found.winner]
    before = ""
    if plan.config.sweep.method == "grid":
        before = f"; in the search it was {amount(searched[-1], measure)}"
    _, low, high = row.by(measure)
    if low > 0:
        said = (
            f"{winner} wins: {amount(row, measure)} {unit} ahead of {opponent}, in {fresh}{before}."
        )
        return [said, f"Put it into a config as {snippet(result)}{_or_in_code(result)}."]
    how = "worse" if high < 0 else "not known to be better"
    return [
        f"{winner} came out best, but is {how} in {fresh}: {amount(row, measure)} {unit} against "
        f"{opponent}{before}. Keep the options as they are, or play more games."
    ]


def snippet(result: SweepResult) -> str:
    """The entry of a config that plays with the winner's options."""
    import yaml

    plan = result.plan
    winner = result.found.winner or plan.defaults
    entry, options = plan.strategy, plan.options_of(winner)
    said: dict[str, Any] = {"strategy": entry.strategy, "options": options}
    if entry.form == "command":
        said = {"name": entry.name, "command": list(entry.command), "options": options}
    elif entry.form == "library":
        said = {"name": entry.name, "library": entry.library, "symbol": entry.symbol,
                "options": options}  # fmt: skip
    dumped: str = yaml.safe_dump(
        said, default_flow_style=True, sort_keys=False, width=math.inf, allow_unicode=True
    )
    return dumped.strip()


def _or_in_code(result: SweepResult) -> str:
    """Where the defaults of a class stand."""
    entry = result.plan.strategy
    if entry.form != "strategy":
        return ""
    found = result.plan.library.found.get(entry.strategy)
    if found is None:
        return ""
    what = "options" if found.compiled else "__init__"
    return f", or make it the default: {entry.strategy}.{what} in {found.where}"


def draw_sweep(result: SweepResult) -> Figure:
    """The chart of a sweep: a line, a map or a list.

    Raises
    ------
    ValueError
        When there is no duel to draw.
    """
    from hearts_sim.report.charts.sweep import sweep

    plan = result.plan
    settings = plan.config.sweep
    climbs, measure = settings.method == "climb", settings.measure
    frame = result.frame()
    frame = frame[frame["role"] == "search"].reset_index(drop=True)
    if measure == "elo":
        frame = frame.assign(gain=frame["elo"], low=frame["elo_low"], high=frame["elo_high"])
    if climbs:
        frame["label"] = [
            f"{row.duel}  {row.point.text} against {row.against}" for row in result.duels
        ]
        frame["kept"] = [row.verdict in ("h1", "ahead") for row in result.duels]
    confirmed = None if result.confirmed is None else result.confirmed.by(measure)
    notes = [SELECTION] if confirmed is not None else []
    if confirmed is not None and len(plan.lists) == 2 and not climbs:
        notes.insert(0, f"The winner on fresh deals: {amount(_known(result.confirmed), measure)}.")
    return sweep(
        frame,
        list(plan.lists),
        default=plan.defaults.plain,
        winner=result.winner,
        confirmed=confirmed,
        opponent=plan.opponent.name,
        unit="Elo" if measure == "elo" else "points per hand",
        as_list=climbs,
        title="Gain of each step" if climbs else "",
        subtitle=facts(result),
        confidence=plan.config.report.confidence,
        notes=notes,
    )


def _known(row: DuelResult | None) -> DuelResult:
    assert row is not None
    return row


def markdown(result: SweepResult, *, drawn: bool) -> str:
    """The page ``sweep.md``."""
    plan = result.plan
    heads, rows, left = table(result)
    lines = [f"# {text.markdown_text(text.printable(plan.config.name))}", ""]
    lines += [text.markdown_text(facts(result)), ""]
    for sentence in sentences(result):
        lines += [f"**{text.markdown_text(sentence)}**", ""]
    if drawn:
        lines += ["![Gain by options](sweep.svg)", ""]
    lines += ["## Duels", "", text.markdown_table(heads, rows, left), ""]
    percent = f"{100 * plan.config.report.confidence:.6g} %"
    unit = "Elo" if plan.config.sweep.measure == "elo" else "points per hand"
    lines += [f"Gain: {unit} by which the point is better, with its {percent} interval. All duels "
              "of the search have the same deals."]  # fmt: skip
    if result.confirmed is not None:
        lines += ["", SELECTION]
    shown = next((row.folder for row in [*result.duels][::-1] if row.folder), "")
    if shown:
        path = f"{result.folder.path}/{shown}"
        lines += ["", "Each duel is a run of its own:", "", "```sh", f"hearts-sim report {path}"]
        lines += [f"hearts-sim replay {path} 0", "```"]
    if result.found.winner is not None:
        lines += ["", "## The winner in a config", "", "```yaml", f"- {snippet(result)}", "```"]
    return "\n".join(lines).rstrip() + "\n"


def write_sweep(result: SweepResult) -> list[str]:
    """Write table, page and chart of a sweep into its folder.

    Returns
    -------
    list of str
        Names of the files, below the folder.

    Raises
    ------
    ResultsError
        When a file cannot be written.
    """
    from hearts_sim.report.charts import to_bytes

    csv: bytes = result.frame().to_csv(index=False, lineterminator="\n").encode()
    files = {"sweep.csv": csv}
    if result.duels:
        figure = draw_sweep(result)
        files |= {f"sweep.{kind}": to_bytes(figure, kind) for kind in ("png", "svg")}
    files["sweep.md"] = markdown(result, drawn=bool(result.duels)).encode()
    result.folder.write(files)
    return list(files)


def show(result: SweepResult) -> Sequence[str]:
    """What the command prints: facts, table and sentences."""
    heads, rows, left = table(result)
    lines = [facts(result), "", text.text_table(heads, rows, left), ""]
    if result.confirmed is not None:
        lines += [SELECTION, ""]
    return [*lines, *sentences(result)]


def as_json(result: SweepResult) -> dict[str, Any]:
    """The one JSON document of the command."""
    return {
        "folder": str(result.folder.path),
        **result.plain(),
        "sentences": sentences(result),
    }
