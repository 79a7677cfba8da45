"""The lists of files with which others take the RTL, and its pins in hw/README.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from braid_tools.rtl.files import HW, modules

NAMES = [file.name for file in modules()]
CORE = "braid:router:hybrid_router"


def test_both_lists_have_every_file_the_package_first() -> None:
    bender = yaml.safe_load((HW / "Bender.yml").read_text())
    (group,) = bender["sources"]
    assert group["files"] == NAMES
    core = yaml.safe_load((HW / "hybrid_router.core").read_text().split("\n", 1)[1])
    include, *files = core["filesets"]["rtl"]["files"]
    assert files == NAMES
    assert list(include) == ["assert.svh"]


def test_every_source_says_its_license() -> None:
    files = [*HW.glob("*.sv*"), *(HW / "formal").glob("*.sv*")]
    assert len(files) > 30
    assert [f for f in files if not f.read_text().startswith("// SPDX-License-Identifier: Apache-2.0\n")] == []


@pytest.mark.parametrize(("ports", "says"), [(7, ""), (2, "Ports: 3 to 8 are expected")])
def test_fusesoc_lints_what_it_is_given(ports: int, says: str, tmp_path: Path) -> None:
    words = ["--cores-root", HW, "run", "--target", "lint", CORE, "--Ports", ports, "--Vcs", "2"]
    folder = Path(sys.executable).parent
    done = subprocess.run(
        [folder / "fusesoc", *map(str, words)],
        cwd=tmp_path,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == (not says), done.stdout + done.stderr
    assert says in done.stdout + done.stderr


def test_every_pin_is_in_the_table_and_none_else() -> None:
    header = (HW / "hybrid_router.sv").read_text().split("\n) (\n", 1)[1].split("\n);", 1)[0]
    pins = dict(
        (name, way) for way, name in re.findall(r"^ +(input|output) .*?\b(\w+_n?[io])\b,?(?: *//.*)?$", header, re.M)
    )
    table = (HW / "README.md").read_text().split("## Pins\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (`.*?`) \| (in|out) \|", table, re.M)
    drawn = {name: f"{way}put" for names, way in rows for name in re.findall(r"`(\w+)`", names)}
    assert drawn == pins
    assert len(pins) > 30
