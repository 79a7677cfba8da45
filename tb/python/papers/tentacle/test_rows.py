"""Rows of Table 3 by remedy, and the cost of stages."""

from braid_tools.papers.tentacle import rows
from braid_tools.papers.tentacle.published import BENCHMARKS, TOTALS_MEAN, published_set_up
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


def test_the_overhead_of_a_tick_is_of_programs_in_their_first_order() -> None:
    """3,000 cycles of 20 million; a second order, and a remedy, do not count."""
    tried = {
        ("DES", 4): {REMEDIES[0]: stood(5, total=1800)},
        ("TDE", 6): {REMEDIES[0]: stood(5, total=3000)},
        ("Vocoder", 6): {REMEDIES[0]: stood(5, total=9000, orders=3)},
        ("FMRadio", 4): {REMEDIES[0]: FELL, REMEDIES[1]: stood(5, total=8000)},
    }
    (row,) = rows.overhead_rows(tried, "MIT's graphs")  # averages over all nine programs only
    assert row.measured == 0.015
    assert row.verdict == "match"
    tried["TDE", 6] = {REMEDIES[0]: stood(5, total=4000)}
    assert rows.overhead_rows(tried, "MIT's graphs")[0].verdict == "differs"


def test_the_averages_under_table_3_are_those_of_its_totals() -> None:
    """To a cycle, which the paper cuts off."""
    for size, published in TOTALS_MEAN.items():
        totals = [published_set_up(b, size).total for b in BENCHMARKS]
        assert published <= sum(totals) / 9 < published + 1
    tried = {(b, 4): {REMEDIES[0]: stood(5, total=published_set_up(b, 4).total, orders=2)} for b in BENCHMARKS}
    (row,) = rows.overhead_rows(tried, "MIT's graphs")
    assert row.quantity == "set-up, average of totals, 4x4, MIT's graphs"
    assert row.verdict == "match"


def test_a_stage_counts_processor_time() -> None:
    stages = Stages()
    with stages.stage("sum"):
        sum(range(20_000_000))
    ((name, used, _),) = stages.lines
    assert name == "sum"
    assert float(used) > 0
