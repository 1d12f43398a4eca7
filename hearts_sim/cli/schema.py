"""``hearts-sim schema``."""

from __future__ import annotations

import json

import click

from hearts_sim.cli.options import file_option, quiet_option, write_output


@click.command()
@file_option
@quiet_option
def schema(output: str, quiet: bool) -> None:
    """Print the JSON Schema of a config, with which editors complete and check it.

    \b
    hearts-sim schema -o config.schema.json
    and as the first line of a config beside that file:
    # yaml-language-server: $schema=config.schema.json

    VS Code (with the extension YAML) and every editor that uses yaml-language-server then offer
    keys and values with their meaning, and underline what is wrong while it is typed. What only
    the disk can tell, such as names of strategies, 'hearts-sim validate' checks.
    """  # noqa: D301 - click wants the character itself
    from hearts_sim.tournament.config.schema import config_schema

    text = json.dumps(config_schema(), indent=2) + "\n"
    write_output(output, text.encode(), "schema", quiet=quiet)
