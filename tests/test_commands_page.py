"""docs/commands.md is what the commands say."""

from __future__ import annotations

import re
from pathlib import Path

import click

from hearts_sim.cli import main
from hearts_sim.cli.page import as_markdown

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"


def test_page_is_up_to_date() -> None:
    """The page is the one that the script makes."""
    assert PAGE.read_text(encoding="utf-8") == as_markdown(), (
        "make it anew: python -m hearts_sim.cli.page > docs/commands.md"
    )


def test_page_is_complete() -> None:
    """Every command has a section with each of its options, and every option has a meaning."""
    sections = dict(
        re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    )
    assert list(sections) == sorted(main.commands)
    for name, command in main.commands.items():
        for item in command.params:
            if isinstance(item, click.Option):
                row = re.search(rf"^\| .*`{item.opts[0]}`.* \| (.+) \|$", sections[name], re.M)
                assert row, f"{name} {item.opts}"
                assert len(row[1]) > 8, f"{name} {item.opts}: say what it means"
            else:
                assert (item.metavar or str(item.name).upper()) in sections[name] or isinstance(
                    item.type, click.Choice
                )
