"""BookSim 2's references: which settings a file's name means, what is compared how closely."""

import pytest
from braid_tools.peers import booksim

BALANCED = "torus8x8_dorbal_2vc_4buf_4flit_uniform"


def test_a_name_says_topology_datelines_and_buffers() -> None:
    keys = booksim.settings(BALANCED)
    assert (keys["topology.kind"], keys["topology.width"], keys["topology.height"]) == (
        "torus",
        8,
        8,
    )
    assert (
        keys["routing.datelines"],
        keys["router.vcs"],
        keys["router.buffer_depth"],
    ) == ("two_drawn", 2, 4)
    assert booksim.settings(BALANCED.replace("dorbal", "dor"))["routing.datelines"] == "one"
    assert "routing.datelines" not in booksim.settings("mesh8x8_dor_4vc_8buf_4flit_uniform")


def test_a_latency_is_compared_more_closely_below_saturation() -> None:
    assert booksim.tolerance(BALANCED, 0.2, 0.27) == 0.025
    assert booksim.tolerance(BALANCED, 0.22, 0.27) == 0.05
    assert booksim.tolerance("mesh8x8_minad_4vc_8buf_4flit_uniform", 0.2, 0.4) == 0.05


def test_every_reference_has_settings_and_a_tolerance() -> None:
    for path in booksim.references(quick=False):
        booksim.settings(path.stem)
        assert booksim.tolerance(path.stem, 0.0, 1.0) > 0


def test_a_quick_run_has_a_torus_of_each_routing_and_pattern() -> None:
    quick = {path.stem for path in booksim.references(quick=True)}
    whole = {path.stem for path in booksim.references(quick=False)}
    tori = [name.split("_") for name in whole if name.startswith("torus")]
    for part in (1, 5):
        kinds = {name[part] for name in tori}
        assert kinds == {name.split("_")[part] for name in quick if name.startswith("torus")}
    assert {name for name in whole if name.startswith("mesh")} <= quick < whole


@pytest.mark.parametrize("what", booksim.OTHERS)
def test_what_is_not_like_for_like_changes_a_key_of_references_that_are_there(
    what: str,
) -> None:
    changed, names, quick = booksim.OTHERS[what]
    found = {path.stem for path in booksim.REFERENCE.glob(names)}
    assert quick in found
    assert quick in {path.stem for path in booksim.references(quick=True)}
    for name in found:
        assert booksim.settings(name) | changed != booksim.settings(name)
