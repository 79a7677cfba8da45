"""Braid's own partitions and layouts of the benchmarks, as the study runs them."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from braid_tools.papers.tentacle import throughputs
from braid_tools.papers.tentacle.own_graphs import FILES, PAPERS_LAYOUT, PROGRAMS, USUAL_LAYOUT, own
from braid_tools.papers.tentacle.points import Ports
from braid_tools.papers.tentacle.programs import divisor, program
from braid_tools.papers.tentacle.published import BENCHMARKS
from braid_tools.program import BRAID
from braid_tools.study import Study


def test_every_benchmark_has_a_program() -> None:
    assert tuple(FILES) == BENCHMARKS
    assert all((PROGRAMS / f"{file}.str").is_file() for file in FILES.values())


def test_a_program_is_laid_out_as_its_user_has_it(tmp_path: Path) -> None:
    """The tiles of the study's graph are those that `braid paths PROGRAM.str` prints."""
    study = Study("own", results=tmp_path)
    read = tomllib.loads(own(study, "BitonicSort", 4, USUAL_LAYOUT).read_text())
    program_file, out = PROGRAMS / "bitonic_sort.str", tmp_path / "paths.json"
    subprocess.run([BRAID, "paths", program_file, "--mesh", "4x4", "--network", "push_adaptive", "--json", out],
                   check=True, capture_output=True)  # fmt: skip
    theirs = {a["name"]: a["node"] for a in json.loads(out.read_text())["actors"]}
    assert {a["name"]: a["tile"] for a in read["actor"]} == theirs
    assert len(set(theirs.values())) == len(theirs) == 15


def test_the_papers_layout_has_figure_3s_contention(tmp_path: Path) -> None:
    """Five streams on the most loaded link, as Figure 3 has it for both; the default also avoids streams that meet."""
    study = Study("hops", results=tmp_path)
    for benchmark in ("FilterBank", "FMRadio"):
        loads = {at: max(program(own(study, benchmark, 4, at), 4).loads().values())
                 for at in (PAPERS_LAYOUT, USUAL_LAYOUT)}  # fmt: skip
        assert loads[PAPERS_LAYOUT] == 5, benchmark
        assert loads[USUAL_LAYOUT] != 5, benchmark


@pytest.mark.parametrize("graphs", [throughputs.MITS, throughputs.BRAIDS])
def test_a_part_of_tdes_steady_state_is_in_balance(tmp_path: Path, graphs: str) -> None:
    study = Study("part", results=tmp_path)
    reading = throughputs.Reading(throughputs.OWN_RATES, Ports(4), graphs)
    whole = program(throughputs.graph_of(study, graphs, "TDE", 4), 4)
    (setting,) = throughputs.settings_of(study, reading, ["TDE"], [4])
    part = program(setting.graph, 4)
    assert divisor(whole) > 64
    assert [s.items * divisor(whole) for s in part.streams] == [s.items for s in whole.streams]
    assert part.tiles == whole.tiles
