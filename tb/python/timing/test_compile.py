"""What the compiler takes: sums that mean the same on every machine, and the gate on them, with growth planted."""

import json
import subprocess
from pathlib import Path

import pytest
from braid_tools import reference as machine
from braid_tools.timing import compile as timing

INCLUDES = "#include <map>\n#include <string>\nstd::map<std::string, int> numbers;\n"


def of(name: str, folder: str = "models") -> timing.Object:
    return timing.Object(name, folder, ("c++",), "/", name, (name,))


def command(source: Path, target: str) -> dict[str, str]:
    """As CMake writes it for Ninja with ccache."""
    output = f"CMakeFiles/{target}.dir/{source.name}.o"
    words = (
        f"/usr/bin/cmake -E env A=b /usr/bin/ccache /usr/bin/c++ -I/x -O1 -MD -MT {output} -MF {output}.d -o {output}"
    )
    return {"directory": str(source.parent), "command": f"{words} -c {source}", "file": str(source)}


def build_of(build: Path, sources: dict[str, tuple[str, str]]) -> Path:
    """Fills a build folder with sources and a compile_commands.json: {file: (target, text)}."""
    commands = []
    for name, (target, text) in sources.items():
        source = build / name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        commands.append(command(source, target))
    (build / "compile_commands.json").write_text(json.dumps(commands))
    return build


def test_objects_are_braids_own_and_unity_files_name_what_they_hold(tmp_path: Path) -> None:
    build = build_of(
        tmp_path / "build",
        {
            "Unity/unity_0_cxx.cxx": ("braid_models_setup", '#include "/a/one.cpp"\n\n#include "/a/two.cpp"\n'),
            "list.cpp": ("braid_program", ""),
            "ring_test.cpp": ("braid_models_cases", ""),
            "Vrouter.cpp": ("braid_verilated", ""),
        },
    )
    found = timing.objects(build, tests=False)
    assert [(o.folder, o.files) for o in found] == [
        ("models", ("/a/one.cpp", "/a/two.cpp")),
        ("tb/braid", (str(build / "list.cpp"),)),
    ]
    assert found[1].words == ("/usr/bin/c++", "-I/x", "-O1")
    assert [o.folder for o in timing.objects(build, tests=True)][2:] == ["tb/tests/models"]
    assert [o.source for o in timing.each_file(found[:1])] == ["/a/one.cpp", "/a/two.cpp"]


def test_units_are_the_same_on_a_machine_half_as_fast() -> None:
    wanted = [of(str(i)) for i in range(12)]
    fast = timing.measure(wanted, lambda o: 1.0 + int(o.name), lambda: 2.0)
    slow = timing.measure(wanted, lambda o: 2.0 + 2 * int(o.name), lambda: 4.0)
    assert [c.units for c in fast] == [c.units for c in slow] == [(1.0 + i) / 2.0 for i in range(12)]


def test_a_machine_that_becomes_slow_half_way_is_noticed() -> None:
    speed = [1.0]

    def compile_one(one: timing.Object) -> float:
        speed[0] = 3.0 if int(one.name) >= 20 else 1.0
        return 8.0 * speed[0]

    costs = timing.measure([of(str(i)) for i in range(40)], compile_one, lambda: 2.0 * speed[0])
    assert sum(c.units for c in costs) == pytest.approx(160.0, rel=0.03)


def test_one_disturbed_reference_counts_nothing() -> None:
    references = iter([2.0, 9.0, *[2.0] * 20])
    costs = timing.measure([of(str(i)) for i in range(8)], lambda o: 8.0, lambda: next(references))
    assert {c.units for c in costs} == {4.0}


def test_growth_by_more_than_a_tenth_is_told_with_the_folder_first() -> None:
    recorded = {"routing": 20.0, "models": 60.0, "tb/tests/models": 70.0}
    assert timing.grown({"routing": 20.0, "models": 68.0}, recorded) == []
    lines = timing.grown({"routing": 20.0, "models": 68.1}, recorded)
    assert lines[0].endswith("88.1 units for Braid's own objects, recorded are 80.0: more than a tenth more")
    assert lines[1] == "  models: 68.1, recorded 60.0"
    assert timing.grown({"routing": 20.0, "models": 60.0, "new": 8.1}, recorded)[1] == "  new: 8.1, recorded 0.0"


def test_a_planted_growth_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = tmp_path / "reference.cpp"
    reference.write_text(INCLUDES)
    monkeypatch.setattr(machine, "REFERENCE", reference)
    for name, value in {"RECORD": tmp_path / "compile.json", "RESULTS": tmp_path}.items():
        monkeypatch.setattr(timing, name, value)
    monkeypatch.setattr(timing, "ROOT", tmp_path)

    def megabytes(words: list[str], directory: str) -> float:
        """In place of time, which is not steady for files as small as these: what the compiler has to read."""
        read = [word for word in words[: words.index("-o")] if word != "-c"]
        return len(subprocess.run([*read, "-E"], cwd=directory, capture_output=True, check=True).stdout) / 1e6

    for module in (timing, machine):
        monkeypatch.setattr(module, "processor_seconds", megabytes)

    def run(ring: str, option: str) -> int:
        files = {"ring.cpp": ("braid_models", ring), "list.cpp": ("braid_program", INCLUDES)}
        build_of(tmp_path / "build" / "release", files)
        monkeypatch.setattr("sys.argv", ["compile", option])
        return timing.main()

    assert run("int ring() { return 1; }\n", "--record") == 0
    assert run("int ring() { return 1; }\n", "--check") == 0
    assert run(INCLUDES + '#include <regex>\nstd::regex all{".*"};\n', "--check") == 1
    told = capsys.readouterr().err.splitlines()
    assert "more than a tenth more" in told[0]
    assert told[1].startswith("  models: ")
    assert (tmp_path / "compile-time" / "objects.csv").read_text().count("\n") == 3


def test_what_does_not_compile_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected"):
        broken = tmp_path / "broken.cpp"
        broken.write_text("int one(\n")
        one = timing.Object("broken", "models", ("c++",), str(tmp_path), str(broken), (str(broken),))
        timing.compile_object(one, tmp_path)
