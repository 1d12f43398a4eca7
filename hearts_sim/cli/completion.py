"""``hearts-sim completion``."""

from __future__ import annotations

import click

_PROGRAM = "hearts-sim"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what lets a SHELL complete commands, options, runs, strategies and presets.

    \b
    bash  hearts-sim completion bash >> ~/.bashrc
    zsh   hearts-sim completion zsh >> ~/.zshrc      (after the line with compinit)
    fish  hearts-sim completion fish > ~/.config/fish/completions/hearts-sim.fish

    It works in every shell that is started afterwards. Strategies are named without running their
    files.
    """  # noqa: D301 - click wants the character itself
    from click.shell_completion import get_completion_class

    maker = get_completion_class(shell)
    assert maker is not None
    root = click.get_current_context().find_root().command
    click.echo(maker(root, {}, _PROGRAM, "_HEARTS_SIM_COMPLETE").source())
