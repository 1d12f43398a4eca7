"""The page of a game: whole, without a network, with foreign text as text."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from trial import FOUR, HIGH, settings, write_files

import hearts_sim
from hearts_sim.cli import main
from hearts_sim.tournament.reading.results import Results

EVIL = "</script><b>&\"x'\u2028<!--"


def replay(*arguments: Any) -> Result:
    result = CliRunner().invoke(main, ["replay", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def play(folder: Path, rules: Any, **more: Any) -> Results:
    """A small run of bots that play differently, as many as six."""
    bots = write_files(folder / "bots", FOUR)
    for name in ("More", "Extra"):
        write_files(bots, {f"{name.lower()}.py": HIGH.replace("High", name)})
    config = settings(bots, rules=rules, games=4, log="plays", seed=3, **more)
    return hearts_sim.run(config, output=folder / "run", report=False)


class Page(HTMLParser):
    """What a browser makes of a page: elements, their attributes, the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
        self.ids.add(dict(attrs).get("id") or "")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def page_of(results: Results, *arguments: Any) -> tuple[Page, dict[str, Any], str]:
    """The page of a game, the data in it, and its text."""
    file = results.path / "page.html"
    result = replay(results.path, *arguments, "--html", file)
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    assert result.stderr == f"page: {file}\n"
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    return page, json.loads(page.scripts[0]), text


RULES = {
    "teams": {"preset": "partnership_pooled", "end": {"deals": 2}},
    "kitty": {"preset": "kitty", "end": {"deals": 3}},
    "two packs": {
        "preset": "cancellation", "cancel_two_pairs": True, "pass_cycle": ["L", "scatter", "H"],
        "end": {"deals": 3}, "tie": "draw",
    },
    "bonus": {"preset": "omnibus", "end": {"deals": 2}},
    "seven": {"players": 7, "end": {"deals": 2}},
}  # fmt: skip


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_page_has_the_game(tmp_path: Path, rules: Any) -> None:
    """All that `--json` has is in the page, and what is taken adds up to what was counted."""
    results = play(tmp_path, rules)
    _, data, text = page_of(results, 1)
    document = json.loads(replay(results.path, 1, "--json").stdout)
    for key, value in document.items():
        if key != "hands":
            assert data[key] == value
    for hand, same in zip(data["hands"], document["hands"], strict=True):
        assert {key: hand[key] for key in same} == same
        taken = [0] * len(data["strategies"])
        for trick in hand["tricks"]:
            if trick["winner"] is not None:
                taken[trick["winner"]] += trick["points"]
        if hand["kitty_seat"] is not None:
            assert hand["tricks"][hand["kitty_trick"]]["winner"] == hand["kitty_seat"]
            taken[hand["kitty_seat"]] += hand["kitty_points"]
        assert taken == hand["raw"]
    first = next(
        number for number, trick in enumerate(data["hands"][0]["tricks"]) if trick["points"]
    )
    if rules.get("preset") == "kitty":
        assert data["hands"][0]["kitty_trick"] == first
    assert data["costs"]["QS"] == 13
    assert (data["teams"] is not None) == (rules.get("preset") == "partnership_pooled")
    assert data["pairs_cancel"] == (rules.get("preset") == "cancellation")
    # The same as text, for a browser without scripts.
    whole = replay(results.path, 1).stdout
    shown = re.search(r"<noscript>.*?<pre>(.*?)</pre></noscript>", text, re.S)
    assert shown
    assert html.unescape(shown[1]) == whole.rstrip("\n")


def test_foreign_text(tmp_path: Path) -> None:
    """A name that looks like HTML stays a name, wherever it stands."""
    plain = EVIL.replace("\u2028", "")
    entries = [{"strategy": "Low", "name": plain}, "High", "Middle", "Chance"]
    results = play(tmp_path, {"end": {"deals": 1}, "tie": "draw"}, entries=entries)
    page, data, _ = page_of(results, 0)
    assert plain in data["strategies"]
    assert len(page.scripts) == 2
    assert {tag for tag, _ in page.tags} == {
        "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "noscript", "pre",
        "main", "div", "label", "select", "input", "button", "kbd", "script",
    }  # fmt: skip


def test_no_network_and_no_markup_from_text(tmp_path: Path) -> None:
    """The page names no other file, and its script never takes text for markup."""
    page, _, text = page_of(play(tmp_path, {"end": {"deals": 1}, "tie": "draw"}), 0)
    for _, attributes in page.tags:
        assert not {"src", "href"} & set(attributes)
    assert not re.search(
        r"https?:|url\(|@import|innerHTML|insertAdjacent|document\.write|eval", text
    )
    policy = next(item["content"] for tag, item in page.tags if "http-equiv" in item)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    # What the script looks for is there.
    assert set(re.findall(r"\$\(\"([\w-]+)\"\)", page.scripts[1])) <= page.ids


def test_one_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hand, and the name of a file that is not given."""
    results = play(tmp_path, {"end": {"deals": 2}, "tie": "draw"})
    _, data, text = page_of(results, 1, "--hand", 2)
    assert [hand["hand"] for hand in data["hands"]] == [2]
    assert "Final scores" not in text
    monkeypatch.chdir(tmp_path)
    assert replay(results.path, 1, "--html").stderr == "page: trial-game-1.html\n"
    assert len(page_of(results, 1)[2]) > len(text)
    assert Path("trial-game-1.html").stat().st_size > len(text)


def test_one_form(tmp_path: Path) -> None:
    """Forms of the same are not asked for together."""
    for other in (["--json"], ["--text"], ["--seat", "1"]):
        result = replay(tmp_path, 0, "--html", "a.html", *other)
        assert result.exit_code == 2
        assert "--html" in result.stderr
