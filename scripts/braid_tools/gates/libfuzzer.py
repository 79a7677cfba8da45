"""libFuzzer on each reader (tb/fuzz): experiment, --set, GraphML, routing table, permutation, stream graph, StreamIt,
trace, checkpoint.
Corpora are kept in results/fuzz/corpus and grow from night to night. They begin with the examples and
tb/fuzz/corpus/READER.tar.xz: the least inputs that reach all that an earlier night reached. What a reader does not
survive is kept in results/fuzz/found; the exit status is then 1. `--keep` writes the archives anew."""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from braid_tools.gates.shell import sh
from braid_tools.program import ROOT, in_parallel

OUT = ROOT / "results" / "fuzz"
BUILD = ROOT / "build" / "fuzz" / "tb" / "fuzz"
KEPT = ROOT / "tb" / "fuzz" / "corpus"
LONGEST_BYTES = 4096
RUNS = re.compile(r"Done (\d+) runs")
EXAMPLES = {
    "checkpoint": [],  # an input is a list of changes
    "experiment": ["tb/experiments/*.toml"],
    "graphml": ["tb/experiments/*.graphml"],
    "permutation": ["tb/golden/permutation.txt"],
    "setting": [],
    "stream_graph": ["traffic/graphs/*.toml"],
    "streamit": ["tb/python/streamit/programs/*.str", "tb/python/streamit/programs/wrong/*.str"],
    "table": ["tb/experiments/ring_clockwise.txt"],
    "trace": ["tb/experiments/*.trace"],
}


@dataclass(frozen=True)
class Outcome:
    """What became of a target: how many inputs it was given, what it printed if it did not survive one."""

    target: str
    runs: int
    failure: str


def sources() -> list[str]:
    """Names of the targets there are."""
    return sorted(file.stem for file in (ROOT / "tb" / "fuzz").glob("*.cpp"))


def build(targets: list[str]) -> None:
    """Builds the targets with clang."""
    names = [f"braid_fuzz_{target}" for target in targets]
    subprocess.run([ROOT / "scripts" / "build", "fuzz", *names], check=True)


def seed_folder(target: str) -> Path:
    """The examples of a target in one folder."""
    folder = OUT / "examples" / target
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in EXAMPLES[target]:
        for file in ROOT.glob(pattern):
            (folder / file.name).write_bytes(file.read_bytes())
    return folder


def unpack(archive: Path, folder: Path) -> Path:
    """The files of an archive in a folder that holds nothing else; none if there is no archive yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    if archive.exists():
        with tarfile.open(archive) as files:
            for member in files:
                (folder / Path(member.name).name).write_bytes(files.extractfile(member).read())
    return folder


def pack(folder: Path, archive: Path) -> None:
    """The files of a folder as an archive: the same bytes for the same files, whoever packs them and when."""
    with tarfile.open(archive, "w:xz", format=tarfile.USTAR_FORMAT) as files:
        for file in sorted(folder.iterdir()):
            content = file.read_bytes()
            member = tarfile.TarInfo(file.name[:12])  # of libFuzzer's hash
            member.size = len(content)
            files.addfile(member, io.BytesIO(content))


def kept(target: str) -> Path:
    """The archive of a target, unpacked."""
    return unpack(KEPT / f"{target}.tar.xz", OUT / "kept" / target)


def fuzz(target: str, seconds: int, seed: int) -> Outcome:
    """Runs a target for some time."""
    corpus, found = OUT / "corpus" / target, OUT / "found" / target
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    limits = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-max_len={LONGEST_BYTES}",
        "-timeout=10",
        "-rss_limit_mb=4096",
    ]
    options = [*limits, f"-artifact_prefix={found}/", "-print_final_stats=1", "-verbosity=1"]
    command = [BUILD / f"braid_fuzz_{target}", *options, corpus, kept(target), seed_folder(target)]
    done = sh(command, ROOT, seconds + 120)
    (OUT / f"{target}.log").write_text(done.output)
    runs = RUNS.search(done.output)
    return Outcome(target, int(runs[1]) if runs else 0, done.output[-3000:] if done.how else "")


def keep(target: str) -> None:
    """Packs into tb/fuzz/corpus the least inputs that reach all that the corpus reaches."""
    least = OUT / "least" / target
    least.mkdir(parents=True, exist_ok=True)
    for old in least.iterdir():
        old.unlink()
    corpora = [OUT / "corpus" / target, kept(target)]
    subprocess.run([BUILD / f"braid_fuzz_{target}", "-merge=1", least, *corpora], check=True, capture_output=True)
    pack(least, KEPT / f"{target}.tar.xz")


def main() -> int:
    """Entry point of the nightly's job."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="*", help=f"of {', '.join(sources())}; default: all")
    parser.add_argument("--seconds", type=int, default=300, help="of each target")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--keep", action="store_true", help="write tb/fuzz/corpus anew afterwards")
    arguments = parser.parse_args()
    targets = arguments.target or sources()
    build(targets)
    outcomes = in_parallel(lambda target: fuzz(target, arguments.seconds, arguments.seed), targets)
    for outcome in outcomes:
        print(f"{outcome.target}: {outcome.runs} inputs" + (f", FAILED\n{outcome.failure}" if outcome.failure else ""))
        if arguments.keep:
            keep(outcome.target)
    failed = sum(bool(outcome.failure) for outcome in outcomes)
    inputs = sum(outcome.runs for outcome in outcomes)
    print(f"{len(outcomes)} readers, {inputs} inputs: {len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
