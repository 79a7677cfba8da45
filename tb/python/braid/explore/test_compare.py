"""braid compare: what differs in configuration, what beyond chance, and what CI is told."""

import json
from pathlib import Path

import pytest
from braid.explore.compare_command import joined, limit_of
from braid.explore.comparison import compare
from braid.explore.database import DONE, Row
from small_mesh import RATE, Braid


def row(seed: int, latency: float, half: float | None = 0.3, **keys: object) -> Row:
    """A made-up run."""
    one = {"name": "packets", "packet_latency_cycles": {"mean": latency, "half_width_95": half}}
    configuration = {"experiment": {"seed": seed}, "router": {"vcs": 2, **keys}}
    results = {"saturated": False, "classes": [one]}
    return Row(f"{seed}{keys}{latency}", seed, "1", DONE, "", "", configuration, {}, results, 0.0, "", "")


def test_runs_by_their_intervals() -> None:
    [far] = compare([row(1, 100)], [row(2, 102)]).differences(["latency"])
    assert far.significant
    assert far.relative == pytest.approx(0.02)
    [near] = compare([row(1, 100)], [row(2, 100.5)]).differences(["latency"])
    assert not near.significant
    [unknown] = compare([row(1, 100, None)], [row(2, 200, None)]).differences(["latency"])
    assert not unknown.significant
    assert unknown.chance is None


def test_seeds_by_welch() -> None:
    a = [row(n, 100 + 0.1 * n, None) for n in range(1, 6)]
    b = [row(n, 102 + 0.1 * n, None) for n in range(1, 6)]
    [found] = compare(a, b).differences(["latency"])
    assert found.significant
    assert found.pair.test == "Welch over seeds"
    noisy = [row(n, 100 + 4 * (-1) ** n, None) for n in range(1, 6)]
    [found] = compare(a, noisy).differences(["latency"])
    assert not found.significant
    [found] = compare(a, a).differences(["latency"])
    assert found.chance == pytest.approx(1)


def test_many_tests_share_one_level() -> None:
    """A difference that one test of two would mark is not marked among two hundred alike."""
    a = [row(1, 100, buffer_depth=n) for n in range(200)]
    b = [row(2, 100.78, buffer_depth=n) if n == 7 else row(2, 100, buffer_depth=n) for n in range(200)]
    assert not any(d.significant for d in compare(a, b).differences(["latency"]))
    assert any(d.significant for d in compare(a[7:8], b[7:8]).differences(["latency"]))


def test_rows_are_paired_by_what_varies_inside() -> None:
    a = [row(1, 100, buffer_depth=4), row(1, 90, buffer_depth=8)]
    b = [row(1, 100, buffer_depth=8, arbiter="matrix"), row(1, 90, buffer_depth=16, arbiter="matrix")]
    found = compare(a, b)
    assert [pair.keys for pair in found.pairs] == [{"router.buffer_depth": 8}]
    assert found.changed == {"router.arbiter": ([None], ["matrix"])}
    assert len(found.only_a) == len(found.only_b) == 1


def test_what_fail_if_says() -> None:
    [grown] = compare([row(1, 100)], [row(2, 103)]).differences(["latency"])
    assert limit_of("latency.mean +2%").broken_by(grown)
    assert limit_of("latency +2.5").broken_by(grown)
    assert not limit_of("latency.mean +4%").broken_by(grown)
    assert not limit_of("latency.mean -2%").broken_by(grown)
    [fallen] = compare([row(1, 100)], [row(2, 97)]).differences(["latency"])
    assert limit_of("latency.mean -2%").broken_by(fallen)
    assert joined(["a", "--fail-if", "latency", "-2%", "b"]) == ["a", "--fail-if", "latency -2%", "b"]


@pytest.fixture
def base(mesh: Path, braid_here: Braid) -> Path:
    braid_here("sweep", mesh, "--vary", f"{RATE}=0.1,0.2", "--seeds", 5, "--store", "base.sqlite", "--plot", "-")
    return mesh


def test_a_planted_slow_down_fails_and_other_seeds_do_not(base: Path, braid_here: Braid, tmp_path: Path) -> None:
    vary = ["--vary", f"{RATE}=0.1,0.2", "--seeds", 5, "--plot", "-"]
    braid_here("sweep", base, *vary, "--set", "topology.link_latency_cycles=2", "--store", "slow.sqlite")
    done = braid_here("compare", "base.sqlite", "slow.sqlite", "--fail-if", "latency.mean", "+2%", status=1)
    assert "topology.link_latency_cycles: 1 in base.sqlite, 2 in slow.sqlite" in done.stdout
    assert "Welch over seeds" in done.stdout
    assert sum(line.startswith("fails: latency.mean +2%: latency ") for line in done.stdout.splitlines()) == 2
    braid_here("sweep", base, *vary, "--set", "experiment.seed=6", "--store", "other.sqlite")
    done = braid_here("compare", "base.sqlite", "other.sqlite", "--fail-if", "latency.mean", "+2%")
    assert "the configurations are the same" in done.stdout
    assert "\n0 of 6 figures differ" in done.stdout


def test_results_of_two_runs(mesh: Path, braid_here: Braid, tmp_path: Path) -> None:
    for name, settings in (("a", []), ("b", ["--set", "router.buffer_depth=1"])):
        # A load at which the window is long for the queues behind buffers of one flit, too.
        braid_here("run", mesh, "--quiet", "--set", f"{RATE}=0.05", "--json", f"{name}.json", *settings)
    done = braid_here("compare", "a.json", "b.json")
    assert "router.buffer_depth: 8 in a.json, 1 in b.json" in done.stdout
    assert [line.split()[-1] for line in done.stdout.splitlines() if " latency " in line] == ["differs"]
    full = ["run", mesh, "--quiet", "--set", f"{RATE}=1", "--json", "full.json"]
    braid_here(*full)
    done = braid_here("compare", "a.json", "full.json", "--fail-if", "saturated", status=1)
    assert "saturated in B only" in done.stdout
    assert json.loads((tmp_path / "full.json").read_text())["saturated"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.json", "none.json"], "none.json: cannot be read"),
        (["a.json", "mesh.toml"], "mesh.toml: is neither"),
        (["a.json", "a.json", "--fail-if", "latency", "2"], "expected FIGURE +PERCENT%"),
        (
            ["a.json", "a.json", "--fail-if", "latenzy", "+2%"],
            'no figure is called "latenzy" (did you mean "latency"?)',
        ),
        (["a.json", "a.json", "--confidence", "100"], "expected a percentage"),
        (["a.json"], "the following arguments are required: B"),
    ],
)
def test_bad_input(mesh: Path, braid_here: Braid, words: list[str], message: str) -> None:
    braid_here("run", mesh, "--quiet", "--json", "a.json")
    done = braid_here("compare", *words, status=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
