"""Pages of the hardware view: their diagrams are what the program draws today, and every port of a module stands in the
page of its room."""

import json
import re
from pathlib import Path

import pytest
from braid_tools.gates import diagrams, schedules
from braid_tools.program import ROOT, braid

#: A network of each room, what of it the page is about, and the page.
ROOMS = {
    "hybrid": ("tb/experiments/fm_radio.toml network.router_0_0", ("hybrid", "replaced")),
    "sequencer": ("tb/experiments/fm_radio.toml network.setup_sequencer", ("hybrid",)),
    "virtual_cut_through": (
        "tb/experiments/tree_sat.toml --set topology.levels=1 --set traffic.pattern=uniform network",
        ("virtual_cut_through", "sat"),
    ),
    "sat": ("tb/experiments/tree_sat.toml --set interface.fairness=sat_auto network.sat", ("sat",)),
    "po2": ("tb/experiments/po2_hexagonal.toml --set topology.edge=2 network", ("po2",)),
    "myrinet": (
        "tb/experiments/irregular.toml --set topology.switches=4 --set routing.in_transit=every_switch network",
        ("myrinet",),
    ),
    "lines": ("tb/experiments/broadcast.toml --set broadcast.medium=line network.broadcast", ("lines",)),
    "ideal": ("tb/experiments/mesh_uniform.toml --set router.architecture=ideal network", ("ideal",)),
}
CLOCK = "clk_i"


def ports(tree: dict) -> set[str]:
    """Names of all ports in a module, the clocks' aside; those of a vector, or of a switch's port, once."""
    own = {re.sub(r"_([io])_\d+$", r"_\1", port["name"]) for port in tree["ports"]} - {CLOCK}
    return own.union(*(ports(module) for module in tree["modules"]))


@pytest.mark.parametrize("page", diagrams.pages(), ids=lambda page: page.stem)
def test_diagrams_are_what_the_program_draws(page: Path) -> None:
    for arguments, diagram in diagrams.marks(page):
        assert diagram == diagrams.drawn(arguments), "python -m braid_tools.gates.diagrams --update"
        assert "-->" in diagram


def test_every_room_has_a_diagram() -> None:
    rooms = [page for page in diagrams.pages() if page.stem != "replaced"]
    assert all(any(diagrams.marks(page)) for page in rooms)


def with_ports(tree: dict) -> set[tuple[str, ...]]:
    """The ports of each module that has another than its clock, but what only the root of a broadcast is asked: classes
    of modules by what is on them."""
    own = {re.sub(r"(_[io])_\d+$", r"\1", port["name"]) for port in tree["ports"]} - {CLOCK, "requested_i"}
    return ({tuple(sorted(own))} if own else set()).union(*(with_ports(module) for module in tree["modules"]))


def test_the_page_counts_the_modules_with_ports() -> None:
    classes = set()
    for arguments, _ in ROOMS.values():
        classes |= with_ports(json.loads(braid("modules", *diagrams.words(arguments), "--quiet", "--json", "-")))
    page = (ROOT / "docs" / "hardware-view.md").read_text()
    assert f"| ... with a port other than a clock | 0 | {len(classes)} |" in page


@pytest.mark.parametrize("room", ROOMS)
def test_every_port_is_in_the_page_of_its_room(room: str) -> None:
    arguments, pages = ROOMS[room]
    tree = json.loads(braid("modules", *diagrams.words(arguments), "--quiet", "--json", "-"))
    found = ports(tree)
    text = "".join((ROOT / "docs" / "hardware-view" / f"{page}.md").read_text() for page in pages)
    named = set(re.findall(r"`([a-z_]+_[io])(?:\[\w+\])?`", text))
    assert len(found) > 2
    assert found <= named, f"without a row: {sorted(found - named)}"


def test_drawn_experiments_give_the_same_json_under_both_schedules() -> None:
    # One of each kind, processes backward; 200 in three orders in scripts/nightly schedules.
    seen = {}
    for drawn in schedules.draw(7):
        if drawn.kind not in seen and (differ := drawn.differs(("backward",))) != ["refused"]:
            seen[drawn.kind] = differ
            assert not differ, f"{differ}: braid run {' '.join(drawn.words)}"
        if len(seen) == len(schedules.KINDS):
            break


@pytest.mark.parametrize("stage", ["vc_allocator", "switch_allocator", "setup_unit"])
def test_the_rtl_in_a_seat_has_the_scopes_of_the_model(stage: str) -> None:
    # Names, ports, bits and channels: what sc_trace() shows of the one it shows of the other.
    if not (ROOT / "build" / "release" / "rtl" / "stages" / "stages_mesh_stream.so").exists():
        pytest.skip("scripts/build release rtl_stages_mesh_stream")
    where = f"tb/experiments/mixed.toml network.router_1_1 --quiet --json - --set stage.{stage}="
    trees = [json.loads(braid("modules", *diagrams.words(where + seat))) for seat in ("model", "rtl", "lockstep")]
    assert f"network.router_1_1.{stage}" in [module["name"] for module in trees[0]["modules"]]
    assert trees[0] == trees[1] == trees[2]
