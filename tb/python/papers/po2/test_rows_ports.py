"""Both readings of a port's first in, first out: what ports.png shows."""

from types import SimpleNamespace

from braid_tools.papers.po2 import rows_ports
from braid_tools.papers.po2.points import ROUTINGS, Point


class Planted(dict):
    """Figures by point: utilizations and latencies of a routing's number, tenfold where ports are strict."""

    def __missing__(self, point: Point) -> SimpleNamespace:
        value = (1 + ROUTINGS.index(point.routing)) * (10 if point.extra else 1)
        return SimpleNamespace(pe_port=value, internal=value + 0.1, all=value + 0.2, packet=value + 0.3)


def test_both_readings_stand_at_each_routing_beside_the_published_figures() -> None:
    panels = rows_ports.panels(Planted())
    assert [panel.places for panel in panels] == [["deterministic", "best paths", "derouting"]] * 4
    for i, panel in enumerate(panels):
        passed, strict = panel.series
        assert (passed.policy, strict.policy) == ("pass_refused", "head_of_line")
        assert [round(v - 0.1 * i, 9) for v in passed.values] == [1, 2, 3]
        assert [round(v - 0.1 * i, 9) for v in strict.values] == [10, 20, 30]
    assert [list(panel.series[1].published) for panel in panels] == [[77, 73, 69], [47, 54, 67], [], []]
