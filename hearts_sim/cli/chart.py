"""``hearts-sim chart``."""

from __future__ import annotations

from pathlib import Path

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import quiet_option, say
from hearts_sim.errors import ResultsError
from hearts_sim.report.kinds import KINDS


@click.command(
    epilog="Kinds: " + "; ".join(f"{kind}: {meaning}" for kind, meaning in KINDS.items())
)
@click.argument("run", type=click.Path(), shell_complete=completing.runs)
@click.option(
    "--kind",
    type=click.Choice(list(KINDS)),
    default="ratings",
    show_default=True,
    help="What is drawn; see below.",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["png", "svg"]),
    help="Kind of file.  [default: png]",
)
@click.option("-o", "--output", type=click.Path(), help="File to write.  [default: KIND.FORMAT]")
@quiet_option
def chart(run: str, kind: str, file_format: str | None, output: str | None, quiet: bool) -> None:
    """Draw one chart of a RUN folder, finished or not."""
    suffix = Path(output).suffix.lower() if output else f".{file_format or 'png'}"
    if suffix not in (".png", ".svg") or (file_format and suffix != f".{file_format}"):
        raise click.UsageError(
            f"--output {output} does not end in .{file_format or 'png or .svg'}: name the file so"
        )
    path = Path(output or f"{kind}{suffix}")
    from hearts_sim.report.charts import to_bytes
    from hearts_sim.report.summary import summarise
    from hearts_sim.report.write import draw
    from hearts_sim.tournament.results import Results

    data = to_bytes(draw(summarise(Results(run)), kind), suffix[1:])
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written: {error.strerror}") from None
    say(f"chart: {path}", quiet=quiet)
