"""The installed package, moved to another place: CMake's components, pkg-config, versions, the RTL's seat."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from braid_tools.gates.user_project import BUILD, COMPILER, EXAMPLES, SCRATCH, environment, run
from braid_tools.program import ROOT

SOURCE = EXAMPLES / "own_routing" / "main.cpp"
EVERYTHING = """
#include <cstdio>
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
int main(int, char* arguments[]) {
  try {
    braid::models::Simulation simulation(braid::models::read_experiment(arguments[1]));
    std::printf("%zu nodes\\n", simulation.topology().node_count());
  } catch (const braid::InputError& e) {
    return std::puts(e.what()), 2;
  }
  return 0;
}
"""
ROUTES_ONLY = """
#include <cstdio>
#include "routing/algorithm/routing_algorithm.h"
int main() {
  for (const std::string& name : braid::routing::RoutingRegistry::instance().names()) std::puts(name.c_str());
}
"""

COARSE = """
#include <braid/models/experiment/simulation.h>
#include <braid/models/engine/engine.h>
#include <braid/models/tlm/sockets/estimated_interconnect.h>
#include <cstdio>
#include <cstdlib>
#include <string>
using namespace braid;
int sc_main(int, char* arguments[]) {
  const bool coarse = std::atol(arguments[2]) > 1;
  coarse ? sc_core::sc_set_time_resolution(10, sc_core::SC_NS) : sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const sc_core::sc_time period = coarse ? sc_core::SC_ZERO_TIME : sc_core::sc_time(1500, sc_core::SC_FS);
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 2);
  e.open("tlm");
  e.set("tlm.style", arguments[1]).set("tlm.map", "1: 0 +4K");
  try {
    if (std::string(arguments[1]) == "cycle_accurate") {
      models::Simulation simulation(e);
      simulation.engine(period);
    } else {
      const auto topology = routing::make_topology(e);
      const auto routing = routing::make_routing(topology, e);
      models::EstimatedInterconnect net("net", e, topology, *routing, period);
    }
  } catch (const InputError& error) {
    std::puts(error.what());
  }
  return 0;
}
"""


def project(name: str, find: str, link: str, source: str) -> Path:
    """A project of one program, `user`, in an empty folder."""
    folder = SCRATCH / f"test_{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "main.cpp").write_text(source)
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.24)\nproject(User LANGUAGES CXX)\n"
        f"find_package({find})\nadd_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE {link})\n"
    )
    return folder


def build(folder: Path, prefix: Path) -> Path:
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "build")
    return folder / "build" / "user"


def refusal(folder: Path, prefix: Path) -> str:
    """What CMake says of a project that it cannot configure, in one line."""
    command = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert done.returncode != 0
    return " ".join(done.stderr.split())


def parts(prefix: Path) -> list[str]:
    """The components of the package."""
    config = next(prefix.glob("lib/**/BraidConfig.cmake")).read_text()
    line = next(line for line in config.splitlines() if line.startswith("set(Braid_PARTS"))
    return [part for part in line.rstrip(")").replace(";", " ").split()[1:] if part != "fst"]


def test_no_file_of_the_package_names_where_it_was_made_or_installed(installed: Path) -> None:
    texts = [f for f in installed.rglob("*") if f.is_file() and f.suffix in (".cmake", ".pc", ".h", ".cpp")]
    assert len(texts) > 100
    places = (str(ROOT), str(BUILD), "installed_elsewhere")
    assert [f for f in texts if any(place in f.read_text() for place in places)] == []


def test_all_targets_together_register_every_policy_once(installed: Path) -> None:
    """Each library is linked whole: twice, and every name would be there twice, or the linker complain."""
    all_parts = [part for part in parts(installed) if part != "plugin"]
    assert {"routing", "traffic", "models", "program"} <= set(all_parts)
    targets = " ".join(f"Braid::{part}" for part in [*all_parts, "braid", *reversed(all_parts)])
    folder = project("everything", f"Braid REQUIRED COMPONENTS {' '.join(all_parts)}", targets, EVERYTHING)
    program = build(folder, installed)
    assert run(program, ROOT / "tb" / "experiments" / "mesh_uniform.toml") == "64 nodes\n"


def test_routing_alone_needs_no_systemc(installed: Path) -> None:
    folder = project("routing", "Braid REQUIRED COMPONENTS routing", "Braid::routing", ROUTES_ONLY)
    program = build(folder, installed)
    assert {"x_first", "west_first", "source_routed"} <= set(run(program).split())
    assert "systemc" not in run("ldd", program)
    assert "systemc" not in (folder / "build" / "CMakeCache.txt").read_text().lower()


def test_what_the_package_has_not_is_refused_by_name(installed: Path) -> None:
    said = refusal(project("no_part", "Braid REQUIRED COMPONENTS routing wheels", "Braid::routing", ""), installed)
    assert "has no component wheels; it has: routing" in said
    said = refusal(project("version", "Braid 0.2 REQUIRED", "Braid::braid", ""), installed)
    assert 'compatible with requested version "0.2"' in said


def test_the_installed_program_is_found_and_runs(installed: Path) -> None:
    folder = project("program", "Braid REQUIRED COMPONENTS plugin", "Braid::plugin", "int main() {}\n")
    with (folder / "CMakeLists.txt").open("a") as text:
        text.write("file(WRITE ${CMAKE_BINARY_DIR}/program.txt ${Braid_PROGRAM})\n")
    build(folder, installed)
    program = Path((folder / "build" / "program.txt").read_text())
    assert program == installed / "bin" / "braid"
    assert run(program, "--version") == "braid 0.1.0\n"


def test_pkg_config(installed: Path) -> None:
    """The library by pkg-config alone: all policies are linked, from where the package is now."""
    where = {"PKG_CONFIG_PATH": str(next(installed.glob("lib/**/pkgconfig")))}
    libraries = run("pkg-config", "--libs", "braid", **where).split()
    assert any(str(installed) in str(Path(word[2:]).resolve()) for word in libraries if word.startswith("-L"))
    program = SCRATCH / "by_pkg_config"
    flags = run("pkg-config", "--cflags", "braid", **where).split()
    run(*COMPILER, "-O0", *flags, "-c", SOURCE, "-o", f"{program}.o")
    run("g++", f"{program}.o", "-o", program, *libraries)
    assert run(program, "west_first").startswith("west_first: ")
    assert run("pkg-config", "--modversion", "braid-program", **where) == "0.1.0\n"


RTL_MESH = """
[topology]
width = 4
height = 4

[traffic]
rate_flits_per_node_cycle = 0.2

[simulation]
batch_cycles = 200
min_warmup_cycles = 200
max_warmup_cycles = 400
measure_cycles = 1000
"""


def test_the_rtl_from_the_package_in_a_program_of_ones_own(installed: Path) -> None:
    if not (installed / "lib" / "braid" / "rtl" / "mesh_packet.so").exists():
        pytest.skip("this build has no RTL (scripts/build release rtl_mesh_packet)")
    main = '#include "tb/braid/commands.h"\nint main(int n, char* v[]) { return braid::tb::run_program(n, v); }\n'
    folder = project("rtl", "Braid REQUIRED COMPONENTS program rtl", "Braid::program Braid::rtl", main)
    program = build(folder, installed)
    experiment = folder / "mesh.toml"
    experiment.write_text(RTL_MESH)
    results = {}
    for implementation in ("model", "rtl"):
        setting = f"router.implementation={implementation}"
        results[implementation] = json.loads(run(program, "run", experiment, "--set", setting, "-q", "--json", "-"))
    assert results["rtl"]["packet_hash"] == results["model"]["packet_hash"]
    assert results["rtl"]["configuration"]["router"]["implementation"] == "rtl"


def test_a_stage_of_the_rtl_comes_with_the_package(installed: Path) -> None:
    if not (installed / "lib" / "braid" / "rtl" / "stages" / "stages_mesh_packet.so").exists():
        pytest.skip("this build has no stages in RTL (scripts/build release rtl_stages_mesh_packet)")
    experiment = SCRATCH / "stage_of_rtl.toml"
    experiment.write_text(RTL_MESH)
    program, hashes = installed / "bin" / "braid", set()
    for seat in ("model", "rtl", "lockstep"):
        setting = f"stage.switch_allocator={seat}"
        words = ["run", experiment, "--set", setting, "--set", "stage.routers='1,1 0,1'", "-q", "--json", "-"]
        hashes.add(json.loads(run(program, *words))["packet_hash"])
    assert len(hashes) == 1


def test_pkg_config_leaves_the_language_to_the_user(installed: Path) -> None:
    """A program in C++20: SystemC's library is of C++17, and takes both. (test_pkg_config has one in C++17.)"""
    where = {"PKG_CONFIG_PATH": str(next(installed.glob("lib/**/pkgconfig")))}
    flags, libraries = (run("pkg-config", what, "braid", **where).split() for what in ("--cflags", "--libs"))
    source = SCRATCH / "language.cpp"
    source.write_text(
        "#include <braid/models/experiment/simulation.h>\n"
        '#include "models/experiment/simulation.h"  // the same file\n'
        "#include <braid/models/tlm/interconnect.h>  // which has moved\n"
        "#include <braid/models/tlm/sockets/interconnect.h>\n"
        "#include <cstdio>\n"
        "int sc_main(int, char*[]) {\n"
        "  sc_core::sc_start(1, sc_core::SC_NS);\n"
        '  return std::printf("%ld\\n", __cplusplus) > 0 ? 0 : 1;\n'
        "}\n"
    )
    assert not any(flag.startswith("-std") for flag in flags)
    program = SCRATCH / "language"
    run(*COMPILER, "-std=c++20", *flags, "-c", source, "-o", program.with_suffix(".o"))
    run("g++", program.with_suffix(".o"), *libraries, "-o", program)
    assert "202002" in run(program)


def test_headers_that_have_moved_are_there_under_both_names(installed: Path) -> None:
    """One of them is compiled in test_pkg_config_leaves_the_language_to_the_user."""
    lines = (ROOT / "scripts" / "package" / "moved_headers.txt").read_text().splitlines()
    assert len(lines) == len({line.split()[0] for line in lines}) >= 34
    for old, new in (line.split() for line in lines):
        assert (installed / "include" / "braid" / new).exists()
        assert f"\n#include <braid/{new}>\n" in (installed / "include" / "braid" / old).read_text()


def test_pages_and_rtl_are_installed(installed: Path) -> None:
    (pages,) = installed.glob("share/doc/*")
    for page in (ROOT / "docs").rglob("*.md"):
        assert (pages / page.relative_to(ROOT / "docs")).exists(), page.name
    assert (installed / "share" / "braid" / "hw" / "hybrid_router.sv").exists()


def test_a_coarse_resolution_of_time_is_refused_in_every_style(installed: Path) -> None:
    """SystemC's resolution is chosen once in a process, before the first time."""
    where = {"PKG_CONFIG_PATH": str(next(installed.glob("lib/**/pkgconfig")))}
    flags, libraries = (run("pkg-config", what, "braid", **where).split() for what in ("--cflags", "--libs"))
    source, program = SCRATCH / "coarse.cpp", SCRATCH / "coarse"
    source.write_text(COARSE)
    run(*COMPILER, *flags, "-c", source, "-o", program.with_suffix(".o"))
    run("g++", program.with_suffix(".o"), *libraries, "-o", program)
    for style in ("cycle_accurate", "approximately_timed", "loosely_timed"):
        coarse, fine = (run(program, style, femtoseconds).splitlines()[-1] for femtoseconds in ("10000000", "1"))
        assert coarse.startswith("the clock's period of 1000 ps is no multiple of SystemC's time resolution of 10 ns")
        assert fine.startswith("a clock period of 1500 fs: expected a whole number of picoseconds")
