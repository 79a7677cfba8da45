"""braid.plot: what is drawn where, and one colour and mark a policy."""

import braid
import matplotlib as mpl
import pytest
from braid import plot
from braid_tools.program import ROOT

mpl.use("Agg")
SHORT = {"simulation.measure_cycles": 2000, "simulation.batch_cycles": 500, "simulation.min_warmup_cycles": 500}


def small(rate: float, **more: object) -> braid.Result:
    return braid.run(braid.mesh(3, 3, rate=rate, **more).with_(SHORT))


def test_a_policy_has_one_look() -> None:
    looks = {name: tuple(plot.style(name).values()) for name in plot.KNOWN}
    assert len(set(looks.values())) == len(looks), "no two known ones look alike"
    assert plot.style("mine") == plot.style("mine")


def test_latency_load_has_a_curve_a_policy_in_its_own_colour() -> None:
    results = [small(r, routing=a) for a in ("west_first", "x_first") for r in (0.1, 0.3)]
    axes = plot.latency_load(results)
    lines = {bars.get_label(): bars.lines[0] for bars in axes.containers}
    assert set(lines) == {"x_first", "west_first"}
    for name, line in lines.items():
        look = plot.style(name)
        assert (line.get_color(), line.get_marker()) == (look["color"], look["marker"])
    expected = sorted((float(r.offered), r.latency.mean) for r in results[2:])
    assert [tuple(point) for point in lines["x_first"].get_xydata()] == expected
    assert "cycles" in axes.get_ylabel()


def test_link_map_draws_every_link_once_a_direction() -> None:
    axes = plot.link_map(small(0.2))
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == 2 * 12, "a 3x3 mesh has 12 links"
    assert {text.get_text() for text in axes.texts} >= {"0,0", "2,2"}


def test_circuits_are_drawn_from_end_to_end() -> None:
    experiment = braid.Experiment(ROOT / "tb" / "experiments" / "fm_radio.toml").with_(
        {"simulation.measure_cycles": 1000, "simulation.max_warmup_cycles": 2000}
    )
    result = braid.run(experiment)
    axes = plot.circuits(result)
    hops = sum(len(circuit["path"]) - 1 for circuit in result.to_dict()["setup"]["circuits"])
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == hops
    with pytest.raises(braid.InputError, match="has no circuits"):
        plot.circuits(small(0.2))
