"""`hearts-sim export`: every table in every form is what the log and the report say."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from made import Failure, random_games, write_run
from trial import FOUR, settings, write_files

import hearts_sim
from hearts_sim import Rules
from hearts_sim.cli import main
from hearts_sim.cli.export import FORMATS
from hearts_sim.errors import ResultsError
from hearts_sim.report.export import table_chunks
from hearts_sim.report.summary import summarise
from hearts_sim.tournament.reading import exporting
from hearts_sim.tournament.reading.results import Results


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run of several parts, with every card."""
    home = tmp_path_factory.mktemp("league")
    bots = write_files(home / "bots", FOUR | {"extra.py": FOUR["low.py"].replace("Low", "Extra")})
    config = settings(bots, rules={"end": {"deals": 2}}, log="plays", games=30)
    return hearts_sim.run(config, output=home / "run", report=False)


def export(*arguments: Any) -> Result:
    result = CliRunner().invoke(main, ["export", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def read(path: Path) -> pd.DataFrame:
    """A file by somebody else's reader."""
    if path.suffix == ".csv":
        return pd.DataFrame(list(csv.DictReader(io.StringIO(path.read_text(), newline=""))))
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pandas()
    text = path.read_text()
    rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else None
    return pd.DataFrame(json.loads(text) if rows is None else rows)


@pytest.mark.parametrize("kind", exporting.FORMATS)
@pytest.mark.parametrize("table", ["games", "hands", "plays"])
def test_log(league: Results, tmp_path: Path, table: str, kind: str) -> None:
    """Every row of every part, in order, with its texts."""
    assert len(league.folder.parts()) > 2
    path = tmp_path / f"rows.{kind}"
    result = export(league.path, "--table", table, "-o", path)
    logged = getattr(league, table)()
    assert result.stderr == f"{len(logged):,} rows: {path}\n"
    found = read(path)
    assert list(found) == list(logged)
    for column in logged:
        if logged[column].dtype == "category" or kind == "csv":
            expected = logged[column].astype(str)
            expected = expected.str.removesuffix(".0") if column in ("place", "win") else expected
            assert found[column].astype(str).tolist() == expected.tolist()
        else:
            assert found[column].tolist() == pytest.approx(logged[column].tolist())
    assert [path.name for path in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("table", ["games", "hands", "plays"])
def test_strategies(league: Results, tmp_path: Path, table: str) -> None:
    """Only rows of some strategies; of cards, those of their seats."""
    path = tmp_path / "rows.parquet"
    export(league.path, "--table", table, "--strategies", "Low, Extra", "-o", path)
    found = read(path)
    games = league.games()
    rows = getattr(league, table)().merge(games[["game", "seat", "strategy"]], on=["game", "seat"])
    name = "strategy" if table == "plays" else "strategy_x"
    rows = rows[rows[name].isin(["Low", "Extra"])]
    assert 0 < len(found) == len(rows) < len(getattr(league, table)())
    for column in ("game", "seat"):
        assert found[column].tolist() == rows[column].tolist()


def test_standard_output(league: Results) -> None:
    """Without a file it is CSV of the hands; the other forms by name."""
    text = export(league.path).stdout
    assert text.splitlines()[0].startswith("block,seating,game,hand,seat,strategy,")
    assert len(text.splitlines()) == 1 + len(league.hands())
    rows = json.loads(export(league.path, "--format", "json", "--table", "games").stdout)
    assert [row["strategy"] for row in rows] == league.games()["strategy"].tolist()
    data = export(league.path, "--format", "parquet").stdout_bytes
    assert pq.read_table(pa.BufferReader(data)).num_rows == len(league.hands())


def test_library(league: Results, tmp_path: Path) -> None:
    """The same from a notebook."""
    assert league.export(tmp_path / "games.csv", "games") == len(league.games())
    assert len(read(tmp_path / "games.csv")) == len(league.games())
    assert league.export(tmp_path / "low.json", "hands", ["Low"]) == len(
        league.hands(strategies=["Low"])
    )
    with pytest.raises(ResultsError, match=r"a file \.txt is none of csv, parquet"):
        league.export(tmp_path / "games.txt", "games")


def made(path: Path, **more: Any) -> Results:
    """A run that is made by hand, with ties and a name that needs quotes."""
    names = ["A", 'B, "C"', "Dé", "E"]
    games = random_games(Rules(), entries=4)
    return write_run(path, Rules(), games, names=names, **more)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        *((table, "csv") for table in ("summary", "pairwise", "differences", "places")),
        *(("ratings", kind) for kind in exporting.FORMATS),
    ],
)
def test_report(tmp_path: Path, table: str, kind: str) -> None:
    """Tables of the report, with names as they are and gaps where there is no number."""
    results = made(tmp_path / "run")
    path = tmp_path / f"{table}.{kind}"
    assert export(results.path, "--table", table, "-o", path).exit_code == 0
    found = read(path)
    assert set(found["strategy"]) <= set(results.names)
    assert 'B, "C"' in set(found["strategy"])
    if table in ("ratings", "summary"):
        assert len(found) == 4
        assert found["elo"].astype(float).mean() == pytest.approx(1500)
    few = tmp_path / f"few.{kind}"
    chosen = (
        ("--strategies", "A,E") if kind == "csv" else ("--strategies", "A", "--strategies", "E")
    )
    assert export(results.path, "--table", table, "-o", few, *chosen).exit_code == 0
    rows = read(few)
    assert set(rows["strategy"]) <= {"A", "E"}
    assert 0 < len(rows) < len(found)


def test_what_is_counted_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of details have their names; what a log is not enough for is no table."""
    results = made(tmp_path / "run")
    frame = pd.DataFrame({"strategy": ["A", "E"], "seat": [0, 1], "points": [1.5, float("inf")]})

    def with_details(results: Results) -> Any:
        summary = summarise(results)
        summary.details = SimpleNamespace(by_seat=frame, by_pass=None)  # type: ignore[attr-defined]
        return summary

    monkeypatch.setattr("hearts_sim.report.summary.summarise", with_details)
    rows = json.loads(export(results.path, "--table", "by_seat", "--format", "json").stdout)
    assert rows == [
        {"strategy": "A", "seat": 0, "points": 1.5},
        {"strategy": "E", "seat": 1, "points": None},
    ]
    text = export(results.path, "--table", "by_pass").stderr
    assert "by_pass is made from hands, and " in text


def test_a_name_with_a_comma(tmp_path: Path) -> None:
    """A name is taken as it is before commas are looked for."""
    results = made(tmp_path / "run")
    rows = export(results.path, "--table", "games", "--format", "json", "--strategies", 'B, "C"')
    assert {row["strategy"] for row in json.loads(rows.stdout)} == {'B, "C"'}


def test_faults(tmp_path: Path) -> None:
    """Texts of several lines come through; without a fault the table is empty and has its head."""
    failure = Failure(3, 1, traceback='line 1\nline "2", end\n')
    results = made(tmp_path / "run", failures=[failure])
    for kind in ("csv", "json", "parquet", "jsonl"):
        path = tmp_path / f"faults.{kind}"
        export(results.path, "--table", "faults", "-o", path)
        assert read(path)["traceback"].tolist() == [failure.traceback]
    results = made(tmp_path / "clean")
    heads = export(results.path, "--table", "faults").stdout
    assert heads == ",".join(read(tmp_path / "faults.csv")) + "\n"
    assert export(results.path, "--table", "faults", "--format", "json").stdout == "[]\n"
    assert export(results.path, "--table", "faults", "--format", "jsonl").stdout == ""
    export(results.path, "--table", "faults", "-o", tmp_path / "none.parquet")
    table = pq.read_table(tmp_path / "none.parquet")
    full = pq.read_table(tmp_path / "faults.parquet")
    assert table.num_rows == 0
    assert table.schema.types == full.schema.types


def test_what_is_not_there(league: Results, tmp_path: Path) -> None:
    """A table, strategy or folder that is not there is refused with those that are."""
    bots = league.info["config"]["strategies"]["folders"][0]
    config = settings(Path(bots), rules={"end": {"deals": 1}}, log="games", games=4)
    short = hearts_sim.run(config, output=tmp_path / "short", report=False)
    result = export(short.path, "--table", "hands")
    assert result.exit_code == 1
    assert "log: games, which keeps no hands: there is games, faults, ratings," in result.stderr
    assert export(short.path).stdout.startswith("block,seating,game,seat,")
    result = export(short.path, "--table", "gamse")
    assert "there is no table 'gamse': did you mean 'games'? there is games, fau" in result.stderr
    assert "no strategy 'Lo' in the run" in export(league.path, "--strategies", "Lo").stderr
    assert "separate names by single commas" in export(league.path, "--strategies", "Low,,").stderr
    assert "too long" in export(league.path, "-o", tmp_path / ("x" * 300 + ".csv")).stderr
    assert "is a directory" in export(league.path, "-o", tmp_path).stderr
    assert "a file .xlsx is none of" in export(league.path, "-o", tmp_path / "a.xlsx").stderr
    assert "holds no run" in export(tmp_path).stderr
    assert tuple(exporting.FORMATS) == FORMATS


def test_unfinished(league: Results, tmp_path: Path) -> None:
    """What is played of an unfinished run is exported."""
    config = settings(Path(league.info["config"]["strategies"]["folders"][0]), games=12)
    results = hearts_sim.run(config, output=tmp_path / "run", report=False)
    last = max(results.folder.parts())
    results.folder.notes_path(last).unlink()
    path = tmp_path / "games.csv"
    export(results.path, "--table", "games", "-o", path)
    assert len(read(path)) == len(results.games()) > 0


def test_part_by_part(league: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is read when the one before it is written, and a file that fails leaves the old."""
    _, chunks = table_chunks(league, "hands")
    assert isinstance(chunks, Iterator)
    assert len(list(chunks)) == len(league.folder.parts())
    path = tmp_path / "hands.csv"
    path.write_text("old")
    read_part = type(league.folder).read_part

    def fails(self: Any, table: str, number: int, *more: Any, **options: Any) -> Any:
        if number == 2:
            raise ResultsError("part 2 is damaged")
        return read_part(self, table, number, *more, **options)

    monkeypatch.setattr(type(league.folder), "read_part", fails)
    assert "part 2 is damaged" in export(league.path, "-o", path).stderr
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
