"""What docs/c.md shows works."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from building import INCLUDE, Seating, build, compiler, foreign, plain

from hearts_sim import Strategy
from hearts_sim.rules import Rules
from hearts_sim.strategy.foreign import check_library

PAGE = Path(__file__).parents[2] / "docs" / "c.md"


class Low(Strategy):
    def choose_card(self, view: Any) -> Any:
        return view.legal.lowest()


def shown(language: str) -> str:
    """The one listing of the page in a language."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(text)


def plays_lowest(library: str) -> bool:
    """Whether the bot of a library plays as one that plays its lowest card."""
    assert check_library(library, "lowest") == 0
    found, expected = (
        Seating(Rules(), [maker] * 4).play(2) for maker in (foreign(library, "lowest"), plain(Low))
    )
    return bool(found.tobytes() == expected.tobytes())


@pytest.mark.parametrize("cc", ["cc", "c++"])
def test_c(tmp_path: Path, cc: str) -> None:
    """The bot in C compiles without a warning, as C++ too, and plays."""
    assert plays_lowest(build(tmp_path, shown("c"), cc=cc))


def test_header_shows_the_same_bot() -> None:
    """The bot at the top of the header is that of the page."""
    text = (INCLUDE / "hearts_sim.h").read_text(encoding="utf-8").split("*/")[0]
    lines = [line.removeprefix(" *").removeprefix("     ") for line in text.splitlines()]
    assert shown("c").strip() in "\n".join(lines)


def test_rust(tmp_path: Path) -> None:
    """The bot in Rust compiles and plays."""
    rustc = compiler("rustc")
    source, library = tmp_path / "bot.rs", tmp_path / "bot.so"
    source.write_text(shown("rust"), encoding="utf-8")
    done = subprocess.run(
        [rustc, "-O", str(source), "-o", str(library)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert plays_lowest(str(library))


def test_names_of_the_header() -> None:
    """Every name of the header that the page has is there."""
    header = (INCLUDE / "hearts_sim.h").read_text(encoding="utf-8")
    names = set(re.findall(r"\b(?:hs|HS)_\w+", PAGE.read_text(encoding="utf-8")))
    assert len(names) > 30
    assert {name for name in names if not re.search(rf"\b{name}\b", header)} == set()
