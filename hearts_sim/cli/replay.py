"""``hearts-sim replay``."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import Progress, json_option, say, show_json, write_output

HOOKS = ("start_game", "start_hand", "choose_pass", "choose_card", "choose_moon", "end_hand")


@click.command()
@click.argument("run", type=click.Path(), shell_complete=completing.runs)
@click.argument("game", type=click.IntRange(0))
@click.option("--hand", type=click.IntRange(1), help="Only this hand, from 1.  [default: all]")
@click.option("--seat", type=click.IntRange(0), help="Ask this seat's bot again, in one decision.")
@click.option("--trick", type=click.IntRange(1), help="The trick of that decision, from 1.")
@click.option(
    "--hook", type=click.Choice(HOOKS), help="What is asked.  [default: a card, or a pass]"
)
@click.option("--text", "as_python", is_flag=True, help="As Python, to paste into a test.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    is_flag=False,
    flag_value="",
    help="As a page to click through, in this file.  [default: RUN-game-GAME.html]",
)
@json_option
def replay(
    run: str,
    game: int,
    hand: int | None,
    seat: int | None,
    trick: int | None,
    hook: str | None,
    as_python: bool,
    html: str | None,
    as_json: bool,
) -> None:
    """Show a GAME of a RUN folder card by card, finished or not.

    GAME and hand are the numbers in the log's columns of these names. A run with log: plays has the
    cards; for any other the strategies play the game again, and it is compared with the log.

    With --html the game becomes a page that shows the table after every card, with all hands or
    only what one seat sees. It is one file that needs no network.

    With --seat, the game is played up to one decision of the bot there, which is then asked in this
    process: with its traceback if it fails, and a breakpoint in it works. The exit code is 1 when
    it fails.
    """
    forms = as_python + as_json + (html is not None)
    if forms > 1:
        raise click.UsageError("--text, --html and --json are forms of the same: give one of them")
    if seat is not None:
        if forms:
            raise click.UsageError(
                "--text, --html and --json show hands, and --seat asks for a decision"
            )
        _show_decision(run, game, hand or 0, seat, trick or 0, hook)
        return
    if trick is not None or hook is not None:
        raise click.UsageError("--trick and --hook are for one decision: give its --seat too")
    from hearts_sim.report import hand_text
    from hearts_sim.tournament.reading.replay import replay_game
    from hearts_sim.tournament.reading.results import Results
    from hearts_sim.tournament.reading.retell import choose_hand, retell

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
    if html is not None:
        from hearts_sim.report.replay_page import replay_page

        file = html or f"{replayed.run}-game-{game}.html"
        write_output(file, replay_page(replayed, chosen).encode(), "page")
        return
    form = hand_text.hand_python if as_python else hand_text.hand_text
    texts = [form(replayed, told) for told in chosen]
    if hand is None and not as_python:
        texts.append(hand_text.final_text(replayed, hands))
    if not as_python and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        texts = [hand_text.coloured(replayed, text, click.style) for text in texts]
    click.echo("\n\n\n".join(texts))


def _show_decision(run: str, game: int, hand: int, seat: int, trick: int, hook: str | None) -> None:
    from hearts_sim.tournament.reading.decision import ask_again
    from hearts_sim.tournament.reading.results import Results

    hook = hook or ("choose_card" if trick else "choose_pass")
    if hook == "choose_card" and not trick:
        raise click.UsageError("a card is asked for in a trick: give its --trick")
    if hook != "start_game" and not hand:
        raise click.UsageError(f"{hook} is asked in a hand: give its --hand")

    out = sys.stdout

    def tell(name: str, view: Any) -> None:
        click.echo(f"{name}, {hook}: {view}", file=out)

    Progress(quiet=False).compiling()
    results = Results(run)
    with contextlib.redirect_stdout(sys.stderr):
        found = ask_again(
            results, game, hand, hook, trick if hook == "choose_card" else 0, seat, tell
        )
    if found.fault is None:
        click.echo(f"it answers {found.answer}" if found.answer else "it returns")
        return
    click.echo(found.fault.message)
    click.echo(found.fault.traceback, nl=False)
    sys.exit(1)
