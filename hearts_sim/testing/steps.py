"""The check of one strategy, step by step."""

from __future__ import annotations

import hashlib
import random
import time
from dataclasses import replace
from typing import Any, Final

import numpy as np

from hearts_sim.errors import StrategyFault, StrategyLoadError
from hearts_sim.rules import Rules
from hearts_sim.strategy.base import has_hook
from hearts_sim.strategy.faults import Fault
from hearts_sim.testing.growth import growth
from hearts_sim.testing.positions import positions
from hearts_sim.testing.room import Room, spy_on
from hearts_sim.testing.source import lines_that_use
from hearts_sim.testing.state import kept_outside, what_changed
from hearts_sim.testing.subject import Subject, finding_of, tell_finding
from hearts_sim.testing.target import Plan, changed, listed, short
from hearts_sim.testing.watch import Beat, Watch

_STEP_SECONDS: Final = 20.0
_EVERY_SECONDS: Final = 240.0
_SLOW_HAND: Final = 0.3
_SLOW_DECISION: Final = 1.0
_MOST_FAULTS: Final = 3
_REPEATED_GAMES: Final = 6

_KINDS: Final = {
    "illegal_card": "plays a card that it may not",
    "illegal_pass": "passes cards that it may not",
    "exception": "raises an exception",
    "wrong_type": "answers with something of the wrong kind",
    "too_slow": "is too slow",
    "memory": "takes too much memory",
    "crash": "ends its process",
    "protocol": "does not keep to the protocol",
}


class Check:
    """The check of one strategy.

    Parameters
    ----------
    subject : Subject
    plan : Plan
    beat : Beat
    """

    def __init__(self, subject: Subject, plan: Plan, beat: Beat) -> None:
        self.subject, self.plan, self.beat = subject, plan, beat
        self._prepared: set[int] = set()
        self._faults: dict[tuple[str, str, str, int], int] = {}
        self._watch = Watch(subject.source, beat)
        self._slow = False

    def run(self) -> None:
        """All steps; the later ones only if it plays legally."""
        try:
            self._trial()
            if not self._faults:
                self._play()
                self._odd_positions()
            if not self._faults:
                self._watched()
                self._again()
                self._speed()
                self._memory()
        except (StrategyLoadError, StrategyFault) as error:
            if "prepare raised" in str(error):
                text = "prepare" + str(error).partition("prepare")[2]
                place = self.subject.source.file, self.subject.hooks.get("prepare", 0)
                self.subject.found("error", "prepare", text, place)
                return
            kind = "compile" if self.subject.compiled else "start"
            tell_finding(
                self.subject.tell,
                finding_of(
                    error, kind, self.subject.name, self.subject.source.file, self.subject.line
                ),
            )

    def repeat(self, games: int, seed: int) -> dict[str, list[str]]:
        """Digests of the games that `run` has played too: at once, and again after others.

        Parameters
        ----------
        games : int
            Their number, below zero for games of one hand.
        seed : int
            Of the global random numbers, which must not matter.
        """
        self.subject.begin("games in another process")
        self._slow = games < 0
        number = abs(games)
        first = self._games(number, random_seed=seed)
        self._games(max(1, number // 2), random_seed=seed, first=1000)
        return {"first": first, "again": self._games(number, random_seed=seed + 1)}

    # Playing.

    def _room(
        self, rules: Rules, *, watch: Watch | None = None, log: str = "games", seated: Any = None
    ) -> Room:
        return Room(
            seated or replace(self.subject.seated, options=self.subject.copy_of_options()),
            rules,
            self.plan.seed,
            self.beat,
            prepared=self._prepared,
            watch=watch,
            log=log,
        )

    def _rules(self, rules: Rules) -> Rules:
        return short(rules, 1) if self._slow else rules

    def _trial(self) -> None:
        """One hand, to see whether it plays at all and how fast."""
        self.subject.begin("a first hand")
        name, rules = self.subject.tables[0]
        room = self._room(short(rules, 1), watch=self._watch)
        try:
            for block in range(2):  # the first with what compiles or starts
                began = time.perf_counter()
                self._blame(room.play(room.in_company(0), block), name)
                self._slow = time.perf_counter() - began > _SLOW_HAND
                if self._faults:
                    break
        finally:
            room.close()

    def _play(self) -> None:
        """Games under all rules, with itself and in company at random."""
        subject, tables = self.subject, self.subject.tables
        every = self.plan.every
        games = min(self.plan.games, 2) if every else self.plan.games
        until = time.monotonic() + (_EVERY_SECONDS if every else _STEP_SECONDS)
        played = under = 0
        for name, rules in tables:
            subject.begin(f"games of {name}")
            room = self._room(self._rules(rules), watch=self._watch)
            try:
                for number in range(games):
                    alone = number % 2 == 1
                    entries = room.with_itself() if alone else room.in_company(number // 2)
                    fault = room.play(entries, number)
                    self._blame(fault, name)
                    if fault:
                        room.close()
                        room = self._room(self._rules(rules), watch=self._watch)
                    played += 1
                    if len(self._faults) >= _MOST_FAULTS or time.monotonic() > until:
                        break
            finally:
                room.close()
            under += 1
            if len(self._faults) >= _MOST_FAULTS or time.monotonic() > until:
                break
        if not self._faults and (under < len(tables) or played < games * under):
            subject.found(
                "hint",
                "unchecked",
                f"is so slow that only {played} games under {under} of {len(tables)} rules were "
                "played",
            )
        if not self._faults:
            names = listed(name for name, _ in tables[:under])
            hands = " of one hand" if self._slow else ""
            subject.passed(
                f"plays legally: {played} games{hands}, {len(self._watch.times):,} decisions "
                f"({names})"
            )

    def _odd_positions(self) -> None:
        subject = self.subject
        strategy = subject.seated.strategy
        chooses = subject.plain or subject.compiled
        chooses = chooses and has_hook(strategy, "choose_moon")  # type: ignore[arg-type]
        until = time.monotonic() + (_EVERY_SECONDS if self.plan.every else _STEP_SECONDS)
        known = sum(self._faults.values())
        names: dict[str, None] = {}
        times = 1 if self._slow or self.plan.every or subject.seated.command else 3
        for table, rules in subject.tables:
            for position in positions(rules, chooses_moon=chooses):
                subject.begin(f"a hand with {position.name} ({table})")
                room = self._room(position.rules, watch=self._watch)
                try:
                    for block in range(times):
                        fault = room.play_position(position, block)
                        self._blame(fault, f"{table}; a hand with {position.name}")
                        if fault:
                            break
                finally:
                    room.close()
                names[position.name] = None
                if len(self._faults) >= _MOST_FAULTS or time.monotonic() > until:
                    break
        if sum(self._faults.values()) == known:
            some = ", ".join(list(names)[:2])
            subject.passed(f"plays {len(names)} odd hands legally, such as {some}")

    def _blame(self, fault: Fault | None, where: str) -> None:
        """Make a finding of a fault, once for each place in the source."""
        if fault is None:
            return
        subject = self.subject
        place = subject.source.last_line(fault.traceback)
        if not place[1]:
            place = subject.source.file, subject.hooks.get(fault.hook, 0)
        key = fault.kind, fault.hook, *place
        self._faults[key] = self._faults.get(key, 0) + 1
        if self._faults[key] > 1:
            return
        what = _KINDS.get(fault.kind, fault.kind)
        given = f"; {fault.given}" if fault.given else ""
        message = fault.message.removeprefix("it raised BadAnswer: ")
        frames = subject.source.own_frames(fault.traceback) if fault.kind == "exception" else ""
        subject.found(
            "error",
            fault.kind,
            f"{what} in {fault.hook}: {message} ({where}; {fault.place}{given})",
            place,
            frames,
        )

    # What it does beside playing.

    def _watched(self) -> None:
        """Games in which every call is looked at closely."""
        subject = self.subject
        subject.begin("watched games")
        watch = Watch(subject.source, self.beat, closely=True)
        views: list[Any] = []
        options = subject.copy_of_options()
        seated = replace(subject.seated, options=options)
        if subject.plain:
            seated = spy_on(seated, views)
        name, declared = subject.tables[0]
        # Of its own, for it may change them.
        rules = short(changed(declared), 1 if self._slow else 4)
        settings = rules.settings()
        room = self._room(rules, watch=watch, seated=seated)
        try:
            record = bytes(room.machine.rules_record)
            for number in range(2):
                entries = room.in_company(number) if number else room.with_itself()
                self._blame(room.play(entries, number), name)
                if self._faults:
                    return
            if subject.compiled and bytes(room.machine.rules_record) != record:
                watch.changed.setdefault("choose_card", set()).add("the record of the rules")
        finally:
            room.close()
        self._tell_changes(watch, views, rules, settings, options)
        if watch.prints:
            (place, _), *_ = watch.prints.items()
            subject.found(
                "hint", "prints", "prints while it plays: nobody reads that in a run", place
            )
        if not watch.global_random and subject.compiled:
            for line in lines_that_use(subject.source.file, ("random.", "np.random", "numpy.ran")):
                watch.global_random[subject.source.file, line] = "the global random module"
        subject.tell(
            {
                "event": "result",
                "strategy": subject.name,
                "key": "uses",
                "value": {
                    kind: [[*place, name] for place, name in notes.items()]
                    for kind, notes in (
                        ("global_random", watch.global_random),
                        ("entropy", watch.entropy),
                        ("clock", watch.clock),
                    )
                },
            }
        )
        subject.tell(
            {
                "event": "result",
                "strategy": subject.name,
                "key": "uses_clock",
                "value": subject.uses_clock,
            }
        )

    def _tell_changes(
        self, watch: Watch, views: list[Any], rules: Rules, settings: Any, options: Any
    ) -> None:
        subject = self.subject
        known = len(watch.changed)
        for hook, fields in watch.changed.items():
            subject.found(
                "error",
                "changes_view",
                f"{hook} changes what it is given: {listed(sorted(fields))} of the view",
                (subject.source.file, subject.hooks.get(hook, 0)),
            )
        if rules.settings() != settings or any(
            view.rules is not rules or view.players != rules.players for view in views
        ):
            known += 1
            subject.found("error", "changes_view", "changes view.rules or view.players")
        if options != subject.copy_of_options():
            known += 1
            subject.found("error", "changes_options", "changes the options that it is given")
        if not known:
            subject.passed("changes nothing of what it is given")

    def _again(self) -> None:
        """The same games twice, with others in between."""
        subject = self.subject
        subject.begin("the same games again")
        strategy = subject.seated.strategy
        number = min(self.plan.games, 1 if self._slow else _REPEATED_GAMES)

        def kept() -> Any:
            return kept_outside(strategy, subject.source) if isinstance(strategy, type) else {}

        at_first = kept()
        first = self._games(number, random_seed=1)
        before = kept()
        self._games(max(1, number // 2), random_seed=2, first=1000)
        after = kept()
        again = self._games(number, random_seed=2)
        names = what_changed(before, after)
        subject.tell(
            {
                "event": "result",
                "strategy": subject.name,
                "key": "games",
                "value": {
                    "number": -number if self._slow else number,
                    "first": first,
                    "again": again,
                    "changed": names,
                    "changed_once": what_changed(at_first, after),
                },
            }
        )

    def _games(self, number: int, *, random_seed: int, first: int = 0) -> list[str]:
        """Play some games as in a run; a digest of the cards of each."""
        kept = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.seed(random_seed)
        np.random.seed(random_seed)  # noqa: NPY002
        rules = self.subject.tables[0][1]
        room = self._room(self._rules(rules), log="plays")
        digests = []
        try:
            for block in range(first, first + number):
                fault = room.play(
                    room.in_company(block) if block % 2 else room.with_itself(), block
                )
                if fault is not None:
                    digests.append(f"{fault.kind} in {fault.place}")
                    break
                plays = room.machine.rows()[2]
                digests.append(hashlib.sha256(plays.tobytes()).hexdigest()[:16])
                room.machine.clear_rows()
        finally:
            room.close()
            random.setstate(kept[0])
            np.random.set_state(kept[1])  # noqa: NPY002
        return digests

    def _speed(self) -> None:
        """How long decisions take, and how many hands that makes."""
        subject = self.subject
        subject.begin("speed")
        rules = self.subject.tables[0][1]
        room = self._room(self._rules(rules))
        try:
            began = time.perf_counter()
            games = 0
            while (
                games < (1 if self._slow else min(4, self.plan.games))
                or time.perf_counter() - began < 0.1
            ):
                if room.play(room.with_itself(), games, timed=subject.compiled):
                    return
                games += 1
            seconds = time.perf_counter() - began
            rows = room.machine.rows()[1]
            hands = int(rows["hands"].sum()) / rules.players
            decisions, nanoseconds = (values[0] for values in room.machine.take_times())
        finally:
            room.close()
        rate = f"{hands / seconds:,.0f} hands per second with itself"
        if subject.compiled and decisions:
            subject.passed(f"takes {_duration(nanoseconds / decisions)} per decision; {rate}")
            return
        median, late = np.percentile(self._watch.times, (50, 99))
        subject.passed(
            f"takes {_duration(median)} per decision, {_duration(late)} for the slowest of 100; "
            f"{rate}"
        )
        slowest = self._watch.slowest / 1e9
        if slowest > _SLOW_DECISION:
            subject.found(
                "hint",
                "slow",
                f"its slowest decision took {slowest:.1f} s: a run of 1,000 games has half a "
                "million of them",
            )

    def _memory(self) -> None:
        """Whether its memory grows from game to game."""
        subject = self.subject
        if self._slow or subject.seated.command:  # whose memory is elsewhere
            return
        subject.begin("memory")
        games = min(6, max(2, self.plan.games)) if subject.plain else 30
        room = self._room(short(subject.tables[0][1], 4))
        blocks = iter(range(10_000))

        def play() -> None:
            for _ in range(games):
                room.play(room.with_itself(), next(blocks))

        try:
            grown = growth(play, games, subject.source, traced=subject.plain)
        finally:
            room.close()
        if grown is None:
            return
        if not grown:
            subject.passed(f"its memory does not grow ({3 * games} games)")
            return
        message, place = grown
        subject.found("warning", "growth", message, place)


def _duration(nanoseconds: float) -> str:
    """A time in the unit that fits it."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.0f} ns"
