"""Runs that are played in shards and merged."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from trial import COUNTS, FOUR, play_inline, write_files

from hearts_sim import Card, load
from hearts_sim.cli import main
from hearts_sim.errors import ConfigError, ResultsError
from hearts_sim.report.notes import notes
from hearts_sim.report.summary import summarise
from hearts_sim.tournament.config.reading import config_from_mapping
from hearts_sim.tournament.plan.shards import Shard, read_shard
from hearts_sim.tournament.plan.spec import plan_run
from hearts_sim.tournament.players import tasks
from hearts_sim.tournament.run.merging import merge_runs, spec_of
from hearts_sim.tournament.run.runner import play_run, results_path

SHORT: dict[str, Any] = {"end": {"deals": 1}, "tie": "draw"}
FAILS = """
from hearts_sim import Strategy

class Fails(Strategy):
    def choose_card(self, view):
        if view.seat == 0:
            raise ValueError("no")
        return view.legal.lowest()
"""


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small strategies."""
    return write_files(tmp_path_factory.mktemp("bots"), FOUR)


def play(
    bots: Path,
    output: Path,
    format_: Mapping[str, Any] | None = None,
    *,
    shard: Shard | None = None,
    resume: bool = False,
    audit: float = 0.0,
    **more: Any,
) -> Path:
    config = config_from_mapping(
        {
            "name": "trial",
            "strategies": {"folder": str(bots)},
            "format": format_ or {"type": "table", "games": 80},
            "rules": SHORT,
            "log": "plays",
            **more,
        }
    )
    spec = replace(plan_run(config)[0], audit=audit)
    command = ["hearts-sim", "run", "c.yaml"]
    play_run(
        spec, output, config=config.resolved(), source="# text\n", resume=resume, shard=shard,
        command=command,
    )  # fmt: skip
    return output


def shards(bots: Path, room: Path, *args: Any, of: int = 3, **more: Any) -> list[Path]:
    return [
        play(bots, room / f"{number}-of-{of}", *args, shard=Shard(number, of), **more)
        for number in range(1, of + 1)
    ]


@pytest.fixture(scope="module")
def whole(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run on one machine."""
    return play(bots, tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture(scope="module")
def three(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same run in three shards."""
    return shards(bots, tmp_path_factory.mktemp("three"))


def test_names_of_shards() -> None:
    """A shard is counted from 1, and what is none is refused with an example."""
    assert read_shard("2/3") == Shard(2, 3)
    for text in ("0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/3/5", ""):
        with pytest.raises(ConfigError, match=r"is no shard: .*from 1/3 to 3/3 for three"):
            read_shard(text)
    assert results_path("x", None, Shard(2, 3)) == Path("results/x-shard-2-of-3")


def test_every_part_is_of_one_shard(three: list[Path], whole: Path) -> None:
    """The shards share the parts out, and each plays nothing but its own."""
    numbers = [set(load(path).folder.parts()) for path in three]
    assert set.union(*numbers) == set(load(whole).folder.parts())
    assert sum(map(len, numbers)) == len(set.union(*numbers))
    assert numbers[1] == {number for number in range(16) if number % 3 == 1} & set.union(*numbers)
    info = load(three[1]).info
    assert (info["status"], info["shard"]) == ("shard", {"number": 2, "of": 3})


def test_merged_shards_are_the_run(
    three: list[Path], whole: Path, tmp_path: Path, bots: Path
) -> None:
    """Digest, files and figures are those of the run on one machine, in any order of the shards."""
    merged = merge_runs(three[::-1], tmp_path / "out")
    assert merged.complete
    results, other = load(tmp_path / "out"), load(whole)
    assert results.digest() == other.digest() == results.info["digest"]
    for key in ("blocks", "games", "hands", "checks", "identity", "verdict", "disqualified"):
        assert results.info[key] == other.info[key]
    for path in whole.rglob("*.parquet"):
        assert (tmp_path / "out" / path.relative_to(whole)).read_bytes() == path.read_bytes()
    assert (tmp_path / "out" / "config.yaml").read_text() == "# text\n"
    boards = [summarise(run).board.drop(columns="microseconds") for run in (results, other)]
    pd.testing.assert_frame_equal(*boards)
    # A run like any other: the same command plays nothing, a larger budget goes on with it.
    before = (tmp_path / "out" / "games" / "part-00000.parquet").stat().st_mtime_ns
    play(bots, tmp_path / "out")
    larger = {"type": "table", "games": 120}
    play(bots, tmp_path / "out", larger)
    assert (tmp_path / "out" / "games" / "part-00000.parquet").stat().st_mtime_ns == before
    assert load(tmp_path / "out").digest() == load(play(bots, tmp_path / "long", larger)).digest()


def test_equal_duplicates_are_fine(three: list[Path], whole: Path, tmp_path: Path) -> None:
    """Shards that overlap are merged when they agree."""
    assert merge_runs([*three, whole, three[0]], tmp_path / "out").complete
    assert load(tmp_path / "out").digest() == load(whole).digest()


def test_an_extended_shard(bots: Path, three: list[Path], tmp_path: Path) -> None:
    """A shard goes on with a larger budget, and to a shorter run it does not fit."""
    larger = {"type": "table", "games": 132}
    longer = shards(bots, tmp_path, {"type": "table", "games": 44}, of=2)
    for number, path in enumerate(longer, 1):
        play(bots, path, larger, shard=Shard(number, 2))
    assert merge_runs(longer, tmp_path / "out").complete
    assert load(tmp_path / "out").digest() == load(play(bots, tmp_path / "long", larger)).digest()
    with pytest.raises(ResultsError, match=r"are of different runs \(not the same length\)"):
        merge_runs([three[0], longer[1]], tmp_path / "mixed")


def test_what_does_not_fit_is_refused(
    bots: Path, three: list[Path], whole: Path, tmp_path: Path
) -> None:
    """Another run, another shard in the folder, a target that is taken: nothing is written."""
    other = play(bots, tmp_path / "other", shard=Shard(2, 3), seed=1)
    with pytest.raises(ResultsError, match=r"of different runs \(not the same seed\)"):
        merge_runs([three[0], other, three[2]], tmp_path / "out")
    with pytest.raises(ResultsError, match="is one of the shards"):
        merge_runs(three, three[1])
    with pytest.raises(ResultsError, match="holds a run: give another folder with -o, or --force"):
        merge_runs(three, whole)
    assert not (tmp_path / "out").exists()
    with pytest.raises(ResultsError, match="holds shard 1/3 of this run, not shard 2/3"):
        play(bots, three[0], shard=Shard(2, 3))
    with pytest.raises(ResultsError, match="holds shard 1/3 of this run, not the whole run"):
        play(bots, three[0], resume=True)


def test_missing_parts(bots: Path, three: list[Path], whole: Path, tmp_path: Path) -> None:
    """What is missing is named, with the command that plays it; --partial merges the rest."""
    with pytest.raises(ResultsError) as caught:
        merge_runs([three[0], three[2]], tmp_path / "out")
    assert "parts are missing (1, 4, 7, 10, 13; " in str(caught.value)
    assert "\nhearts-sim run c.yaml --shard 2/3\n" in str(caught.value)
    assert not (tmp_path / "out").exists()
    # A damaged part is missing as well.
    broken = tmp_path / "broken"
    shutil.copytree(three[1], broken)
    (broken / "games" / "part-00004.parquet").write_bytes(b"PAR1")
    told: list[str] = []
    with pytest.raises(ResultsError) as caught:
        merge_runs([three[0], broken, three[2]], tmp_path / "out", tell=told.append)
    assert "part 4 is damaged and does not count: games/part-00004.parquet has 4 bytes" in told[0]
    assert f"\nhearts-sim run c.yaml --shard 2/3 -o {broken} --resume\n" in str(caught.value)
    merged = merge_runs([three[0], three[2]], tmp_path / "out", partial=True)
    assert not merged.complete
    assert load(tmp_path / "out").info["status"] == "running"
    play(bots, tmp_path / "out", resume=True)
    assert load(tmp_path / "out").digest() == load(whole).digest()


def test_parts_that_were_played_differently(
    bots: Path, three: list[Path], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that is another one elsewhere is found, with the blocks, before anything is written."""
    tasks._players.clear()
    config = config_from_mapping(
        {
            "name": "trial", "strategies": {"folder": str(bots)}, "rules": SHORT, "log": "plays",
            "format": {"type": "table", "games": 80},
        }
    )  # fmt: skip
    player = tasks.player_of(plan_run(config)[0])
    low = player.lineup.entries[player.spec.names.index("Low")].strategy
    monkeypatch.setattr(low, "choose_card", lambda self, view: view.legal.highest())
    other = play(bots, tmp_path / "other", shard=Shard(2, 3))
    tasks._players.clear()
    with pytest.raises(ResultsError) as caught:
        merge_runs([*three, other], tmp_path / "out")
    first, *_, last = str(caught.value).splitlines()
    assert first.startswith(
        f"part 1 (blocks 1 to 1) was played differently in {three[1]} and {other}: "
    )
    told = re.search(
        r"of its games differ, in block 1; first to choose otherwise: Low "
        r"\(game (\d+), hand (\d+), trick (\d+), seat (\d): choose_card (\w+) in one, "
        r"(\w+) in the other\)$",
        first,
    )
    assert told, first
    game, hand, trick, seat = map(int, told.groups()[:4])
    chosen = [
        load(folder).plays(["game", "hand", "trick", "seat", "card"])
        for folder in (three[1], other)
    ]
    for cards, told_card in zip(chosen, told.groups()[4:], strict=True):
        of_game = cards[cards["game"] == game].reset_index(drop=True)
        place = (of_game["hand"] == hand) & (of_game["trick"] == trick) & (of_game["seat"] == seat)
        (row,) = of_game.index[place]
        assert str(Card(of_game["card"][row])) == told_card
        before = of_game.head(row)
        assert before.equals(chosen[0][chosen[0]["game"] == game].reset_index(drop=True).head(row))
    assert last.startswith("Play that shard again")
    assert not (tmp_path / "out").exists()


def test_audits_of_shards(tmp_path: Path) -> None:
    """A merged run has been audited where its shards were, and names whom they name."""
    tasks._players.clear()
    bots = write_files(tmp_path / "bots", {**FOUR, "counts.py": COUNTS})
    folders = [
        play(bots, tmp_path / f"{number}", shard=Shard(number, 3), log="games", audit=audit)
        for number, audit in ((1, 0.5), (2, 0.5), (3, 0.0))
    ]
    results = load(merge_runs(folders, tmp_path / "out").folder.path)
    tasks._players.clear()
    audits = [load(folder).info["audit"] for folder in folders]
    assert audits.pop() is None
    found = results.info["audit"]
    assert found["blocks"] == sum(audit["blocks"] for audit in audits) > 1
    assert found["games"] == 4 * found["blocks"]
    assert [change["strategy"] for change in found["changes"]] == ["Counts"]
    told = [change for audit in audits for change in audit["changes"]]
    assert found["changes"][0]["games"] == sum(change["games"] for change in told)
    assert found["changes"][0]["first"]["game"] == min(item["first"]["game"] for item in told)
    assert any("Counts chose otherwise" in note for note in notes(summarise(results)))
    plain = shards(bots, tmp_path / "plain", log="games")
    assert load(merge_runs(plain, tmp_path / "again").folder.path).info["audit"] is None


# What no shard can decide


@pytest.mark.parametrize(
    "format_",
    [
        {"type": "table", "target": {"points_halfwidth": 1.3}, "max_games": 400},
        {"type": "duel", "a": "Low", "b": "High", "sprt": {"h1": 2}, "max_games": 800},
    ],
    ids=["target", "sprt"],
)
def test_the_end_is_found_when_they_are_merged(
    bots: Path, tmp_path: Path, format_: dict[str, Any]
) -> None:
    """A shard plays its whole share; what comes after the end is left out, missing or not."""
    whole = load(play(bots, tmp_path / "whole", format_, log="games"))
    parts = shards(bots, tmp_path, format_, of=2, log="games")
    assert whole.info["verdict"]["ends"]
    assert sum(load(path).info["games"] for path in parts) > whole.info["games"]
    after = max(load(parts[1]).folder.parts())
    assert after not in whole.folder.parts()
    load(parts[1]).folder.drop_part(after)
    assert merge_runs(parts, tmp_path / "out").complete
    merged = load(tmp_path / "out")
    assert merged.digest() == whole.digest()
    for key in ("verdict", "blocks", "games"):
        assert merged.info[key] == whole.info[key]


def test_who_is_disqualified(tmp_path: Path) -> None:
    """Nobody is in a shard; the merged run stands where somebody is, and goes on without it."""
    bots = write_files(tmp_path / "bots", {**FOUR, "fails.py": FAILS})
    format_ = {"type": "table", "games": 160}
    whole = load(play(bots, tmp_path / "whole", format_, log="games"))
    parts = shards(bots, tmp_path, format_, of=2, log="games")
    assert not any(load(path).info["disqualified"] for path in parts)
    told: list[str] = []
    merged = merge_runs(parts, tmp_path / "out", tell=told.append)
    assert not merged.complete
    assert told == [f"Fails is disqualified: {whole.info['disqualified'][0]['why']}"]
    assert "this plays on without it" in merged.todo[0]
    assert merged.todo[1] == f"hearts-sim run c.yaml -o {tmp_path / 'out'} --resume"
    play(bots, tmp_path / "out", format_, log="games", resume=True)
    done = load(tmp_path / "out")
    assert done.digest() == whole.digest()
    assert done.info["disqualified"] == whole.info["disqualified"]
    replay = done.faults()["replay"]
    assert replay.str.startswith(f"hearts-sim replay {tmp_path / 'out'} ").all()


# The command line


def test_commands(bots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run --shard` says what to do, `merge` writes a report and fails where something lacks."""
    play_inline(monkeypatch)
    shown: list[Path] = []
    module = sys.modules["hearts_sim.cli.merge"]  # the package has the command under this name
    monkeypatch.setattr(module, "write_and_show", lambda run, **how: shown.append(run))
    monkeypatch.chdir(tmp_path)
    Path("c.yaml").write_text(
        f"name: t\nstrategies: {{folder: {bots}}}\nformat: {{type: table, games: 16}}\n"
        "rules: {end: {deals: 1}, tie: draw}\nlog: games\n"
    )
    told = [CliRunner().invoke(main, ["run", "c.yaml", "--shard", f"{n}/2"]) for n in (1, 2)]
    assert [done.exit_code for done in told] == [0, 0]
    assert told[0].stdout == (
        "shard 1/2 of t: 8 games in results/t-shard-1-of-2\n"
        "when all 2 are played: hearts-sim merge FOLDER... (the 2 folders)\n"
    )
    folders = [f"results/t-shard-{n}-of-2" for n in (1, 2)]
    lacking = CliRunner().invoke(main, ["merge", folders[0]])
    assert lacking.exit_code == 1
    assert "hearts-sim run c.yaml --shard 2/2" in lacking.stderr
    done = CliRunner().invoke(main, ["merge", *folders])
    assert done.exit_code == 0, done.output
    assert shown == [Path("results/t")]
    assert load("results/t").info["games"] == 16
    assert load("results/t").info["merged"] == folders
    wrong = CliRunner().invoke(main, ["run", "c.yaml", "--shard", "3/2"])
    assert wrong.exit_code == 2
    assert "'3/2' is no shard" in wrong.stderr


def test_a_run_is_told_from_its_folder(whole: Path) -> None:
    """The schedule, entries and rules come back from `run.json`; a changed one is refused."""
    info = load(whole).info
    assert spec_of(info).fingerprint() == info["fingerprint"]
    assert spec_of(info).schedule.blocks == info["blocks"]
    first = info["entries"][0]
    changed = info | {"entries": [{**first, "digest": "0"}, *info["entries"][1:]]}
    with pytest.raises(ResultsError, match=r"Chance has changed \(its code\)"):
        spec_of(changed)
