"""``hearts-sim run``."""

from __future__ import annotations

import sys

import click

from hearts_sim.cli.options import (
    Progress,
    jobs_option,
    json_option,
    output_option,
    quiet_option,
    read_settings,
    say,
    seed_option,
    warn_of_files,
    write_and_show,
)


@click.command()
@click.argument("config", type=click.Path())
@output_option
@jobs_option
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, as tcp://HOST:8786: see docs/cluster.md.",
)
@seed_option
@click.option("--force", is_flag=True, help="Delete another run that is in the folder.")
@click.option("--resume", is_flag=True, help="Go on with a run that did not finish.")
@quiet_option
@json_option
def run(
    config: str,
    output: str | None,
    jobs: int,
    scheduler: str | None,
    seed: int | None,
    force: bool,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play the tournament of a CONFIG file and write its report.

    The same command with a larger budget goes on with a finished run. A duel with a sequential test
    ends with exit code 1 unless the test finds that a is better (h1).
    """
    from hearts_sim.tournament.executors import available_cores
    from hearts_sim.tournament.runner import play_run, results_path
    from hearts_sim.tournament.spec import plan_run

    if scheduler is not None and jobs:
        raise click.UsageError(
            "--jobs is for this machine, --scheduler for a cluster, whose workers have threads "
            "(dask worker --nthreads N): give one of them"
        )
    settings = read_settings(config, seed)
    spec, _ = plan_run(settings)
    warn_of_files(settings, spec.not_loaded)
    progress = Progress(quiet)
    try:
        outcome = play_run(
            spec,
            results_path(settings.name, output),
            config=settings.resolved(),
            source=settings.source,
            jobs=jobs or available_cores(),
            scheduler=scheduler,
            force=force,
            resume=resume,
            watcher=progress,
        )
    finally:
        progress.close()
    if not outcome.played:
        say(
            f"{outcome.folder.path} holds this run already: nothing is played "
            "(--force plays it again)"
        )
    write_and_show(outcome.folder.path, quiet=quiet, as_json=as_json)
    if outcome.verdict is not None and outcome.verdict["rule"]["rule"] == "sprt":
        # A sequential test that did not find for h1 is a negative verdict.
        sys.exit(0 if outcome.verdict["figures"]["decision"] == "h1" else 1)
