"""``hearts-sim sweep``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from hearts_sim.cli.options import (
    Progress,
    find_in_player,
    jobs_option,
    json_option,
    output_option,
    quiet_option,
    read_sweep_settings,
    say,
    seed_option,
    show_json,
)
from hearts_sim.errors import RunInterrupted

if TYPE_CHECKING:
    from hearts_sim.tournament.sweep.plan import Duel, SweepPlan
    from hearts_sim.tournament.sweep.runner import DuelResult


@click.command()
@click.argument("config", type=click.Path())
@output_option
@jobs_option
@seed_option
@click.option("--force", is_flag=True, help="Delete another sweep that is in the folder.")
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a sweep that did not finish; duels that are played are not played again.",
)
@quiet_option
@json_option
def sweep(
    config: str,
    output: str | None,
    jobs: int,
    seed: int | None,
    force: bool,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tune options of a strategy: try the values that a CONFIG file lists.

    Its section sweep names the strategy, the values of its options and the opponent. Each point is
    a duel on the same deals, a run of its own below the results folder. The winner plays a last
    duel on fresh deals, which tells its gain; docs/config.md has it all.

    Ctrl-C finishes what is in play, and a second one stops at once; --resume goes on.
    """
    from hearts_sim.tournament.players.launch import launch_early

    launch_early()  # it imports while this process does
    from hearts_sim.report.sweeps import as_json as to_json
    from hearts_sim.report.sweeps import show, write_sweep
    from hearts_sim.tournament.players.executors import available_cores
    from hearts_sim.tournament.run.runner import results_path
    from hearts_sim.tournament.sweep.plan import CONFIRM, plan_sweep
    from hearts_sim.tournament.sweep.runner import SweepWatcher, play_sweep

    settings = read_sweep_settings(config, seed)
    plan = plan_sweep(settings, find_in_player(settings))
    path = results_path(settings.name, output)
    plain = ["hearts-sim", "sweep", config, *(("--seed", str(seed)) if seed is not None else ())]

    class Watching(SweepWatcher):
        """Says which duel begins and how it ended, with the progress of each."""

        progress: Progress | None = None

        def begins(self, duel: Duel, place: int, of: int) -> Progress:
            if duel.folder == CONFIRM:
                text = f"confirmation of {duel.point.text} on fresh deals"
            else:
                text = f"duel {place} of {_most(plan, of)}: {_pair(plan, duel)}"
            say(text, quiet=quiet)
            self.close()
            self.progress = Progress(quiet)
            return self.progress

        def ended(self, result: DuelResult) -> None:
            self.close()

        def close(self) -> None:
            if self.progress is not None:
                self.progress.close()

    watching = Watching()
    try:
        result = play_sweep(
            plan,
            path,
            jobs=jobs or available_cores(),
            force=force,
            resume=resume,
            command=plain,
            watcher=watching,
        )
    except (RunInterrupted, KeyboardInterrupt):
        again = [*plain]
        again += ["-o", output] if output is not None else []
        again += ["-j", str(jobs)] if jobs else []
        again += ["-q"] * quiet + ["--json"] * as_json
        raise RunInterrupted(
            f"interrupted: what was played is in {path}; this goes on with it:\n"
            f"{shlex.join([*again, '--resume'])}"
        ) from None
    finally:
        watching.close()
    if not result.played:
        say(
            f"{path} holds this sweep already: nothing is played (--force plays it again)",
            quiet=quiet,
        )
    write_sweep(result)
    if as_json:
        show_json(to_json(result))
    else:
        click.echo("\n".join(show(result)))
    say(f"report: {path / 'sweep.md'}", quiet=quiet)


def _most(plan: SweepPlan, of: int) -> str:
    return f"at most {of}" if plan.config.sweep.method == "climb" else str(of)


def _pair(plan: SweepPlan, duel: Duel) -> str:
    climbs = plan.config.sweep.method == "climb"
    return duel.point.text + (f" against {duel.against}" if climbs else "")
