"""Rows of gains and of the distance to ideal, of throughputs made up."""

from pathlib import Path
from types import SimpleNamespace

from braid_tools.comparison import Explanation
from braid_tools.papers.tentacle import gains
from braid_tools.papers.tentacle.networks import PUSH_X, REFERENCE
from braid_tools.papers.tentacle.points import Ports, Setting
from braid_tools.papers.tentacle.throughputs import (
    BRAIDS,
    FEW_VCS,
    IDEAL,
    OWN_RATES,
    SAME_ADAPTIVE,
    SAME_IDEAL,
    TENTACLE,
    Measured,
    Reading,
)

PROGRAM = SimpleNamespace(item_loads=lambda: {"a link": 12.0}, bound=lambda _: 10.0)
OURS = Reading(OWN_RATES, Ports(4), BRAIDS)


def measured(reading: Reading = OURS, **figures: tuple[float, float, float, float]) -> Measured:
    """Of each benchmark push-adaptive, tentacle, ideal, ideal on tentacle's graph; two of 4x4 with circuits."""
    throughputs = {
        Setting(name, 4, Path(name), vcs=reading.vcs): {
            REFERENCE: push, PUSH_X: push, TENTACLE: tentacle, IDEAL: ideal, SAME_IDEAL: same, SAME_ADAPTIVE: push,
        }
        for name, (push, tentacle, ideal, same) in figures.items()
    }  # fmt: skip
    return Measured(reading, {}, throughputs, {4: [b for b in figures if b != "FMRadio"]})


def test_rows_say_whose_graphs_they_are_of() -> None:
    m = measured(TDE=(1, 1, 1, 1))
    assert all("Braid's graphs, own rates, node bandwidth 4" in row.quantity for row in gains.within_rows(m, 4))


def test_three_per_cent_from_ideal_matches_and_four_do_not() -> None:
    near = measured(TDE=(1.0, 1.0, 1.0, 1.0), Vocoder=(1.0, 1.0, 1.06, 1.06))
    assert [row.verdict for row in gains.within_rows(near, 4)] == ["match", "match"]
    far = measured(TDE=(1.0, 1.0, 1.0, 1.0), Vocoder=(1.0, 1.0, 1.08, 1.08))
    assert [row.verdict for row in gains.within_rows(far, 4)] == ["differs", "differs"]


def test_what_is_lost_without_circuits_or_to_a_remedy_is_not_routings() -> None:
    fell = measured(TDE=(1.0, 1.0, 1.0, 1.0), FMRadio=(1.0, 1.0, 1.5, 1.5))
    own, overall = gains.within_rows(fell, 4)
    assert own.verdict == "match"
    assert overall.verdict == "explained"
    assert "FMRadio 1.50" in overall.explanation.why
    joined = measured(TDE=(1.0, 1.0, 2.0, 1.0))
    assert "TDE 2.00" in gains.within_rows(joined, 4)[1].explanation.why


def test_no_explanation_knows_what_tentacle_routing_measured() -> None:
    programs = {(name, 4): PROGRAM for name in ("Beamformer", "TDE", "FMRadio")}

    def explained(tentacle: float) -> list[Explanation]:
        m = measured(Beamformer=(1.0, tentacle, 1.5, 1.4), TDE=(1.0, tentacle, 1.2, 1.1), FMRadio=(1.0, 1.0, 1.3, 1.3))
        main = measured(Beamformer=(1.0, 1.4, 1.5, 1.4), TDE=(1.0, 1.1, 1.2, 1.1), FMRadio=(1.0, 1.0, 1.3, 1.3))
        rows = gains.gain_rows(m, 4, programs) + gains.within_rows(m, 4) + gains.few_vcs_rows(m, main, 4)
        return [row.explanation for row in rows if row.explanation]

    assert len(explained(1.1)) == 7
    assert explained(1.1) == explained(50.0)


def test_fewer_vcs_explain_a_gain_only_if_tentacle_keeps_its_throughput() -> None:
    main = measured(Beamformer=(1.0, 1.2, 1.2, 1.2))
    slower_packets = measured(FEW_VCS, Beamformer=(0.8, 1.2, 1.2, 1.2))
    high, every = gains.few_vcs_rows(slower_packets, main, 4)
    assert high.verdict == "match"  # 1.50 of 1.55
    assert high.explanation.predicted == every.explanation.predicted == 1.2 / 0.8
    slower_circuits = measured(FEW_VCS, Beamformer=(0.8, 1.0, 1.2, 1.2))
    assert gains.few_vcs_rows(slower_circuits, main, 4)[0].verdict == "differs"  # 1.25


def test_shared_ports_explain_slow_circuits_only_if_a_port_for_each_makes_them_ideal() -> None:
    narrow = measured(Reading(OWN_RATES, Ports(2)), Beamformer=(1.0, 1.0, 1.6, 1.6), TDE=(1.0, 1.0, 1.0, 1.0))
    wide = measured(Beamformer=(1.0, 1.6, 1.6, 1.6), TDE=(1.0, 1.0, 1.0, 1.0))
    names = ["Beamformer", "TDE"]
    assert "Beamformer 1.60, 1.00" in gains.shared_ports(narrow, wide, 4, names)
    assert gains.shared_ports(narrow, None, 4, names) == ""
    still_slow = measured(Beamformer=(1.0, 1.0, 1.6, 1.6))
    assert gains.shared_ports(narrow, still_slow, 4, names) == ""
    assert gains.shared_ports(wide, wide, 4, names) == ""


def test_a_gain_on_the_same_graph_is_explained_only_if_ideal_gains_no_more() -> None:
    low = gains.same_graph_row(measured(Beamformer=(1.0, 1.19, 1.2, 1.2)), 4, 1.55, high=True)
    assert low.verdict == "explained"
    lower = gains.same_graph_row(measured(Beamformer=(1.0, 1.0, 1.2, 1.2)), 4, 1.55, high=True)
    assert lower.verdict == "differs", "ideal gains more than tentacle"
    possible = gains.same_graph_row(measured(Beamformer=(1.0, 1.0, 1.6, 1.6)), 4, 1.55, high=True)
    assert possible.verdict == "differs"
