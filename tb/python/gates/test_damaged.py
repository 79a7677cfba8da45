"""Damaged checkpoints whose checksum is right (the long run is a job of scripts/nightly)."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.gates import damaged

#: A router family, source routes with in-transit buffers, lines, schedulers, circuits, messages, broadcasts.
NAMES = (
    "mesh_x_first",
    "tree_adaptive_sat_ring",
    "po2_deterministic_alpha",
    "irregular_every_switch",
    "stream_circuits",
    "messages_on_mesh",
    "broadcast_ring_sequenced_burst",
    "ideal_synthetic",
)
JOBS = [job for job in damaged.jobs() if job.name in NAMES]


def test_damaged_checkpoints_are_run_or_refused_in_one_line(tmp_path: Path) -> None:
    assert len(JOBS) == len(NAMES)
    counts = damaged.run(48, 1, tmp_path / "kept", JOBS)
    assert counts["wrong"] == 0, "\n".join(f.read_text() for f in tmp_path.glob("kept/*.command"))
    assert counts["refused"] > counts["ran"] > 0


@pytest.fixture(scope="module")
def mesh() -> damaged.Base:
    return damaged.base(next(job for job in JOBS if job.name == "mesh_x_first"))


def said(base: damaged.Base, registers: bytes, folder: Path) -> tuple[int, str]:
    file = folder / "a.ckpt"
    file.write_bytes(damaged.whole(base, registers))
    done = subprocess.run(base.command(file), capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.replace(str(file), "FILE")


def test_a_checkpoint_with_a_checksum_of_ours_is_as_good(mesh: damaged.Base, tmp_path: Path) -> None:
    assert said(mesh, mesh.registers, tmp_path) == (0, "")


def test_every_byte_of_what_routers_hold_may_be_wrong(mesh: damaged.Base, tmp_path: Path) -> None:
    """The same places in each run: from the routers' registers on, all ones."""
    routers = mesh.registers.index(b"routers")
    for at in range(routers + 8, routers + 8 + 40 * 97, 97):
        status, line = said(mesh, mesh.registers[:at] + b"\xff" * 4 + mesh.registers[at + 4 :], tmp_path)
        assert status in (0, 2), line
        assert status == 0 or line.startswith("braid: FILE: is damaged"), line


def test_the_same_seed_damages_the_same(mesh: damaged.Base) -> None:
    chances = [damaged.random.Random(seed) for seed in (3, 3, 4)]
    one, two, three = (damaged.damage(chance, mesh.registers) for chance in chances)
    assert one == two != three
