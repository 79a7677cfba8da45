"""tb/examples/own_router: a READY/VALID router in SystemVerilog, made against the package, in place of modelled
routers."""

import json
import subprocess
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, followed, run

EXAMPLE = EXAMPLES / "own_router"
MESH = EXAMPLE / "mesh.toml"


@pytest.fixture(scope="module")
def routers(installed: Path) -> Path:
    """The folder of the library that the commands of the README have built."""
    return followed("own_router", installed)[0] / "own" / "rtl"


def results(installed: Path, routers: Path | None, *settings: str) -> dict:
    """Of the mesh with the router, or without."""
    words = [word for setting in settings for word in ("--set", setting)]
    words += ["--set", "router.implementation=model"] if routers is None else ["--rtl", str(routers)]
    return json.loads(run(installed / "bin" / "braid", "run", MESH, "-q", "--json", "-", *words))


def test_the_manifest_says_what_the_call_said(routers: Path) -> None:
    manifest = json.loads((routers / "wormhole.json").read_text())
    assert manifest["shape"] == {"ports": 5, "vcs": 1, "depth": 4, "flit_width": 64, "routing": "x_first"}
    assert (manifest["name"], manifest["library"]) == ("wormhole", "wormhole.so")
    assert manifest["build"] == f"cmake --build {routers.parent} --target rtl_wormhole"


@pytest.mark.parametrize("chosen", ["all", "1,1", "0,0 1,1 2,1 3,3"])
@pytest.mark.parametrize("schedule", ["static", "process_per_stage"])
def test_nothing_is_lost(installed: Path, routers: Path, chosen: str, schedule: str) -> None:
    settings = (f"router.rtl_routers='{chosen}'", f"simulation.schedule={schedule}", "simulation.measure_cycles=5000")
    found = results(installed, routers, *settings, "traffic.rate_flits_per_node_cycle=0.2")
    assert found["conservation"]["holds"]
    assert found["conservation"]["packets_delivered"] > 3000
    assert found["classes"][0]["accepted_flits_per_node_cycle"]["mean"] == pytest.approx(0.2, rel=0.05)


def test_a_hop_takes_two_cycles(installed: Path, routers: Path, tmp_path: Path) -> None:
    """Its buffer and its way out; the modelled router takes five."""
    settings = ("traffic.rate_flits_per_node_cycle=0.001", "traffic.flits=1", "simulation.measure_cycles=200000")

    def cycles_a_hop(folder: Path | None) -> float:
        log = tmp_path / "log.csv"
        results(installed, folder, *settings, f"log.file={log}")
        header, *lines = [line.split(",") for line in log.read_text().splitlines() if not line.startswith("#")]
        rows = [dict(zip(header, line, strict=True)) for line in lines]
        least: dict[int, int] = {}
        for row in rows:
            if row["delivered"]:
                links, cycles = int(row["routers"]) - 1, int(row["delivered"]) - int(row["injected"])
                least[links] = min(cycles, least.get(links, cycles))
        return (least[6] - least[1]) / 5

    assert cycles_a_hop(routers) == 2
    assert cycles_a_hop(None) == 5


def test_two_projects_of_one_cmake_run_may_have_a_router_each(installed: Path, tmp_path: Path) -> None:
    """The function is there in every folder of a project, and Verilator's runtime once."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(Two LANGUAGES CXX)\nadd_subdirectory(a)\nadd_subdirectory(b)\n"
    )
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("wormhole.sv", "pins.cpp"):
            (folder / file).write_text((EXAMPLE / file).read_text())
        text = (EXAMPLE / "CMakeLists.txt").read_text().replace("NAME wormhole", f"NAME worm_{name}")
        (folder / "CMakeLists.txt").write_text("\n".join(text.splitlines()[2:]) + "\n")
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    assert json.loads((tmp_path / "build" / "b" / "rtl" / "worm_b.json").read_text())["name"] == "worm_b"


def test_a_call_that_lacks_something_is_refused(installed: Path, tmp_path: Path) -> None:
    for lacking, said in (("DEPTH 4", "DEPTH is missing"), ("TOP wormhole ", "TOP is missing")):
        text = (EXAMPLE / "CMakeLists.txt").read_text().replace(lacking, "")
        (tmp_path / "CMakeLists.txt").write_text(text)
        words = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert f"braid_rtl_router: {said}" in " ".join(done.stderr.split())


def test_without_verilator_the_target_says_what_is_needed(installed: Path, tmp_path: Path) -> None:
    words = ["cmake", "-S", EXAMPLE, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}", "-DBRAID_VERILATOR="]
    subprocess.run(words, capture_output=True, text=True, check=True)
    done = subprocess.run(
        ["cmake", "--build", tmp_path, "--target", "rtl_wormhole"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "rtl_wormhole: needs Verilator 5" in done.stdout
