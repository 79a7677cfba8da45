"""Rows of Table 3 by remedy, and the cost of stages."""

from braid_tools.papers.tentacle import rows
from braid_tools.papers.tentacle.remedies import REMEDIES
from braid_tools.papers.tentacle.stages import Stages


def stood(*cycles: int, total: int, orders: int = 1) -> dict:
    circuits = [{"setup_cycles": c} for c in cycles]
    return {
        "setup": {"fell_back_to_packets": False, "orders_tried": orders, "total_cycles": total, "circuits": circuits}
    }


FELL = {"setup": {"fell_back_to_packets": True}}


def test_set_ups_are_averaged_over_the_programs_of_a_remedy() -> None:
    tried = {
        ("DES", 4): {REMEDIES[0]: stood(5, 7, total=1709)},
        ("TDE", 4): {REMEDIES[0]: stood(6, 6, total=1509)},
        ("FMRadio", 4): {REMEDIES[0]: FELL, REMEDIES[1]: stood(5, 13, total=3000, orders=2)},
        ("Vocoder", 4): {remedy: FELL for remedy in REMEDIES},
    }
    found = rows.by_remedy_rows(tried, "Braid's graphs")
    assert [row.quantity.split(", ")[1] for row in found] == ["shortest", "average", "total"] * 2
    assert found[1].measured == 6
    assert abs(found[1].published - (6.41 * 6.07) ** 0.5) < 1e-9
    assert found[2].ratio == 1
    assert abs(found[5].measured - 3000) < 1e-6
    assert "remedy: none; geometric mean of 2; Braid's graphs" in found[0].quantity


def test_a_stage_counts_processor_time() -> None:
    stages = Stages()
    with stages.stage("sum"):
        sum(range(20_000_000))
    ((name, used, _),) = stages.lines
    assert name == "sum"
    assert float(used) > 0
