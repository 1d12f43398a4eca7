"""Faults in words and tables: for the terminal, for Markdown, for a page and for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from hearts_sim.report import text
from hearts_sim.report.faults import elo_change
from hearts_sim.report.summary import Summary

MOST_CASES: Final = 30
"""So many first faults are told in full; faults.csv has them all."""

LAST_LINES: Final = 12
"""So many lines of a traceback are shown, from its end."""

_MOST_LINES: Final = 5
_LONGEST: Final = 300
"""Characters of a message where it stands in a sentence."""

CLEAN_HEADS: Final = (
    "strategy", "clean blocks", "points/hand", "change", "Elo", "change",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """The first fault of a strategy and kind, in texts that hold no control characters.

    Attributes
    ----------
    title : str
        Strategy, kind and how often.
    said : str
        Where it was and what went wrong.
    shown : list of str
        Lines: what the bot saw, what it answered, the end of the traceback.
    replay : str
        The command that replays the decision; empty if there is none.
    """

    title: str
    said: str
    shown: list[str]
    replay: str


def by_kind(summary: Summary) -> tuple[list[str], list[list[str]]]:
    """Heads and cells of the table of strategies and kinds of faults."""
    faults, totals, names = summary.faults, summary.counts.totals, summary.results.names
    often: Counter[str] = sum(faults.kinds.values(), Counter())
    kinds = sorted(often, key=lambda kind: (-often[kind], kind))
    out = {item["strategy"]: item for item in faults.disqualified}
    rows = []
    for name in summary.board["strategy"]:
        if name not in faults.kinds and name not in out:
            continue
        at, own = names.index(name), faults.kinds.get(name, Counter())
        games, faulty = totals["games"][at], totals["faulty"][at]
        rows.append(
            [
                name,
                *(text.number(own[kind]) for kind in kinds),
                text.number(faulty),
                text.percent(faulty / games if games else np.nan),
                text.number(totals["tainting"][at]),
                _from_block(out[name]) if name in out else "no",
            ]
        )
    heads = [
        "strategy",
        *(_readable(kind) for kind in kinds),
        "faulty games",
        "of its games",
        "tainted blocks",
        "disqualified",
    ]
    return heads, rows


def _readable(kind: str) -> str:
    return text.printable(kind.replace("_", " "))


def _from_block(item: dict[str, Any]) -> str:
    return f"from block {item['block']} on" if item["block"] else "from the start"


def cases(summary: Summary) -> list[Case]:
    """The first fault of each strategy and kind, at most `MOST_CASES`."""
    faults = summary.faults
    found = []
    for row in faults.first[:MOST_CASES]:
        often = faults.kinds[row["strategy"]][row["kind"]]
        where = place(row)
        shown = [
            f"{label:9} {text.printable(row[name])}"
            for label, name in (("saw:", "given"), ("answered:", "answer"))
            if row[name]
        ]
        found.append(
            Case(
                title=f"{row['strategy']}: {_readable(row['kind'])}"
                + (f", the first of {often:,}" if often > 1 else ""),
                said=f"{where[:1].upper()}{where[1:]}: {text.printable(row['message'])}",
                shown=[*shown, *_last_lines(row["traceback"])],
                replay=text.printable(row["replay"]),
            )
        )
    return found


def place(row: dict[str, Any]) -> str:
    """Where a fault was, in words."""
    if row["kind"] == "import_error":
        return "before the first game"
    words = [f"{name} {row[name]}" for name in ("block", "seating", "game", "hand")]
    words += [f"trick {row['trick']}"] * bool(row["trick"])
    return f"{', '.join(words)}, seat {row['seat']}, in {text.printable(row['hook'])}"


def _last_lines(traceback: str) -> list[str]:
    lines = [text.printable(line.expandtabs()) for line in traceback.splitlines()]
    cut = ["..."] if len(lines) > LAST_LINES else []
    return [*cut, *lines[-LAST_LINES:]]


def more_cases(summary: Summary) -> str:
    """How many first faults are not told; empty when all are."""
    left = len(summary.faults.first) - MOST_CASES
    return f"{left:,} more kinds of faults by strategy are in faults.csv." if left > 0 else ""


def not_loaded(summary: Summary) -> list[str]:
    """A sentence on each strategy file that was left out."""
    return [
        f"{text.printable(item['file'])} did not load and was left out: "
        f"{text.printable(item['message'])}"
        for item in summary.faults.not_loaded
    ]


def clean_rows(summary: Summary) -> list[list[str]]:
    """Cells of the ratings without tainted blocks, under `CLEAN_HEADS`; empty without any."""
    return [
        [
            str(row["strategy"]),
            text.number(row["clean_blocks"]),
            text.with_error(row["clean_points"], row["clean_points_error"], 2),
            text.number(row["clean_points_change"], 2, sign=True),
            text.elo(
                {
                    "elo": row["clean_elo"],
                    "elo_error": row["clean_elo_error"],
                    "elo_bound": row["clean_elo_bound"],
                }
            ),
            text.number(row["clean_elo_change"], sign=True),
        ]
        for row in clean_board(summary).to_dict("records")
    ]


def clean_board(summary: Summary) -> pd.DataFrame:
    """Points per hand and Elo without tainted blocks, in the order of the leaderboard.

    Returns
    -------
    DataFrame
        strategy, clean_blocks, clean_points, clean_points_error, clean_points_change (less those
        of the whole run), clean_elo, clean_elo_error, clean_elo_bound, clean_elo_change (see
        `faults.elo_change`); nan where nothing supports a number. No rows when no block is
        tainted, or every one.
    """
    clean, names = summary.faults.clean, summary.results.names
    order = [names.index(name) for name in summary.board["strategy"]]
    unknown = np.full(len(names), np.nan)
    ratings = None if clean is None else clean.ratings
    change = elo_change(summary.ratings, ratings)
    points = summary.points if clean is None else clean.points
    columns: dict[str, Any] = {
        "strategy": np.array(names, object),
        "clean_blocks": points.blocks,
        "clean_points": points.estimate,
        "clean_points_error": points.half_width,
        "clean_points_change": points.estimate - summary.points.estimate,
        "clean_elo": unknown if ratings is None else ratings.elo,
        "clean_elo_error": unknown if ratings is None else ratings.half_width,
        "clean_elo_bound": np.array(
            [""] * len(names) if ratings is None else [_BOUNDS[int(b)] for b in ratings.bound],
            object,
        ),
        "clean_elo_change": unknown if change is None else change,
    }
    rows = [] if clean is None else order
    return pd.DataFrame({name: values[rows] for name, values in columns.items()})


_BOUNDS: Final = {1: ">", -1: "<", 0: ""}


def clean_legend(summary: Summary) -> str:
    """What the ratings without tainted blocks are; a sentence also when there are none."""
    tainted = len(summary.counts.tainted)
    if not tainted:
        return ""
    clean = summary.faults.clean
    if clean is None:
        return "Every block is tainted by a fault: there are no figures without such blocks."
    said = (
        f"Without the {text.counted(tainted, 'block')} that a fault tainted: "
        f"{text.counted(clean.games, 'game')} in {text.counted(clean.blocks, 'block')}. The "
        "change is that to the leaderboard"
    )
    if clean.anchor is None and clean.ratings is not None:
        said += ", in Elo around the mean of those that are measured in both"
        if summary.anchor is not None:
            said += f"; {summary.anchor} has met nobody in these blocks, and 1500 is the mean"
    return f"{said}. Where faults come with certain cards, these blocks are a selection."


def in_terminal(summary: Summary) -> list[str]:
    """The lines that a terminal shows; none when nothing failed."""
    faults = summary.faults
    if not faults:
        return []
    lines = []
    if faults.kinds:
        lines.append(
            f"Faults: {faults.total:,} in {text.counted(summary.counts.faulty_games, 'game')} of "
            f"{summary.games:,} (policy: {faults.policy})"
        )
    first = {row["strategy"]: row for row in reversed(faults.first)}
    shown = [name for name in summary.board["strategy"] if name in faults.kinds]
    for name in shown[:_MOST_LINES]:
        lines += _about(summary, name, first[name])
    if len(shown) > _MOST_LINES:
        lines.append(f"- ({len(shown) - _MOST_LINES} more strategies failed: see the report)")
    rows = clean_rows(summary)
    if summary.counts.tainted:
        lines += ["", clean_legend(summary)]
    if rows:
        lines += ["", *text.text_table(CLEAN_HEADS, rows, left=(0,)).split("\n")]
    left_out = not_loaded(summary)
    lines += [""] * bool(lines and left_out)
    lines += [f"Not loaded: {_clipped(said)}" for said in left_out[:_MOST_LINES]]
    if len(left_out) > _MOST_LINES:
        lines.append(f"Not loaded: {len(left_out) - _MOST_LINES} more, see the report")
    return lines


def _about(summary: Summary, name: str, first: dict[str, Any]) -> list[str]:
    at = summary.results.names.index(name)
    totals = summary.counts.totals
    kinds = ", ".join(
        f"{often:,} {_readable(kind)}" for kind, often in summary.faults.kinds[name].most_common()
    )
    games = totals["games"][at]
    share = f" of its {games:,.0f} games ({text.percent(totals['faulty'][at] / games)})"
    lines = [
        f"- {name}: {kinds}; in {totals['faulty'][at]:,.0f}{share if games else ' games'}"
        f"{', disqualified' if name in summary.faults.out else ''}",
        f"  first: {place(first)}: {_clipped(text.printable(first['message']))}",
    ]
    return lines + [f"  replay: {text.printable(first['replay'])}"] * bool(first["replay"])


def _clipped(said: str) -> str:
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} ..."


def in_markdown(summary: Summary) -> list[str]:
    """Lines of the section; none when nothing failed."""
    if not summary.faults:
        return []
    lines = ["## Faults", ""]
    heads, rows = by_kind(summary)
    if rows:
        lines += [text.markdown_table(heads, rows, left=(0,)), ""]
    if summary.counts.tainted:
        lines += [text.markdown_text(clean_legend(summary)), ""]
    clean = clean_rows(summary)
    if clean:
        lines += [text.markdown_table(CLEAN_HEADS, clean, left=(0,)), ""]
    for case in cases(summary):
        lines += [f"### {text.markdown_text(case.title)}", "", text.markdown_text(case.said), ""]
        if case.shown:
            lines += [*_fenced(case.shown), ""]
        if case.replay:
            lines += [*_fenced([case.replay]), ""]
    lines += [more_cases(summary), ""] * bool(more_cases(summary))
    left_out = not_loaded(summary)
    if left_out:
        lines += [*(f"- {text.markdown_text(said)}" for said in left_out), ""]
    return lines


def _fenced(lines: Sequence[str]) -> list[str]:
    """Lines as they are, between fences that are longer than any row of backticks in them."""
    longest = max(map(len, "\n".join(lines).translate(_BACKTICKS_ONLY).split()), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *lines, fence]


class _BackticksOnly(dict[int, str]):
    def __missing__(self, key: int) -> str:
        return " "


_BACKTICKS_ONLY = _BackticksOnly({ord("`"): "`"})


def for_page(summary: Summary) -> dict[str, Any] | None:
    """What the section of the HTML page shows; None when nothing failed."""
    if not summary.faults:
        return None
    return {
        "kinds": by_kind(summary),
        "clean_legend": clean_legend(summary),
        "clean_heads": CLEAN_HEADS,
        "clean_rows": clean_rows(summary),
        "cases": cases(summary),
        "more": more_cases(summary),
        "not_loaded": not_loaded(summary),
    }


def table(summary: Summary) -> pd.DataFrame | None:
    """All faults without their tracebacks, one line each; None when there are none."""
    if not summary.faults.kinds:
        return None
    frames: list[pd.DataFrame] = []
    for part in summary.results.parts("faults"):
        frame = part.drop_columns(["traceback"]).to_pandas()
        for name in ("given", "answer", "message", "replay"):
            frame[name] = frame[name].map(text.printable)
        frames.append(frame.astype({"strategy": str}))
    return pd.concat(frames, ignore_index=True)


def plain(summary: Summary) -> dict[str, Any]:
    """Faults as JSON values, but for numbers that are none."""
    faults, totals = summary.faults, summary.counts.totals
    clean = faults.clean
    strategies = {}
    for at, name in enumerate(summary.results.names):
        if name in faults.kinds:
            games = int(totals["games"][at])
            strategies[name] = {
                "kinds": dict(faults.kinds[name]),
                "faults": sum(faults.kinds[name].values()),
                "games": games,
                "faulty": int(totals["faulty"][at]),
                "share": totals["faulty"][at] / games if games else None,
                "tainted_blocks": int(totals["tainting"][at]),
            }
    return {
        "policy": faults.policy,
        "total": faults.total,
        "games": summary.counts.faulty_games,
        "strategies": strategies,
        "first": [
            {key: value for key, value in row.items() if key != "traceback"}
            for row in faults.first[:MOST_CASES]
        ],
        "tainted_blocks": len(summary.counts.tainted),
        "not_reproducible_blocks": faults.not_reproducible,
        "not_reproducible_by": faults.not_reproducible_by,
        "clean": None
        if clean is None
        else {
            "blocks": clean.blocks,
            "games": clean.games,
            "reference": clean.anchor or "mean",
            "strategies": clean_board(summary).to_dict("records"),
        },
    }
