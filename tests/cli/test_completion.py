"""What a shell is offered, as click's own completion asks for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from trial import FOUR, python, write_files

from hearts_sim.cli import main
from hearts_sim.report.kinds import KINDS
from hearts_sim.rules import PRESETS

PROGRAM = "hearts-sim"
VARIABLE = "_HEARTS_SIM_COMPLETE"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders of strategies, of which one ends whoever runs it, and two runs."""
    write_files(tmp_path / "strategies", FOUR)
    write_files(tmp_path / "bots", {"trap.py": "raise SystemExit\n" + FOUR["low.py"]})
    for name in ("league", "duel"):
        entries = [{"name": text} for text in (f"{name}-a", f"{name}-b", "c,d")]
        text = json.dumps({"identity": {"entries": entries}})
        write_files(tmp_path / "results" / name, {"run.json": text})
    (tmp_path / "results" / "empty").mkdir()
    write_files(tmp_path / "configs", {"a.yaml": "", "b.txt": ""})
    write_files(tmp_path / "elsewhere" / "one", {"run.json": "{broken"})
    monkeypatch.chdir(tmp_path)


def offered(line: str) -> list[str]:
    """What is offered for the last word of a line; a kind of path is named as ``<dir>``."""
    *words, last = line.split(" ")
    found = ShellComplete(main, {}, PROGRAM, VARIABLE).get_completions(words, last)
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in found]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("re", ["replay", "report"]),
        ("export --st", ["--strategies"]),
        ("chart results/league --kind ", list(KINDS)),
        ("export results/league --format j", ["json", "jsonl"]),
        ("completion ", ["bash", "zsh", "fish"]),
        # Runs
        ("report ", ["results/duel", "results/league"]),
        ("report results/l", ["results/league"]),
        ("report le", ["results/league"]),
        ("replay elsewhere/", ["elsewhere/one"]),
        ("replay nowhere/x", ["<dir>"]),
        ("merge results/duel results/l", ["results/league"]),
        ("compare ", ["results/duel", "results/league", "configs/a.yaml"]),
        ("compare conf", ["configs/a.yaml"]),
        ("compare other.y", ["<file>"]),
        ("run ", ["<file>"]),
        ("init ", ["<dir>"]),
        ("check ", ["<file>"]),
        # Strategies and entries
        ("bench ", ["Chance", "High", "Low", "Middle"]),
        ("bench low High m", ["Middle"]),
        ("bench Low ", ["Chance", "High", "Middle"]),
        ("bench --folder bots ", ["Low"]),
        ("bench --folder nowhere ", []),
        ("check strategies/low.py --strategy ", ["Chance", "High", "Low", "Middle"]),
        ("compare results/duel ", ["duel-a", "duel-b", "c,d"]),
        ("compare results/duel duel-a duel-", ["duel-a", "duel-b"]),
        ("compare configs/a.yaml L", ["Low"]),
        ("compare elsewhere/one L", ["Low"]),
        ("export results/league --strategies ", ["league-a", "league-b", "c,d"]),
        ("export results/league --strategies league-a,", ["league-a,league-b"]),
        ("export results/league --table ha", ["hands"]),
        ("export results/league --table p", ["plays", "pairwise", "places"]),
        # Presets
        ("variants omn", ["omnibus", "omnibus_ten"]),
        ("check strategies --rules ", list(PRESETS)),
        ("bench --rules black_", [name for name in PRESETS if name.startswith("black_")]),
    ],
)
def test_offered(line: str, names: list[str]) -> None:
    """What fits is offered, and nothing else."""
    assert offered(line) == names


def test_help_of_strategies() -> None:
    """Shells that can show it get what a strategy says of itself."""
    found = ShellComplete(main, {}, PROGRAM, VARIABLE).get_completions(["bench"], "Mid")
    assert [(item.value, item.help) for item in found] == [
        ("Middle", "Plays from the middle of its hand.")
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(shell: str) -> None:
    """What is printed is the shell's own language, and asks this program."""
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("there is no bash")
    result = CliRunner().invoke(main, ["completion", shell])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{VARIABLE}={shell}_complete" in result.stdout
    assert PROGRAM in result.stdout
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=result.stdout, text=True, check=False)
        assert done.returncode == 0


def test_in_a_process() -> None:
    """The program answers a shell, with nothing that takes its time."""
    program = (
        "import sys\nfrom hearts_sim.cli import main\n"
        "try:\n    main(prog_name='hearts-sim')\nexcept SystemExit:\n    pass\n"
        "heavy = {'numba', 'numpy', 'pandas', 'pydantic', 'pyarrow', 'scipy', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = python(
        "-c", program,
        **{VARIABLE: "bash_complete", "COMP_WORDS": "hearts-sim bench Lo", "COMP_CWORD": "2"},
    )  # fmt: skip
    assert done.stdout == "plain,Low\n"
    assert done.stderr == "[]\n"
