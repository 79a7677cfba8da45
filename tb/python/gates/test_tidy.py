"""Which files clang-tidy reads when only some have changed."""

from pathlib import Path

import pytest
from braid_tools.gates import tidy


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """low.h < high.h < a.cpp, low.h < b.cpp; c.cpp includes nothing. Two units: a with b, and c."""
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    for name, text in {
        "models/low.h": "",
        "models/high.h": '#include "models/low.h"\n',
        "models/lone.h": "",
        "models/a.cpp": '#include <vector>\n#include "models/high.h"\n',
        "models/b.cpp": '#include "models/low.h"\n',
        "models/c.cpp": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path / "models"


def chosen(tree: Path, *changed: str) -> set[str]:
    read = {tree / "ab.cxx": [tree / "a.cpp", tree / "b.cpp"], tree / "c.cpp": [tree / "c.cpp"]}
    return {unit.name for unit in tidy.concerned(read, {tree / name for name in changed})}


def test_a_changed_source_is_read_with_its_unit(tree: Path) -> None:
    assert chosen(tree, "b.cpp") == {"ab.cxx"}
    assert chosen(tree, "c.cpp") == {"c.cpp"}
    assert chosen(tree) == set()


def test_a_changed_header_is_read_by_one_that_includes_it_however_far(tree: Path) -> None:
    assert chosen(tree, "low.h") == {"ab.cxx"}
    assert chosen(tree, "high.h", "c.cpp") == {"ab.cxx", "c.cpp"}
    assert chosen(tree, "lone.h") == set()
    assert chosen(tree, "gone.h") == set()


def test_all_are_read_where_the_rules_changed_or_the_commit_is_unknown(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = {tree / "c.cpp": [tree / "c.cpp"]}
    monkeypatch.setattr(tidy, "changed_files", lambda: None)
    assert tidy.to_read(read) == read
    monkeypatch.setattr(tidy, "changed_files", lambda: {tidy.RULES})
    assert tidy.to_read(read) == read
    monkeypatch.setattr(tidy, "changed_files", lambda: {tree.parent / "README.md"})
    assert tidy.to_read(read) == {}


@pytest.mark.parametrize(("before", "all_read"), [("clang-tidy==1\nnew==1", False), ("clang-tidy==0", True)])
def test_all_are_read_by_another_clang_tidy_but_not_for_another_package(
    before: str, all_read: bool, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requirements = tree.parent / tidy.REQUIREMENTS
    requirements.parent.mkdir(parents=True)
    requirements.write_text("clang-tidy==1\nruff==2\n")
    monkeypatch.setattr(tidy, "ROOT", tree.parent)
    monkeypatch.setattr(tidy, "changed_files", lambda: {requirements})
    monkeypatch.setattr(tidy, "git", lambda *words: before.splitlines() if words[0] == "show" else None)
    read = {tree / "c.cpp": [tree / "c.cpp"]}
    assert tidy.to_read(read) == (read if all_read else {})


def test_what_changed_is_what_git_says_and_what_it_does_not_know_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    monkeypatch.setattr(tidy, "PASSED", tmp_path / "passed.txt")
    assert tidy.changed_files() is None
    assert tidy.git("init", "-q") == []
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_text("")
    assert tidy.git("add", "a.cpp", "b.cpp") == []
    assert tidy.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "first") == []
    tidy.PASSED.write_text("\n".join(tidy.git("rev-parse", "HEAD") or []))
    assert tidy.changed_files() == {tidy.PASSED}
    (tmp_path / "b.cpp").write_text("int b;\n")
    assert tidy.changed_files() == {tidy.PASSED, tmp_path / "b.cpp"}
    tidy.PASSED.write_text("0123456789012345678901234567890123456789\n")
    assert tidy.changed_files() is None
