"""The installed package serves a project of somebody else's: from an empty folder, by the commands of its README."""

import subprocess
from pathlib import Path

from braid_tools.program import ROOT

EXAMPLE = ROOT / "tb" / "examples" / "own_routing"


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_own_routing_algorithm_against_the_installed_package(tmp_path: Path) -> None:
    prefix, build = tmp_path / "prefix", tmp_path / "own"
    run("cmake", "--install", ROOT / "build" / "release", "--prefix", prefix)
    run("cmake", "-S", EXAMPLE, "-B", build, "-GNinja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", build)
    own, theirs = run(build / "own_routing"), run(build / "own_routing", "y_first")
    assert own.split(": ")[1] == theirs.split(": ")[1], "the same routes, so the same packets"
    refused = subprocess.run(
        [build / "own_routing", "lastdimension_first"], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert 'did you mean "last_dimension_first"?' in refused.stderr
