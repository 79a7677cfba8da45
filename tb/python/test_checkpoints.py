"""A run that goes on from a checkpoint, in a process of its own, gives what the run gives that was never interrupted:
every figure and every line of the packet log, for each golden experiment (tb/golden/experiments.toml). And what is
refused."""

import json
import os
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest
from braid_tools.gates.golden import differences, normal, without_rtl
from braid_tools.gates.golden_runs import CIRCUITS, GOLDEN, needs_rtl, runs
from braid_tools.program import BRAID, ROOT, Run

#: What a run of `mesh()` says, whose window is short.
WIDE = (
    "braid: wide: the latency of packets is known to ± 10 % only: near saturation, or too few packets; "
    "simulation.measure_cycles gives more"
)

JOBS = [job for job in runs() if not job.name.startswith((CIRCUITS, "replay_"))]  # of replays none is saved
LATER = ("checkpoint", "log")  # sections of the configuration in which these runs differ
MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
SHORT = {
    "topology.width": 4,
    "topology.height": 4,
    "simulation.batch_cycles": 500,
    "simulation.min_warmup_cycles": 500,
    "simulation.measure_cycles": 1000,
}


def braid_in(folder: Path, *arguments: object) -> tuple[int, str]:
    """Runs the program there; its status and what it says."""
    words = [str(word) for word in arguments]
    done = subprocess.run([BRAID, *words], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.strip()


def run_in(folder: Path, job: Run, *arguments: object) -> tuple[int, str]:
    """Runs an experiment with results and a packet log in the folder, a new one."""
    folder.mkdir()
    results_and_log = ["--quiet", "--json", "results.json", "--log", "log.csv"]
    return braid_in(folder, "run", job.experiment, *job.arguments(), *results_and_log, *arguments)


def without_later(results: dict[str, Any]) -> dict[str, Any]:
    for section in LATER:
        results["configuration"].pop(section, None)
    return results


def results(folder: Path) -> dict[str, Any]:
    return without_later(normal(json.loads((folder / "results.json").read_text())))


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_run_goes_on_as_if_it_had_never_stopped(job: Run, tmp_path: Path) -> None:
    if needs_rtl(job) and without_rtl():
        pytest.skip("built without the RTL")
    file = str(tmp_path / "warm.ckpt")
    status, said = run_in(tmp_path / "first", job, "--checkpoint", file)
    if needs_rtl(job):
        assert (status, said) == (
            2,
            f"braid: {file}: no checkpoint can be made: router.implementation: the RTL's registers; "
            'expected "model" and no section [stage]',
        )
        return
    assert status == 0, said
    golden = without_later(json.loads((GOLDEN / f"{job.name}.json").read_text()))
    assert not list(differences(golden, results(tmp_path / "first")))
    status, said = run_in(tmp_path / "second", job, "--from", file)
    assert status == 0, said
    assert not list(differences(results(tmp_path / "first"), results(tmp_path / "second")))
    logs = [(tmp_path / folder / "log.csv").read_bytes() for folder in ("first", "second")]
    assert logs[0] == logs[1]


# ---------------------------------------------------------------- the file


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of a small mesh, with its results beside it."""
    folder = tmp_path_factory.mktemp("warm")
    status, said = braid_in(folder, *mesh(), "--json", "results.json", "--checkpoint", "warm.ckpt")
    assert status == 0, said
    return folder / "warm.ckpt"


def mesh(**settings: object) -> list[object]:
    """The words of a run of it; `section__key` for a key."""
    given = SHORT | {name.replace("__", "."): value for name, value in settings.items()}
    words: list[object] = ["run", MESH, "--quiet"]
    for key, value in given.items():
        words += ["--set", f"{key}={value}"]
    return words


def parts(file: Path) -> tuple[bytes, bytes, bytes, bytes]:
    """First line, header, checksum and registers, as docs/checkpoints.md has them."""
    first, header, checksum, registers = file.read_bytes().split(b"\n", 3)
    return first, header, checksum, registers


def test_the_header_says_what_the_results_say(warm: Path) -> None:
    first, line, checksum, registers = parts(warm)
    header = json.loads(line)
    found = json.loads((warm.parent / "results.json").read_text())
    assert first == b"braid checkpoint 1"
    assert checksum == f"checksum {zlib.crc32(line + registers):08x}".encode()
    assert header["bytes"] == len(registers)
    assert header["cycle"] == found["warmup_cycles"]
    assert header["program"].startswith(f"Braid {found['version']} (interface ")
    echoed = {f"{s}.{k}": json.dumps(v) for s, keys in found["configuration"].items() for k, v in keys.items()}
    later = set(echoed) - set(header["configuration"])
    assert later == {
        "experiment.name",
        "simulation.measure_cycles",
        "simulation.until",
        "simulation.engine",
        "simulation.max_drain_cycles",
        "log.path",
        "trace.file",
        "checkpoint.file",
        "checkpoint.from",
        *(f"energy.{key}" for key in found["configuration"]["energy"]),
    }
    assert {key: json.loads(value) for key, value in header["configuration"].items()} == {
        key: json.loads(value) for key, value in echoed.items() if key not in later
    }


def test_a_copy_is_the_same_to_the_byte(warm: Path, tmp_path: Path) -> None:
    """--from and --checkpoint together: the network is warm where it begins, so it is written as it was read."""
    assert braid_in(tmp_path, *mesh(), "--from", warm, "--checkpoint", "copy.ckpt") == (0, WIDE)
    assert (tmp_path / "copy.ckpt").read_bytes() == warm.read_bytes()
    (tmp_path / "itself.ckpt").write_bytes(warm.read_bytes())
    status, said = braid_in(tmp_path, *mesh(), "--from", "itself.ckpt", "--checkpoint", "itself.ckpt")
    assert (status, said.split(";")[0]) == (2, "braid: itself.ckpt: cannot be written: this run reads it")
    assert (tmp_path / "itself.ckpt").read_bytes() == warm.read_bytes()


def test_what_comes_after_the_warm_up_may_differ(warm: Path, tmp_path: Path) -> None:
    """Another name, a longer measurement: as a whole run with these keys."""
    other = mesh(experiment__name="longer", simulation__measure_cycles=2500, simulation__max_drain_cycles=50)
    assert braid_in(tmp_path, *other, "--json", "whole.json") == (0, "")
    assert braid_in(tmp_path, *other, "--json", "from.json", "--from", warm) == (0, "")
    whole, gone_on = (
        without_later(normal(json.loads((tmp_path / f).read_text()))) for f in ("whole.json", "from.json")
    )
    assert not list(differences(whole, gone_on))


def test_check_and_paths_read_it_too(warm: Path, tmp_path: Path) -> None:
    for command in ("check", "paths"):
        words = [command, *mesh()[1:], "--from", warm]
        assert braid_in(tmp_path, *words) == (0, "")
        status, said = braid_in(tmp_path, *words, "--set", "router.vcs=3")
        assert status == 2
        assert "router.vcs = 4 there, 3 here" in said
    assert not list(tmp_path.iterdir())


def refused(folder: Path, file: Path, *words: object) -> str:
    """What is said of a file, in one line after its name; nothing is written."""
    before = set(folder.iterdir())
    status, said = braid_in(folder, *(words or mesh()), "--json", "results.json", "--from", file)
    assert status == 2, said
    assert said.startswith(f"braid: {file}: ")
    assert "\n" not in said
    assert set(folder.iterdir()) == before
    return said.removeprefix(f"braid: {file}: ")


def test_another_configuration_is_refused_by_its_first_key(warm: Path, tmp_path: Path) -> None:
    was = "was made under another configuration: "
    assert refused(tmp_path, warm, *mesh(router__vcs=3)) == was + "router.vcs = 4 there, 3 here"
    several = mesh(experiment__seed=2, router__vcs=3, traffic__flits=5)
    assert refused(tmp_path, warm, *several) == was + "experiment.seed = 1 there, 2 here (and 2 more)"
    chosen = mesh(interface__fairness="sat")
    assert re.fullmatch(
        re.escape(was) + r'interface\.fairness = "none" there, "sat" here \(and \d more\)',
        refused(tmp_path, warm, *chosen),
    )
    threads = mesh(simulation__threads=2)
    assert refused(tmp_path, warm, *threads) == was + "simulation.threads = 1 there, 2 here"
    warm_up = mesh(simulation__max_warmup_cycles=2000)
    assert refused(tmp_path, warm, *warm_up) == was + "simulation.max_warmup_cycles = 50000 there, 2000 here"
    log = [*mesh(), "--log", "log.csv"]
    assert refused(tmp_path, warm, *log) == was + 'log.file = "" there, a file here'


def test_a_file_that_the_experiment_names_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    pattern, moved = tmp_path / "pattern.txt", tmp_path / "moved.txt"
    pattern.write_bytes((GOLDEN / "permutation.txt").read_bytes())

    def words(file: Path) -> list[object]:
        small = {"topology__width": 2, "topology__height": 2, "traffic__pattern": "permutation"}
        return mesh(**small, traffic__file=file)

    assert braid_in(tmp_path, *words(pattern), "--checkpoint", "warm.ckpt") == (0, "")
    checksum = f"{zlib.crc32(pattern.read_bytes()):08x}"
    pattern.rename(moved)
    assert braid_in(tmp_path, *words(moved), "--from", "warm.ckpt") == (0, "")
    pattern.write_text("\n".join(reversed(moved.read_text().splitlines())) + "\n")
    other = f"{zlib.crc32(pattern.read_bytes()):08x}"
    said = refused(tmp_path, tmp_path / "warm.ckpt", *words(pattern))
    assert said == (
        "was made under another configuration: "
        f"traffic.file = a file of checksum {checksum} there, a file of checksum {other} here"
    )


def test_another_version_is_refused(warm: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.ckpt"
    first, header, checksum, registers = parts(warm)
    made_by = json.loads(header)["program"]
    other = header.replace(b"Braid 0.", b"Braid 7.", 1)
    file.write_bytes(b"\n".join([first, other, checksum, registers]))
    told = made_by.replace("Braid 0.", "Braid 7.")
    assert refused(tmp_path, file) == f"was made by {told}, this is {made_by}: expected one of the same version"
    interface = re.search(rb"interface ([0-9a-f]{12})", header).group(1)  # type: ignore[union-attr]
    file.write_bytes(b"\n".join([first, header.replace(interface, b"0" * 12, 1), checksum, registers]))
    assert "was made by Braid 0." in refused(tmp_path, file)


def test_a_damaged_file_is_refused(warm: Path, tmp_path: Path) -> None:
    """Cut off anywhere, longer, or with a bit flipped anywhere: in one line, and never a crash."""
    file = tmp_path / "damaged.ckpt"
    whole = warm.read_bytes()
    for length in (0, 1, 18, 19, 20, 400, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        assert re.match(r"is (no checkpoint|damaged): ", refused(tmp_path, file)), length
    file.write_bytes(whole + b"\0")
    assert refused(tmp_path, file).startswith("is damaged: ")
    header_end = len(whole) - len(parts(warm)[3])
    for at in [*range(0, header_end, 97), header_end - 2, header_end, len(whole) // 2, len(whole) - 1]:
        flipped = bytearray(whole)
        flipped[at] ^= 4
        file.write_bytes(flipped)
        assert refused(tmp_path, file), at


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_bytes(MESH.read_bytes())
    assert refused(tmp_path, other) == "is no checkpoint: expected a file that braid run --checkpoint has made"
    expected = "expected a checkpoint (braid run --checkpoint)"
    assert refused(tmp_path, tmp_path / "missing.ckpt") == f"cannot be read: {expected}"
    folder = tmp_path / "folder"
    folder.mkdir()
    assert refused(tmp_path, folder) == f"cannot be read, as it is a directory: {expected}"


def test_a_target_that_cannot_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    endless = mesh(simulation__min_warmup_cycles=10**9, simulation__max_warmup_cycles=10**9)
    status, said = braid_in(tmp_path, *endless, "--checkpoint", folder)
    assert (status, said) == (2, f"braid: {folder}: cannot be written: is a directory")
    status, said = braid_in(tmp_path, *endless, "--checkpoint", "nowhere/warm.ckpt")
    assert (status, said) == (2, "braid: nowhere/warm.ckpt: cannot be written: No such file or directory")
    assert list(tmp_path.iterdir()) == [folder]


def test_a_broken_off_run_leaves_none(tmp_path: Path) -> None:
    """A deadlock in the warm-up (status 3): there is no checkpoint."""
    deadlock = ROOT / "tb" / "experiments" / "deadlock.toml"
    assert braid_in(tmp_path, "run", deadlock, "--quiet", "--checkpoint", "warm.ckpt")[0] == 3
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- what looks on


def test_a_waveform_before_the_first_cycle_is_refused(warm: Path, tmp_path: Path) -> None:
    """The default window ends at cycle 2000; a shorter one lies before the checkpoint for sure."""
    cycle = json.loads(parts(warm)[1])["cycle"]
    status, said = braid_in(tmp_path, *mesh(trace__to_cycle=cycle - 1), "--trace", "wave.vcd", "--from", warm)
    said = said.removeprefix("braid: ")
    assert status == 2
    assert f"trace.to_cycle = {cycle - 1}: the run begins at cycle {cycle}, where the checkpoint was made" in said
    assert not list(tmp_path.iterdir())


def test_watched_packets_are_those_of_the_whole_run(tmp_path: Path) -> None:
    words = [*mesh(), "--watch", "source=3"]
    lines = []
    for more in (["--checkpoint", "warm.ckpt"], ["--from", "warm.ckpt"]):
        done = subprocess.run(
            [BRAID, *map(str, words), *more], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        lines.append(done.stdout)
    assert lines[0] == lines[1]
    assert lines[0].count("delivered at node") > 20


@pytest.mark.parametrize("schedule", [["--threads", "2"], ["--set", "simulation.schedule=process_per_stage"]])
def test_schedules_go_on_as_the_static_one(schedule: list[str], warm: Path, tmp_path: Path) -> None:
    assert braid_in(tmp_path, *mesh(), *schedule, "--checkpoint", "warm.ckpt", "--json", "whole.json") == (0, WIDE)
    assert braid_in(tmp_path, *mesh(), *schedule, "--from", "warm.ckpt", "--json", "on.json") == (0, WIDE)
    whole, on = (without_later(normal(json.loads((tmp_path / f).read_text()))) for f in ("whole.json", "on.json"))
    assert not list(differences(whole, on))
    static = json.loads((warm.parent / "results.json").read_text())
    assert whole["packet_hash"] == static["packet_hash"]


def test_progress_counts_the_cycles_of_this_run(warm: Path, tmp_path: Path) -> None:
    """On a terminal: the bar begins at nothing and ends at the measured cycles."""
    words = [str(w) for w in mesh(simulation__measure_cycles=3000000) if w != "--quiet"]
    command = " ".join([str(BRAID), *words, "--from", str(warm)])
    done = subprocess.run(
        ["script", "-qec", command, "/dev/null"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    shown = [(int(p), int(c)) for p, c in re.findall(r"measure +\[[#.]+\] +(\d+) %  cycle (\d+)", done.stdout)]
    assert done.returncode == 0, done.stdout
    assert shown
    for percent, cycle in shown:
        assert abs(percent - 100 * cycle / 3000000) <= 1
