"""Which libraries of the RTL scripts/test keeps up to date."""

from pathlib import Path

from braid_tools.gates.built_tests import rtl_built_before


def test_libraries_that_are_there_are_built_again(tmp_path: Path) -> None:
    (tmp_path / "stages").mkdir()
    for name in ("torus.so", "torus.json", "stages/stages_mesh_packet.so", "a_point_of_yesterday.so"):
        (tmp_path / name).touch()
    assert rtl_built_before(tmp_path) == ["rtl_stages_mesh_packet", "rtl_torus"]
    assert rtl_built_before(tmp_path / "none") == []
