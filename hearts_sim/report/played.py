"""How a run was played: what one needs to know to judge it, and to play it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

import pandas as pd

from hearts_sim.report import text
from hearts_sim.report.notes import field_of, preset_of
from hearts_sim.report.profiles import source_of
from hearts_sim.report.summary import Summary
from hearts_sim.report.tables import Table, numbers, table_of, words


def command_of(summary: Summary) -> str:
    """The command that played the run; empty where it was played from Python."""
    command: list[str] = summary.results.info.get("command") or []
    return text.printable(shlex.join(command))


def how_it_was_played(summary: Summary) -> list[tuple[str, str]]:
    """Pairs of a word and what it was in this run."""
    found = ((name, text.printable(str(value))) for name, value in _facts(summary))
    return [(name, value) for name, value in found if value]


def _facts(summary: Summary) -> Iterator[tuple[str, Any]]:
    info = summary.results.info
    identity, rules = info["identity"], summary.results.rules
    environment = info.get("environment") or {}
    yield "status", info["status"]
    yield "field", field_of(summary)
    yield (
        "length",
        f"{text.counted(summary.games, 'game')} in {text.counted(summary.blocks, 'block')}, "
        f"{text.counted(summary.hands, 'hand')}",
    )
    yield "seed", identity["seed"]
    yield "rules", preset_of(rules) or f"rules of its own for {rules.players} players"
    yield "log", summary.results.log
    yield "faults", _limits(info["config"].get("faults") or {})
    yield "confidence", f"{100 * summary.confidence:g} %"
    yield "1500 Elo is", summary.anchor or "the field's mean" * (summary.ratings is not None)
    yield "digest", info.get("digest", "none yet")
    yield "fingerprint", info.get("fingerprint", "")
    yield "hearts-sim", f"{info['hearts_sim']}, rules version {info['rules_version']}"
    yield "engine", environment.get("engine", "")
    versions = [f"{name} {environment[name]}" for name in _PACKAGES if name in environment]
    yield "with", ", ".join(versions)
    yield "machine", environment.get("platform", "")
    yield "started", info.get("started", "")
    if info.get("seconds"):
        yield "took", f"{info['seconds']:,.0f} seconds"
    if info.get("merged"):
        yield "merged from", ", ".join(info["merged"])


_PACKAGES: Final = ("python", "numpy", "numba")


def _limits(limits: dict[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {value}" for name, value in limits.items() if value is not None
    )


def entries(summary: Summary) -> Table:
    """What played under each name, and the digest of its source."""
    rows = [
        {
            "name": entry["name"],
            "source": source_of(entry),
            "digest": entry.get("digest", ""),
        }
        for entry in summary.results.info["identity"]["entries"]
    ]
    frame = pd.DataFrame(rows)
    frame.insert(0, "number", range(len(frame)))
    return table_of(
        frame,
        [
            numbers("no.", "number", meaning="its place in the config"),
            words("strategy", "name"),
            words("what plays", "source"),
            words("digest", "digest", "of its source"),
        ],
    )
