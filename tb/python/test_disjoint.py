"""The optimum of link-disjoint paths, held against z3 with a formulation of its own: a Boolean a demand and channel."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
import z3
from braid_tools.papers.tentacle.networks import EXPERIMENT, PACKET
from braid_tools.program import BraidError, Run, braid, circuits

Demand = tuple[int, int]
Channel = tuple[int, int]


def channels(width: int, height: int) -> list[Channel]:
    right = [(r, r + 1) for r in range(width * height) if (r + 1) % width]
    up = [(r, r + width) for r in range(width * (height - 1))]
    return [c for a, b in right + up for c in ((a, b), (b, a))]


def fewest_links(demands: list[Demand], links: list[Channel], at_most: int) -> int | None:
    """Of disjoint paths that take `at_most` links together; none if there are none."""
    uses = [{c: z3.Bool(f"{i} {c}") for c in links} for i in range(len(demands))]
    solver = z3.Solver()
    for c in links:
        solver.add(z3.AtMost(*(use[c] for use in uses), 1))
    for (start, end), use in zip(demands, uses, strict=True):
        for router in {r for c in links for r in c}:
            out = z3.Sum([z3.If(use[c], 1, 0) for c in links if c[0] == router])
            into = z3.Sum([z3.If(use[c], 1, 0) for c in links if c[1] == router])
            solver.add(out - into == (router == start) - (router == end))
    every = [use[c] for use in uses for c in links]
    best = None
    bound = at_most
    while solver.check(z3.AtMost(*every, bound)) == z3.sat:
        model = solver.model()
        best = sum(z3.is_true(model[v]) for v in every)
        bound = best - 1
    return best


def graph(path: Path, tiles: int, streams: int, rng: random.Random) -> tuple[Path, list[Demand]]:
    """Actors on tiles that are drawn, and the demands of their streams."""
    tile = rng.sample(range(tiles), tiles)
    edges = sorted(rng.sample([(a, b) for a in range(tiles) for b in range(a + 1, tiles)], streams))
    used = sorted({a for edge in edges for a in edge})
    actors = ", ".join(f'{{name = "a{a}", work = 1, tile = {tile[a]}}}' for a in used)
    joined = ", ".join(f'{{from = "a{a}", to = "a{b}"}}' for a, b in edges)
    path.write_text(f'name = "g"\nactor = [{actors}]\nedge = [{joined}]\n')
    return path, [(tile[a], tile[b]) for a, b in edges]


def asked(path: Path, width: int, height: int, **settings: object) -> dict:
    mesh = {"topology.width": width, "topology.height": height, "stream.graph": path}
    return circuits(Run("", EXPERIMENT, {**mesh, **PACKET, **settings}))


@pytest.mark.parametrize("case", [*range(3), *range(4, 30), 31])  # of the third z3 thinks for five seconds
def test_the_exact_finder_agrees_with_z3(case: int, tmp_path: Path) -> None:
    rng = random.Random(case)
    width, height, most = [(3, 2, 7), (3, 3, 10), (4, 3, 10), (4, 4, 11)][case % 4]
    path, demands = graph(tmp_path / "g.toml", width * height, rng.randint(4, most), rng)
    links = channels(width, height)
    answers = {f["finder"]: f for f in asked(path, width, height)["finders"]}
    exact = answers["exact"]
    best = fewest_links(demands, links, len(links))
    assert exact["answer"] == ("none" if best is None else "found")
    assert exact.get("total_links") == best
    for answer in answers.values():
        if answer["answer"] != "found":
            continue
        assert best is not None
        taken = [step for p in answer["paths"] for step in pairwise(p["routers"])]
        assert len(taken) == len(set(taken)) == answer["total_links"] >= best


def test_one_finder_is_asked_where_one_is_named(tmp_path: Path) -> None:
    path, _ = graph(tmp_path / "g.toml", 9, 4, random.Random(1))
    found = asked(path, 3, 3, **{"disjoint.finder": "sequential", "disjoint.sequential_orders": 3})
    assert [f["finder"] for f in found["finders"]] == ["sequential"]
    with pytest.raises(BraidError, match=r'exact_seconds belongs to .*disjoint\.finder = "exact", "all"'):
        asked(path, 3, 3, **{"disjoint.finder": "sequential", "disjoint.exact_seconds": 3})
    with pytest.raises(BraidError, match='unknown disjoint path finder "tentacles"'):
        asked(path, 3, 3, **{"disjoint.finder": "tentacles"})


def test_random_layouts_are_counted_and_repeatable(tmp_path: Path) -> None:
    path, _ = graph(tmp_path / "g.toml", 9, 7, random.Random(2))
    counts = asked(path, 3, 3, **{"disjoint.layouts": 40})
    by_name = {f["finder"]: f for f in counts["finders"]}
    exact = by_name["exact"]
    assert exact["unknown"] == 0
    assert exact["found"] + exact["none"] == counts["layouts"] == 40
    assert 0 < exact["found"] < 40
    for f in by_name.values():
        assert f["found"] <= exact["found"]
        assert f["success_low_95"] < f["success_rate"] == f["found"] / 40 < f["success_high_95"]
        assert f["excess_links_mean"] >= 0.0
    assert exact["excess_links_mean"] == 0.0
    again = {f["finder"]: f for f in asked(path, 3, 3, **{"disjoint.layouts": 40})["finders"]}
    assert {n: f["found"] for n, f in again.items()} == {n: f["found"] for n, f in by_name.items()}
    other = asked(path, 3, 3, **{"disjoint.layouts": 40, "experiment.seed": 2})["finders"]
    assert [f["total_links_mean"] for f in other] != [f["total_links_mean"] for f in counts["finders"]]


@pytest.mark.parametrize("seed", range(1, 5))
def test_tentacle_is_what_the_routers_find(seed: int) -> None:
    settings = {"experiment.seed": seed, "stream.moves": 3000}
    run = Run("", EXPERIMENT, settings)
    setup = json.loads(braid("paths", EXPERIMENT, *run.arguments(), "--quiet", "--json", "-"))["setup"]
    tentacle = next(f for f in circuits(run)["finders"] if f["finder"] == "tentacle")
    assert tentacle["answer"] == ("unknown" if setup["fell_back_to_packets"] else "found")
    assert tentacle["tries"] == setup["orders_tried"]
    in_network = {c["stream"]: [step["router"] for step in c["path"]] for c in setup["circuits"]}
    assert {p["stream"]: p["routers"] for p in tentacle.get("paths", [])} == in_network
    assert tentacle.get("backtracks", 0) == sum(c["backtracks"] for c in setup["circuits"])


def ran(run: Run) -> dict:
    return json.loads(braid("run", EXPERIMENT, *run.arguments(), "--quiet", "--json", "-"))


SHORT = {"simulation.max_warmup_cycles": 2000, "simulation.min_warmup_cycles": 1000, "simulation.measure_cycles": 2000}


def test_paths_of_a_file_are_installed_in_the_cycles_that_they_take(tmp_path: Path) -> None:
    """4 h + 1 and the token's, of each stream (docs/setup.md)."""
    file = tmp_path / "paths.txt"
    braid("circuits", EXPERIMENT, "--set", "disjoint.finder=negotiated", "--quiet", "--paths", file)
    lines = [line.split("#") for line in file.read_text().splitlines() if not line.startswith("#")]
    paths = {name.strip(): routers.split() for routers, name in lines}
    keys = {"setup.paths": "listed", "disjoint.file": file, "setup.token_cycles": 7, **SHORT}
    setup = ran(Run("", EXPERIMENT, keys))["setup"]
    assert {c["stream"]: [step["router"] for step in c["path"]] for c in setup["circuits"]} == paths
    assert len(paths) == 18
    links = [len(routers) - 1 for routers in paths.values()]
    assert setup["total_cycles"] == sum(4 * h + 1 + 7 for h in links)
    assert not setup["fell_back_to_packets"]


def test_packets_of_a_stream_cross_its_path_and_nothing_else(tmp_path: Path) -> None:
    """Every link carries the items of one stream, and each stream's on all links of its path."""
    file = tmp_path / "paths.txt"
    braid("circuits", EXPERIMENT, "--set", "disjoint.finder=negotiated", "--quiet", "--paths", file)
    lines = [line.split("#") for line in file.read_text().splitlines() if not line.startswith("#")]
    keys = {**PACKET, "routing.algorithm": "disjoint_paths", "routing.finder": "listed", "disjoint.file": file, **SHORT}
    results = ran(Run("", EXPERIMENT, keys))
    flits = {(link["router"], link["to"]): link["packet_flits_per_cycle"] for link in results["links"]}
    items = {edge["name"]: edge["items_per_kilocycle"] / 1000 for edge in results["stream"]["edges"]}
    on_a_path = set()
    for routers, name in lines:
        for step in pairwise(routers.split()):
            assert step not in on_a_path
            on_a_path.add(step)
            assert flits[step] == pytest.approx(items[name.strip()], abs=0.02), name
    assert all(flits[step] == 0 for step in flits if step not in on_a_path)


def test_without_paths_no_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "paths.txt"
    keys = ["--set", "stream.anneal=false", "--set", "disjoint.finder=sequential", "--set", "topology.local_ports=1"]
    with pytest.raises(BraidError) as error:
        braid("circuits", EXPERIMENT, *keys, "--set", "disjoint.sequential_orders=1", "--quiet", "--paths", file)
    assert error.value.status == 1
    assert not file.exists()
    with pytest.raises(BraidError, match="--paths: those of one layout"):
        braid("circuits", EXPERIMENT, "--layouts", "3", "--quiet", "--paths", file)


def test_an_actor_with_more_streams_than_links_is_named(tmp_path: Path) -> None:
    path = tmp_path / "star.toml"
    ends = range(1, 6)
    actors = ", ".join(f'{{name = "e{i}", work = 1, tile = {t}}}' for i, t in zip(ends, (0, 1, 2, 3, 5), strict=True))
    edges = ", ".join(f'{{from = "hub", to = "e{i}"}}' for i in ends)
    path.write_text(f'name = "star"\nactor = [{{name = "hub", work = 1, tile = 4}}, {actors}]\nedge = [{edges}]\n')
    exact = next(f for f in asked(path, 3, 3)["finders"] if f["finder"] == "exact")
    assert exact["answer"] == "none"
    assert exact["because"] == "5 streams leave (1,1) (actor hub), which has 4 links"


def test_circuits_needs_streams_and_layouts_needs_circuits() -> None:
    experiments = EXPERIMENT.parent
    with pytest.raises(BraidError, match=r"expected a section \[stream\]") as error:
        braid("circuits", experiments / "mesh_uniform.toml", "--quiet")
    assert error.value.status == 2
    with pytest.raises(BraidError, match="--layouts: expected braid circuits") as error:
        braid("paths", EXPERIMENT, "--layouts", "3")
    assert error.value.status == 2
