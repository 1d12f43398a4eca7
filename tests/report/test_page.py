"""The pages of a report: what they say is what the frames hold, and foreign text stays text."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from browser import CHROMIUM, Browser
from hypothesis import given
from hypothesis import strategies as st
from made import Failure, random_games, write_run
from made_details import made_details

from hearts_sim.report.as_json import DETAILS, SCHEMA_VERSION, as_json
from hearts_sim.report.kinds import KINDS, TITLES
from hearts_sim.report.markdown import markdown
from hearts_sim.report.notes import verdicts
from hearts_sim.report.page import Picture, html_page
from hearts_sim.report.slugs import slugs
from hearts_sim.report.summary import Summary, summarise
from hearts_sim.report.write import draw, drawable, write_report
from hearts_sim.rules import Rules

EVIL = "<script>alert(1)</script>"
NAMES = [
    EVIL,
    "a b",
    "A-B",
    "\"><b a='1'>|`*_$x^2$ & {{ 7*7 }} 🂡",
    "a name of forty characters, to the last!",
    "Plain",
]
OUT = {
    "strategy": "Plain",
    "block": 9,
    "games": 30,
    "faulty": 4,
    "why": f"it failed too often {EVIL}",
}
TABLES = {
    "passes": ("by_pass", "points"),
    "seats": ("by_seat", "points"),
    "moons": ("moons", "made"),
    "queens": ("queens", "taken"),
    "hearts": ("takes", "hearts"),
    "trajectory": ("trajectory", "score"),
    "lengths": ("lengths", "games"),
    "convergence": ("convergence", "elo"),
    "timing": ("timing", "microseconds"),
    "faults": ("faults", "faults"),
}
"""Frames behind charts, and a column of each."""

WITHOUT_HANDS = ("ratings", "pairwise", "places", "seats", "lengths", "convergence", "timing")


def drawing(kind: str) -> Picture:
    """A chart that costs nothing."""
    box = '<svg viewBox="0 0 650 400" style="max-width:100%"><rect width="650" height="400"/></svg>'
    return Picture(kind, TITLES.get(kind, kind), box)


ALL = list(dict.fromkeys([*KINDS, "pairwise", "ecdf", *TABLES]))
PICTURES = [drawing(kind) for kind in ALL]


def with_details(summary: Summary, **more: Any) -> Summary:
    """The same with details that are made up."""
    summary.details = made_details(summary.results.names, blocks=summary.blocks, **more)
    return summary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """A run of six with names that are hard to show, faults, and one that is disqualified."""
    trace = "".join(f'  File "{EVIL}", line {line}, in f\n' + "x" * 300 for line in range(3))
    results = write_run(
        tmp_path_factory.mktemp("page") / "run",
        Rules(),
        random_games(Rules(), entries=6, blocks=30, span=20),
        entries=6,
        names=NAMES,
        failures=[Failure(3, 1, "exception", message=EVIL, traceback=trace), Failure(9, 2)],
        disqualified=[OUT],
        checks={"deals": {"played": 30, "repeated": 0}, "alike": [], "not_compared": []},
        command=["hearts-sim", "run", f"{EVIL}.yaml", "--seed", "7"],
        digest="0123456789abcdef",
    )
    return with_details(summarise(results))


@pytest.fixture(scope="module")
def page(summary: Summary) -> str:
    return html_page(summary, PICTURES)


class Reader(HTMLParser):
    """Reads a page: its tables by their labels, its identifiers, links and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.values: dict[str, list[list[str]]] = {}
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self._label = ""
        self._inside = False
        self.feed(page)
        self.close()

    @property
    def ids(self) -> list[str]:
        return [value for _, name, value in self.attributes if name == "id"]

    @property
    def links(self) -> list[str]:
        return [value for _, name, value in self.attributes if name == "href"]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in found.items()]
        if found.get("role") == "group":
            self._label = found["aria-label"]
        elif tag == "table":
            assert self._label not in self.tables, self._label
            self.tables[self._label], self.values[self._label] = [], []
        elif tag == "tr":
            self.tables[self._label].append([])
            self.values[self._label].append([])
        elif tag in ("td", "th"):
            self.tables[self._label][-1].append("")
            self.values[self._label][-1].append(found.get("data-v", ""))
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._inside = False

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self._inside:
            self.tables[self._label][-1][-1] += data


@pytest.fixture(scope="module")
def read(page: str) -> Reader:
    return Reader(page)


def numbers(text: str) -> list[float]:
    """All numbers of a cell, shares as shares."""
    found = [float(number) for number in re.findall(r"-?\d+\.?\d*", text.replace(",", ""))]
    return [number / 100 for number in found] if "%" in text else found


def assert_shows(cell: str, *expected: float) -> None:
    """A cell shows these figures, as far as its digits go; a dash where one is none."""
    if any(math.isnan(value) for value in expected):
        assert cell == "–"
        return
    digits = len(match[1]) if (match := re.search(r"\.(\d+)", cell)) else 0
    unit = 10.0 ** -(digits + 2 * ("%" in cell))
    assert numbers(cell) == pytest.approx(list(expected), abs=0.5001 * unit, rel=0)


# Figures


def test_leaderboard(summary: Summary, read: Reader) -> None:
    """Every figure of the leaderboard is that of the frame, and so is what it is sorted by."""
    heads, *rows = read.tables["Leaderboard"]
    _, *values = read.values["Leaderboard"]
    assert heads[:6] == ["rank", "strategy", "games", "points/hand", "deff", "Elo"]
    assert len(rows) == len(summary.board) == 6
    columns = {
        0: "rank", 2: "games", 3: "points", 4: "points_design", 5: "elo", 6: "elo_design",
        7: "superiority", 8: "best", 9: "wins", 10: "microseconds",
    }  # fmt: skip
    for at, row in enumerate(summary.board.to_dict("records")):
        shown = rows[at]
        assert shown[1] == row["strategy"] + " (disqualified)" * row["disqualified"]
        assert_shows(shown[2], row["games"])
        assert_shows(shown[3], row["points"], row["points_error"])
        assert_shows(shown[5], row["elo"], row["elo_error"])
        assert_shows(shown[9], row["wins"])
        for column, name in columns.items():
            if pd.isna(row[name]):
                assert values[at][column] == ""
            else:
                assert float(values[at][column]) == pytest.approx(row[name], rel=1e-6)


@pytest.mark.parametrize(
    ("title", "name", "by"),
    [
        ("By pass", "by_pass", "pass"),
        ("By seat", "by_seat", "seat"),
        ("By hand of the game", "by_hand", "hand"),
    ],
)
def test_points_in_sections(title: str, name: str, by: str, summary: Summary, read: Reader) -> None:
    """A section shows the points of its strategy, of nobody else, with their intervals."""
    frame = getattr(summary.details, name)
    for strategy in NAMES:
        own = frame[frame["strategy"] == strategy].to_dict("records")
        _, *rows = read.tables[f"{strategy}: {title}"]
        assert len(rows) == len(own) > 1
        for shown, row in zip(rows, own, strict=True):
            assert shown[0] == str(row[by])
            assert_shows(shown[1], row["points"])
            assert_shows(shown[3], row["low"], row["high"])
            assert_shows(shown[4], row["hands"])


def test_moons_in_sections(summary: Summary, read: Reader) -> None:
    """Moons are those of the frame; of failed attempts there is no interval."""
    for row in summary.details.moons.to_dict("records"):
        _, *rows = read.tables[f"{row['strategy']}: Moons"]
        assert [shown[0] for shown in rows] == ["made", "suffered", "stopped", "failed"]
        for shown in rows[:3]:
            name = shown[0]
            assert_shows(shown[1], row[name])
            assert_shows(shown[2], row[f"{name}_share"])
            assert_shows(shown[3], row[f"{name}_low"], row[f"{name}_high"])
        assert_shows(rows[3][1], row["failed"])
        assert rows[3][3] == "–"


def test_queens_in_sections(summary: Summary, read: Reader) -> None:
    """Where its queens came from stands beside how it gives them."""
    taken, given = summary.details.queens, summary.details.queens_given
    for strategy in NAMES:
        _, *rows = read.tables[f"{strategy}: The queen of spades"]
        assert [shown[0] for shown in rows] == ["led", "followed", "dumped"]
        for shown in rows:
            for at, frame, name in ((1, taken, "taken"), (4, given, "given")):
                chosen = frame[(frame["strategy"] == strategy) & (frame["how"] == shown[0])]
                row = chosen.iloc[0]
                assert_shows(shown[at], row[name])
                assert_shows(shown[at + 1], row["share"])
                assert_shows(shown[at + 2], row["low"], row["high"])


def test_takes_in_sections(summary: Summary, read: Reader) -> None:
    """Hearts, queens, tricks and hands without a point."""
    for row in summary.details.takes.to_dict("records"):
        _, *rows = read.tables[f"{row['strategy']}: Hearts, queens, tricks"]
        for shown, name in zip(rows, ("hearts", "queens", "tricks", "clean"), strict=True):
            assert_shows(shown[1], row[name])
            assert_shows(shown[2], row[f"{name}_low"], row[f"{name}_high"])


def test_worst_hands(summary: Summary, read: Reader) -> None:
    """Each has its place in the run, and the command that shows it."""
    for strategy in NAMES:
        own = summary.details.worst[summary.details.worst["strategy"] == strategy]
        _, *rows = read.tables[f"{strategy}: worst hands"]
        columns = ["points", "block", "seating", "game", "hand", "seat", "replay"]
        assert rows == own[columns].astype(str).to_numpy().tolist()


def test_verdicts_of_a_section(page: str, summary: Summary) -> None:
    """The verdicts of a section are those that name the strategy."""
    said = verdicts(summary)
    ranked = [name for name in summary.board["strategy"] if name != "Plain"]
    address = slugs(NAMES)
    for at, name in enumerate(ranked):
        section = page.split(f'id="strategy-{address[name]}"')[1].split("</section>")[0]
        shown = "".join(Reader(section).texts)
        for number, sentence in enumerate(said):
            assert (sentence in shown) == (number in (at - 1, at)), (name, sentence)


@pytest.mark.parametrize("kind", TABLES)
def test_tables_behind_charts(kind: str, summary: Summary, read: Reader) -> None:
    """Behind a chart is its frame, each strategy's rows together, best first."""
    name, column = TABLES[kind]
    heads, *rows = read.tables[TITLES.get(kind, kind)]
    frame = getattr(summary.details, name)
    head = {"elo": "Elo", "microseconds": "µs/card"}.get(column, column)
    at = heads.index(head)
    assert len(rows) == len(frame)
    if "strategy" in frame:
        order = {name: at for at, name in enumerate(summary.board["strategy"])}
        frame = frame.sort_values("strategy", key=lambda names: names.map(order), kind="stable")
        assert [row[0] for row in rows] == list(frame["strategy"])
    for row, value in zip(rows, frame[column], strict=True):
        assert_shows(row[at], value)


def test_the_table_of_points(summary: Summary, read: Reader) -> None:
    """Quantiles and shares of hands are those of the hands, counted one by one."""
    _, *rows = read.tables[TITLES.get("ecdf", "ecdf")]
    for name, mean, none, *quantiles, high, hands in rows:
        frame = summary.histogram[summary.histogram["strategy"] == name]
        points = sorted(
            point
            for point, often in zip(frame["points"], frame["hands"], strict=True)
            for _ in range(often)
        )
        assert_shows(hands, len(points))
        assert_shows(mean, sum(points) / len(points))
        assert_shows(none, points.count(0) / len(points))
        assert_shows(high, sum(point >= 13 for point in points) / len(points))
        for share, shown in zip((0.5, 0.75, 0.9), quantiles, strict=True):
            assert_shows(shown, points[math.ceil(round(share * len(points), 9)) - 1])


# Safe and whole


def test_charts_are_shown_in_order(page: str, read: Reader) -> None:
    """Every chart that is drawn is there once, the ratings before the leaderboard."""
    assert read.tags["svg"] == len(PICTURES)
    assert page.index("<svg") < page.index('id="leaderboard"')
    shown = [found for found in read.ids if found.startswith("chart-")]
    assert shown == [f"chart-{kind}" for kind in ALL if kind not in ("ratings", "faults")]


def test_links_lead_somewhere(read: Reader) -> None:
    """Every link leads to an identifier in the page, and these are all different."""
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert {f"#strategy-{slug}" for slug in slugs(NAMES).values()} <= set(read.links)


def test_nothing_from_outside(summary: Summary) -> None:
    """With a real chart in it, nothing in the page refers to anything outside."""
    from hearts_sim.report.charts import to_svg

    chart = Picture("ratings", "Ratings", to_svg(draw(summary, "ratings")))
    page = html_page(summary, [chart])
    read = Reader(page)
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(read.tags)
    for tag, name, value in read.attributes:
        if name in ("src", "href", "xlink:href", "action", "data"):
            assert value.startswith("#"), (tag, name, value)
        if not name.startswith("xmlns"):
            assert "http" not in value, (tag, name, value)
    assert "@import" not in page
    assert all(found.startswith("#") for found in re.findall(r"url\(([^)]*)\)", page))


def test_foreign_text_is_escaped(page: str, read: Reader) -> None:
    """There is one script, the page's own, and names are texts."""
    assert read.tags["script"] == 1
    assert read.tags["b"] == 0
    assert page.count("{{") == page.count("{{ 7*7 }}")
    assert "49" not in [text.strip() for text in read.texts if "$x^2$" in text]
    assert all(any(name in text for text in read.texts) for name in NAMES)


@given(st.lists(st.text(), unique=True))
def test_slugs(names: list[str]) -> None:
    """For any names: one for each, all different, and safe in an address."""
    found = slugs(names)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in found.values())


# Runs of which less is known


def fewer(path: Path, entries: int = 4, blocks: int = 12, **more: Any) -> Summary:
    rules = more.pop("rules", Rules())
    games = random_games(rules, entries=entries, blocks=blocks, span=20)
    return summarise(write_run(path, rules, games, entries=entries, **more))


def both(summary: Summary, pictures: list[Picture]) -> tuple[str, str]:
    """The texts of the page, and of the Markdown; no figure in them is none."""
    page = html_page(summary, pictures)
    text = " ".join(Reader(page.rsplit("<script>", 1)[0]).texts)
    plain = markdown(summary, pictures)
    for shown in (text, plain):
        assert not {"nan", "inf", "None", "<NA>"} & set(re.split(r"[\s|%,]+", shown))
    return text, plain


def test_without_hands(tmp_path: Path) -> None:
    """A log of games says which charts need hands, and has no tables of them."""
    summary = fewer(tmp_path / "run", identity={"log": "games"})
    summary.histogram = None
    summary = with_details(summary, log_hands=False, failed=0)
    drawn = [drawing(kind) for kind in ALL if kind in WITHOUT_HANDS]
    for shown in both(summary, drawn):
        found = re.search("Not drawn: (.*); the run was played with log: games", shown)
        assert found
        left = [TITLES[kind] for kind in KINDS if kind not in (*WITHOUT_HANDS, "faults")]
        assert found[1] == ", ".join(left)
        assert "worst hand" not in shown.lower()
    document = as_json(summary)["details"]
    assert document["by_pass"] is document["worst"] is None
    assert len(document["by_seat"]) == 16


def test_an_unfinished_run(tmp_path: Path) -> None:
    """It says that its figures are interim."""
    summary = with_details(fewer(tmp_path / "run", status="running"))
    for shown in both(summary, PICTURES):
        assert "interim: table tournament" in shown
        assert "not finished" in shown


CASES: dict[str, dict[str, Any]] = {
    "one strategy": {"entries": 1, "identity": {"format": "selfplay"}},
    "one block": {"blocks": 1},
    "teams": {"rules": Rules(teams="pooled")},
    "seven players": {"entries": 7, "rules": Rules(players=7)},
    "highest": {"rules": Rules(win="highest")},
}


@pytest.mark.parametrize("case", CASES)
def test_other_runs(case: str, tmp_path: Path) -> None:
    """Every strategy has its section; what is unknown is a dash."""
    summary = fewer(tmp_path / "run", **CASES[case])
    players = summary.results.rules.players
    text, plain = both(with_details(summary, players=players), PICTURES)
    for name in summary.results.names:
        assert f"{name}" in text
        assert f"| {name} |" in plain


def test_nothing_was_counted(tmp_path: Path) -> None:
    """Empty frames are no tables, and no error."""
    summary = with_details(fewer(tmp_path / "run"), moons=False, failed=0)
    for name in DETAILS:
        setattr(summary.details, name, getattr(summary.details, name).iloc[:0])
    text, plain = both(summary, PICTURES)
    assert "By pass" not in text
    assert "Worst hands" not in plain


@pytest.mark.long
def test_fifty_strategies(tmp_path: Path) -> None:
    """They make a page that is not giant: beside the charts it has 3 MB at most."""
    rules = Rules()
    games = random_games(rules, entries=50, blocks=60, span=20)
    names = [f"A strategy with a name {number}" for number in range(50)]
    summary = summarise(write_run(tmp_path / "run", rules, games, entries=50, names=names))
    page = html_page(with_details(summary, hands=40), PICTURES)
    assert len(page.encode()) < 3_000_000


# For programs and for terminals


def test_json(summary: Summary) -> None:
    """The document has a version of its own, and the details as they are in the frames."""
    document = json.loads(json.dumps(as_json(summary), allow_nan=False))
    assert document["schema_version"] == SCHEMA_VERSION
    assert set(document["details"]) == set(DETAILS)
    for name in DETAILS:
        frame = getattr(summary.details, name)
        rows = pd.DataFrame(document["details"][name])
        assert list(rows.columns) == list(frame.columns)
        keys = [column for column in frame.columns if frame[column].dtype.kind != "f"]
        left = frame.sort_values(keys).reset_index(drop=True)
        right = rows.sort_values(keys).reset_index(drop=True)
        pd.testing.assert_frame_equal(left, right, check_dtype=False)


def test_markdown_spreads_what_goes_by_something(summary: Summary) -> None:
    """Points by pass have a row for each strategy, with half of the interval."""
    text = markdown(summary, [drawing("passes")])
    lines = text.split("](charts/passes.svg)\n\n")[1].split("\n\n")[0].split("\n")
    assert lines[0] == "| points per hand by pass | left | right | across | hold |"
    frame = summary.details.by_pass
    best = summary.board["strategy"].iloc[0]
    own = frame[frame["strategy"] == best]
    for cell, row in zip(lines[2].split(" | ")[1:], own.to_dict("records"), strict=True):
        assert_shows(cell.strip(" |"), row["points"], (row["high"] - row["low"]) / 2)


def test_markdown_has_each_chart_and_section_once(summary: Summary) -> None:
    """Charts come in their order, but for that of the faults, which is in their section."""
    text = markdown(summary, PICTURES)
    kinds = re.findall(r"\]\(charts/(.*)\.svg\)", text)
    assert sorted(kinds) == sorted(ALL)
    assert [kind for kind in kinds if kind != "faults"] == [one for one in ALL if one != "faults"]
    heads = re.findall("^## .*", text, re.MULTILINE)
    assert len(heads) == len(set(heads))


def test_markdown_tables_are_whole(summary: Summary) -> None:
    """Whatever a name holds, every row has as many cells as its head."""
    width = 0
    for line in markdown(summary, PICTURES).split("\n"):
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert cells == (width or cells), line
        width = cells


# Seen


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def file(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seen") / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


seen = pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
ALL_OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true })"
TOO_WIDE = """
[...document.querySelectorAll("body *")]
  .filter((one) => !one.parentElement.closest(".wide, pre, .copy code, svg, span.mark"))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
  .map((one) => one.tagName + " " + one.textContent.slice(0, 40))
"""
COLUMN = """
[...document.querySelectorAll("#leaderboard tbody tr")].map((row) => row.cells[{}].textContent)
"""
HEAD = 'document.querySelectorAll("#leaderboard th")[{}]'


@seen
@pytest.mark.browser
def test_it_opens_without_a_network(browser: Browser, file: Path) -> None:
    """Nothing is asked for but the page itself, and nothing is complained about."""
    for dark in (False, True):
        browser.open(file, dark=dark)
        assert browser.requests == [file.as_uri()]
        assert browser.errors == []
    assert browser.run("document.scripts.length") == 1
    assert browser.run("document.title") == "made – hearts-sim"
    headings = browser.run("[...document.querySelectorAll('h3')].map((one) => one.textContent)")
    assert f"{EVIL} #" in headings


@seen
@pytest.mark.browser
def test_real_charts(browser: Browser, summary: Summary) -> None:
    """With every chart as it is drawn there is nothing to complain about, nothing too wide."""
    write_report(summary)
    file = summary.results.path / "report.html"
    browser.open(file, width=390)
    assert browser.requests == [file.as_uri()]
    assert browser.errors == []
    assert browser.run("document.querySelectorAll('figure svg').length") == len(drawable(summary))
    assert browser.run(TOO_WIDE) == []


@seen
@pytest.mark.browser
def test_sorting(browser: Browser, file: Path, summary: Summary) -> None:
    """A click sorts by numbers, another one turns the order; what is missing stays last."""
    browser.open(file)
    board = summary.board
    for column, name in ((5, "elo"), (3, "points")):
        for ascending in (True, False):
            browser.run(HEAD.format(column) + ".querySelector('button').click()")
            order = board.sort_values(name, ascending=ascending)["strategy"]
            shown = [one.removesuffix(" (disqualified)") for one in browser.run(COLUMN.format(1))]
            assert shown == list(order)
            says = browser.run(HEAD.format(column) + ".getAttribute('aria-sort')")
            assert says == ("ascending" if ascending else "descending")
    assert browser.run(HEAD.format(5) + ".getAttribute('aria-sort')") is None
    for rank in (["1", "2", "3", "4", "5", "–"], ["5", "4", "3", "2", "1", "–"]):
        browser.run(HEAD.format(0) + ".querySelector('button').click()")
        assert [one.split(" ")[0] for one in browser.run(COLUMN.format(0))] == rank


@seen
@pytest.mark.browser
def test_sorting_by_keyboard(browser: Browser, file: Path, summary: Summary) -> None:
    """The heads are reached by Tab and pressed with Enter or the space bar."""
    browser.open(file)
    browser.run(HEAD.format(4) + ".querySelector('button').focus()")
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.textContent") == "Elo"
    browser.press("Enter", 13)
    order = list(summary.board.sort_values("elo")["strategy"])
    assert browser.run(COLUMN.format(1))[0].removesuffix(" (disqualified)") == order[0]
    browser.press(" ", 32)
    assert browser.run(COLUMN.format(1))[0].removesuffix(" (disqualified)") == order[-1]


@seen
@pytest.mark.browser
def test_every_anchor_resolves(browser: Browser, file: Path) -> None:
    """A click on a name in the leaderboard leads to its section."""
    browser.open(file)
    lost = """[...document.querySelectorAll("a[href]")].filter((one) =>
        !one.hash || !document.getElementById(one.hash.slice(1))).length"""
    assert browser.run(lost) == 0
    browser.run("document.querySelectorAll('#leaderboard tbody a')[4].click()")
    top = "document.querySelector(':target').getBoundingClientRect().top"
    assert abs(browser.run(top)) < 100
    assert (
        browser.run("document.querySelector(':target h3').textContent.slice(0, -2)")
        == (browser.run(COLUMN.format(1))[4])
    )


@seen
@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "media"), [(390, "screen"), (760, "screen"), (1280, "screen"), (690, "print")]
)
def test_nothing_is_too_wide(width: int, media: str, browser: Browser, file: Path) -> None:
    """Tables scroll inside themselves, never the page; also when everything is unfolded."""
    browser.open(file, width=width, media=media)
    for _ in range(2):
        assert browser.run("[innerWidth, document.documentElement.scrollWidth]") == [width] * 2
        assert browser.run(TOO_WIDE) == []
        if media == "print":
            break
        browser.run(ALL_OPEN)


@seen
@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_contrast(dark: bool, browser: Browser, file: Path) -> None:
    """All texts are read well: at least 4.5 to 1, as WCAG 2 asks."""
    browser.open(file, dark=dark)
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    light = luminance(ground)
    assert light < 0.1 if dark else light > 0.9
    inks = browser.run(
        "[...new Set([...document.querySelectorAll('p, a, th, td, dt, h1, h4, code, button')]"
        ".map((one) => getComputedStyle(one).color))]"
    )
    assert len(inks) >= 3
    for ink in inks:
        low, high = sorted((light, luminance(ink)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, ink


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)``."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@seen
@pytest.mark.browser
def test_copying(browser: Browser, file: Path, summary: Summary) -> None:
    """The button copies the command and says so; other texts are not touched."""
    browser.open(file)
    browser.allow("clipboardReadWrite")
    worst = summary.details.worst
    best = summary.board["strategy"].iloc[0]
    button = "document.querySelector('td .copy button')"
    browser.run(f"{button}.click()")
    browser.run("new Promise((done) => setTimeout(done, 200))")
    assert browser.run(f"{button}.textContent") == "copied"
    copied = browser.run("navigator.clipboard.readText()")
    assert copied == worst[worst["strategy"] == best]["replay"].iloc[0]


@seen
@pytest.mark.browser
def test_printing(browser: Browser, file: Path, tmp_path: Path) -> None:
    """It prints; on paper all verdicts are unfolded, and nothing is there to be pressed."""
    browser.open(file)
    browser.pdf(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    browser.open(file, media="print", width=690, dark=True)
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    hidden = """[...document.querySelectorAll("nav, .copy button, .back")].every(
        (one) => getComputedStyle(one).display === "none")"""
    assert browser.run(hidden)
