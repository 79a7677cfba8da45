"""Every folder of tb/examples is a project of a user's: from an empty folder, by the commands of its README, against
the installed package, which was moved after it was installed."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, commands, follow, followed, missing

PROJECTS = sorted(path.parent for path in EXAMPLES.glob("*/CMakeLists.txt"))
#: Variables that name somebody else's sources, which whoever tries the example has fetched.
SOURCES = re.compile(r"\$(ASTRA_SIM)\b")


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_the_commands_of_its_readme(
    project: Path, installed: Path, record_property: Callable[[str, object], None]
) -> None:
    lacking = {name for name in SOURCES.findall((project / "README.md").read_text()) if name not in os.environ}
    if lacking:
        pytest.skip(f"needs: {', '.join(lacking)}=FOLDER, as its README says")
    begin = os.times()
    _, done = followed(project.name, installed)
    end = os.times()
    used = end.children_user + end.children_system - begin.children_user - begin.children_system
    record_property("processor_seconds", round(used, 1))
    programs = [command.line.split()[0] for command in done]
    assert programs.count("cmake") >= 2, "it is configured and built"
    assert any(program != "cmake" for program in programs), "and used"


README = """Text.

    cmake --install build/release --prefix /where/you/like
    own/own --bad  # exits with 2

More text:

```console
$ own/own list
name
  ...: 3 things
$ own/own \\
  run
```

```cpp
int main() {}
```
"""


def test_a_readme_is_read_as_people_read_it() -> None:
    found = commands(README)
    assert [c.line.split("#")[0].split() for c in found] == [
        ["cmake", "--install", "build/release", "--prefix", "/where/you/like"],
        ["own/own", "--bad"],
        ["own/own", "list"],
        ["own/own", "run"],
    ]
    assert [c.status for c in found] == [0, 2, 0, 0]
    assert found[2].output == ["name", "...: 3 things"]


def test_output_that_is_missing_or_in_another_order_is_said() -> None:
    expected = ["name", "...: 3 things", "end"]
    assert missing(expected, "name\n  box: 3 things\nmore\nend\n") is None
    assert missing(expected, "  box: 3 things\nname\nend\n") == "...: 3 things"
    assert missing(expected, "name\n  box: 4 things\nend\n") == "...: 3 things"


def test_a_command_that_fails_or_prints_something_else_is_an_error(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    for text in ("    false\n", "    true  # exits with 2\n", "```console\n$ echo one\ntwo\n```\n"):
        readme.write_text(text)
        with pytest.raises(AssertionError):
            follow(readme, tmp_path, tmp_path / "folder")
    readme.write_text("    false  # exits with 1\n\n```console\n$ echo one two\none\n```\n")
    follow(readme, tmp_path, tmp_path / "folder")
