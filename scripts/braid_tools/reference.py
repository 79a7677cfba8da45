"""How fast a machine is: what the compiler takes for a fixed file (docs/compile-time.md)."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

REFERENCE = Path(__file__).parent / "timing" / "reference.cpp"
REFERENCE_OPTIONS = ["-std=c++17", "-O2", "-g1", "-ffp-contract=off"]


def processor_seconds(words: list[str], directory: str | Path) -> float:
    """User and system time of a command and all that it starts. Raises SystemExit if it fails."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, cwd=directory, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            raise SystemExit(f"{shlex.join(words)}: {said.read().decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime


def compile_reference(compiler: str, scratch: Path) -> float:
    """The processor time of the reference."""
    words = [compiler, *REFERENCE_OPTIONS, "-c", str(REFERENCE), "-o", str(scratch / "reference.o")]
    return processor_seconds(words, scratch)
