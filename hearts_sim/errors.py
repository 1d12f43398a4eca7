"""Every error that hearts-sim raises on purpose.

The message says what is wrong, where, what was expected and what to do. The command line shows it
without a traceback and ends with the exit code given here.
"""

from __future__ import annotations


class HeartsError(Exception):
    """Base of all errors of hearts-sim."""

    exit_code = 1


class CardError(HeartsError, ValueError):
    """A text or number is no card, or a card was asked of an empty set."""

    exit_code = 2


class RulesError(HeartsError, ValueError):
    """Settings of the rules contradict each other, or one has a value that it cannot have.

    `settings` names the settings concerned, the first of them the one to look at.
    """

    exit_code = 2

    def __init__(self, message: str, settings: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.settings = settings


class ConfigError(HeartsError, ValueError):
    """A config file cannot be read or says something that it cannot say."""

    exit_code = 2


class StrategyLoadError(HeartsError):
    """A strategy file does not import, or a class in it cannot play."""

    exit_code = 2


class IllegalPlayError(HeartsError, ValueError):
    """A card or a pass that the rules do not allow was tried on a `Table`."""


class StrategyFault(HeartsError):
    """A strategy failed in a game: it raised, or answered what is no legal card."""


class WorldsError(HeartsError, ValueError):
    """Possible worlds were asked for where there are none, or in a way that makes no sense."""


class ResultsError(HeartsError):
    """A results folder is missing, damaged, locked, or belongs to another run."""


class ClusterError(HeartsError):
    """A Dask cluster cannot be reached or used, or a worker of it failed."""


class WouldOverwrite(HeartsError):
    """A command would write a file that is there already, and does not."""

    exit_code = 2


class RunInterrupted(HeartsError):
    """The run was stopped by Ctrl-C before it was complete."""

    exit_code = 130
