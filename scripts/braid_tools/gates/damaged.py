"""Damaged checkpoints: seeded changes of the registers in checkpoints of the golden experiments, whose checksum is made
right again, each given to `braid run --from`. Every exit status is accounted for: 0 (the change was to a figure), 2 or
3 with one line, or a report of the watchdog's. What ends otherwise is kept, with its command, in
results/fuzz/checkpoints; the exit status is then 1."""

from __future__ import annotations

import argparse
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from braid_tools.gates.fuzzing import MEMORY_BYTES, SECONDS, fault
from braid_tools.gates.golden_runs import CIRCUITS, runs
from braid_tools.program import BRAID, ROOT, WATCHDOG, Run, in_parallel

OUT = ROOT / "results" / "fuzz" / "checkpoints"
#: What a register is not, at a place where a number of so many bytes may stand.
VALUES = [0, 1, 2, 3, 7, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**40, 2**63, 2**64 - 1]


@dataclass(frozen=True)
class Base:
    """An experiment and a checkpoint of it: what stands before the checksum, and the registers."""

    job: Run
    head: bytes
    registers: bytes

    def command(self, checkpoint: Path) -> list[str]:
        """The run that goes on from a checkpoint."""
        arguments = [str(BRAID), "run", str(self.job.experiment), *self.job.arguments(), "--quiet"]
        return [*arguments, "--from", str(checkpoint)]


def jobs() -> list[Run]:
    """The golden experiments that have checkpoints."""
    return [job for job in runs() if not job.name.startswith(CIRCUITS) and "router.implementation" not in job.settings]


def base(job: Run) -> Base:
    """A checkpoint of the experiment when it is warm."""
    with tempfile.TemporaryDirectory(prefix="braid-damaged-") as scratch:
        file = Path(scratch) / "warm.ckpt"
        command = [str(BRAID), "run", str(job.experiment), *job.arguments(), "--quiet", "--checkpoint", str(file)]
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        if done.returncode not in (0, WATCHDOG) or not file.exists():
            raise RuntimeError(f"{job.name}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
        first, header, _, registers = file.read_bytes().split(b"\n", 3)
    return Base(job, first + b"\n" + header, registers)


def damage(chance: random.Random, registers: bytes) -> bytes:
    """One to four changes; as many bytes as before, but for one in eight."""
    changed = bytearray(registers)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at = chance.randrange(len(changed))
        match chance.randrange(8):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                changed[at] = chance.randrange(256)
            case 2 if len(changed) > 16:
                del changed[at : at + chance.randint(1, 8)]
            case 3:
                length = chance.randint(1, 16)
                start = chance.randrange(len(registers))
                changed[at : at + length] = registers[start : start + length]
            case _:
                size = chance.choice([1, 2, 4, 8])
                value = chance.choice(VALUES) % (1 << (8 * size))
                changed[at : at + size] = value.to_bytes(size, "little")
    return bytes(changed)


def whole(one: Base, registers: bytes) -> bytes:
    """A checkpoint of these registers: their number and the checksum are right."""
    header = one.head.split(b"\n")[1]
    header = header.replace(b'"bytes":%d' % len(one.registers), b'"bytes":%d' % len(registers))
    checksum = zlib.crc32(header + registers)
    return one.head.split(b"\n")[0] + b"\n" + header + b"\nchecksum %08x\n" % checksum + registers


def check(one: Base, seed: int, out: Path) -> tuple[int | None, str]:
    """Exit status and fault of one damaged checkpoint; with a fault it is kept with its command."""
    text = whole(one, damage(random.Random(seed), one.registers))
    with tempfile.TemporaryDirectory(prefix="braid-damaged-") as scratch:
        file = Path(scratch) / "damaged.ckpt"
        file.write_bytes(text)
        command = ["prlimit", f"--as={MEMORY_BYTES}", *one.command(file)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
            status, error = done.returncode, done.stderr.replace(str(scratch).encode(), b"")
        except subprocess.TimeoutExpired:
            status, error = None, b""
    wrong = "" if status == WATCHDOG else fault(status, error)
    if wrong:
        out.mkdir(parents=True, exist_ok=True)
        kept = out / f"{one.job.name}_{seed}.ckpt"
        kept.write_bytes(text)
        kept.with_suffix(".command").write_text(f"{shlex.join(one.command(kept))}\n{wrong}\n")
        print(f"{one.job.name} {seed}: {wrong}", flush=True)
    return status, wrong


def run(inputs: int, seed: int, out: Path = OUT, of: list[Run] | None = None) -> dict[str, int]:
    """How many damaged checkpoints ran, were refused, were ended by the watchdog, went wrong."""
    shutil.rmtree(out, ignore_errors=True)
    bases = in_parallel(base, jobs() if of is None else of)
    done = in_parallel(lambda i: check(bases[i % len(bases)], seed * 1_000_000 + i, out), range(inputs))
    right = [status for status, wrong in done if not wrong]
    return {
        "ran": right.count(0),
        "refused": right.count(2),
        "stopped": right.count(WATCHDOG),
        "wrong": len(done) - len(right),
    }


def main() -> int:
    """Entry point of the nightly's job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--only", default="", help="experiments whose names begin so")
    arguments = parser.parse_args()
    of = [job for job in jobs() if job.name.startswith(arguments.only)]
    counts = run(arguments.inputs, arguments.seed, of=of)
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    print(f"{arguments.inputs} damaged checkpoints: {kinds}")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
