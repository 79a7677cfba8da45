"""braid report: one file, small, with every picture, whose points speak."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from braid.explore.database import DONE, Row
from braid.explore.inputs import rows_of, series_of
from braid.explore.report import occupancy
from braid.explore.report.content import report
from braid.explore.report.occupancy import held
from braid_tools.program import ROOT
from braid_tools.site.browser import Browser
from small_mesh import RATE, Braid

VOID = {"meta", "link", "br"}
#: How the claims of the two maps of a run begin.
BESIDE = ("The busiest link", "Router")


class Whole(HTMLParser):
    """Every element is closed, every id is there once."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(text: str) -> str:
    page = Whole()
    page.feed(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = re.findall(r'href="(?:#|data:)?([^"]*)"', text)
    assert not [link for link in links if link.startswith("http")]
    assert not re.search(r'(?:src|@import|url\()\s*=?\s*["\']?(?:https?:)?//', text)
    assert "#010203" not in text
    return text


@pytest.fixture
def stores(mesh: Path, braid_here: Braid) -> list[str]:
    """Two stores of the same curves, of which the second has a slower link; results that show all that a run can."""
    vary = [
        "--vary",
        f"{RATE}=0.1:0.7:0.3",
        "--vary",
        "routing.algorithm=x_first,odd_even",
        "--seeds",
        3,
        "--plot",
        "-",
    ]
    vary += ["--set", "results.batches=true", "--set", "results.flows=true"]
    braid_here("sweep", mesh, *vary, "--store", "a.sqlite")
    braid_here("sweep", mesh, *vary, "--store", "b.sqlite", "--set", "topology.link_latency_cycles=3")
    return ["a.sqlite", "b.sqlite"]


def test_the_page_of_two_stores(stores: list[str], braid_here: Braid, tmp_path: Path) -> None:
    done = braid_here("report", *stores, "-o", "page.html")
    assert done.stdout.startswith("page.html: written, ")
    text = checked((tmp_path / "page.html").read_text())
    for section in (
        "Latency and load",
        "Side by side",
        "Fairness",
        "Links and buffers",
        "Latency by distance",
        "Over time",
        "Figures",
    ):
        assert f"<h2>{section}</h2>" in text
    assert "<h2>Failed</h2>" not in text
    assert "topology.link_latency_cycles" in text
    assert text.count('class="marked"') > 4
    assert "odd_even, a" in text
    tips = re.findall(r'data-tip="([^"]*)"', text)
    assert len([tip for tip in tips if "to 1,0 (east)" in tip]) == 4
    assert len([tip for tip in tips if re.fullmatch(r"router 1,0: holds [\d.e-]+ flits, \d+ at most", tip)]) == 4
    links, buffers = (re.findall(rf"<figcaption>{begin}[^<]*: ([^<]+)</figcaption>", text) for begin in BESIDE)
    assert links == buffers, "each map of buffers is of the run whose links are drawn beside it"
    assert any(re.fullmatch(r"x_first, b: rate_flits_per_node_cycle 0.1: .* ± .* cycles", tip) for tip in tips)
    assert any(tip.endswith("saturated") for tip in tips)


def test_buffers_hold_what_the_network_says_while_it_runs(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    """braid watch counts all flits in buffers at the same cycles."""
    braid_here("run", mesh, "--quiet", "--json", "run.json", "--set", f"{RATE}=0.3")
    [row] = rows_of(tmp_path / "run.json")
    found = held(row)
    assert found is not None
    start = (row.results or {})["warmup_cycles"]
    assert (found.first, found.last, found.unit) == (start + 10, start + 2000, "flits")
    words = ["--every", 10, "--cycles", found.last, "--set", f"{RATE}=0.3", "--series", "s.csv"]
    braid_here("watch", mesh, *words)
    looks = [line["buffered"] for line in series_of(tmp_path / "s.csv") if line["cycle"] > start]
    assert len(looks) == 200
    assert sum(found.means) == pytest.approx(sum(looks) / 200)
    assert max(looks) <= sum(found.most)
    assert all(mean <= most for mean, most in zip(found.means, found.most, strict=True))


@pytest.mark.parametrize(
    ("name", "router", "unit"),
    [("po2_hexagonal", r"[^:]+", "packets"), ("tree_sat", r"[^:]+", "packets"), ("irregular", r"[^:]+", "flits")],
)
def test_buffers_are_drawn_on_every_topology(
    name: str, router: str, unit: str, braid_here: Braid, tmp_path: Path
) -> None:
    experiment = ROOT / "tb" / "experiments" / f"{name}.toml"
    short = ["--set", "simulation.measure_cycles=4000", "--set", "simulation.batch_cycles=1000"]
    short += ["--set", "simulation.min_warmup_cycles=1000", "--set", "simulation.max_warmup_cycles=2000"]
    braid_here("run", experiment, "--quiet", "--json", "run.json", *short)
    braid_here("report", "run.json", "-o", "page.html", "--quiet")
    text = checked((tmp_path / "page.html").read_text())
    tips = re.findall(rf'data-tip="router {router}: holds ([\d.e+-]+) {unit}, (\d+) at most"', text)
    routers = {link["router"] for link in (rows_of(tmp_path / "run.json")[0].results or {})["links"]}
    assert len(tips) >= len(routers)
    assert any(float(mean) > 0 for mean, _ in tips)


def test_without_buffers_links_are_drawn_alone(
    mesh: Path, braid_here: Braid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ideal routers, of very many, and where it would take long."""

    def row(*settings: str) -> Row:
        words = [word for one in settings for word in ("--set", one)]
        braid_here("run", mesh, "--quiet", "--json", "run.json", *words, "--set", "simulation.measure_cycles=500")
        return rows_of(tmp_path / "run.json")[0]

    assert held(row("router.architecture=ideal")) is None
    assert held(row("topology.width=24", "topology.height=24")) is None
    small = row()
    steps = 16 * ((small.results or {})["warmup_cycles"] + 2000)
    monkeypatch.setattr(occupancy, "MOST_STEPS", steps)
    assert held(small) is not None
    monkeypatch.setattr(occupancy, "MOST_STEPS", steps - 1)
    assert held(small) is None


def test_the_page_of_a_stream_program(braid_here: Braid, tmp_path: Path) -> None:
    experiment = ROOT / "tb" / "experiments" / "fm_radio.toml"
    braid_here("run", experiment, "--quiet", "--json", "fm.json", "--set", "simulation.measure_cycles=2000")
    braid_here("report", "fm.json", "-o", "page.html", "--title", "FM <radio>", "--quiet")
    text = checked((tmp_path / "page.html").read_text())
    assert "<title>FM &lt;radio&gt;</title>" in text
    assert "circuits stand after" in text
    assert "<h2>Set-up of circuits</h2>" in text


def test_time_series_are_drawn_beside_results_or_alone(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    for name in ("a.csv", "b.parquet"):
        braid_here("watch", mesh, "--every", 100, "--cycles", 1000, "--series", name)
    braid_here("run", mesh, "--quiet", "--json", "run.json")
    braid_here("report", "run.json", "a.csv", "b.parquet", "-o", "page.html", "--quiet")
    text = checked((tmp_path / "page.html").read_text())
    assert "<h2>While it ran</h2>" in text
    tips = re.findall(r'data-tip="cycle (\d+): (\w+) ([\d.e+]+)"', text)
    for word in ("most", "mean", "latency", "buffered"):
        assert [cycle for cycle, what, _ in tips if what == word] == 2 * [str(100 * n) for n in range(1, 11)]
    loads = {(cycle, what): float(value) for cycle, what, value in tips}
    assert all(loads[cycle, "most"] >= loads[cycle, "mean"] for cycle, what in loads if what == "mean")
    braid_here("report", "a.csv", "-o", "alone.html", "--quiet")
    assert "Latency peaks at" in checked((tmp_path / "alone.html").read_text())


def test_a_series_that_is_none_is_refused(braid_here: Braid, tmp_path: Path) -> None:
    end = "; expected what braid watch --series writes\n"
    for text, why in (
        ("cycle,latency\n1,2\n", "has no column delivered_flits"),
        ("cycle,delivered_flits,latency_mean_cycles,link_load_mean,link_load_most,buffered\n", "has no line"),
        ("", "is no table (No columns to parse from file)"),
    ):
        (tmp_path / "s.csv").write_text(text)
        assert braid_here("report", "s.csv", status=2).stderr == f"braid: s.csv: {why}{end}"
    assert "cannot be read" in braid_here("report", "none.csv", status=2).stderr


def test_ten_thousand_points_are_a_small_page() -> None:
    """And say how many of them are drawn."""
    text = report([("many", many_rows(100, 100))], "many")
    assert len(checked(text).encode()) < 3_000_000
    assert "12 of 100 curves are drawn" in text
    assert "60 of 100 points of a curve are drawn" in text


def many_rows(curves: int, points: int) -> list[Row]:
    """Made-up runs."""
    rows = []
    for curve in range(curves):
        for n in range(points):
            rate = (n + 1) / points
            estimate = {"mean": 30 + curve + 1 / (1.001 - rate), "half_width_95": 1.0}
            one = {
                "name": "packets",
                "packet_latency_cycles": estimate,
                "accepted_flits_per_node_cycle": {"mean": rate, "half_width_95": 0.01},
                "offered_flits_per_node_cycle": rate,
            }
            configuration = {
                "experiment": {"name": "x", "seed": 1},
                "router": {"buffer_depth": curve},
                "traffic": {"rate_flits_per_node_cycle": rate},
            }
            results = {"saturated": n > 0.9 * points, "classes": [one]}
            varied = {"router.buffer_depth": curve, RATE: rate}
            rows.append(Row(f"{curve}.{n}", 1, "1", DONE, "", "", configuration, varied, results, 0.0, "", ""))
    return rows


def test_bad_input(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    assert "expected a store of braid sweep" in braid_here("report", mesh, status=2).stderr
    assert "the following arguments are required" in braid_here("report", status=2).stderr
    assert not (tmp_path / "report.html").exists()


@pytest.mark.skipif(
    shutil.which("chromium") is None, reason="needs the package chromium, as scripts/nightly site has it"
)
def test_in_the_browser_it_is_drawn_pointed_at_and_read_by_keyboard(
    stores: list[str], braid_here: Braid, tmp_path: Path
) -> None:
    braid_here("report", *stores, "-o", "page.html")
    with Browser() as browser:
        browser.open((tmp_path / "page.html").as_uri())
        count = "document.readyState == 'complete' && document.querySelectorAll('figure svg').length"
        assert browser.wait_for(count) > 8
        sizes = "[...document.querySelectorAll('figure svg')].every(s => s.getBoundingClientRect().height > 100)"
        assert browser.wait_for(sizes)
        assert browser.wait_for("document.documentElement.scrollWidth <= innerWidth")
        hover = "(m => {m.dispatchEvent(new MouseEvent('mousemove', {bubbles: true})); return tip.textContent})"
        said = browser.wait_for(f"{hover}(document.querySelector('[data-tip]'))")
        assert "cycles" in said
        assert browser.wait_for("getComputedStyle(tip).display") == "block"
        buffers = "[...document.querySelectorAll('[data-tip]')].find(m => m.dataset.tip.includes(': holds '))"
        assert re.fullmatch(r"router \S+: holds [\d.e-]+ flits, \d+ at most", browser.wait_for(f"{hover}({buffers})"))
        place = f"(m => [m.closest('figure'), m.getBoundingClientRect()])({buffers})"
        assert browser.wait_for(f"{place}[1].width > 5 && {place}[1].height > 5"), "its mark is seen"
        beside = f"(f => f.previousElementSibling.querySelector('figcaption').textContent)({place}[0])"
        assert browser.wait_for(beside).startswith("The busiest link")
        key = "f.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
        step = f"(f => {{f.focus(); {key}; {key}; return tip.textContent}})(document.querySelector('figure'))"
        assert browser.wait_for(step) not in ("", said)
        assert browser.wait_for("document.activeElement.tagName") == "FIGURE"
