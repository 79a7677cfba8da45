"""The nightly, on made-up jobs."""

from pathlib import Path

import pytest
from braid_tools.gates import nightly
from braid_tools.studies import studies


def test_what_passed_for_this_commit_is_left_out() -> None:
    rows = [
        {"job": "a", "commit": "1", "status": "passed", "minutes": "1"},
        {"job": "b", "commit": "1", "status": "failed", "minutes": "1"},
        {"job": "c", "commit": "2", "status": "passed", "minutes": "1"},
    ]
    assert nightly.to_do(["a", "b", "c"], "1", rows, again=False) == ["b", "c"]
    assert nightly.to_do(["a", "b", "c"], "1", rows, again=True) == ["a", "b", "c"]


def test_a_night_goes_on_where_the_last_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mended, count = tmp_path / "mended", tmp_path / "count"
    jobs = {
        "good": ["sh", "-c", f"echo x >> {count}; echo 7 faults caught"],
        "bad": ["sh", "-c", f"test -e {mended}"],
        "endless": ["sh", "-c", f"test -e {mended} || sleep 60"],
        "never": ["true"],
    }
    wanted = list(jobs)
    assert nightly.night(jobs, wanted, "1", tmp_path, seconds=2) == 1
    rows = nightly.Summary(tmp_path / "summary.csv").rows()
    assert [(r["job"], r["status"]) for r in rows] == [
        ("good", "passed"),
        ("bad", "failed"),
        ("endless", "out of time"),
    ]
    shown = capsys.readouterr().out.splitlines()
    assert shown[-1] == "1 passed, 3 failed"
    assert shown[-2].split() == ["never", "not", "begun", "min"]
    assert shown[-5].endswith("7 faults caught")
    mended.touch()
    assert nightly.night(jobs, wanted, "1", tmp_path, seconds=20) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "4 passed, 0 failed"
    assert count.read_text() == "x\n", "what passed does not run again"
    assert nightly.night(jobs, wanted, "2", tmp_path, seconds=20) == 0
    assert count.read_text() == "x\nx\n", "another commit is another matter"
    assert len(nightly.Summary(tmp_path / "summary.csv").rows()) == 8


def test_what_is_too_long_for_every_commit_is_covered() -> None:
    commands = {name: " ".join(words[2:]) for name, words in nightly.JOBS.items()}
    assert "--cycles 100000000" in commands["lockstep"]
    assert "gates.fuzz --inputs 1000" in commands["fuzz_program"]
    assert "gates.fuzz_programs --inputs 1000" in commands["fuzz_streamit"]
    assert "gates.fuzz_pairs --inputs 10000" in commands["fuzz_pairs"]
    assert "gates.damaged --inputs 400" in commands["fuzz_checkpoints"]
    assert commands["compile_time"] == "braid_tools.timing.compile --check"
    assert "gates.libfuzzer --seconds 300" in commands["fuzz_readers"]
    for study in studies():
        assert commands[study] == f"braid_tools.reproduce {study}"
