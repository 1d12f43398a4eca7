"""The commands: each works, says the same as JSON, and draws and writes what it says."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from trial import FOUR, LOW, SURVEY, play_inline, python, write_files

from hearts_sim import load
from hearts_sim.cli import main
from hearts_sim.report.drawing import drawable
from hearts_sim.report.kinds import KINDS, NEEDS_HANDS
from hearts_sim.report.summary import summarise
from hearts_sim.tournament.plan.policy import FaultRules
from hearts_sim.tournament.players import supervise
from hearts_sim.tournament.reading.results import Results

COMMANDS = (
    "bench",
    "chart",
    "check",
    "compare",
    "completion",
    "export",
    "init",
    "merge",
    "new",
    "replay",
    "report",
    "run",
    "schema",
    "strategies",
    "sweep",
    "validate",
    "variants",
)
NAMES = ("Chance", "High", "Low", "Middle")
CONFIG = """\
seed: 7
rules: {end: {deals: 1}, tie: draw}
strategies: {folder: bots}
format: {type: table, games: 50}
"""


def hearts_sim(*arguments: str) -> Result:
    """A command in this process; what is printed may not have lines of a traceback."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def works(*arguments: str) -> str:
    """What a command prints to stdout, when it works."""
    result = hearts_sim(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: str) -> Any:
    """The one JSON document of a command."""
    return json.loads(works(*arguments, "--json"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with strategies, a config and two finished runs of it."""
    home = tmp_path_factory.mktemp("home")
    write_files(home / "bots", FOUR)
    write_files(home, {"league.yaml": CONFIG, "short.yaml": CONFIG + "log: games\n"})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        play_inline(patch)
        for name in ("league", "short"):
            works("run", f"{name}.yaml", "-q")
    return home


@pytest.fixture(autouse=True)
def _there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    play_inline(monkeypatch)


@pytest.fixture
def no_charts(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave charts out of reports, which is quicker; ``results/copy`` is a run to report on."""
    monkeypatch.setattr("hearts_sim.report.write.drawable", lambda summary: [])
    shutil.rmtree("results/copy", ignore_errors=True)
    shutil.copytree("results/league", "results/copy")


# Help


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help(flag: str) -> None:
    """Help lists every command, and each has help that describes all its options."""
    text = works(flag)
    for command in COMMANDS:
        assert re.search(rf"^  {command}  +\w", text, re.MULTILINE)
        detail = works(command, flag)
        assert detail.startswith(f"Usage: main {command} ")
        options = detail[detail.index("Options:") :]
        assert re.search(r"-h, --help", options)
    assert sorted(main.commands) == list(COMMANDS)


def test_version() -> None:
    """The version is the package's."""
    import hearts_sim as package

    assert works("--version") == f"hearts-sim, version {package.__version__}\n"


HEAVY = ("numba", "pandas", "scipy", "pydantic", "pyarrow", "matplotlib", "yaml", "jinja2")


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["run", "--help"], ["variants"]],
    ids=" ".join,
)
def test_help_is_quick(arguments: list[str]) -> None:
    """Help imports none of the packages that take their time; neither do the presets."""
    program = (
        "import sys\nfrom hearts_sim.cli import main\n"
        f"try:\n    main({arguments})\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = python("-c", program)
    assert done.stderr == "[]\n"
    assert done.stdout


# run and report


def test_run_writes_a_report(home: Path) -> None:
    """A run leaves its log, tables, charts and pages in results/NAME."""
    folder = home / "results" / "league"
    drawn = drawable(summarise(Results(folder)))
    assert set(drawn) >= {"ratings", "pairwise", "points", "ecdf", "places"}
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {
        "run.json", "config.yaml", "ratings.csv", "summary.csv", "pairwise.csv", "differences.csv",
        "summary.json",
        "report.md", "report.html", "games/part-00000.parquet", "hands/part-00000.parquet",
        *(f"charts/{kind}.{end}" for kind in drawn for end in ("png", "svg")),
    } <= names  # fmt: skip
    assert (folder / "config.yaml").read_text() == CONFIG
    assert load(folder).info["games"] == 52
    short = {path.stem for path in (home / "results" / "short" / "charts").iterdir()}
    assert short == set(drawn) - NEEDS_HANDS


def test_tables(home: Path) -> None:
    """The tables have one row for each strategy, or pair, best first."""
    folder = home / "results" / "league"
    rows = {
        name: list(
            csv.DictReader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines())
        )
        for name in ("ratings", "summary", "pairwise")
    }
    assert [row["rank"] for row in rows["ratings"]] == list("1234")
    assert [row["strategy"] for row in rows["summary"]] == [
        row["strategy"] for row in rows["ratings"]
    ]
    assert len({(row["strategy"], row["opponent"]) for row in rows["pairwise"]}) == 12
    assert {row["games"] for row in rows["summary"]} == {"52"}


def test_pages(home: Path) -> None:
    """The pages name every strategy, hold the charts, and need no network."""
    folder = home / "results" / "league"
    page = (folder / "report.html").read_text(encoding="utf-8")
    text = (folder / "report.md").read_text(encoding="utf-8")
    for name in ("Chance", "High", "Low", "Middle"):
        assert name in page
        assert name in text
    drawn = len(list((folder / "charts").glob("*.svg")))
    assert page.count("<svg") == text.count("](charts/") == drawn >= 3
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    assert "{{" not in page
    assert load(folder).digest() in page


@pytest.mark.usefixtures("no_charts")
def test_run_prints_the_leaderboard() -> None:
    """`run` prints facts, leaderboard and how to read it on stdout, the rest on stderr."""
    result = hearts_sim("run", "league.yaml", "-o", "results/fresh")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "table tournament, 52 games in 13 blocks, 52 hands, 4 players, seed 7"
    assert lines[2].split() == [
        "rank", "strategy", "games", "points/hand", "deff", "Elo", "deff", "LOS", "best", "wins",
        "µs/card",
    ]  # fmt: skip
    assert {re.split("  +", line.strip())[1] for line in lines[3:7]} == set(NAMES)
    assert any(line.startswith("Points per hand: fewer are better.") for line in lines)
    assert result.stderr.splitlines()[-1] == "report: results/fresh/report.html"


@pytest.mark.usefixtures("no_charts")
def test_a_finished_run_is_shown_again() -> None:
    """`run` on a finished folder says that nothing is played, and shows the same leaderboard."""
    result = hearts_sim("run", "league.yaml", "-o", "results/copy")
    assert result.exit_code == 0
    assert "results/copy holds this run already: nothing is played (--force plays it again)" in (
        result.stderr
    )
    assert result.stdout == works("report", "results/copy", "-q")


@pytest.mark.usefixtures("no_charts")
def test_run_as_json() -> None:
    """`run --json` and `report --json` print one document, the same that summary.json has."""
    document = as_json("run", "league.yaml", "-q", "-o", "results/copy")
    assert document == as_json("report", "results/copy")
    league = Path("results/league/summary.json").read_text(encoding="utf-8")
    assert document == json.loads(league.replace("replay results/league", "replay results/copy"))
    assert document == json.loads(Path("results/copy/summary.json").read_text(encoding="utf-8"))
    assert set(document) == {
        "schema_version", "name", "status", "format", "games", "blocks", "hands", "confidence",
        "reference", "digest", "notes", "columns", "strategies", "verdicts", "holds_for", "ended",
        "checks", "faults", "disqualified", "not_loaded", "details",
    }  # fmt: skip
    assert (document["name"], document["status"], document["games"]) == ("league", "finished", 52)
    for row in document["strategies"]:
        assert set(document["columns"]) <= set(row)
        assert {"elo_low", "elo_high", "points_low", "points_high"} <= set(row)
    assert [row["rank"] for row in document["strategies"]] == [1, 2, 3, 4]


@pytest.mark.usefixtures("no_charts")
def test_no_number_is_nan(home: Path) -> None:
    """What has no value is null in JSON and a dash in text: in self-play there is no Elo."""
    write_files(home, {"self.yaml": CONFIG.replace("table", "selfplay").replace("50", "4")})
    document = as_json("run", "self.yaml")
    assert {row["elo"] for row in document["strategies"]} == {None}
    assert {row["points_error"] for row in document["strategies"]} == {None}
    text = works("report", "results/self")
    assert text.startswith("self-play, 4 games in 1 block,")
    assert "–" in text
    assert "Provisional: with fewer than 10 blocks" in text
    assert "there is 1." in text
    assert "nan" not in text + Path("results/self/report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("no_charts")
def test_options_of_run() -> None:
    """`--seed`, `-o`, `-q` and `--force` do what they say."""
    seeded = hearts_sim("run", "league.yaml", "--seed", "8", "-o", "results/seeded", "-q")
    assert seeded.exit_code == 0
    assert seeded.stderr == ""
    assert "seed 8" in seeded.stdout
    again = hearts_sim("run", "league.yaml", "-o", "results/seeded", "-q")
    assert again.exit_code == 1
    assert "holds another run (not the same seed)" in again.stderr
    assert again.stdout == ""
    forced = hearts_sim("run", "league.yaml", "-o", "results/seeded", "-q", "--force")
    assert forced.exit_code == 0
    assert load("results/seeded").digest() == load("results/league").digest()


@pytest.mark.usefixtures("no_charts")
def test_run_goes_on(home: Path) -> None:
    """`run` with a larger budget plays on; with a smaller one, or half played, it is refused."""
    write_files(home, {"longer.yaml": CONFIG.replace("50", "80")})
    result = hearts_sim("run", "longer.yaml", "-o", "results/copy", "-q")
    assert result.exit_code == 0
    longer = load("results/copy")
    assert (longer.info["games"], longer.info["kept_blocks"]) == (80, 13)
    works("run", "longer.yaml", "-o", "results/whole", "-q")
    assert load("results/whole").digest() == longer.digest()
    shorter = hearts_sim("run", "league.yaml", "-o", "results/copy", "-q")
    assert (shorter.exit_code, shorter.stdout) == (1, "")
    assert "holds a run of this config with 80 games, more than these" in shorter.stderr
    (longer.path / "timing" / "part-00002.json").unlink()
    longer.folder.write_info(longer.info | {"status": "running"})
    refused = hearts_sim("run", "longer.yaml", "-o", "results/copy", "-q")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "did not finish: --resume goes on with it, --force deletes it" in refused.stderr
    works("run", "longer.yaml", "-o", "results/copy", "-q", "--resume")
    assert load("results/copy").info["status"] == "finished"
    assert load("results/copy").digest() == load("results/whole").digest()


def test_report_writes_again(home: Path) -> None:
    """`report` writes every table, chart and page again, byte for byte."""
    folder = home / "results" / "league"
    files = [path for path in folder.rglob("*") if path.suffix in (".csv", ".md", ".html", ".svg")]
    assert len(files) == 4 + 2 + len(drawable(summarise(Results(folder))))
    before = {path: path.read_bytes() for path in files}
    for path in files:
        path.unlink()
    works("report", str(folder))
    assert {path: path.read_bytes() for path in files} == before


def test_low_target(home: Path) -> None:
    """A target below 50 is played, with a warning that has its line."""
    write_files(home, {"low.yaml": CONFIG.replace("{end: {deals: 1}, tie: draw}", "{target: 49}")})
    result = hearts_sim("validate", "low.yaml")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: low.yaml:2: rules: target: 49 is very low: ")
    result = hearts_sim("validate", "league.yaml")
    assert result.stderr == ""


def test_progress_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Away from a terminal progress is a plain line now and then, and no bar."""
    from hearts_sim.cli import options

    clock = iter(range(0, 10_000, 4))
    monkeypatch.setattr(options.time, "monotonic", lambda: float(next(clock)))
    progress = options.Progress(quiet=False)
    progress.started(1000)

    def tell() -> None:
        for games in range(100, 1000, 100):
            progress.advanced(games)
        progress.close()

    lines = _stderr(tell).splitlines()
    assert 2 <= len(lines) <= 5
    assert all(re.fullmatch(r"\d+ of 1,000 games, \d+/s, \d+ s left", line) for line in lines)
    progress.interim("LLR +1.00")
    for line in _stderr(tell).splitlines():
        assert line.endswith(" s left; interim: LLR +1.00")
    quiet = options.Progress(quiet=True)
    quiet.interim("LLR +1.00")
    quiet.started(1000)
    assert _stderr(lambda: quiet.advanced(500)) == ""


def _stderr(call: Callable[[], None]) -> str:
    import click

    @click.command()
    def command() -> None:
        call()

    return CliRunner().invoke(command, []).stderr


# validate


def test_validate() -> None:
    """`validate` prints games, blocks and everybody's games in each seat, and plays nothing."""
    text = works("validate", "league.yaml")
    lines = text.splitlines()
    assert lines[0] == ("league: table, 52 games (50 asked for) in 13 blocks, 4 players, seed 7")
    assert lines[1].split("  ")[0] == "strategy"
    assert lines[2].split() == ["Chance", "52", "13", "13", "13", "13"]
    document = as_json("validate", "league.yaml", "--seed", "1")
    assert [entry["name"] for entry in document.pop("entries")] == list(NAMES)
    assert document == {
        "name": "league", "format": "table", "players": 4, "asked": 50, "games": 52, "blocks": 13,
        "ends_by": None,
        "games_per_strategy": dict.fromkeys(NAMES, 52),
        "games_per_seat": dict.fromkeys(NAMES, [13] * 4),
        "faults": FaultRules().plain(),
        "not_loaded": [],
    }  # fmt: skip


VALIDATED: dict[str, tuple[str, str, dict[str, list[int]]]] = {
    # Counted by hand: games of each strategy, and in each seat.
    "blocks": (
        "type: table, blocks: 3",
        "table, 12 games in 3 blocks, 4 players, seed 7",
        {name: [12, 3, 3, 3, 3] for name in NAMES},
    ),
    "duel": (
        "type: duel, a: Low, b: High, games: 20",
        "duel, 28 games (20 asked for) in 2 blocks, 4 players, seed 7",
        {"Low": [28, 14, 14, 14, 14], "High": [28, 14, 14, 14, 14]},
    ),
    "gauntlet": (
        "type: gauntlet, newcomers: [Low, High], games: 9",
        "gauntlet, 16 games (9 asked for) in 2 blocks, 4 players, seed 7",
        # Two in the field fill three seats, one of them twice, and change places.
        {"Chance": [16, 6, 6, 6, 6], "High": [8, 2, 2, 2, 2], "Low": [8, 2, 2, 2, 2],
         "Middle": [16, 6, 6, 6, 6]},
    ),
    "self-play": (
        "type: selfplay, games: 8",
        "selfplay, 8 games in 2 blocks, 4 players, seed 7",
        {name: [2, 2, 2, 2, 2] for name in NAMES},
    ),
    "target": (
        "type: table, target: {points_halfwidth: 0.5}, max_games: 40",
        "table, at most 40 games in 10 blocks, 4 players, seed 7\n"
        "ends when the widest interval is no wider than ±0.5 points per hand",
        {name: [40, 10, 10, 10, 10] for name in NAMES},
    ),
    "sequential test": (
        "type: duel, a: Low, b: High, sprt: {measure: elo, h1: 5, beta: 0.1}, games: 28",
        "duel, at most 28 games in 2 blocks, 4 players, seed 7\n"
        "ends when a sequential test finds that Low is ahead of High by +5 Elo (h1) rather than "
        "+0 (h0), or the other way round; alpha 0.05, beta 0.1",
        {"Low": [28, 14, 14, 14, 14], "High": [28, 14, 14, 14, 14]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("format_", "words", "counts"), VALIDATED.values(), ids=VALIDATED)
def test_validate_every_format(
    home: Path, format_: str, words: str, counts: dict[str, list[int]]
) -> None:
    """Every format says how much it plays, when it ends, and who plays how often where."""
    write_files(home, {"any.yaml": CONFIG.replace("type: table, games: 50", format_)})
    text = works("validate", "any.yaml")
    assert text.startswith(f"any: {words}\n")
    rows = text.removeprefix(f"any: {words}\n").split("\n\n")[0].splitlines()
    assert rows[0].split() == ["strategy", "games", *f"seat {' seat '.join('0123')}".split()]
    assert {row.split()[0]: [int(word) for word in row.split()[1:]] for row in rows[1:]} == counts
    document = as_json("validate", "any.yaml")
    assert document["games_per_strategy"] == {name: row[0] for name, row in counts.items()}
    assert document["games_per_seat"] == {name: row[1:] for name, row in counts.items()}
    assert f" {document['games']} games" in text
    assert f" {document['blocks']} block" in text
    assert not Path("results/any").exists()
    ends = document["ends_by"]
    if "target" in format_:
        assert ends == {
            "rule": "target", "measure": "points", "halfwidth": 0.5, "confidence": 0.95,
            "reference": None,
        }  # fmt: skip
    elif "sprt" in format_:
        assert ends == {
            "rule": "sprt", "measure": "elo", "h0": 0, "h1": 5, "alpha": 0.05, "beta": 0.1,
            "names": ["Low", "High"],
        }  # fmt: skip
    else:
        assert ends is None


# strategies


def test_strategies() -> None:
    """`strategies` lists name, kind, file and idea of what is in the folders."""
    lines = works("strategies", "bots").splitlines()
    assert lines[0].split() == ["strategy", "kind", "file", "idea"]
    assert [line.split()[:3] for line in lines[1:]] == [
        [name, "plain", f"{name.lower()}.py"] for name in ("Chance", "High", "Low", "Middle")
    ]
    document = as_json("strategies", "bots")
    assert document["problems"] == []
    assert document["strategies"][2] == {
        "name": "Low",
        "file": "bots/low.py",
        "kind": "plain",
        "summary": "Plays its lowest card.",
    }


def test_strategies_of_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder it is ./strategies; the repository's are all fine and have an idea."""
    monkeypatch.chdir(Path(__file__).parents[2])
    document = as_json("strategies")
    assert {"LowCard", "HighCard", "RandomLegal"} <= {
        item["name"] for item in document["strategies"]
    }
    assert document["problems"] == []
    assert all(item["summary"].endswith(".") for item in document["strategies"])


KILLS_ITSELF = """
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_broken_file_hides_no_other(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken file is an error on stderr and exit code 2; the others are listed on stdout."""
    monkeypatch.setattr(supervise, "survey", SURVEY)
    write_files(home / "some", {"low.py": LOW, "broken.py": "1 / 0", "other.py": "import _x"})
    write_files(home / "some", {"ends.py": "import os\nos._exit(3)", "dies.py": KILLS_ITSELF})
    result = hearts_sim("strategies", "some")
    assert result.exit_code == 2, result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["strategy", "Low"]
    assert result.stderr.startswith("Error: some/broken.py:1: does not import: ZeroDivisionError")
    assert "Error: some/other.py:1: does not import: ModuleNotFoundError" in result.stderr
    ended = "some/ends.py: does not import: its process ended with exit code 3"
    killed = "some/dies.py: does not import: its process was killed by signal 9 (SIGKILL)"
    assert f"Error: {ended}\n" in result.stderr
    assert f"Error: {killed}\n" in result.stderr
    as_document = hearts_sim("strategies", "some", "--json")
    assert as_document.exit_code == 2
    document = json.loads(as_document.stdout)
    assert [item["name"] for item in document["strategies"]] == ["Low"]
    assert len(document["problems"]) == 4


def test_no_strategies(home: Path) -> None:
    """A folder without strategies is said to be one, with exit code 2."""
    write_files(home / "none", {"_help.py": "", "other.py": "x = 1"})
    result = hearts_sim("strategies", "none")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "no strategies in none\n"


# bench


def test_bench() -> None:
    """`bench` gives hands per second and microseconds per decision of every strategy."""
    document = as_json("bench", "Low", "Chance", "--folder", "bots", "--hands", "20")
    assert document["hands"] >= 20
    assert document["hands_per_second"] == pytest.approx(document["hands"] / document["seconds"])
    assert set(document["microseconds_per_decision"]) == {"Low", "Chance"}
    assert min(document["microseconds_per_decision"].values()) > 0
    text = works("bench", "Low", "--folder", "bots", "--hands", "20", "--players", "3")
    lines = text.splitlines()
    assert re.fullmatch(r"[\d,]+ hands per second \([\d,]+ hands\)", lines[0])
    assert re.fullmatch(r"Low: [\d.]+ µs per decision", lines[1])


# chart

SIGNATURES = {"png": b"\x89PNG\r\n", "svg": b"<?xml"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", SIGNATURES)
def test_chart(home: Path, tmp_path: Path, kind: str, suffix: str) -> None:
    """Every kind of chart is drawn in both formats, the same as in the report, or has nothing."""
    target = tmp_path / f"mine.{suffix}"
    result = hearts_sim("chart", "results/league", "--kind", kind, "-o", str(target))
    report = home / "results" / "league" / "charts" / f"{kind}.{suffix}"
    if not report.exists():
        assert result.exit_code == 1
        assert f"the chart '{kind}' " in result.stderr
        return
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"chart: {target}\n"
    assert target.read_bytes().startswith(SIGNATURES[suffix])
    assert target.read_bytes() == report.read_bytes()


def test_names_of_charts(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without -o the file is KIND.FORMAT in the current folder; ratings as PNG by default."""
    monkeypatch.chdir(tmp_path)
    run = str(home / "results" / "league")
    works("chart", run, "-q")
    works("chart", run, "-q", "--kind", "places", "--format", "svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["places.svg", "ratings.png"]


def test_several_charts_go_into_a_folder(tmp_path: Path) -> None:
    """The folder is made if need be; one file for two charts is refused."""
    many = ["chart", "results/league", "--kind", "ecdf", "--kind", "pairwise"]
    works(*many, "--format", "svg", "-o", str(tmp_path / "new" / "folder"))
    names = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert names == ["ecdf.svg", "pairwise.svg"]
    works("chart", "results/league", "-o", str(tmp_path))
    assert (tmp_path / "ratings.png").exists()
    result = hearts_sim(*many, "-o", str(tmp_path / "one.png"))
    assert result.exit_code == 2
    assert "is one file for 2 charts: name a folder" in result.stderr


def test_charts_of_some_strategies(tmp_path: Path) -> None:
    """Those that are named, in that order; the nearest is named for one that is not there."""
    target = tmp_path / "some.svg"
    run = ["chart", "results/league", "-o", str(target), "--strategies"]
    names = Results("results/league").names
    first, second = names[1], names[0]
    works(*run, f"{first}, {second}")
    said = re.findall("<!-- (.*?) -->", target.read_text(encoding="utf-8"))
    assert [name for name in said if name in names] == [first, second]
    result = hearts_sim(*run, f"{first}x")
    assert result.exit_code == 1
    assert f"no strategy '{first}x' in results/league" in result.stderr
    assert f"{first}'?" in result.stderr or f"{first}?" in result.stderr
    result = hearts_sim(*run, f"{first},,{second}")
    assert result.exit_code == 2
    assert "a name is missing" in result.stderr


def test_chart_without_the_log_of_hands() -> None:
    """A chart that needs the log of hands says so, and which kinds do not."""
    result = hearts_sim("chart", "results/short", "--kind", "points")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "Error: the chart 'points' needs the log of hands, and results/short was played with log: "
        "games: play it with log: hands, or draw one of ratings, pairwise, places"
    )
    assert not Path("points.png").exists()


# Everything through the door


def test_a_program(home: Path, tmp_path: Path) -> None:
    """As a program: what strategies print does not get between the lines of the document."""
    noisy = LOW.replace("return", "print('hello')\n        return") + "\nprint('import')\n"
    write_files(home / "noisy", {"low.py": noisy})
    write_files(home, {"noisy.yaml": CONFIG.replace("bots", "noisy").replace("50", "1")})
    run = ("-m", "hearts_sim.cli", "run", "noisy.yaml", "--json", "-j", "1")
    done = python(*run, "-o", str(tmp_path / "out"), cwd=home)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 1
    assert "hello" in done.stderr
    assert "Traceback" not in done.stderr
