"""What is asked of a process that plays: each task is a function of the run and little else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from hearts_sim.errors import StrategyFault
from hearts_sim.tournament.log.part_result import PartResult
from hearts_sim.tournament.plan.spec import RunSpec
from hearts_sim.tournament.players.choices import Recorded
from hearts_sim.tournament.players.due import Due
from hearts_sim.tournament.players.player import Player
from hearts_sim.tournament.players.pulse import CHECKING, PLAYING, Pulse

_players: dict[str, Player] = {}
_pulse: Pulse | None = None
_progress: Callable[[int], None] | None = None


def be_watched(pulse: Pulse) -> None:
    """Let another process see what this one is at."""
    global _pulse
    _pulse = pulse


def tell_progress(progress: Callable[[int], None]) -> None:
    """Call a function with numbers of games, as they are played in this process."""
    global _progress
    _progress = progress


def forget_player() -> None:
    """End the bots that have processes of their own, and begin afresh with the next task."""
    rest()
    _players.clear()


def rest() -> None:
    """End the bots that have processes of their own, until there is something to play."""
    for player in _players.values():
        player.lineup.close()


def player_of(spec: RunSpec) -> Player:
    """The player of this process for a run; that of another run is forgotten."""
    key = f"{spec.fingerprint()} {spec.audit}"
    if key not in _players:
        forget_player()
        memory = None if _pulse is None else _pulse.games[PLAYING]
        try:
            _players[key] = Player(spec, _count, memory, _entering)
        finally:
            _entering(None)
    return _players[key]


def _count(games: int) -> None:
    if _pulse is not None:
        _pulse.played += games
    elif _progress is not None:
        _progress(games)


def _entering(entry: int | None) -> None:
    if _pulse is not None:
        _pulse.loading = entry


def warm_up(spec: RunSpec, barred: Mapping[int, str] | None = None) -> dict[int, str]:
    """Load and compile what a run needs; see `Player.warm_up`."""
    try:
        return player_of(spec).warm_up(_entering, barred or {})
    finally:
        _entering(None)


def play_part(
    spec: RunSpec,
    number: int,
    blocks: range,
    absent: Collection[int] = (),
    due: Sequence[Due] = (),
    watched: bool = False,
) -> PartResult:
    """Play a part; see `Player.play`."""
    if _pulse is not None:
        _pulse.played = 0
    try:
        return player_of(spec).play(number, blocks, absent, due, watched)
    except BaseException:
        # Its machine stands in the middle of a game, which nobody may go on with.
        forget_player()
        raise


def play_again(
    spec: RunSpec, blocks: Sequence[int], absent: Collection[int], watched: bool
) -> Recorded | None:
    """Play some blocks again, in another order; see `Player.play_again`.

    None when a strategy failed and the rules are strict.
    """
    try:
        return player_of(spec).play_again(blocks, absent, watched)
    except StrategyFault:
        return None


def play_itself(spec: RunSpec, entry: int) -> str | None:
    """Digest of a game of an entry with itself; see `itself.game_with_itself`."""
    from hearts_sim.tournament.players.itself import game_with_itself

    memory: Any = None if _pulse is None else _pulse.games[CHECKING]
    return game_with_itself(spec, player_of(spec).lineup, entry, memory)


def count_deals(spec: RunSpec, dealt: Sequence[tuple[Any, Any]]) -> dict[str, int]:
    """Count deals, and those that were dealt before; see `deals.count_deals`."""
    from hearts_sim.tournament.counting import deals

    return deals.count_deals(spec, dealt)


def abandon() -> None:
    """Nothing goes on here that could be left."""
