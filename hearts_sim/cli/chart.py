"""``hearts-sim chart``."""

from __future__ import annotations

from pathlib import Path

import click

from hearts_sim.cli import completing
from hearts_sim.cli.options import listed, quiet_option, say, strategies_option
from hearts_sim.errors import ResultsError
from hearts_sim.report.kinds import KINDS, NEEDS_HANDS


def _listed() -> str:
    """The kinds for the help, a line each."""
    width = max(map(len, KINDS))
    lines = [
        f"{kind:{width}}  {meaning}{' *' if kind in NEEDS_HANDS else ''}"
        for kind, meaning in KINDS.items()
    ]
    return (
        "\b\nKinds:\n"
        + "\n".join(f"  {line}" for line in lines)
        + ("\n  * needs the log of hands (log: hands)")
    )


@click.command(epilog=_listed())
@click.argument("run", type=click.Path(), shell_complete=completing.runs)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(list(KINDS)),
    multiple=True,
    metavar="KIND",
    help="Kind of chart, see below; may be given several times.  [default: ratings]",
)
@strategies_option("Show only these, in this order; what is relative to the field stays so.")
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["png", "svg"]),
    help="Kind of file.  [default: png]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="File to write, or for several kinds a folder.  [default: KIND.FORMAT]",
)
@quiet_option
def chart(
    run: str,
    kinds: tuple[str, ...],
    strategies: tuple[str, ...],
    file_format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Draw charts of a RUN folder, finished or not."""
    wanted = list(dict.fromkeys(kinds)) or ["ratings"]
    paths = _paths(wanted, file_format, output)
    from hearts_sim.report.charts import to_bytes
    from hearts_sim.report.drawing import draw
    from hearts_sim.report.summary import summarise
    from hearts_sim.tournament.reading.results import Results

    summary = summarise(Results(run))
    names = listed(strategies, summary.results.names)
    drawn = {
        path: to_bytes(draw(summary, kind, names), path.suffix[1:].lower())
        for kind, path in paths.items()
    }
    for path, data in drawn.items():
        try:
            if len(paths) > 1:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise ResultsError(f"{path}: cannot be written: {error.strerror}") from None
        say(f"chart: {path}", quiet=quiet)


def _paths(kinds: list[str], file_format: str | None, output: str | None) -> dict[str, Path]:
    """The file of each chart."""
    ending = f".{file_format or 'png'}"
    suffix = Path(output).suffix.lower() if output else ""
    known = suffix in (".png", ".svg")
    if output is None or Path(output).is_dir() or (len(kinds) > 1 and not known):
        folder = Path(output or "")
        return {kind: folder / f"{kind}{ending}" for kind in kinds}
    if len(kinds) > 1:
        raise click.UsageError(
            f"--output {output} is one file for {len(kinds)} charts: name a folder"
        )
    if not known or (file_format and suffix != ending):
        raise click.UsageError(
            f"--output {output} does not end in .{file_format or 'png or .svg'}: name the file so"
        )
    return {kinds[0]: Path(output)}
