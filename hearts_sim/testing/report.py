"""What a check found, and how it is told."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from hearts_sim.cards import Card
from hearts_sim.errors import StrategyFault
from hearts_sim.testing.endgames import KINDS, Endgame, endgame

SEVERITIES: Final = ("error", "warning", "hint")
"""An error makes a strategy unfit; a warning is probably not meant; a hint is for comfort."""

_WIDTH = 100
_MARGIN = 9


class CheckFailed(StrategyFault, AssertionError):
    """A strategy is unfit to play; the message lists what was found."""


@dataclass(frozen=True)
class Finding:
    """Something that was found about a strategy.

    Attributes
    ----------
    strategy : str
        Name of the strategy; empty when it concerns a whole file.
    severity : str
        One of `SEVERITIES`.
    kind : str
        What it is, in one word; docs/check.md lists them.
    message : str
        Sentences without a place in the source.
    file : str
    line : int
        Where in the source of the bot, 0 when no line is known.
    detail : str
        Lines that belong to it, such as a traceback.
    """

    strategy: str
    severity: str
    kind: str
    message: str
    file: str = ""
    line: int = 0
    detail: str = ""

    @property
    def place(self) -> str:
        """``file:line``, as far as it is known."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.file else self.message


@dataclass(frozen=True)
class Answer:
    """What a strategy played in an endgame position.

    Attributes
    ----------
    number : int
        Of the position.
    card : str
        Empty when it failed.
    failed : str
        How it failed, empty when it did not.
    """

    number: int
    card: str
    failed: str = ""

    @property
    def position(self) -> Endgame:
        """What it was asked."""
        return endgame(self.number)

    @property
    def solved(self) -> bool:
        """Whether it is the best card."""
        return any(card.name == self.card for card in self.position.best)


@dataclass
class Checked:
    """One strategy: what it is, what was checked, and what was found.

    `answers` are there when it was asked endgame positions, of which there were `positions`.
    """

    name: str
    what: str = ""
    file: str = ""
    line: int = 0
    passed: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    positions: int = 0
    answers: list[Answer] = field(default_factory=list)

    @property
    def solved(self) -> int:
        """Number of endgame positions that it solved."""
        return sum(answer.solved for answer in self.answers)

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """Endgame positions solved and asked, by kind."""
        counts: dict[str, tuple[int, int]] = {}
        for kind in KINDS:
            some = [answer.solved for answer in self.answers if answer.position.kind == kind]
            if some:
                counts[kind] = sum(some), len(some)
        return counts

    def score(self) -> dict[str, Any]:
        """What it did in endgame positions, as JSON values."""
        return {
            "solved": self.solved,
            "asked": len(self.answers),
            "positions": self.positions,
            "kinds": {
                kind: {"solved": solved, "asked": asked}
                for kind, (solved, asked) in self.by_kind().items()
            },
            "missed": [
                {
                    "position": answer.number,
                    "kind": answer.position.kind,
                    "hand": len(answer.position.hands),
                    "trick": answer.position.trick,
                    "seat": answer.position.seat,
                    "played": answer.card or None,
                    "best": [card.name for card in answer.position.best],
                    "points": {
                        card.name: list(points) for card, points in answer.position.points.items()
                    },
                    "failed": answer.failed,
                }
                for answer in self.answers
                if not answer.solved
            ],
        }

    @property
    def ok(self) -> bool:
        """Whether nothing makes it unfit."""
        return not any(finding.severity == "error" for finding in self.findings)

    def verdict(self) -> str:
        """One sentence at the end."""
        counts = [
            (sum(finding.severity == severity for finding in self.findings), severity)
            for severity in SEVERITIES
        ]
        parts = [f"{number} {word}{'s' * (number != 1)}" for number, word in counts if number]
        found = ", ".join(parts) or "nothing to complain about"
        return f"{self.name} is {'fit' if self.ok else 'not fit'} to play: {found}"


@dataclass
class Report:
    """What `check_strategy` found.

    ``str(report)`` is the text that the command shows.

    Attributes
    ----------
    strategies : list of Checked
    """

    strategies: list[Checked] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        """Everything that was found, errors first."""
        found = [finding for checked in self.strategies for finding in checked.findings]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))

    @property
    def ok(self) -> bool:
        """Whether nothing was found that makes a strategy unfit; warnings and hints may be."""
        return all(checked.ok for checked in self.strategies)

    def raise_for_errors(self) -> None:
        """Do nothing when all is well.

        Raises
        ------
        CheckFailed
            When there are errors; an `AssertionError` for test suites, a `HeartsError` for others.
        """
        if not self.ok:
            raise CheckFailed(
                "\n".join(str(item) for item in self.findings if item.severity == "error")
                + f"\n\n{self}"
            )

    def plain(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "ok": self.ok,
            "strategies": [
                {
                    "name": checked.name,
                    "kind": checked.what,
                    "file": checked.file,
                    "line": checked.line,
                    "ok": checked.ok,
                    "passed": checked.passed,
                    "findings": [asdict(finding) for finding in checked.findings],
                    **({"positions": checked.score()} if checked.positions else {}),
                }
                for checked in self.strategies
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, style: Callable[[str, str], str] | None = None) -> Iterator[str]:
        """The text line by line.

        Parameters
        ----------
        style : callable, optional
            Called with a word and what it is ("ok", a severity, "fit" or "unfit"); returns the
            word as it is to be shown, such as in colour.
        """
        style = style or (lambda word, kind: word)
        for checked in self.strategies:
            yield from told(checked, style)
            yield ""
        if any(checked.positions for checked in self.strategies):
            yield from self._ranking()
        elif len(self.strategies) > 1:
            fit = sum(checked.ok for checked in self.strategies)
            text = f"{fit} of {len(self.strategies)} are fit to play"
            yield style(text, "fit" if self.ok else "unfit")

    def _ranking(self) -> Iterator[str]:
        """Who solves how many, the best first."""
        if len(self.strategies) > 1:
            for checked in sorted(self.strategies, key=lambda item: -item.solved):
                yield f"{checked.solved:4} of {checked.positions}  {checked.name}"


def told(checked: Checked, style: Callable[[str, str], str]) -> Iterator[str]:
    """One strategy as lines of text."""
    place = f"{checked.file}:{checked.line}" if checked.line else checked.file
    about = ", ".join(part for part in (checked.what, place) if part)
    yield f"{checked.name} ({about})" if about else checked.name
    for text in checked.passed:
        yield from _item("ok", text, style)
    for severity in SEVERITIES:
        for finding in checked.findings:
            if finding.severity != severity:
                continue
            line = f"{Path(finding.file).name}:{finding.line}: " if finding.line else ""
            yield from _item(severity, line + finding.message, style)
            for row in finding.detail.splitlines():
                yield " " * (_MARGIN + 2) + row
    if checked.positions:
        yield from _score(checked, style)
        return
    yield "  " + style(checked.verdict(), "fit" if checked.ok else "unfit")


def _score(checked: Checked, style: Callable[[str, str], str]) -> Iterator[str]:
    """What it did in endgame positions."""
    for answer in checked.answers:
        if answer.solved:
            continue
        position = answer.position
        played = answer.failed
        if answer.card:
            played = f"plays {position.told([Card(answer.card)])}"
        where = f"{position.preset}, " if position.preset != "black_lady" else ""
        text = (
            f"position {answer.number} ({position.kind}; {where}hand {len(position.hands)}, trick "
            f"{position.trick}, seat {position.seat}): {played}, best is "
            f"{position.told(position.best)}"
        )
        yield from _item("missed", text, style)
    parts = [f"{kind} {solved}/{asked}" for kind, (solved, asked) in checked.by_kind().items()]
    yield from _item("by kind", ", ".join(parts), style)
    asked, number = len(checked.answers), checked.positions
    left = "" if asked == number else f", of which it was asked {asked}"
    text = f"{checked.name} solves {checked.solved} of {number} positions{left}"
    yield "  " + style(text, "fit" if checked.ok else "unfit")


def _item(word: str, text: str, style: Callable[[str, str], str]) -> Iterator[str]:
    first, *others = textwrap.wrap(
        text, _WIDTH - _MARGIN - 2, break_long_words=False, break_on_hyphens=False
    ) or [""]
    yield f"  {style(word.ljust(_MARGIN), word)}{first}"
    for row in others:
        yield " " * (_MARGIN + 2) + row
