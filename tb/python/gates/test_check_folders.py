"""The folder check, on planted violations."""

from pathlib import Path

import pytest
from braid_tools.gates import check_folders
from braid_tools.program import ROOT


def write_include(root: Path, folder: str, included: str) -> None:
    (root / folder).mkdir(parents=True, exist_ok=True)
    (root / folder / "planted.cpp").write_text(f'#include "{included}/some.h"\n#include <vector>\n')


def test_folder_check_finds_an_arrow_down(tmp_path: Path) -> None:
    write_include(tmp_path, "routing/base", "models/engine")
    write_include(tmp_path, "models/fabric", "routing/base")
    assert check_folders.violations(tmp_path) == [
        "routing/base/planted.cpp includes models/engine/some.h: routing/base may not use models/engine"
    ]
    assert check_folders.violations(ROOT) == []


@pytest.mark.parametrize("folder", [f for f, used in check_folders.MAY_USE.items() if used])
def test_folder_check_finds_a_circle_in_each_folder(tmp_path: Path, folder: str) -> None:
    other = next(f for f in check_folders.MAY_USE[folder] if f != folder)
    write_include(tmp_path, folder, other if folder != "tb" else "models/engine")
    write_include(tmp_path, other if folder != "tb" else "models/engine", folder)
    assert any(line.startswith("circle of folders: ") for line in check_folders.violations(tmp_path))


def test_folder_check_knows_no_family_that_uses_a_family(tmp_path: Path) -> None:
    write_include(tmp_path, "models/families/po2", "models/families/hybrid")
    assert len(check_folders.violations(tmp_path)) == 1
