"""Whether the games of a strategy can be played again, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hearts_sim.testing.report import Checked, Finding
from hearts_sim.testing.target import listed

_ROUNDS = ("first", "again")
_INSTEAD = {
    "global_random": "use self.rng, which the seed of the run decides",
    "entropy": "use self.rng, which the seed of the run decides",
    "clock": "no two machines have the same time; count what it does instead",
}
_WHAT = {
    "global_random": "uses the global random numbers",
    "entropy": "uses random numbers that no seed decides",
    "clock": "looks at the clock",
}


def differ(results: Mapping[str, Any]) -> bool:
    """Whether games that should be the same were not."""
    rounds = [results["games"], *results.get("others", [])]
    return any(games[name] != rounds[0]["first"] for games in rounds for name in _ROUNDS)


def judge(checked: Checked, results: Mapping[str, Any]) -> None:
    """Add to a strategy what comparing its games has shown.

    Parameters
    ----------
    results : mapping
        ``uses``: what it called that no seed decides; ``uses_clock``: whether it declares that it
        decides by a clock; ``games``: digests of the games played
        ``first``, and ``again`` after others, with the names of what ``changed`` between;
        ``others``: the same from two other processes, which have another order of sets than this
        one, and the same among them. The second is there only when something differed.
    """
    games = results.get("games")
    uses = results.get("uses", {})
    declared = bool(results.get("uses_clock"))
    used = [kind for kind in _WHAT if uses.get(kind) and not (declared and kind == "clock")]
    if games is None:
        _warn(checked, uses, used)
        return
    others = results.get("others", [])
    if declared and not used and differ(results):
        checked.passed.append(
            "decides by a clock, as it declares (uses_clock): its games cannot be repeated"
        )
    elif not differ(results):
        _warn(checked, uses, used)
        if games["changed"]:
            names = listed(name for _, name in games["changed"])
            text = f"keeps {names} from game to game; it made no difference in the games here"
            _add(checked, "hint", "state", text, games["changed"][0])
        where = " and in another process" if others else ""
        number = len(games["first"])
        word = "games" if number > 1 else "game"
        checked.passed.append(
            f"plays the same games again{where} ({number} {word}, with others in between)"
        )
    elif used:
        for kind in used:
            names = listed(f"{name} in line {line}" for _, line, name in uses[kind] if line)
            names = names or listed(name for *_, name in uses[kind])
            text = f"{_WHAT[kind]} ({names}), and its games differ: {_INSTEAD[kind]}"
            _add(checked, "error", kind, text, tuple(uses[kind][0][:2]))
    elif len(others) == 2 and others[0]["first"] != others[1]["first"]:
        difference = _difference(others[0]["first"], others[1]["first"])
        text = (
            f"does not play the same games again: {difference} in another process with the same "
            "seed. Everything that it decides must come from the view and self.rng"
        )
        _add(checked, "error", "repeat", text)
    else:
        _differs_within(checked, games, others)


def _differs_within(checked: Checked, games: Mapping[str, Any], others: list[Any]) -> None:
    """Of a strategy that plays alike in processes that are alike."""
    for played in (*others[:1], games):
        if played["first"] != played["again"]:
            changed = games["changed"] or games["changed_once"]
            names = listed(name for _, name in changed)
            what = f"it keeps {names}" if names else "what it keeps was not found"
            text = (
                "carries something over from game to game: "
                f"{_difference(played['first'], played['again'])} after others were played; "
                f"{what}. Keep it in self, which is made anew for each game"
            )
            _add(checked, "error", "state", text, changed[0] if changed else None)
            return
    text = (
        "depends on the order of sets or hashes: "
        f"{_difference(games['first'], others[0]['first'])} with another PYTHONHASHSEED. Sort "
        "before choosing"
    )
    _add(checked, "error", "hash_order", text)


def _difference(one: list[str], other: list[str]) -> str:
    for number, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return f"game {number} is another one"
    return "there are fewer games"


def _warn(checked: Checked, uses: Mapping[str, Any], used: list[str]) -> None:
    """What could make games differ, but did not."""
    for kind in used:
        file, line, name = uses[kind][0]
        text = f"{_WHAT[kind]} ({name}): {_INSTEAD[kind]}"
        _add(checked, "warning", kind, text, (file, line))


def _add(checked: Checked, severity: str, kind: str, message: str, place: Any = None) -> None:
    file, line = place or (checked.file, 0)
    if not isinstance(line, int):
        from hearts_sim.testing.source import line_of_name

        line = line_of_name(file, line.split(" ")[0].rsplit(".", 1)[-1])
    if not line:
        file, line = checked.file, checked.line
    checked.findings.append(Finding(checked.name, severity, kind, message, file, line))
