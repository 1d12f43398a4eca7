"""Saying which settings are wrong."""

from __future__ import annotations

from hearts_sim.errors import RulesError


def rules_error(settings: tuple[str, ...], message: str) -> RulesError:
    """The error about some settings; a name such as ``"cards: QS"`` stands for ``"cards"``."""
    return RulesError(message, tuple(name.split(":")[0] for name in settings))
