"""Packages, built and used: `python -m braid_tools.gates.package deb|installed_deb|conan`. A user's project
(tb/examples/own_policy) is built against what comes out, and its policies run as a plugin of the packaged program.
Everything happens in results/package.

deb: `cpack` in the build folder of the program; the packages are unpacked, not installed, so no root is needed.
installed_deb: the same packages installed by apt-get in a clean Debian (mmdebstrap, as root), used there with nothing
but what they pull in, and removed again without a trace. Nothing is installed on this machine.
conan: `conan create` from the sources, Release and with the RTL of one point, in a Conan home of its own and without a
compiler's cache, so that it says what the package costs; Conan itself comes from PyPI."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

from braid_tools.program import BRAID, ROOT

BUILD = BRAID.parent
OUT = ROOT / "results" / "package"
EXAMPLE = ROOT / "tb" / "examples" / "own_policy"
CONAN = "conan>=2.4,<3"
POINT = "mesh_packet"  # of hw/points.json: that of test_package
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # in the clean Debian


def run(*words: object, cwd: Path = ROOT, **more: str) -> str:
    """What a command prints that must succeed; raises RuntimeError with its output."""
    command = [str(word) for word in words]
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def fresh(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def use(name: str, program: Path, *settings: object) -> None:
    """Builds the example with these settings of CMake's and runs its policies both ways: the same packets."""
    build = fresh(OUT / f"{name}_example")
    run("cmake", "-S", EXAMPLE, "-B", build, "-GNinja", *settings)
    run("cmake", "--build", build)
    words = ("run", EXAMPLE / "mesh.toml", "--quiet", "--json", "-")
    own = json.loads(run(build / "own_braid", *words))
    plugin = json.loads(run(program, "--plugin", build / "libown_policies.so", *words))
    if own["packet_hash"] != plugin["packet_hash"]:
        raise RuntimeError(f"{name}: program and plugin run different packets")
    names = sorted(policy["name"] for policy in plugin["plugins"][0]["policies"])
    print(f"{name}: {program} runs {', '.join(names)}: packet hash {own['packet_hash']}")


def field(deb: Path, name: str) -> str:
    """A field of a Debian package."""
    return run("dpkg-deb", "--field", deb, name).strip()


def check_fields(debs: Iterable[Path]) -> None:
    """That the packages say what they need."""
    by_name = {field(deb, "Package"): deb for deb in debs}
    if sorted(by_name) != ["braid", "libbraid-dev"]:
        raise RuntimeError(f"packages made: {sorted(by_name)}")
    for name, needed in {"braid": ("libsystemc", "libfmt9"), "libbraid-dev": ("braid (= ", "libsystemc-dev")}.items():
        depends = field(by_name[name], "Depends")
        if missing := [package for package in needed if package not in depends]:
            raise RuntimeError(f"{name} does not depend on {missing}: {depends}")


def debs_in(folder: Path) -> list[Path]:
    """Makes both Debian packages in the folder."""
    run("cpack", "-G", "DEB", "-B", folder, cwd=BUILD)
    debs = sorted(folder.glob("*.deb"))
    check_fields(debs)
    for package in debs:
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")
    return debs


def deb() -> None:
    """Builds both Debian packages, unpacks them and uses what is in them."""
    folder = fresh(OUT / "deb")
    root = folder / "root"
    for package in debs_in(folder):
        run("dpkg-deb", "--extract", package, root)
    use("deb", root / "usr" / "bin" / "braid", f"-DCMAKE_PREFIX_PATH={root / 'usr'}")


def clean_debian(root: Path) -> None:
    """A Debian of this machine's release in the folder, with nothing but apt. It is fetched once."""
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        raise RuntimeError("installed_deb needs root and mmdebstrap: a clean Debian is made, in a folder of its own")
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    suite = release["VERSION_CODENAME"]
    archive = OUT / f"{suite}.tar"
    if not archive.exists():
        unfinished = archive.with_suffix(".new.tar")
        run("mmdebstrap", "--mode=root", "--variant=apt", "--include=ca-certificates", suite, unfinished)
        unfinished.replace(archive)
    run("tar", "--extract", "--file", archive, "--directory", root)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")


def installed_deb() -> None:
    """Installs the Debian packages in a clean Debian, uses them there and removes them."""
    root = fresh(OUT / "debian")
    clean_debian(root)

    def inside(*words: object) -> str:
        return run("chroot", root, *words, DEBIAN_FRONTEND="noninteractive", HOME="/root", LANG="C.UTF-8", PATH=PATHS)

    def install(*packages: object) -> None:
        inside("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages)

    (root / "packages").mkdir()
    program, library = (f"/packages/{package.name}" for package in debs_in(root / "packages"))
    shutil.copytree(EXAMPLE, root / "user" / EXAMPLE.name)
    words = ("run", f"/user/{EXAMPLE.name}/mesh.toml", "--quiet", "--json", "-")
    try:
        inside("apt-get", "update", "--quiet")
        install(program)
        print(f"{inside('braid', '--version').strip()}: installed alone, it runs")
        install(library, "g++", "cmake", "make")
        inside("cmake", "-S", f"/user/{EXAMPLE.name}", "-B", "/user/own")
        inside("cmake", "--build", "/user/own")
        own = json.loads(inside("/user/own/own_braid", *words))
        plugin = json.loads(inside("braid", "--plugin", "/user/own/libown_policies.so", *words))
        if own["packet_hash"] != plugin["packet_hash"]:
            raise RuntimeError("installed_deb: program and plugin run different packets")
        listed = {root / name.lstrip("/") for name in inside("dpkg", "-L", "braid", "libbraid-dev").splitlines()}
        files = sorted(name for name in listed if name.is_file())
        inside("apt-get", "remove", "--yes", "--quiet", "braid", "libbraid-dev")
        if left := [*filter(Path.exists, files), *root.glob("usr/**/*braid*")]:
            raise RuntimeError(f"installed_deb: left behind: {', '.join(map(str, left[:5]))}")
        print(f"installed_deb: packet hash {own['packet_hash']}; {len(files)} files came and went")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def conan() -> None:
    """Creates the Conan package and uses it as a consumer does."""
    folder = OUT / "conan"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "venv" / "bin" / "conan").exists():
        venv.create(folder / "venv", with_pip=True)
        run(folder / "venv" / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", CONAN)
    command = folder / "venv" / "bin" / "conan"
    home = {"CONAN_HOME": str(fresh(folder / "home"))}  # nothing of an earlier build in it
    run(command, "profile", "detect", "--force", **home)
    settings = ("-s", "compiler.cppstd=17", "-s", "build_type=Release", "-o", "braid/*:rtl=True")
    settings += (
        "-o",
        f"braid/*:points={POINT}",
        "-c",
        f"tools.cmake.cmake_layout:test_folder={fresh(folder / 'test')}",
    )
    begin = os.times()
    run(command, "create", ROOT / "scripts" / "package", *settings, **home, CCACHE_DISABLE="1")
    end = os.times()
    used = end.children_user + end.children_system - begin.children_user - begin.children_system
    print(f"conan: created, and test_package run, in {used:.0f} s of a processor, {end.elapsed - begin.elapsed:.0f} s")
    version = run(BRAID, "--version").split()[1]
    consumer = fresh(folder / "consumer")
    requires = f"--requires=braid/{version}"
    run(command, "install", requires, *settings, "-g", "CMakeToolchain", "-g", "VirtualRunEnv", "-of", consumer, **home)
    listed = run(command, "list", f"braid/{version}:*", "--format=json", **home)
    known, _ = json.JSONDecoder().raw_decode(listed[listed.index("{") :])  # Conan may say more before and after
    revisions = known["Local Cache"][f"braid/{version}"]["revisions"]
    (package,) = next(iter(revisions.values()))["packages"]
    place = run(command, "cache", "path", f"braid/{version}:{package}", **home).strip().splitlines()[-1]
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={consumer / 'conan_toolchain.cmake'}"
    use("conan", Path(place) / "bin" / "braid", toolchain, "-DCMAKE_BUILD_TYPE=Release")


def main() -> int:
    """Entry point; the last line says what is good."""
    kinds = {"deb": deb, "installed_deb": installed_deb, "conan": conan}
    wanted = sys.argv[1:]
    if not wanted or any(kind not in kinds for kind in wanted):
        print(f"expected: {' or '.join(kinds)}", file=sys.stderr)
        return 2
    for kind in wanted:
        try:
            kinds[kind]()
        except RuntimeError as e:
            print(e)
            print(f"{kind}: failed")
            return 1
    print(f"{', '.join(wanted)}: built and used")
    return 0


if __name__ == "__main__":
    sys.exit(main())
