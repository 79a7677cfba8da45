"""A copy of the sources with a build of its own, for one seeded fault after the other."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from braid_tools.digest import digest_of_files
from braid_tools.gates.shell import Outcome, sh
from braid_tools.program import ROOT

COPIED = ["CMakeLists.txt", "README.md", "docs", "hw", "models", "routing", "scripts", "tb", "traffic"]
# Those of the installed package compile projects against it: too long for every fault.
PYTHON = ["tb/python", "--ignore=tb/python/package"]
# Without debug information, but optimized a little: what compiling loses, the tests win.
OPTIONS = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", "-DBRAID_BENCHMARKS=OFF"]
# The copy has no .venv, where CMake looks for what `import braid` is built with.
WITH_PYTHON = f"-DPython_EXECUTABLE={sys.executable}"
# Nothing that a fault does may take the machine down: address space, file size, core.
# A night that was started so that the end of a terminal does not end it (nohup) ignores HUP, and what it starts would.
LIMITS = ["env", "--default-signal=HUP,INT", "prlimit", "--as=8589934592", "--fsize=1073741824", "--core=0"]
LEAST_SECONDS, SLOWER = 10.0, 20.0  # a test hangs if it takes so many seconds and so many times its own time


@dataclass
class Test:
    """A test as ctest lists it."""

    name: str
    command: list[str]
    folder: str
    seconds: float = 300.0  # in the sources without a fault

    @property
    def limit(self) -> float:
        """Seconds until it counts as hung."""
        return min(300.0, max(LEAST_SECONDS, SLOWER * self.seconds))


def copy_changed(source: Path, target: Path) -> None:
    """Makes `target` what `source` is, without touching files that are equal: a build starts where the last ended."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)
        return
    target.mkdir(parents=True, exist_ok=True)
    wanted = {path.name for path in source.iterdir() if path.name != "__pycache__"}
    for path in target.iterdir():
        if path.name not in wanted:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in wanted:
        copy_changed(source / name, target / name)


def linker() -> list[str]:
    """CMake's option for the quickest linker that is there."""
    for name, program in (("mold", "mold"), ("gold", "ld.gold")):
        if shutil.which(program):
            return [f"-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld={name}"]
    return []


def listed_by_ctest(source: Path, build_folder: Path) -> list[Test]:
    """The tests as ctest knows them, after a build of everything; Python finds the program, and what it loads, where it
    looks for them."""
    listed = sh(["ctest", "--test-dir", build_folder, "--show-only=json-v1"], source)
    expected = source / "build" / "release"  # where Python, also an older revision's, looks for the program
    expected.mkdir(parents=True, exist_ok=True)
    for built in ("braid", "python"):
        if not (expected / built).is_symlink():
            (expected / built).symlink_to(build_folder / built)
    tests = []
    for test in json.loads(listed.output)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if not properties.get("DISABLED"):
            tests.append(Test(test["name"], test["command"], properties.get("WORKING_DIRECTORY", str(build_folder))))
    return tests


def places(source: Path, build_folder: Path, scratch: Path) -> dict[str, str]:
    """Environment of tests: where to put files, and the program."""
    scratch.mkdir(exist_ok=True)
    return {
        "TMPDIR": str(scratch),
        "TEST_TMPDIR": f"{scratch}/",
        "BRAID_PROGRAM": str(build_folder / "braid"),
        "BRAID_PYTHON": sys.executable,
        "PYTHONPATH": str(source / "scripts"),
    }


class Tree:
    """One worker's sources, and a build of them with or without the RTL."""

    def __init__(self, place: Path, revision: str, rtl: bool) -> None:
        self.source = place / "src"
        self.build_folder = place / ("build_rtl" if rtl else "build")
        self.scratch = place / "tmp"
        self.tests: list[Test] = []
        self.left_out: list[str] = []  # Python tests of an older revision that fail here without any fault
        self.golden = not revision and (self.source / "scripts/braid_tools/gates/golden.py").is_file()
        options = [*OPTIONS, WITH_PYTHON, f"-DBRAID_RTL={'ON' if rtl else 'OFF'}", *linker()]
        done = sh(["cmake", "-S", self.source, "-B", self.build_folder, "-GNinja", *options], place)
        if done.how:
            raise RuntimeError(done.output)

    def build(self, target: str, jobs: int = 1) -> Outcome:
        """Builds one target."""
        return sh(["ninja", "-C", self.build_folder, "-j", jobs, target], self.source)

    def list_tests(self) -> None:
        """The tests as ctest knows them, after a build of everything."""
        self.tests = listed_by_ctest(self.source, self.build_folder)

    def places(self) -> dict[str, str]:
        """Environment of tests."""
        return places(self.source, self.build_folder, self.scratch)

    def run_test(self, test: Test) -> Outcome:
        """One test of ctest's."""
        return sh([*LIMITS, *test.command], Path(test.folder), test.limit, **self.places())

    def run_module(self, name: str, limit: float, *arguments: str) -> tuple[str, str]:
        """A Python check of the program within `limit` seconds; (what failed, how), or ("", "")."""
        done = sh([*LIMITS, sys.executable, "-m", *arguments], self.source, limit, **self.places())
        failed = [line.split()[1] for line in done.output.splitlines() if line.startswith("FAILED ")]
        return (failed[0] if failed else name, done.how) if done.how else ("", "")

    def run_golden(self) -> tuple[str, str]:
        """The golden results, if the tests have them."""
        return self.run_module("golden", 40.0, "braid_tools.gates.golden", "--check") if self.golden else ("", "")

    def run_python(self) -> tuple[str, str]:
        """The tests in Python."""
        left_out = [f"--deselect={name}" for name in self.left_out]
        return self.run_module("pytest", 300.0, "pytest", "-q", "-x", "-p", "no:cacheprovider", *PYTHON, *left_out)

    def run_python_test(self, name: str) -> str:
        """How one of them fails, or ""."""
        options = ["-q", "-p", "no:cacheprovider", name]
        return sh([*LIMITS, sys.executable, "-m", "pytest", *options], self.source, 300.0, **self.places()).how

    def remember(self) -> None:
        """Keeps the times of the tests and what is left out, for this state of the sources."""
        kept = {"seconds": {t.name: t.seconds for t in self.tests}, "left_out": self.left_out}
        self._memory().write_text(json.dumps(kept))

    def remembers(self) -> bool:
        """Has this state of the sources been measured, all tests good? Then takes what was kept."""
        if not self._memory().is_file():
            return False
        kept = json.loads(self._memory().read_text())
        for test in self.tests:
            test.seconds = kept["seconds"].get(test.name, test.seconds)
        self.left_out = kept["left_out"]
        return True

    def _memory(self) -> Path:
        return self.build_folder / f"measured_{digest_of_files(self.source, COPIED)}.json"

    def write(self, file: str, text: str) -> None:
        """Replaces a file; it is newer then than what was built of it."""
        (self.source / file).write_text(text)

    def read(self, file: str) -> str:
        """A file of the copy."""
        return (self.source / file).read_text()


def copy_sources(place: Path, revision: str) -> None:
    """The sources of ROOT, or those of `revision` (its program and its tests) if one is named."""
    if not revision:
        for name in COPIED:
            copy_changed(ROOT / name, place / "src" / name)
        return
    archive = subprocess.run(["git", "archive", revision, *COPIED], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(place / "old")  # made by git, a line above
    for name in COPIED:
        copy_changed(place / "old" / name, place / "src" / name)
    shutil.rmtree(place / "old")


def text_at(revision: str, file: str) -> str:
    """A file's text now, or at a revision ("" if it was not there)."""
    if not revision:
        return (ROOT / file).read_text()
    shown = subprocess.run(["git", "show", f"{revision}:{file}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return shown.stdout
