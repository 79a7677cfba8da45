"""Tentacle must not lose to what it replaces: which rows of the table of programs say so."""

from braid_tools.papers.tentacle.program_table import COLUMNS, LEAST, below


def line(program: str, over_packets: float) -> list[object]:
    values = dict.fromkeys(COLUMNS, 0) | {"program": program, "size": 4, "scaling": 0.01, "over_packets": over_packets}
    return list(values.values())


def test_a_row_below_is_named_and_one_at_the_bound_is_not() -> None:
    assert below([line("des", LEAST), line("tde", 1.2)]) == []
    assert below([line("des", 0.9899), line("tde", 1.2)]) == ["des 4x4 at 0.01: 0.990 of the best pushed packets"]
