"""What is run, how long, and when it has settled."""

from __future__ import annotations

from braid.booksim.table import WHOLE, Answer, Ask, Fate, Kind, Row, becomes, named, without_effect

_LATENCY = Answer(fate=Fate.SAME)
_TYPES = {
    "latency": _LATENCY,
    "throughput": Answer(note="BookSim does not wait for what is under way at the end; Braid does", fate=Fate.DIFFERS),
    "gpgpusim": Answer(
        note="there the packets come from a GPU simulator; here they are the synthetic traffic of these keys",
        fate=Fate.DIFFERS,
    ),
}
_DEFAULT_MOST_WARMUP = 50_000


def _warmup(ask: Ask) -> Answer:
    if ask.value < 0:
        ask.refuse("expected 0 or more")
    cycles = ask.value * ask.of("sample_period")
    keys = {"simulation.min_warmup_cycles": cycles}
    if cycles > _DEFAULT_MOST_WARMUP:
        keys["simulation.max_warmup_cycles"] = cycles
    return Answer(keys, "sample periods; Braid warms up longer while figures still move (simulation.warmup_tolerance)")


def _samples(ask: Ask) -> Answer:
    """Phases of the warm-up count there."""
    measured = max(3, ask.value - ask.of("warmup_periods"))
    note = (
        "sample periods less those of the warm-up; BookSim stops when three in a row change by less than "
        "stopping_thres, Braid with simulation.until"
    )
    return Answer({"simulation.measure_cycles": measured * ask.of("sample_period")}, note)


def _tolerance(ask: Ask) -> Answer:
    if ask.of("warmup_periods") > 0:
        return Answer(note="of warmup_periods = 0", fate=Fate.NO_EFFECT)
    return Answer({"simulation.warmup_tolerance": ask.value})


def _seed(ask: Ask) -> Answer:
    if ask.value == "time":
        note = "Braid draws no seed from the clock; braid run --seeds N runs several"
        return Answer({"experiment.seed": 0}, note, Fate.DIFFERS)
    if not WHOLE.fullmatch(ask.value) or int(ask.value) < 0:
        ask.refuse("expected a whole number, 0 or more")
    return Answer({"experiment.seed": int(ask.value)}, "Braid's random numbers are others")


def _queuing(ask: Ask) -> Answer:
    if ask.value == 1:
        return Answer(fate=Fate.SAME)
    return Answer(
        note="Braid's packet latency has the wait at the source; network_latency_cycles has it not", fate=Fate.DIFFERS
    )


def _stopping(ask: Ask) -> Answer:
    return Answer(
        note='Braid measures a fixed time, or until an interval is narrow: simulation.until = "latency 1 %"',
        fate=Fate.NO_EFFECT,
    )


_VERDICT = without_effect("Braid judges saturation by backlog and accepted load (docs/statistics.md)")
ROWS = [
    Row(
        "sim_type",
        Kind.WORD,
        "latency",
        named("", _TYPES, {"batch": "Braid has no batch mode"}, what="simulation"),
        section="simulation",
    ),
    Row("sample_period", Kind.WHOLE, "1000", becomes("simulation.batch_cycles"), section="simulation"),
    Row("warmup_periods", Kind.WHOLE, "3", _warmup, section="simulation"),
    Row("max_samples", Kind.WHOLE, "10", _samples, section="simulation"),
    Row("warmup_thres", Kind.NUMBER, "0.05", _tolerance, by_class=True, section="simulation"),
    Row(
        "acc_warmup_thres",
        Kind.NUMBER,
        "0.05",
        without_effect("Braid has one tolerance for both figures"),
        by_class=True,
        section="simulation",
    ),
    Row("stopping_thres", Kind.NUMBER, "0.05", _stopping, by_class=True, section="simulation"),
    Row("acc_stopping_thres", Kind.NUMBER, "0.05", _stopping, by_class=True, section="simulation"),
    Row("latency_thres", Kind.NUMBER, "500.0", _VERDICT, by_class=True, section="simulation"),
    Row("sim_count", Kind.WHOLE, "1", without_effect("braid run --seeds N"), section="simulation"),
    Row("include_queuing", Kind.WHOLE, "1", _queuing, section="simulation"),
    Row(
        "measure_stats",
        Kind.WHOLE,
        "1",
        without_effect("Braid measures every class"),
        by_class=True,
        section="simulation",
    ),
    Row("seed", Kind.WORD, "0", _seed, section="experiment"),
    Row(
        "deadlock_warn_timeout",
        Kind.WHOLE,
        "256",
        without_effect("a warning; Braid's run ends at simulation.watchdog_cycles"),
        section="simulation",
    ),
]
