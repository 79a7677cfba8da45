"""Every C++ text of the pages, word for word, in Release, against the installed package. A program is linked and run.
What begins with a type is compiled as declarations, all else as statements that have an experiment and a simulation."""

import re
import subprocess
from pathlib import Path

import pytest
from braid_tools.gates.user_project import COMPILER, SCRATCH, run
from braid_tools.program import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?:cpp|c\+\+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPETS = [(page, n, text) for page in PAGES for n, text in enumerate(FENCE.findall(page.read_text()))]
RELEASE = ["-O3", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable"]
#: What the reader has around statements.
BEFORE = """
#include <iostream>
#include <braid/models/experiment/experiment_reader.h>
#include <braid/models/experiment/simulation.h>
#include <braid/models/engine/engine.h>
#include <braid/models/pins/braid_node.h>
#include <braid/models/pins/braid_router.h>
#include <braid/models/pins/cables.h>
#include <braid/models/pins/network_cut.h>
#include <braid/models/tlm/sockets/estimated_interconnect.h>
#include <braid/models/tlm/sockets/interconnect.h>
#include <braid/routing/algorithm/routing_algorithm.h>
using namespace braid;
using namespace braid::routing;
"""
FUNCTION = "void statements(models::Experiment& e, models::Simulation& simulation) {\n  {\n", "\n  }\n}\n"
DECLARATIONS = ("struct ", "class ", "template ")


def named(snippet: tuple[Path, int, str]) -> str:
    page, n, _ = snippet
    return f"{page.stem}_{n}"


def flags(prefix: Path, what: str) -> list[str]:
    """What pkg-config says of the installed package."""
    return run("pkg-config", what, "braid", PKG_CONFIG_PATH=str(next(prefix.glob("lib/**/pkgconfig")))).split()


def test_there_are_snippets() -> None:
    pages = {page.name for page, _, _ in SNIPPETS}
    assert {"tlm.md", "tlm-styles.md", "checkpoints.md", "pins.md", "CONTRIBUTING.md"} <= pages
    assert sum("sc_main" in text for _, _, text in SNIPPETS) >= 1


@pytest.mark.parametrize("snippet", SNIPPETS, ids=named)
def test_a_snippet_compiles_as_it_stands(snippet: tuple[Path, int, str], installed: Path) -> None:
    _, _, text = snippet
    is_program = "int sc_main(" in text or "int main(" in text
    folder = SCRATCH / "snippets"
    folder.mkdir(parents=True, exist_ok=True)
    source, output = folder / f"{named(snippet)}.cpp", folder / named(snippet)
    begin, end = ("", "") if text.startswith(DECLARATIONS) else FUNCTION
    source.write_text(text if is_program else BEFORE + begin + text + end)
    run(*COMPILER, *RELEASE, *flags(installed, "--cflags"), "-c", source, "-o", output.with_suffix(".o"))
    if not is_program:
        return
    run("g++", output.with_suffix(".o"), *flags(installed, "--libs"), "-o", output)
    done = subprocess.run([output], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "TLM_OK_RESPONSE at" in done.stdout
    assert "1000 cycles" in done.stdout
