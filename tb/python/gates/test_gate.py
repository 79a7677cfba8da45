"""What a gate counts."""

from braid_tools.gates import gate


def test_counts() -> None:
    assert gate.ctest_counts("98% tests passed, 4 tests failed out of 194") == (190, 4)
    assert gate.ctest_counts("no summary") == (0, 1)
    assert gate.pytest_counts("...\n5 passed, 1 failed in 0.1s") == (5, 1)
