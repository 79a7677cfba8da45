"""Lockstep, a process for each point, on a made-up program."""

from pathlib import Path

from braid_tools.rtl.points import Runs


def test_lockstep_stops_at_the_first_point_that_differs(tmp_path: Path) -> None:
    program = tmp_path / "lockstep"
    program.write_text(
        """#!/bin/sh
        echo "$2 ran"; echo "cover probes 5"; echo "$*" >> $0.log
        [ $2 != bad ] || { echo "cycle 7 differs" >&2; exit 1; }
        """
    )
    program.chmod(0o755)
    runs = Runs(program, tmp_path, seed=3)
    for point in ("good", "bad", "never"):
        runs.run(point, 100)
    assert (runs.failed, runs.cycles, runs.cover["probes"]) == (1, 100, 10)
    log = (tmp_path / "lockstep.log").read_text().splitlines()
    assert log == [
        f"--point {point} --cycles 100 --seed 3 --cover --wave {tmp_path}/lockstep_{point}.fst"
        for point in ("good", "bad")
    ]
