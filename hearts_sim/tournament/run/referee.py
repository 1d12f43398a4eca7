"""Following a run in the order of its blocks, and ending it where its rule says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from hearts_sim.tournament.log.folder import RunFolder
from hearts_sim.tournament.plan.schedule import Part
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.plan.stopping import Verdict


class Referee:
    """Follows the parts of a run in their order and says when it ends.

    Parameters
    ----------
    spec : RunSpec
    where : callable
        From the number of a part to the results folder that has it.
    parts : sequence of Part
        All parts of the run.
    kept : int
        Blocks of a finished run that this one continues: they stay, whatever would have been
        decided among them.
    """

    def __init__(
        self,
        spec: RunSpec,
        where: Callable[[int], RunFolder],
        parts: Sequence[Part],
        kept: int,
    ) -> None:
        self.spec = spec
        self.where = where
        self.parts = parts
        self.kept = kept
        self.decider = None
        if spec.stop is not None:
            self.decider = spec.stop.begin(spec.rules, len(spec.entries))
        self.verdict: Verdict | None = None
        self.ended_at: int | None = None
        self._seen = 0

    def look(self, played: Collection[int], tell: Callable[[str], None]) -> bool:
        """Whether the run ends, now that these parts are played."""
        if self.decider is None or self.ended_at is not None:
            return self.ended_at is not None
        from hearts_sim.tournament.counting.kept import Counter, KeptPart

        counter = Counter.of(self.spec.rules, len(self.spec.entries), self.spec.log)
        while self._seen < len(self.parts) and self.parts[self._seen].number in played:
            part = self.parts[self._seen]
            self._seen += 1
            folder = self.where(part.number)
            notes = folder.notes(part.number)
            self.decider.add(KeptPart(counter, folder, part.number, notes))
            if part.even and part.blocks.stop >= self.kept:
                self.verdict = self.decider.look()
                tell(self.verdict.standing)
                if self.verdict.ends:
                    self.ended_at = part.blocks.stop
                    return True
        return False

    def plain(self) -> dict[str, Any] | None:
        """The last verdict, and the rule that it was made by."""
        if self.verdict is None or self.spec.stop is None:
            return None
        verdict = {"text": self.verdict.text, "ends": self.verdict.ends}
        return verdict | {"rule": self.spec.stop.plain(), "figures": self.verdict.figures}
