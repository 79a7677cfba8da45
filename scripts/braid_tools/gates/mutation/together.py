"""One build with many faults behind switches, and which of its tests passes which fault."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from braid_tools.digest import digest, digest_of_files
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.switches import HEADER, numbers_at, with_switches
from braid_tools.gates.mutation.tree import (
    COPIED,
    LEAST_SECONDS,
    LIMITS,
    SLOWER,
    WITH_PYTHON,
    Test,
    copy_changed,
    linker,
    listed_by_ctest,
    places,
)
from braid_tools.gates.shell import Outcome, sh
from braid_tools.program import ROOT

ERROR = re.compile(r"^(\S+?):(\d+):\d+: (?:fatal )?error: ", re.MULTILINE)
MENTION = re.compile(r"^(\S+?):(\d+):\d+: +(?:required|note|in )|(?:from|at) (\S+?):(\d+)[:,]", re.MULTILINE)
#: pytest of one file: names of tests begin at the copy, not at the repository that it lies in.
ONE_FILE = ("-q", "-x", "-p", "no:cacheprovider", "--rootdir", ".")
#: A test in Python that failed, without its parameters: they may hold blanks.
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?::\w+)", re.MULTILINE)
OPTIONS = [
    "-DCMAKE_BUILD_TYPE=None",
    "-DBRAID_BENCHMARKS=OFF",
    "-DBRAID_RTL=OFF",
    "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=12",
]
# Compiling the package and the pages' programs tests nothing of a fault that the others do not.
NO_PYTHON = ("tb/python/package", "tb/python/gates", "tb/python/test_snippets.py", "tb/python/test_new.py")


@dataclass
class Reaching(Test):
    """A test, and the faults that it passes."""

    reached: frozenset[int] = frozenset()
    stage: str = "tests"
    without: tuple[str, ...] = ()  # tests of a file in Python that fail with switches, and without any fault

    @property
    def whole_command(self) -> list[str]:
        """What runs it."""
        return [*self.command, *(f"--deselect={name}" for name in self.without)]

    @property
    def limit(self) -> float:
        """As of any test, but a whole file of tests in Python may take minutes by itself."""
        return max(LEAST_SECONDS, min(SLOWER * self.seconds, 300.0 + 3.0 * self.seconds))


def stored(file: Path, content: str) -> bool:
    """Writes a text unless it stands there; was it written?"""
    if file.is_file() and file.read_text() == content:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    return True


class Together:
    """A copy of the sources with all faults that can be switched, and its build."""

    def __init__(self, place: Path, faults: list[Fault]) -> None:
        self.place = place
        self.source, self.build_folder = place / "src", place / "build"
        self.numbers = dict(enumerate(faults))
        self.inside: set[int] = set()  # numbers of the faults that are in the program
        self.texts: dict[str, str] = {}  # of files with switches
        self.tests: list[Reaching] = []
        self.dropped_file = place / "do_not_compile.json"
        self.dropped: set[str] = (
            set(json.loads(self.dropped_file.read_text())) if self.dropped_file.is_file() else set()
        )

    def key(self, number: int) -> str:
        """Of a fault, by what it does and not by its number."""
        fault = self.numbers[number]
        return digest(fault.file.encode(), fault.old.encode(), fault.new.encode())

    def write(self) -> None:
        """The sources, with switches; what has not changed is not touched."""
        by_file: dict[str, dict[int, Fault]] = defaultdict(dict)
        for number, fault in self.numbers.items():
            if fault.file.endswith((".cpp", ".h")) and not fault.in_rtl and self.key(number) not in self.dropped:
                by_file[fault.file][number] = fault
        self.inside = set()
        faulty = {}
        for file, here in by_file.items():
            faulty[file], numbers = with_switches((ROOT / file).read_text(), here)
            self.inside |= numbers
        self.texts = faulty
        for name in COPIED:
            for path in [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")):
                relative = str(path.relative_to(ROOT))
                if path.is_file() and relative not in faulty and "__pycache__" not in relative:
                    copy_changed(path, self.source / relative)
        for file, text in faulty.items():
            stored(self.source / file, text)
        header = HEADER.replace("COUNT", str(len(self.numbers)))
        stored(self.place / "include" / "braid_seeded.h", header)

    def drop(self, output: str) -> set[str]:
        """Takes out the faults that the compiler's errors are about; their keys.

        Those in the very lines of errors, if there are any: what else the compiler mentions is mostly good.
        Else those in the lines that it mentions, else all of the files that it names.
        """
        errors = [m.groups() for m in ERROR.finditer(output)]
        mentions = [(a or c, b or d) for a, b, c, d in (m.groups() for m in MENTION.finditer(output))]
        files = set()
        found: set[str] = set()
        for lines in (errors, mentions):
            for path, line in lines:
                with contextlib.suppress(ValueError):  # one of the compiler's own
                    file = str((self.build_folder / path).resolve().relative_to(self.source.resolve()))
                    files.add(file)
                    found |= {self.key(n) for n in numbers_at(self.texts.get(file, ""), int(line))}
            if found - self.dropped:
                break
        if not found:
            found = {self.key(n) for n in self.inside if self.numbers[n].file in files}
        new = found - self.dropped
        self.dropped |= new
        self.dropped_file.write_text(json.dumps(sorted(self.dropped)))
        return new

    def build(self, jobs: int) -> None:
        """Builds, and takes out what does not compile, until the rest does."""
        self.place.mkdir(parents=True, exist_ok=True)
        while True:
            self.write()
            if not (self.build_folder / "build.ninja").is_file():
                # The library's checks stand in for the sanitized build of scripts/test, which has them, too.
                flags = f"-DCMAKE_CXX_FLAGS=-O1 -w -D_GLIBCXX_ASSERTIONS -I{self.place / 'include'}"
                options = [*OPTIONS, WITH_PYTHON, *linker(), flags]
                done = sh(["cmake", "-S", self.source, "-B", self.build_folder, "-GNinja", *options], self.place)
                if done.how:
                    raise RuntimeError(done.output)
            targets = ["all", "tests"]  # what `import braid` loads, libraries
            done = sh(["ninja", "-C", self.build_folder, "-k", "0", "-j", jobs, *targets], self.source)
            (self.place / "build.log").write_text(done.output)
            how = f"{done.how or 'built'} in {done.seconds:.0f} s"
            print(f"{len(self.inside)} of {len(self.numbers)} faults in one program: {how}", flush=True)
            if not done.how:
                return
            dropped = self.drop(done.output)
            if not dropped:
                raise RuntimeError(f"no fault explains the errors:\n{done.output[-3000:]}")

    def environment(self, scratch: str) -> dict[str, str]:
        """Of a test: where to put files, the program, what Python needs."""
        return places(self.source, self.build_folder, self.place / scratch) | {"BRAID_SEEDED": "-1"}

    def run(self, test: Reaching, scratch: str, **environment: str) -> Outcome:
        """One test, with these variables."""
        return sh(
            [*LIMITS, *test.whole_command], Path(test.folder), test.limit, **self.environment(scratch) | environment
        )

    def list_tests(self) -> list[Reaching]:
        """Every case in C++, every golden experiment, every file of tests in Python."""
        listed = listed_by_ctest(self.source, self.build_folder)
        tests = [Reaching(test.name, test.command, test.folder) for test in listed]
        python = [sys.executable, "-m"]
        for file in sorted((self.source / "tb" / "golden").glob("*.json")):
            command = [*python, "braid_tools.gates.golden", file.stem]
            tests.append(Reaching(f"golden.{file.stem}", command, str(self.source), stage="golden"))
        for file in sorted((self.source / "tb" / "python").rglob("test_*.py")):
            name = str(file.relative_to(self.source))
            if not name.startswith(NO_PYTHON):
                command = [*python, "pytest", *ONE_FILE, name]
                tests.append(Reaching(name, command, str(self.source), stage="python"))
        return tests

    def measure(self, test: Reaching, worker: str) -> bool:
        """Runs a test with no fault on: its time, and what it passes. Is it good?"""
        reached = self.place / f"reached_{worker}"
        reached.write_bytes(bytes(len(self.numbers)))
        test.seconds = 1800.0  # until it is known
        done = self.run(test, worker, BRAID_SEEDED_REACHED=str(reached))
        while done.how == "failed" and (failed := set(FAILED.findall(done.output)) - set(test.without)):
            test.without = (*test.without, *sorted(failed))  # alone: the others of its file can say something
            done = self.run(test, worker, BRAID_SEEDED_REACHED=str(reached))
        test.seconds = done.seconds
        test.reached = frozenset(number for number, byte in enumerate(reached.read_bytes()) if byte)
        if test.without:
            print(f"left out, fail without any fault: {', '.join(test.without)}", flush=True)
        if done.how:
            last = done.output.strip().splitlines()[-1:] or [""]
            print(f"left out, {done.how} without any fault: {test.name}: {last[0][:160]}", flush=True)
        return not done.how

    @cached_property
    def memory(self) -> Path:
        """Where the measurement of these sources with these faults is kept."""
        names = digest(*(self.key(n).encode() for n in sorted(self.numbers)))
        return self.place / f"measured_{digest_of_files(ROOT, COPIED)}_{names}.json"

    def remember(self, left_out: set[str]) -> None:
        """Keeps times and reached faults of the tests that are good, and which ones are not: a run that is broken off
        goes on from here."""
        kept: dict[str, list[object] | None] = dict.fromkeys(left_out)
        kept |= {t.name: [t.seconds, sorted(t.reached), list(t.without)] for t in self.tests}
        part = self.memory.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(kept))
        part.replace(self.memory)

    def remembered(self) -> set[str]:
        """Takes what was kept, if it is of these sources and faults; the names of the tests that need no measuring."""
        if not self.memory.is_file():
            return set()
        kept = json.loads(self.memory.read_text())
        self.tests = [t for t in self.list_tests() if kept.get(t.name) is not None]
        for test in self.tests:
            test.seconds, reached, without = kept[test.name]
            test.reached, test.without = frozenset(reached), tuple(without)
        return set(kept)
