"""``hearts-sim run``."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import Any

import click

from hearts_sim.cli.options import (
    Progress,
    find_in_player,
    jobs_option,
    json_option,
    output_option,
    quiet_option,
    read_settings,
    say,
    seed_option,
    show_json,
    tell_remarks,
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
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a run that did not finish; every part that is there is verified.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Play only shard I of N, on one of N machines; 'hearts-sim merge' puts them together.",
)
@click.option(
    "--audit",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="SHARE",
    help="Play this share of the blocks again, in another process and order, and name strategies "
    "that choose otherwise; 0.01 is plenty.",
)
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
    shard: str | None,
    audit: float,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play the tournament of a CONFIG file and write its report.

    The same command with a larger budget goes on with a finished run. A duel with a sequential test
    ends with exit code 1 unless the test finds that a is better (h1), and so does an audit that
    finds a strategy whose choices differ.

    Ctrl-C finishes what is in play, and a second one stops at once; --resume goes on.
    """
    if scheduler is not None and jobs:
        raise click.UsageError(
            "--jobs is for this machine, --scheduler for a cluster, whose workers have threads "
            "(dask worker --nthreads N): give one of them"
        )
    from hearts_sim.tournament.players.launch import launch_early

    launch_early()  # it imports while this process does
    from hearts_sim.errors import RunInterrupted
    from hearts_sim.tournament.players.executors import available_cores
    from hearts_sim.tournament.players.supervise import start_ahead

    given, jobs = jobs, jobs or available_cores()
    # While the config is read, which takes a core as well, and the others after that.
    here = jobs if scheduler is None else 1
    ahead = max(1, min(here, available_cores() - 1))
    start_ahead(ahead)
    from hearts_sim.tournament.plan.shards import read_shard
    from hearts_sim.tournament.plan.spec import plan_run
    from hearts_sim.tournament.run.runner import play_run, results_path

    share = None if shard is None else read_shard(shard)
    settings = read_settings(config, seed)
    start_ahead(here - ahead)
    spec, _ = plan_run(settings, find_in_player(settings))
    spec = replace(spec, audit=audit)
    warn_of_files(settings, spec.not_loaded)
    tell_remarks(spec)
    path = results_path(settings.name, output, share)
    plain = ["hearts-sim", "run", config, *(("--seed", str(seed)) if seed is not None else ())]
    if share is not None and spec.stop is not None:
        say(
            f"shard {share} plays its share of all {spec.schedule.total_games:,} games: where the "
            "run ends by its results is decided by 'hearts-sim merge'",
            quiet=quiet,
        )
    progress = Progress(quiet)
    try:
        outcome = play_run(
            spec,
            path,
            config=settings.resolved(),
            source=settings.source,
            jobs=jobs,
            scheduler=scheduler,
            force=force,
            resume=resume,
            shard=share,
            command=plain,
            watcher=progress,
        )
    except RunInterrupted:
        again = [*plain]
        again += ["-o", output] if output is not None else []
        again += ["-j", str(given)] if given else []
        again += ["--scheduler", scheduler] if scheduler is not None else []
        again += ["--audit", f"{audit:g}"] if audit else []
        again += ["--shard", str(share)] if share is not None else []
        again += ["-q"] * quiet + ["--json"] * as_json
        raise RunInterrupted(
            f"interrupted: what was played is in {path}; this goes on with it:\n"
            f"{shlex.join([*again, '--resume'])}"
        ) from None
    finally:
        progress.close()
    if not outcome.played:
        say(
            f"{outcome.folder.path} holds this {'shard' if share else 'run'} already: nothing is "
            "played (--force plays it again)"
        )
    info = outcome.folder.info()
    if share is not None:
        _show_shard(info, str(path), as_json=as_json)
    else:
        write_and_show(outcome.folder.path, quiet=quiet, as_json=as_json)
    if audit and info["audit"]["changes"]:
        sys.exit(1)
    if share is not None:
        return
    if outcome.verdict is not None and outcome.verdict["rule"]["rule"] == "sprt":
        # A sequential test that did not find for h1 is a negative verdict.
        sys.exit(0 if outcome.verdict["figures"]["decision"] == "h1" else 1)


def _show_shard(info: dict[str, Any], path: str, *, as_json: bool) -> None:
    """What a shard has, and what is done with it; it has no report of its own."""
    number, of = info["shard"]["number"], info["shard"]["of"]
    if as_json:
        keys = ("name", "shard", "games", "hands", "digest")
        show_json({"folder": path, **{key: info[key] for key in keys}})
        return
    click.echo(
        f"shard {number}/{of} of {info['name']}: {info['games']:,} games in {path}\n"
        f"when all {of} are played: hearts-sim merge FOLDER... (the {of} folders)"
    )
