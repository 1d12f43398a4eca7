"""``hearts-sim replay``."""

from __future__ import annotations

import contextlib
import sys

import click

from hearts_sim.cli.options import Progress, json_option, say, show_json


@click.command()
@click.argument("run", type=click.Path())
@click.argument("game", type=click.IntRange(0))
@click.option("--hand", type=click.IntRange(1), help="Only this hand, from 1.  [default: all]")
@click.option("--text", "as_python", is_flag=True, help="As Python, to paste into a test.")
@json_option
def replay(run: str, game: int, hand: int | None, as_python: bool, as_json: bool) -> None:
    """Show a GAME of a RUN folder card by card, finished or not.

    GAME and hand are the numbers in the log's columns of these names. A run with log: plays has the
    cards; for any other the strategies play the game again, and it is compared with the log.
    """
    if as_python and as_json:
        raise click.UsageError("--text and --json are two forms of the same: give one of them")
    from hearts_sim.report import hand_text
    from hearts_sim.tournament.replay import replay_game
    from hearts_sim.tournament.results import Results
    from hearts_sim.tournament.retell import choose_hand, retell

    results = Results(run)
    Progress(quiet=False).compiling()
    with contextlib.redirect_stdout(sys.stderr):  # what strategies print
        replayed = replay_game(results, game)
    if replayed.differs:
        say(f"Warning: {replayed.differs}")
    hands = retell(replayed)
    chosen = hands if hand is None else [choose_hand(replayed, hands, hand)]
    if as_json:
        show_json(hand_text.replay_json(replayed, chosen))
        return
    form = hand_text.hand_python if as_python else hand_text.hand_text
    texts = [form(replayed, told) for told in chosen]
    if hand is None and not as_python:
        texts.append(hand_text.final_text(replayed, hands))
    click.echo("\n\n\n".join(texts))
