"""docs/python.md: its lines run as they stand, one after the other."""

import doctest
from pathlib import Path

import pytest
from braid_tools.program import ROOT


def test_the_lines_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 20
    assert result.failed == 0
