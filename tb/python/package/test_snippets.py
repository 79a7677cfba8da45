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
FOLDER = SCRATCH / "snippets"


def named(snippet: tuple[Path, int, str]) -> str:
    page, n, _ = snippet
    return f"{page.stem}_{n}"


def is_program(text: str) -> bool:
    return "int sc_main(" in text or "int main(" in text


PROGRAMS = [snippet for snippet in SNIPPETS if is_program(snippet[2])]
PARTS = [snippet for snippet in SNIPPETS if not is_program(snippet[2])]


def flags(prefix: Path, what: str) -> list[str]:
    """What pkg-config says of the installed package."""
    return run("pkg-config", what, "braid", PKG_CONFIG_PATH=str(next(prefix.glob("lib/**/pkgconfig")))).split()


def compiled(name: str, text: str, installed: Path) -> Path:
    """The object file of a source. A complaint fails with all that the compiler says."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    source, output = FOLDER / f"{name}.cpp", FOLDER / f"{name}.o"
    source.write_text(text)
    run(*COMPILER, *RELEASE, *flags(installed, "--cflags"), "-c", source, "-o", output)
    return output


def together(snippets: list[tuple[Path, int, str]]) -> str:
    """One source: the headers, most of what compiling takes, are read once. Each snippet has a namespace of its own,
    and the compiler names its page and the line in it."""
    parts = [BEFORE]
    for page, n, text in snippets:
        begin, end = ("", "") if text.startswith(DECLARATIONS) else FUNCTION
        name = re.sub(r"\W", "_", f"{page.stem}_{n}")
        parts.append(f'namespace {name} {{\n{begin}#line 1 "{page.name}: text {n}"\n{text}{end}}}\n')
    return "".join(parts)


def test_there_are_snippets() -> None:
    pages = {page.name for page, _, _ in SNIPPETS}
    assert {"tlm.md", "tlm-styles.md", "checkpoints.md", "pins.md", "CONTRIBUTING.md"} <= pages
    assert len(PROGRAMS) >= 1
    assert len(PARTS) >= 8


def test_the_snippets_compile_as_they_stand(installed: Path) -> None:
    compiled("all_of_them", together(PARTS), installed)


def test_a_snippet_that_does_not_compile_is_named(installed: Path) -> None:
    wrong = [(ROOT / "docs" / "mine.md", 3, "int one = 1;\nint two = three;\n")]
    text = together(wrong).replace(BEFORE, "namespace models { struct Experiment; struct Simulation; }\n")
    with pytest.raises(AssertionError, match=r"mine\.md: text 3:2:.*three"):
        compiled("wrong", text, installed)


@pytest.mark.parametrize("snippet", PROGRAMS, ids=named)
def test_a_program_compiles_and_runs_as_it_stands(snippet: tuple[Path, int, str], installed: Path) -> None:
    output = compiled(named(snippet), snippet[2], installed)
    run("g++", output, *flags(installed, "--libs"), "-o", output.with_suffix(""))
    done = subprocess.run([output.with_suffix("")], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "TLM_OK_RESPONSE at" in done.stdout
    assert "1000 cycles" in done.stdout
