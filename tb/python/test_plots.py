"""Plots of policies side by side."""

from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from braid import plot
from braid_tools import plots
from braid_tools.plots import Compared, Series

ONE = Series("one", "random", [1.0, None], spread=[0.1, 0.0], published=[1.5, None], hollow=True)
OTHER = Series("other", "balanced", [2.0, 3.0], published=[1.5, 2.5])
PANEL = Compared("a claim", "flits", ["here", "there"], [ONE, OTHER])


def test_policies_have_their_look_and_published_values_stand_with_them() -> None:
    axes = plt.subplots()[1]
    plots.draw_compared(axes, PANEL)
    one, other = axes.containers
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["here", "there"]
    for bars, series in ((one, ONE), (other, OTHER)):
        look = plot.style(series.policy)
        assert (bars.lines[0].get_color(), bars.lines[0].get_marker()) == (look["color"], look["marker"])
        assert list(bars.lines[0].get_ydata()) == [v for v in series.values if v is not None]
    assert one.lines[0].get_markerfacecolor() == "white"
    assert other.lines[0].get_markerfacecolor() == plot.style("balanced")["color"]
    dashes = [line for line in axes.lines if line.get_color() == plots.PUBLISHED]
    assert [list(line.get_ydata()) for line in dashes] == [[1.5], [1.5, 2.5]]
    assert list(dashes[1].get_xdata()) == pytest.approx(list(other.lines[0].get_xdata()))
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(names) == ["one", "other", "published"]
    plt.close("all")


def test_a_picture_has_a_panel_beside_the_other(tmp_path: Path) -> None:
    plots.compared(tmp_path / "c.png", [PANEL, PANEL])
    assert (tmp_path / "c.png").read_bytes()[:4] == b"\x89PNG"
