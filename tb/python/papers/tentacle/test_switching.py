"""Rows of paths in software and of source-routed packets, of results made up: what fails when one of them is off."""

from typing import Any

import pytest
from braid_tools.papers.tentacle.switching import BY_ROUTERS, COLUMNS, INSTALLED, PACKETS, Alternatives, rows, table


def result(throughput: float, links: list[int], extra: int = 0) -> dict[str, Any]:
    """A token of 100 cycles; `extra` cycles of the set-up beyond what paths of so many links take."""
    circuits = [{"path": [None] * (h + 1)} for h in links]  # its last step is the ejection port
    return {
        "stream": {"iterations_per_kilocycle": {"mean": throughput}},
        "configuration": {"setup": {"token_cycles": 100}},
        "setup": {"circuits": circuits, "total_cycles": sum(4 * h + 101 for h in links) + extra, "orders_tried": 2},
    }


def made_up(installed: float = 10.0, packets: float = 10.0, extra: int = 0, searched: int = 40) -> list[Alternatives]:
    links = [1, 2, 4]
    results = {
        BY_ROUTERS: result(10.0, links, searched), INSTALLED: result(installed, links, extra),
        PACKETS: result(packets, links),
    }  # fmt: skip
    return [Alternatives("DES", 4, results)]


def verdicts(found: list[Alternatives]) -> list[str]:
    return [row.verdict for row in rows(found, "MIT's graphs")]


def test_what_is_alike_matches() -> None:
    assert verdicts(made_up()) == ["match"] * 6
    assert [row.measured for row in rows(made_up(), "")][4] == 3 * 101 + 4 * 7


@pytest.mark.parametrize(
    ("off", "which"),
    [({"packets": 8.0}, {0, 1}), ({"installed": 8.0}, {2, 3}), ({"extra": 1}, {4}), ({"searched": -8}, {5})],
)
def test_what_is_not_is_seen(off: dict[str, Any], which: set[int]) -> None:
    assert {i for i, verdict in enumerate(verdicts(made_up(**off))) if verdict != "match"} == which


def test_the_table_has_its_columns() -> None:
    (line,) = table(made_up(), "MIT's graphs")
    assert len(line) == len(COLUMNS)
    assert line[-3:] == [371, 2, 331]
