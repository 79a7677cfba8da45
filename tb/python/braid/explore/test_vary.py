"""Keys that vary, conditions, plans and study files, by themselves."""

from pathlib import Path

import braid
import pytest
from braid.experiment import flat
from braid.explore.interpolation import interpolated
from braid.explore.plan import plan_of
from braid.explore.student import half_width, quantile, two_sided, welch
from braid.explore.study_file import study_columns, study_plan
from braid.explore.vary import values_of, varied
from braid.explore.where import Condition
from braid.results import Results

RATE = "traffic.rate_flits_per_node_cycle"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.05:0.5:0.05", [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
        ("1:4:1", [1, 2, 3, 4]),
        ("1:4:2", [1, 3]),
        ("2:64:x2", [2, 4, 8, 16, 32, 64]),
        ("x_first, odd_even", ["x_first", "odd_even"]),
        ("true,false", [True, False]),
        ("1,2.5", [1, 2.5]),
        ('"a,b",[1,2]', ["a,b", [1, 2]]),
        ("a:b:c", ["a:b:c"]),
    ],
)
def test_values(text: str, values: list[object]) -> None:
    assert values_of(text, "x") == values
    assert [type(value) for value in values_of(text, "x")] == [type(value) for value in values]


@pytest.mark.parametrize("text", ["", "1,,2", "5:1:1", "1:5:0", "1:5:-1", "0:8:x2", "1:8:x1", "0:1:0.000001"])
def test_values_that_are_none(text: str) -> None:
    with pytest.raises(braid.InputError, match=r"^x: "):
        values_of(text, "x")


def test_a_key_without_a_section() -> None:
    with pytest.raises(braid.InputError, match=r"expected section\.key"):
        varied("rate=1,2")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("router.vcs >= 2", True),
        ("router.vcs > 2", False),
        ('routing.algorithm in ["x_first", "y_first"] and not router.vcs == 3', True),
        ("router.vcs * 2 + 1 == 5", True),
        ("1 < router.vcs < 3", True),
        ("routing.max_deroutes > 0", False),
        ("routing.max_deroutes <= 0", False),
        ("routing.max_deroutes != 4", True),
        ("true or router.vcs == 9", True),
    ],
)
def test_conditions(text: str, holds: bool) -> None:
    values = {"router.vcs": 2, "routing.algorithm": "x_first"}
    assert Condition(text).holds(values) == holds


@pytest.mark.parametrize(
    "text", ["", "router.vcs >=", "__import__('os').system('x')", "[x for x in y]", "a.b ** 2", "~a.b"]
)
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(braid.InputError, match="expected names with dots"):
        Condition(text)


def test_a_name_that_nobody_knows() -> None:
    with pytest.raises(braid.InputError, match=r'"router\.vcz" \(did you mean "router\.vcs"\?\)'):
        Condition("router.vcz == 1").check(["router.vcs", "routing.algorithm"])


def test_a_plan_is_all_axes_times_seeds() -> None:
    base = braid.mesh(4, 4, rate=0.1)
    plan = plan_of([base], {RATE: [0.1, 0.2], "router.vcs": "1,2"}, only=[f"router.vcs == 2 or {RATE} < 0.2"], seeds=2)
    points = plan.points()
    assert [(p.settings[RATE], p.settings["router.vcs"], p.seed) for p in points] == [
        (0.1, 1, 1),
        (0.1, 1, 2),
        (0.1, 2, 1),
        (0.1, 2, 2),
        (0.2, 2, 1),
        (0.2, 2, 2),
    ]


def test_keys_have_the_names_that_settings_take() -> None:
    known = flat({"router": {"vcs": 2}, "traffic": [{"name": "loads", "flits": 1}, {"name": "bulk", "flits": 4}]})
    assert (known["router.vcs"], known["traffic.loads.flits"], known["traffic.bulk.flits"]) == (2, 1, 4)
    assert flat({"traffic": [{"flits": 1}]}) == {"traffic.flits": 1}, "of one class the name may be left out"


TWO_CLASSES = """
[topology]
kind = "mesh"
[[traffic]]
name = "loads"
flits = 1
rate_flits_per_node_cycle = 0.05
[[traffic]]
name = "bulk"
rate_flits_per_node_cycle = 0.1
flits = 4
"""


def test_a_class_of_traffic_varies_by_its_name() -> None:
    base = braid.Experiment.from_text(TWO_CLASSES)
    points = plan_of([base], {"traffic.bulk.flits": [2, 8]}, only=["traffic.bulk.flits > traffic.loads.flits"]).points()
    assert [point.experiment["traffic.bulk.flits"] for point in points] == [2, 8]
    assert {point.experiment["traffic.loads.flits"] for point in points} == {1}
    settings = {name: value for name, value in flat(base.configuration).items() if name.startswith("traffic.")}
    assert flat(base.with_(settings).configuration) == flat(base.configuration)


def test_results_of_classes_differ_by_the_same_names() -> None:
    base = braid.Experiment.from_text(TWO_CLASSES).with_(simulation__measure_cycles=1000)
    runs = [braid.run(base.with_({"traffic.bulk.flits": flits})) for flits in (2, 8)]
    assert list(Results(runs).to_pandas()["traffic.bulk.flits"]) == [2, 8]


def test_linked_keys_go_together() -> None:
    plan = plan_of([braid.mesh(4, 4, rate=0.1)], linked=[{"topology.width": [2, 3], "topology.height": [4, 5]}])
    assert [(p.settings["topology.width"], p.settings["topology.height"]) for p in plan.points()] == [(2, 4), (3, 5)]
    with pytest.raises(braid.InputError, match=r"topology\.width has 2, topology\.height has 1"):
        plan_of([braid.mesh(4, 4)], linked=[{"topology.width": [2, 3], "topology.height": [4]}])


def test_what_a_plan_refuses() -> None:
    base = braid.mesh(4, 4, rate=0.1)
    with pytest.raises(braid.InputError, match="varies twice"):
        plan_of([base], {"router.vcs": [1]}, [{"router.vcs": [2]}])
    with pytest.raises(braid.InputError, match=r'did you mean "vcs"'):
        plan_of([base], {"router.vcz": [1, 2]}).points()
    with pytest.raises(braid.InputError, match="leave no point"):
        plan_of([base], {"router.vcs": [1, 2]}, only=["router.vcs == 3"]).points()
    with pytest.raises(braid.InputError, match="nothing is called"):
        plan_of([base], {"router.vcs": [1, 2]}, only=["router.vc == 1"]).points()
    assert len(plan_of([base], {"router.vcs": [0, 1]}, only=["router.vcs >= 1"]).points()) == 1, "0 is out of its range"


STUDY = """experiments = ["a.toml", "b.toml"]
seeds = 2
only = ["topology.width == 4 or router.vcs == 2"]
[set]
simulation.measure_cycles = 3000
[vary]
"router.vcs" = [1, 2]
traffic.rate_flits_per_node_cycle = "0.1:0.2:0.1"
[[linked]]
topology.width = [4, 8]
topology.height = [4, 8]
"""


def test_a_study_file(tmp_path: Path, mesh: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(mesh.read_text())
    (tmp_path / "study.toml").write_text(STUDY)
    points = study_plan(tmp_path / "study.toml").points()
    assert len(points) == 2 * (2 * 2 + 2) * 2
    assert {p.experiment["simulation.measure_cycles"] for p in points} == {3000}
    assert {p.experiment["topology.width"] == p.experiment["topology.height"] for p in points} == {True}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = 2", "seedz = 2", r'study.toml:2:1: unknown key "seedz" \(did you mean "seeds"'),
        ("seeds = 2", 'seeds = "2"', r"study.toml:2:1: seeds: expected a whole number"),
        ("seeds = 2", "seeds = ", r"study.toml:2:9: is not TOML"),
        ('"router.vcs" = [1, 2]', '"router.vcz" = [1, 2]', r'unknown key in \[router\] "vcz"'),
        ("[4, 8]\ntopology.height", "[4]\ntopology.height", r"topology.width has 1"),
        ('"a.toml"', '"c.toml"', r"c.toml: cannot be read"),
        ("router.vcs == 2", "router.vcz == 2", r'nothing is called "router.vcz"'),
    ],
)
def test_what_is_wrong_in_a_study(tmp_path: Path, mesh: Path, old: str, new: str, message: str) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(mesh.read_text())
    assert old in STUDY
    (tmp_path / "study.toml").write_text(STUDY.replace(old, new))
    with pytest.raises(braid.InputError, match=message):
        study_plan(tmp_path / "study.toml").points()


def test_a_study_chooses_the_figures_of_its_table(tmp_path: Path, mesh: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    assert study_columns(study) == []
    assert study_columns(mesh) == [], "an experiment says nothing of tables"
    named = ["latency", "energy.pj_per_flit", "area.um2", "packets.packet_latency_distribution_cycles.p99"]
    named += ["latency.half_width_95", "routing.own_figure", "messages.latency_distribution_cycles.p50"]
    study.write_text(f"columns = {named}\n{STUDY}")
    assert study_columns(study) == named


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ('["energy.pj_per_flip"]', r'no figure is called "energy.pj_per_flip" \(did you mean "energy.pj_per_flit"\?\)'),
        ('["packets.p99"]', r'no figure is called "packets.p99"'),
        ('["links"]', r'no figure is called "links"'),
        ("[1]", r"columns: expected texts, each a figure"),
        ('"latency"', r"columns: expected a list of figures"),
    ],
)
def test_a_figure_that_no_run_has_is_refused_first(tmp_path: Path, columns: str, message: str) -> None:
    study = tmp_path / "study.toml"
    study.write_text(f'experiment = "mesh.toml"\ncolumns = {columns}\n')
    with pytest.raises(braid.InputError, match=rf"study.toml:2:1: {message}"):
        study_columns(study)


def test_students_t_is_that_of_the_tables() -> None:
    """Values of printed tables."""
    for freedom, t in ((1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert quantile(0.95, freedom) == pytest.approx(t, abs=6e-4)
    assert quantile(0.99, 5) == pytest.approx(4.032, abs=6e-4)
    assert two_sided(2.228, 10) == pytest.approx(0.05, abs=1e-4)
    assert half_width([1.0]) is None
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.303 / 3**0.5, abs=1e-3)


def test_welch_has_its_degrees_of_freedom() -> None:
    """An example that can be checked by hand: variances 1 and 4 of three values each."""
    difference, error, freedom = welch([1, 2, 3], [2, 4, 6])
    assert (difference, error) == (2, pytest.approx((1 / 3 + 4 / 3) ** 0.5))
    assert freedom == pytest.approx((5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (4 / 3) ** 2 / 2))


def test_the_interpolation_follows_a_queue() -> None:
    """Latency as of an M/D/1 queue, from nine loads: within 2 % between them."""

    def latency(load: float) -> float:
        return 30 + 2 * load / (1 - load)

    xs = [0.05, 0.2, 0.4, 0.6, 0.75, 0.85, 0.91, 0.95, 0.98]
    ys = [latency(x) for x in xs]
    assert [interpolated(xs, ys, x) for x in xs] == pytest.approx(ys)
    for n in range(5, 99):
        assert interpolated(xs, ys, n / 100) == pytest.approx(latency(n / 100), rel=0.02)
    assert interpolated(xs, ys, 0.0) == ys[0]
