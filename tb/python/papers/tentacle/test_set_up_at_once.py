"""The table of both set-ups, of results made up."""

from typing import Any

from braid_tools.papers.tentacle.set_up_at_once import COLUMNS, line_of


def setup(cycles: list[int], total: int, orders: int, **more: Any) -> dict[str, Any]:
    circuits = [{"setup_cycles": c} for c in cycles]
    return {
        "circuits": circuits,
        "total_cycles": total,
        "orders_tried": orders,
        "fell_back_to_packets": not circuits,
        **more,
    }


def test_a_line_has_both() -> None:
    counts = {"searches": 9, "backtracks": 2, "rip_ups": 4, "waits": 3}
    line = line_of("DES", 4, setup([5, 9, 13], 60, 2), setup([5, 9, 20], 44, 1, at_once=counts))
    told = dict(zip(COLUMNS, line, strict=True))
    assert told == {
        "program": "DES",
        "size": 4,
        "streams": 3,
        "token_orders": 2,
        "token_cycles": 60,
        "token_last_order": 5 + 9 + 13 + 3,
        "orders": 1,
        "cycles": 44,
        "last_order": 20,
        **counts,
        "stands": True,
        "over_token": 60 / 44,
    }


def test_a_line_says_where_all_at_once_fall_back() -> None:
    counts = {"searches": 9, "backtracks": 2, "rip_ups": 4, "waits": 3}
    line = line_of("DES", 4, setup([5], 6, 1), setup([], 300, 9, at_once=counts))
    told = dict(zip(COLUMNS, line, strict=True))
    assert not told["stands"]
    assert told["last_order"] == ""
