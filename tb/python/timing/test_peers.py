"""Speeds beside BookSim 2: ratios of known times, and programs that do not do what they were asked for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from braid_tools.program import BRAID
from braid_tools.study import Study
from braid_tools.timing import peers

POINT = peers.Point(8, 0.1)
TIMED = peers.timed
STOPPED = "Average latency for class 0 exceeded 0 cycles. Aborting simulation."


class Takes(peers.Contender):
    """So many seconds to start, and for each cycle; a busy machine makes all of a round slower by a factor."""

    def __init__(self, name: str, start: float, cycle: float, factors: dict[int, float]) -> None:
        self.name, self.start, self.cycle, self.factors = name, start, cycle, factors
        self.ran: list[tuple[int, int]] = []

    def run(self, point: peers.Point, cycles: int, seed: int) -> float:
        self.ran.append((cycles, seed))
        return (self.start + cycles * self.cycle) * self.factors.get(seed, 1.0)


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_ratios_are_those_within_a_round() -> None:
    factors = {2: 3.0, 3: 1.5}
    slow, quick = Takes("slow", 0.5, 1e-4, factors), Takes("quick", 2.0, 1e-5, factors)
    found = peers.compare([slow, quick], POINT, rounds=3, seconds=1.0)
    assert [s.name for s in found] == ["slow", "quick"]
    assert found[0].cycles_per_second == pytest.approx(1e4 / 1.5)  # the median of 1e4, 1e4 / 3 and 1e4 / 1.5
    assert [s.ratio for s in found] == [pytest.approx(1), pytest.approx(10)]
    assert (found[1].least, found[1].most) == (pytest.approx(10), pytest.approx(10))
    # each round has a seed, runs as long, and then what a run takes beside its cycles
    assert slow.ran[-6:] == [(cycles, seed) for seed in (1, 2, 3) for cycles in (10100, 100)]
    assert quick.ran[-6:] == [(cycles, seed) for seed in (1, 2, 3) for cycles in (100100, 100)]


def test_runs_are_whole_multiples_of_a_batch_and_never_none() -> None:
    assert peers.cycles_for(Takes("", 1.0, 0.0123, {}), POINT, 1.0) == 200
    assert peers.cycles_for(Takes("", 1.0, 3e-4, {}), POINT, 1.0) == 3400
    with pytest.raises(peers.TimingError, match="idle: 400 cycles took no longer than 100"):
        peers.cycles_per_second(Takes("idle", 1.0, 0.0, {}), POINT, 400, 1)


def test_a_table_has_the_ratios_behind_the_speeds() -> None:
    speeds = [peers.Speed("BookSim 2", 10000, 1, 1, 1), peers.Speed("static", 412345, 41.23, 40, 42)]
    assert peers.markdown({POINT: speeds}) == (
        "| mesh, flits/node/cycle | BookSim 2 | static |\n|---|---|---|\n| 8x8, 0.1 | 10,000 | 412,345 (41.2x) |\n"
    )


def test_booksim_has_to_stop_where_it_is_told_to(tmp_path: Path) -> None:
    says = f"grep -q 'sample_period = 300;' $1 && grep -q 'injection_rate = 0.1;' $1 && echo '{STOPPED}'\nexit 255"
    assert peers.BookSim(program(tmp_path, "says", says)).run(POINT, 300, 1) >= 0
    with pytest.raises(peers.TimingError, match="not BookSim 2, or stopped early"):
        peers.BookSim(program(tmp_path, "other", "echo hello")).run(POINT, 300, 1)
    with pytest.raises(peers.TimingError, match="nothing: No such file"):
        peers.BookSim(tmp_path / "nothing").run(POINT, 300, 1)


def test_braid_has_to_run_as_many_cycles(tmp_path: Path) -> None:
    text = 'while [ "$1" != --json ]; do shift; done; echo \'{"cycles": 325, "measured_cycles": 300}\' >"$2"'
    braid = peers.Braid(program(tmp_path, "braid", text), "three hundred")
    assert braid.run(POINT, 300, 1) >= 0
    with pytest.raises(peers.TimingError, match="three hundred: ran 300 cycles in place of 400"):
        braid.run(POINT, 400, 1)


def planted(command: Sequence[str], environment: Mapping[str, str] | None = None) -> peers.Timed:
    """The program runs, but the clock is this one: 100 us a cycle of BookSim, 20 us of braid. Of runs of a tenth of a
    second the longer one need not take longer on a busy machine."""
    ran = TIMED(command, environment)
    booksim = len(command) == 2
    asked = Path(command[1]).read_text() if booksim else " ".join(command)
    cycles = re.search(r"(?:sample_period = |measure_cycles=)(\d+)", asked)
    assert cycles
    return replace(ran, user_seconds=int(cycles[1]) * (1e-4 if booksim else 2e-5))


def test_the_tables_of_a_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(peers, "Study", lambda name: Study(name, results=tmp_path))
    monkeypatch.setattr(peers, "timed", planted)
    booksim = program(tmp_path, "booksim", f"echo '{STOPPED}'")
    words = ["--booksim", str(booksim), "--braid", f"new={BRAID}", "--size", "8", "--load", "0.3", "--rounds", "1"]
    assert peers.main([*words, "--seconds", "0.1", "--schedule", "static", "--variant", "router.vcs=2"]) == 0
    table = capsys.readouterr().out
    assert table.startswith("| mesh, flits/node/cycle | BookSim 2 | new, static, router.vcs=2 |")
    assert "| 8x8, 0.3 | 10,000 | 50,000 (5x) |" in table
    assert (tmp_path / "compare-speed" / "speed.csv").read_text().count("\n") == 3
    assert peers.main([*words, "--seconds", "0.1", "--variant", "router.vc=2"]) == 2
    assert "router.vc" in capsys.readouterr().err
    assert peers.main(["--size", "8"]) == 2
    assert peers.main(["--braid", "x"]) == 2
