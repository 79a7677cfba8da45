"""Distances of readings from what is published, of throughputs made up, and joiners folded into their consumers."""

import math
import tomllib
from pathlib import Path

import pytest
from braid_tools.papers.tentacle import readings
from braid_tools.papers.tentacle.networks import REFERENCE
from braid_tools.papers.tentacle.points import Setting
from braid_tools.papers.tentacle.programs import original, program, write_folded
from braid_tools.papers.tentacle.published import BENCHMARKS, FROM_IDEAL, GAIN_ALL, GAIN_HIGH, high_of
from braid_tools.papers.tentacle.readings import ALL, HIGH, LOW, POPNETS, PULL
from braid_tools.papers.tentacle.throughputs import IDEAL, SAME_ADAPTIVE, SAME_IDEAL, TENTACLE, Measured


def measured(gains: dict[str, float], pull: float = 0.5, size: int = 4) -> Measured:
    """Tentacle and the ideal network gain as much of each benchmark; circuits stand."""
    throughputs = {
        Setting(b, size, Path(b)): {
            REFERENCE: 1.0, TENTACLE: gain, IDEAL: gain * (1 + FROM_IDEAL[size]), PULL: pull,
            SAME_IDEAL: gain, SAME_ADAPTIVE: 1.0,
        }
        for b, gain in gains.items()
    }  # fmt: skip
    return Measured(POPNETS, {}, throughputs, {size: list(gains)})


def as_published(size: int = 4) -> dict[str, float]:
    """High-contention programs gain what is published, the others what the mean of all leaves."""
    low = readings.published(size, LOW, TENTACLE)
    return {b: GAIN_HIGH[size] if b in high_of(size) else low for b in BENCHMARKS}


@pytest.mark.parametrize(("size", "low"), [(4, 1.008), (6, 1.011)])
def test_the_published_means_leave_nothing_for_low_contention(size: int, low: float) -> None:
    assert readings.published(size, LOW, TENTACLE) == pytest.approx(low, abs=5e-4)
    names = len(high_of(size))
    every = (GAIN_HIGH[size] ** names * readings.published(size, LOW, TENTACLE) ** (9 - names)) ** (1 / 9)
    assert every == pytest.approx(GAIN_ALL[size])


def test_what_is_published_is_at_distance_0() -> None:
    m = measured(as_published())
    assert readings.distance(m, [4]) == pytest.approx(0, abs=1e-12)
    assert all(row.verdict == "match" for row in readings.headline_rows(m, [4]))


def test_half_and_twice_are_as_far() -> None:
    published = as_published()
    far = [measured({b: f * gain for b, gain in published.items()}) for f in (0.5, 2)]
    assert readings.distance(far[0], [4]) == pytest.approx(readings.distance(far[1], [4]))
    cells = readings.cells(far[1], [4])
    assert [c.distance for c in cells if c.network != PULL] == pytest.approx([math.log(2)] * 4)
    assert readings.nearest([*far, measured(published)], [4]).of("DES", 4)[TENTACLE] == published["DES"]


def test_pull_is_far_only_where_it_is_faster() -> None:
    slow, fast = measured(as_published(), 0.3), measured(as_published(), 1.2)
    assert readings.distance(slow, [4]) == pytest.approx(0, abs=1e-12)
    assert [c.distance for c in readings.cells(fast, [4]) if c.network == PULL] == pytest.approx([math.log(1.2)] * 2)


def test_what_speaks_against_a_reading_is_named() -> None:
    gains = as_published() | {"DES": 1.3, "FMRadio": 1.0, "TDE": 0.8}
    said = readings.against(measured(gains), 4)
    assert said == ["DES is low and gains 1.30", "FMRadio is high and gains nothing, 1.00", "TDE loses, 0.80"]
    assert readings.against(measured(as_published()), 4) == []


def test_a_headline_that_circuits_do_not_reach_is_not_explained() -> None:
    """The prediction is the ideal network's on the graph with circuits; what tentacle has is not in it."""
    gains = dict.fromkeys(BENCHMARKS, 1.2)
    explained = measured(gains)
    rows = [row for row in readings.headline_rows(explained, [4]) if "tentacle over" in row.quantity]
    assert [row.verdict for row in rows[:2]] == ["explained", "match"]
    for values in explained.throughputs.values():
        values[TENTACLE] = 1.0
    rows = [row for row in readings.headline_rows(explained, [4]) if "tentacle over" in row.quantity]
    assert [row.verdict for row in rows[:2]] == ["differs", "differs"]


def test_push_alone_loses_what_the_published_gains_say() -> None:
    row = readings.pushed_rows(measured(as_published()), [4])[0]
    assert row.published == 0.37
    assert row.measured == pytest.approx(1 - 1 / 1.55)
    assert row.verdict == "match"
    assert readings.pushed_rows(measured(dict.fromkeys(BENCHMARKS, 3.0)), [4])[0].verdict == "explained"


def test_a_reading_is_a_line_a_cell() -> None:
    lines = readings.table([measured(as_published())], [4])
    assert len(lines) == len((HIGH, ALL)) * 3
    assert all(len(line) == len(readings.COLUMNS) for line in lines)
    assert all(len(line) == len(readings.AGAINST) for line in readings.falsified([measured(as_published())], [4]))


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_folded_joiners_leave_every_other_stream(tmp_path: Path, benchmark: str, size: int) -> None:
    """Items into and out of all other actors are as before; the joiners' own streams go."""
    source = original(benchmark, size)
    before, after = program(source, size), program(write_folded(source, tmp_path / f"{benchmark}.toml"), size)
    gone = set(before.tiles) - set(after.tiles)
    assert all("_Joiner" in name for name in gone)
    assert {n for n in after.tiles if "_Joiner" in n} == {
        n for n in before.tiles if "_Joiner" in n and sum(s.source == n for s in before.streams) != 1
    }
    assert after.tiles == {n: t for n, t in before.tiles.items() if n not in gone}
    kept = sorted((s.source, s.items) for s in before.streams if s.source not in gone)
    assert sorted((s.source, s.items) for s in after.streams) == kept
    for name in after.tiles:
        inflow = [sum(s.items for s in p.streams if s.sink == name) for p in (before, after)]
        assert inflow[0] == inflow[1] or any(s.source in gone and s.sink == name for s in before.streams)
    assert tomllib.loads(source.read_text())["name"] == after.name
