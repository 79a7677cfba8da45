"""`braid paths --check`: its figures are those of the paths that it writes, before a link fails and after."""

import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from braid_tools.program import braid

NETWORK = """[topology]
kind = "irregular"
switches = 8
switch_ports = 7
hosts = 2
[router]
architecture = "myrinet"
vcs = 1
[routing]
algorithm = "source_routed"
paths = "balanced"
in_transit = "every_switch"
[failure]
router = "s0"
port = "link0"
cycle = 1000
[traffic]
pattern = "uniform"
"""


@pytest.fixture
def network(tmp_path: Path) -> Path:
    file = tmp_path / "network.toml"
    file.write_text(NETWORK)
    return file


def directed(path: dict) -> list[tuple[str, str]]:
    """Each link of the path by where it begins."""
    return list(zip(path["routers"], path["ports"], strict=False))


def dependencies(paths: list[dict]) -> set[tuple]:
    """A link and the next one on the way, where the packet does not rest between them."""
    return {
        pair for path in paths for hop, pair in enumerate(pairwise(directed(path)), 1) if hop not in path["in_transit"]
    }


def figures(paths: list[dict], links: int) -> dict:
    """Of all directed links, those that no path takes as well."""
    use = Counter(link for path in paths for link in directed(path))
    mean = use.total() / links
    squares = sum((n - mean) ** 2 for n in use.values()) + (links - len(use)) * mean**2
    return {
        "pairs": len(paths),
        "links_mean": sum(len(path["ports"]) for path in paths) / len(paths),
        "in_transit_mean": sum(len(path["in_transit"]) for path in paths) / len(paths),
        "in_transit_most": max(len(path["in_transit"]) for path in paths),
        "paths_per_link_most": max(use.values()),
        "paths_per_link_mean": mean,
        "paths_per_link_deviation": math.sqrt(squares / links),
    }


@pytest.mark.parametrize("settings", [[], ["routing.in_transit=minimum"], ["routing.paths_per=node_pair"]], ids=str)
def test_the_figures_are_those_of_the_paths(network: Path, settings: list[str]) -> None:
    words = [word for setting in settings for word in ("--set", setting)]
    told = json.loads(braid("paths", network, *words, "--check", "--json", "-"))
    assert "packet_loads" not in told, "--check is all that is asked"
    before, after = told["paths"], told["paths_after_failure"]
    links = {
        (load["router"], load["port"]) for load in json.loads(braid("paths", network, "--json", "-"))["packet_loads"]
    }
    failed = {link for link in links if link == ("s0", "link0")}
    assert len(failed) == 1
    assert any(("s0", "link0") in directed(path) for path in before)
    assert not any(("s0", "link0") in directed(path) for path in after)
    for name, paths, count in (("path_check", before, len(links)), ("path_check_after_failure", after, len(links) - 2)):
        check = told[name]
        assert (check["good"], check["fault"], check["cycle"]) == (True, "", [])
        expected = figures(paths, count)
        assert {key: check[key] for key in expected} == pytest.approx(expected)
        assert check["dependencies"] == len(dependencies(paths))
        assert (check["dependencies"] > 0) == (settings == ["routing.in_transit=minimum"]), "else a rest at each switch"
    assert told["path_check"] != told["path_check_after_failure"]


def test_each_path_leads_from_its_first_router_to_its_last(network: Path) -> None:
    """Of each pair of hosts one of its own, by their numbers, where paths are per pair of nodes."""
    by_hosts = ["--set", "routing.paths_per=node_pair"]
    ends = set()
    for path in json.loads(braid("paths", network, *by_hosts, "--check", "--json", "-"))["paths"]:
        assert (path["routers"][0], path["routers"][-1]) == (path["from"], path["to"])
        assert len(path["routers"]) == len(path["ports"]) + 1
        ends.add((path["source"], path["destination"]))
    here = {(s, d) for s in range(16) for d in range(16) if s // 2 != d // 2}
    assert ends == here, "two hosts a switch, numbered switch by switch"
    of_routers = json.loads(braid("paths", network, "--check", "--json", "-"))["paths"]
    assert {(path["from"], path["to"]) for path in of_routers} == {
        (f"s{a}", f"s{b}") for a in range(8) for b in range(8) if a != b
    }
    assert "source" not in of_routers[0]


def test_the_text_says_what_the_json_says(network: Path) -> None:
    told = json.loads(braid("paths", network, "--check", "--json", "-"))
    parts = braid("paths", network, "--check").split("\nafter the failure\n")
    assert len(parts) == 2
    for text, name in zip(parts, ("path_check", "path_check_after_failure"), strict=True):
        c = told[name]
        assert text.splitlines() == [
            f"pairs of routers             {c['pairs']}",
            f"links of a path              {c['links_mean']:.3f} mean",
            f"in-transit buffers of a path {c['in_transit_mean']:.3f} mean, {c['in_transit_most']} at most",
            f"paths on a link              {c['paths_per_link_mean']:.2f} mean, {c['paths_per_link_deviation']:.2f} "
            f"standard deviation, {c['paths_per_link_most']} at most",
            f"dependencies of channels     {c['dependencies']}, no cycle",
        ]
    of_nodes = braid("paths", network, "--check", "--set", "routing.paths_per=node_pair")
    assert of_nodes.startswith("pairs of nodes               224\n"), "16 hosts, those of 7 other switches"
