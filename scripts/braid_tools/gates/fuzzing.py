"""The program under inputs drawn from seeds, side by side: what fuzz, fuzz_pairs and fuzz_programs have in common. What
ends otherwise than by status 0, or 2 with one line, is kept with its command."""

from __future__ import annotations

import argparse
import random
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from braid_tools.program import BRAID, ROOT, Run, in_parallel

OUT = ROOT / "results" / "fuzz" / "program"
SECONDS = 60  # of one input; then it is interrupted: a long computation may have been asked for
LET_GO_SECONDS = 5  # of an interrupt; more is a hang
INTERRUPTED = 130  # the status of a program that was
MEMORY_BYTES = 8 << 30  # what asks for more ends, and not the machine
LONGEST_LINE = 4000  # bytes; lists of known names are long
PERMUTATION = b"""[topology]
width = 4
height = 2
[traffic]
pattern = "permutation"
file = "permutation.txt"
"""
#: What parsers of TOML, XML and tables take for more than text, and what terminals do.
TOKENS = [
    *b"[ ] { } = . , ' # < > & / ! ? - -- ; : 0x _ nan inf true false [[a]] [router] a.b".split(),
    *b"[[actor]] <node> </node> <edge/> <!-- --> <![CDATA[ ]]> &lt; &#0;".split(),
    *(b'"', b'"""', b"\\", b"\n", b"\r\n", b"\0", b"\x1b[31m", b"\x7f", b"\xff", b"\xc2\x9b", b"\xe2\x80"),
]
NUMBERS = b"0 1 2 -1 3 16 65 255 65536 2147483648 4294967295 9223372036854775808 1e308 -0.0 0.5 inf nan".split()
NUMBER = re.compile(rb"-?\d[\d.]*")
Files = dict[str, bytes]  # name: content; the experiment is first


def bases() -> list[Files]:
    """The examples, each with the files it names; and one for permutations."""
    found = []
    for experiment in sorted((ROOT / "tb" / "experiments").glob("*.toml")):
        files = Run(experiment.stem, experiment).files()
        text = experiment.read_bytes()
        for file in files:  # all in one folder
            text = re.sub(rb'"[^"\n]*' + re.escape(file.name.encode()) + rb'"', b'"%s"' % file.name.encode(), text)
        found.append({experiment.name: text, **{file.name: file.read_bytes() for file in files}})
    pairs = (ROOT / "tb" / "golden" / "permutation.txt").read_bytes()
    return [*found, {"permutation.toml": PERMUTATION, "permutation.txt": pairs}]


def repeat(chance: random.Random, text: bytes, at: int) -> bytes:
    """A part many times: nested, dotted, long."""
    part = text[at : at + chance.randint(1, 12)] if chance.random() < 0.5 else chance.choice(TOKENS)
    return text[:at] + part * chance.choice([2, 20, 300, 200_000]) + text[at:]


def swap_lines(chance: random.Random, text: bytes) -> bytes:
    """Two lines change places, or one stands twice."""
    lines = text.split(b"\n")
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[chance.choice([a, b])]
    return b"\n".join(lines)


def mutate(chance: random.Random, text: bytes, other: bytes) -> bytes:
    """One step away from the text."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(9):
        case 0:
            return text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
        case 1:
            return text[:at] + text[at + chance.randint(1, 30) :]
        case 2:
            return text[:at] + chance.choice(TOKENS) + text[at:]
        case 3 | 4 if numbers := list(NUMBER.finditer(text)):
            number = chance.choice(numbers)
            return text[: number.start()] + chance.choice(NUMBERS) + text[number.end() :]
        case 5:
            return repeat(chance, text, at)
        case 6:
            return text[:at]
        case 7:
            start = chance.randrange(len(other) + 1)
            return text[:at] + other[start : start + chance.randint(1, 200)] + text[at:]
        case _:
            return swap_lines(chance, text)


@dataclass(frozen=True)
class Input:
    """What one start of the program gets."""

    files: Files
    settings: list[bytes]
    does: bytes = b"check"  # the program's command

    def command(self) -> list[bytes]:
        """To be run in a folder with the files."""
        words = [word for setting in self.settings for word in (b"--set", setting)]
        return [str(BRAID.absolute()).encode(), self.does, next(iter(self.files)).encode(), *words]


def given(experiment: bytes) -> list[bytes]:
    """section.key=value of every key of an experiment."""
    section, found = b"", []
    for line in experiment.splitlines():
        if header := re.match(rb"\[(\w+)\]", line):
            section = header[1]
        elif pair := re.match(rb"(\w+) *= *(.*)", line):
            found.append(b"%s.%s=%s" % (section, *pair.groups()))
    return found


def make_input(seed: int) -> Input:
    """The same for the same seed."""
    chance = random.Random(seed)
    everything = bases()
    files, other = dict(chance.choice(everything)), chance.choice(everything)
    name = chance.choice(list(files))
    settings = []
    if chance.random() < 0.25:
        setting = chance.choice(given(next(iter(files.values()))))
        settings = [mutate(chance, setting, next(iter(other.values())))[:100_000].replace(b"\0", b"")]
    else:
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            files[name] = mutate(chance, files[name], other[chance.choice(list(other))])
    return Input(files, settings)


def fault(status: int | None, error: bytes) -> str:
    """What is wrong with an exit status (None: it did not end) and what came on standard error; "": nothing."""
    if status is None:
        return f"did not end within {SECONDS} s, nor {LET_GO_SECONDS} s after an interrupt"
    if status not in (0, 2, INTERRUPTED):
        return f"exit status {status}: {error[-200:]!r}"
    if status == 0:
        return ""
    if not error.startswith(b"braid: ") or error.count(b"\n") != 1 or not error.endswith(b"\n"):
        return f"not one line: {error[:200]!r}"
    try:
        line = error.decode()[:-1]
    except UnicodeDecodeError:
        return f"not UTF-8: {error[:200]!r}"
    if not all(character.isprintable() for character in line):
        return f"control characters: {error[:200]!r}"
    return f"a line of {len(error)} bytes" if len(error) > LONGEST_LINE else ""


def start(one: Input, folder: Path) -> tuple[int | None, bytes]:
    """Exit status and standard error of the program on files in the folder; INTERRUPTED only where it was."""
    for name, content in one.files.items():
        (folder / name).write_bytes(content)
    # Whoever is started in the background ignores interrupts, and so do all whom it starts.
    limited = [b"env", b"--default-signal=INT", b"prlimit", b"--as=%d" % MEMORY_BYTES, *one.command()]
    with subprocess.Popen(limited, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            error = process.communicate(timeout=SECONDS)[1]
            return (process.returncode if process.returncode != INTERRUPTED else -INTERRUPTED), error
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            error = process.communicate(timeout=LET_GO_SECONDS)[1]
            return process.returncode, error
        except subprocess.TimeoutExpired:
            process.kill()
            return None, b""


def check(seed: int, out: Path, make: Callable[[int], Input]) -> tuple[int | None, str]:
    """Exit status and fault of one input; with a fault its files and command are kept."""
    one = make(seed)
    with tempfile.TemporaryDirectory(prefix="braid-fuzz-") as scratch:
        status, error = start(one, Path(scratch))
    wrong = fault(status, error)
    if wrong:
        kept = out / str(seed)
        kept.mkdir(parents=True, exist_ok=True)
        for name, content in one.files.items():
            (kept / name).write_bytes(content)
        words = [word.decode(errors="backslashreplace") for word in one.command()]
        (kept / "command").write_text(shlex.join(words) + f"\n{wrong}\n")
        print(f"input {seed}: {wrong}", flush=True)
    return status, wrong


def run(inputs: int, seed: int, out: Path = OUT, make: Callable[[int], Input] = make_input) -> dict[str, int]:
    """How many inputs were good, refused, long (and let go when interrupted), wrong. `make`: the input of a seed."""
    shutil.rmtree(out, ignore_errors=True)
    done = in_parallel(lambda i: check(seed * 1_000_000 + i, out, make), range(inputs))
    wrong = sum(bool(w) for _, w in done)
    good, long = (sum(status == wanted for status, w in done if not w) for wanted in (0, INTERRUPTED))
    return {"good": good, "refused": inputs - good - long - wrong, "long": long, "wrong": wrong}


def job(what: str | None, out: Path = OUT, make: Callable[[int], Input] = make_input) -> int:
    """A job of the nightly: its options, its last line, its exit status."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    counts = run(arguments.inputs, arguments.seed, out, make)
    print(f"{arguments.inputs} inputs: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["wrong"] else 0
