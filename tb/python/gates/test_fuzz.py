"""A short fuzz run of the program (the long one is a job of scripts/nightly), and what counts as a fault."""

import os
from pathlib import Path

import pytest
from braid_tools.gates import fuzz_pairs, fuzz_programs, fuzzing, libfuzzer


def test_wrong_input_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    counts = fuzzing.run(80, 1, tmp_path / "kept")
    assert counts["wrong"] == 0, "\n".join(f.read_text() for f in tmp_path.glob("kept/*/command"))
    assert counts["good"] > 5
    assert counts["refused"] > 20


def test_the_same_seed_makes_the_same_input() -> None:
    assert fuzzing.make_input(7) == fuzzing.make_input(7)
    assert fuzzing.make_input(7) != fuzzing.make_input(8)


def test_every_base_is_good(tmp_path: Path) -> None:
    for files in fuzzing.bases():
        assert fuzzing.start(fuzzing.Input(files, []), tmp_path) == (0, b""), list(files)


def test_every_reader_is_fed() -> None:
    endings = {Path(name).suffix for files in fuzzing.bases() for name in files}
    assert endings == {".toml", ".graphml", ".trace", ".txt"}
    names = [list(files) for files in fuzzing.bases()]
    assert ["fm_radio.toml", "fm_radio_4x4.toml"] in names
    assert ["deadlock.toml", "ring.graphml", "ring_clockwise.txt"] in names
    assert ["permutation.toml", "permutation.txt"] in names


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (0, b"", ""),
        (2, b"braid: e.toml: nothing to send\n", ""),
        (2, "braid: käse: unknown\n".encode(), ""),
        (None, b"", "did not end"),
        (130, b"braid: interrupted; nothing was written\n", ""),
        (130, b"", "not one line"),
        (-11, b"", "exit status -11"),
        (1, b"braid: std::bad_alloc\n", "exit status 1"),
        (2, b"", "not one line"),
        (2, b"braid: a\nb\n", "not one line"),
        (2, b"terminate called\n", "not one line"),
        (2, b"braid: \xff\n", "not UTF-8"),
        (2, b"braid: \x1b[31m\n", "control characters"),
        (2, b"braid: " + 5000 * b"k" + b"\n", "a line of 5008 bytes"),
    ],
)
def test_every_status_is_accounted_for(status: int | None, error: bytes, says: str) -> None:
    found = fuzzing.fault(status, error)
    assert found.startswith(says)
    assert bool(found) == bool(says)


@pytest.mark.parametrize(
    ("script", "status", "says"),
    [
        ("trap 'echo braid: interrupted >&2; exit 130' INT; while :; do sleep 0.1; done", 130, ""),
        ("trap '' INT; while :; do sleep 0.1; done", None, "did not end"),
        ("echo braid: interrupted >&2; exit 130", -130, "exit status -130"),
    ],
)
def test_what_takes_long_must_let_go(
    script: str, status: int | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "SECONDS", 1)
    monkeypatch.setattr(fuzzing, "LET_GO_SECONDS", 3)
    monkeypatch.setattr(fuzzing.Input, "command", lambda _: [b"bash", b"-c", script.encode()])
    ended, error = fuzzing.start(fuzzing.Input({}, []), tmp_path)
    assert ended == status
    assert fuzzing.fault(ended, error).startswith(says)
    assert bool(fuzzing.fault(ended, error)) == bool(says)


def test_every_libfuzzer_target_knows_its_examples() -> None:
    assert sorted(libfuzzer.EXAMPLES) == libfuzzer.sources()
    for patterns in libfuzzer.EXAMPLES.values():
        assert all(list(fuzzing.ROOT.glob(pattern)) for pattern in patterns), patterns


def test_a_corpus_comes_out_of_its_archive_as_it_went_in(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for content in (b"", b"[router]\nvcs = 2\n", bytes(range(256)) * 20):
        (tmp_path / "in" / f"{len(content):012}").write_bytes(content)
    libfuzzer.pack(tmp_path / "in", tmp_path / "one.tar.xz")
    os.utime(tmp_path / "in" / f"{0:012}", (0, 0))
    libfuzzer.pack(tmp_path / "in", tmp_path / "two.tar.xz")
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").write_bytes(b"of another night")
    libfuzzer.unpack(tmp_path / "one.tar.xz", tmp_path / "out")
    out = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    assert out == {file.name: file.read_bytes() for file in (tmp_path / "in").iterdir()}


def test_every_libfuzzer_target_has_an_archive_of_inputs(tmp_path: Path) -> None:
    assert sorted(file.name for file in libfuzzer.KEPT.iterdir()) == [f"{t}.tar.xz" for t in libfuzzer.sources()]
    for target in libfuzzer.sources():
        files = list(libfuzzer.unpack(libfuzzer.KEPT / f"{target}.tar.xz", tmp_path / target).iterdir())
        assert len(files) > 100, target


def test_wrong_programs_and_pairs_are_refused_in_one_line(tmp_path: Path) -> None:
    for name, make in (("programs", fuzz_programs.make_program), ("pairs", fuzz_pairs.make_pair)):
        assert make(7) == make(7) != make(8)
        counts = fuzzing.run(40, 1, tmp_path / name, make)
        assert counts["wrong"] == 0, "\n".join(f.read_text() for f in tmp_path.glob(f"{name}/*/command"))
        assert counts["refused"] > 0


def test_pairs_are_of_every_key() -> None:
    names = {key for key, _ in fuzz_pairs.options()}
    assert {b"topology.width", b"router.vcs", b"traffic.patterns", b"tlm.style", b"log.file"} <= names
    widths = {value for key, values in fuzz_pairs.options() if key == b"topology.width" for value in values}
    assert {b"0", b"1", b"8", b"1024", b"1025"} <= widths
