"""The page docs/commands.md: ``python -m hearts_sim.cli.page > docs/commands.md``.

It is made from the commands themselves, so what ``--help`` says is what the page says.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from hearts_sim.cli import main

_HEAD = """\
# Commands

Data goes to standard output and everything else to standard error, so a command can stand in a
pipe. `--json` is one JSON document on standard output; `-q` leaves out what is only read while one
waits; `-o` says where something is written.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the run failed, or a verdict is negative |
| 2 | the command, the config or a strategy file is wrong |
| 130 | interrupted: the message has the command that goes on with it |

This page is made by `python -m hearts_sim.cli.page`."""


def as_markdown() -> str:
    """The page."""
    commands = [main.commands[name] for name in sorted(main.commands)]
    lines = [_HEAD, "", "| command | what it does |", "|---|---|"]
    for command in commands:
        (first, *_) = _paragraphs(command)
        sentence = re.split(r"(?<=\.) ", first, maxsplit=1)[0].rstrip(".")
        lines.append(f"| [`{command.name}`](#{command.name}) | {_cell(_plain(sentence))} |")
    for command in commands:
        lines += ["", *_section(command)]
    return "\n".join(lines) + "\n"


def _section(command: click.Command) -> Iterator[str]:
    """Heading, usage, text and options of a command."""
    words = [_argument(item) for item in command.params if isinstance(item, click.Argument)]
    yield f"## {command.name}"
    yield ""
    yield f"```sh\nhearts-sim {' '.join([str(command.name), '[OPTIONS]', *words])}\n```"
    for paragraph in _paragraphs(command):
        yield ""
        if paragraph.startswith("\b\n"):
            code = inspect.cleandoc(paragraph.removeprefix("\b\n"))
            yield f"```sh\n{code}\n```"
        else:
            yield _plain(paragraph)
    options = [item for item in command.params if isinstance(item, click.Option)]
    if options:
        yield from ("", "| option | meaning |", "|---|---|")
    for option in options:
        names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len))
        kind = "" if option.is_flag else f" {_cell(_kind(option))}"
        yield f"| {names}{kind} | {_cell(_plain(_meaning(option)))} |"


def _paragraphs(command: click.Command) -> list[str]:
    """Paragraphs of the help, each on one line, but as it is where click leaves it so."""
    texts = [inspect.cleandoc(text) for text in (command.help, command.epilog) if text]
    found = [part for text in texts for part in re.split(r"\n\s*\n", text)]
    return [part if part.lstrip(" ").startswith("\b") else " ".join(part.split()) for part in found]


def _argument(item: click.Argument) -> str:
    word = item.metavar or str(item.name).upper()
    if isinstance(item.type, click.Choice) and item.metavar is None:
        word = "|".join(map(str, item.type.choices))
    if item.nargs == -1 and not word.endswith("..."):
        word += "..."
    return word if item.required else f"[{word}]"


def _kind(item: click.Option) -> str:
    """What an option takes: ``png|svg``, ``INTEGER from 1``."""
    kind = item.type
    if item.metavar is not None:
        return item.metavar
    if isinstance(kind, click.Choice):
        return "|".join(map(str, kind.choices))
    word = {"integer range": "INTEGER", "float range": "FLOAT"}.get(kind.name, kind.name.upper())
    if isinstance(kind, click.IntRange | click.FloatRange):
        sign = "above" if kind.min_open else "from"
        word += f" {sign} {kind.min}" if kind.min is not None else ""
        word += f" to {kind.max}" if kind.max is not None and kind.max < 10**9 else ""
    return word


def _meaning(item: click.Option) -> str:
    text = " ".join((item.help or "").split())
    if item.show_default is True and item.default is not None:
        default = item.default
        if isinstance(default, list | tuple):
            default = ", ".join(map(str, default))
        text += f" [default: {default}]"
    return text.strip()


def _plain(text: str) -> str:
    """Text with what Markdown would take as its own escaped, and quoted commands as code."""
    pieces = re.split(r"('hearts-sim [^']+'|--[a-z][a-z-]+)", text)
    return "".join(
        f"`{piece.strip(chr(39))}`" if number % 2 else re.sub(r"([*<|`])", r"\\\1", piece)
        for number, piece in enumerate(pieces)
    )


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


if __name__ == "__main__":
    print(as_markdown(), end="")
