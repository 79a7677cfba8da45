"""Traffic: a section [traffic] for each class, or two for a class of reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from braid.booksim.configuration import parts_of
from braid.booksim.keys import concentrated, dragonfly
from braid.booksim.keys.network import subnets_used
from braid.booksim.table import WHOLE, Answer, Ask, Fate, Kind, Row, without_effect
from braid.explore.where import nearest

#: Patterns of which the name says all.
PATTERNS = {
    "uniform": "uniform",
    "bitcomp": "bit_complement",
    "bitrev": "bit_reversal",
    "shuffle": "shuffle",
    "transpose": "bit_transpose",
    "tornado": "tornado",
    "neighbor": "neighbour",
    "bad_dragon": "next_group",
}
MOST_FLITS = 65535
ON_GRIDS = ("tornado", "neighbor")
WITHOUT = {
    "randperm": 'BookSim\'s generator draws it; write a permutation into a file, traffic.pattern = "permutation"',
    "background": 'Braid\'s uniform traffic spares no nodes; write a matrix, traffic.pattern = "matrix"',
    "diagonal": 'Braid has no such pattern; write a matrix, traffic.pattern = "matrix"',
    "asymmetric": 'Braid has no such pattern; write a matrix, traffic.pattern = "matrix"',
    "taper64": 'Braid has no such pattern; write a matrix, traffic.pattern = "matrix"',
    "badperm_yarc": 'Braid has no such pattern; write a matrix, traffic.pattern = "matrix"',
}


def _parameters(text: str) -> tuple[str, list[str]]:
    """Name and parameters of name(a) or name({a,b})."""
    name, _, inside = text.partition("(")
    return name, parts_of(inside.rpartition(")")[0] or inside)


def _whole_numbers(ask: Ask, texts: list[str], what: str) -> list[int]:
    if not texts or not all(WHOLE.fullmatch(text) for text in texts):
        ask.refuse(f"expected {what}, whole numbers")
    return [int(text) for text in texts]


def _hot_spots(ask: Ask, parameters: list[str]) -> Answer:
    """BookSim's send every packet to a hot spot, by weights; what Braid does with nodes that it names as often."""
    nodes = _whole_numbers(ask, parts_of(parameters[0]) if parameters else ["-1"], "nodes")
    weights = _whole_numbers(ask, parts_of(parameters[1]), "weights") if len(parameters) > 1 else [1]
    weights = (weights + [weights[-1]] * len(nodes))[: len(nodes)]
    if min(weights) < 1 or sum(weights) > 10_000:
        ask.refuse("expected weights of 1 or more, 10000 together at most")
    if len(nodes) > 1 and min(nodes) < 0:
        ask.refuse("of several hot spots Braid draws none; expected their numbers")
    hot = [
        concentrated.node_here(ask, node) for node, weight in zip(nodes, weights, strict=True) for _ in range(weight)
    ]
    keys: dict[str, Any] = {"traffic.pattern": "hot_spot", "traffic.hot_fraction": 1.0}
    return Answer(keys if nodes[0] < 0 else keys | {"traffic.hot_nodes": hot}, "every packet goes to a hot spot")


def _pattern(ask: Ask) -> Answer:
    name, parameters = _parameters(ask.value)
    if name == "hotspot":
        return _hot_spots(ask, parameters)
    if name in WITHOUT:
        ask.refuse(WITHOUT[name])
    if name not in PATTERNS:
        known = [*PATTERNS, "hotspot"]
        ask.refuse(f"no pattern has that name{nearest(name, [*known, *WITHOUT])}; expected one of {', '.join(known)}")
    if name in ON_GRIDS and parameters:
        ask.refuse("Braid's pattern is that of the network's own k and n; expected no parameters")
    if concentrated.is_concentrated(ask):
        return concentrated.pattern(ask, name, PATTERNS[name])
    if name in ON_GRIDS and ask.of("topology") not in ("mesh", "torus"):
        ask.refuse("Braid has it for meshes and tori")
    if name == "bad_dragon" and (parameters or ask.of("topology") != dragonfly.NAME):
        ask.refuse(
            f"Braid's pattern is that of a dragonfly, topology = {dragonfly.NAME}; expected one, and no parameters"
        )
    return Answer({"traffic.pattern": PATTERNS[name]})


def _sizes(ask: Ask) -> dict[int, int]:
    """Of each length of packets its weight."""
    sizes = _whole_numbers(ask, parts_of(ask.of("packet_size")), "flits")
    weights = _whole_numbers(ask, parts_of(ask.of("packet_size_rate")), "weights")
    weights = (weights + [weights[-1]] * len(sizes))[: len(sizes)]
    if min(sizes) < 1 or max(sizes) > MOST_FLITS or min(weights) < 0 or sum(weights) == 0:
        ask.refuse(f"expected packets of 1 to {MOST_FLITS} flits, and weights of which one is more than 0")
    found: dict[int, int] = {}
    for size, weight in zip(sizes, weights, strict=True):
        found[size] = found.get(size, 0) + weight
    return {size: weight for size, weight in sorted(found.items()) if weight}


def _length(ask: Ask) -> Answer:
    if ask.stream.kind:
        return Answer(note="use_read_write = 1: each kind has a size of its own", fate=Fate.NO_EFFECT)
    weights = _sizes(ask)
    sizes, total = list(weights), sum(weights.values())
    if len(sizes) == 1:
        return Answer({"traffic.length": "fixed", "traffic.flits": sizes[0]})
    if len(sizes) == 2:
        short, long = sizes
        keys = {
            "traffic.short_flits": short,
            "traffic.long_flits": long,
            "traffic.long_fraction": weights[long] / total,
        }
        return Answer({"traffic.length": "bimodal"} | keys)
    if sizes == list(range(sizes[0], sizes[-1] + 1)) and len(set(weights.values())) == 1:
        return Answer({"traffic.length": "uniform", "traffic.min_flits": sizes[0], "traffic.max_flits": sizes[-1]})
    return ask.refuse("Braid has packets of one length, of two, or of all lengths from one to another, as often each")


def _size_rate(ask: Ask) -> Answer:
    if ask.stream.kind or len(_sizes(ask)) == 1:
        return Answer(note="packets have one length", fate=Fate.NO_EFFECT)
    return Answer(note="traffic.length, above")


def _mean_size(ask: Ask) -> float:
    """As BookSim has it where injection_rate_uses_flits = 1: reads and writes are half and half."""
    if ask.stream.kind:
        kinds = ("read_request", "read_reply", "write_request", "write_reply")
        return max(1, sum(ask.of(f"{kind}_size") for kind in kinds) // 2)  # a size of 0 is refused at its own key
    weights = _sizes(ask)
    return sum(size * weight for size, weight in weights.items()) / sum(weights.values())


def _rate(ask: Ask) -> Answer:
    mean = _mean_size(ask)
    packets = ask.value / mean if ask.of("injection_rate_uses_flits") else ask.value
    if not 0 <= packets <= 1:
        ask.refuse("BookSim's nodes make 0 to 1 packets a cycle")
    if not ask.stream.kind:
        note = (
            ""
            if ask.of("injection_rate_uses_flits") or mean == 1
            else f"packets a node and cycle, times {mean:g} flits"
        )
        return Answer({"traffic.rate_flits_per_node_cycle": packets * mean}, note)
    writes = ask.of("write_fraction")
    share = writes if ask.stream.kind == "write" else 1 - writes
    flits = ask.of(f"{ask.stream.request}_size")
    note = f"requests a node and cycle, of which {share:g} are {ask.stream.kind}s of {flits} flits; replies come on top"
    return Answer({"traffic.rate_flits_per_node_cycle": packets * share * flits}, note)


def _process(ask: Ask) -> Answer:
    name, parameters = _parameters(ask.value)
    if name == "bernoulli":
        return Answer({"traffic.process": "bernoulli"})
    if name != "on_off":
        ask.refuse(f"no process has that name{nearest(name, ['bernoulli', 'on_off'])}; expected bernoulli or on_off")
    names = ("burst_alpha", "burst_beta", "burst_r1")
    try:
        alpha, beta, r1 = (float(parameters[i]) if i < len(parameters) else ask.of(key) for i, key in enumerate(names))
    except ValueError:
        ask.refuse("expected on_off({alpha,beta,r1}) with numbers")
    burst = ask.all.ask(next((key for key in names if key in ask.all.given), ask.key), ask.stream)
    rate = ask.of("injection_rate") / (_mean_size(ask) if ask.of("injection_rate_uses_flits") else 1)
    if r1 >= 0 and alpha < 0 < beta and r1 > rate:
        alpha = beta * rate / (r1 - rate)
    elif r1 >= 0 and beta < 0 < alpha and r1 > rate > 0:
        beta = alpha * (r1 - rate) / rate
    elif r1 >= 0:
        burst.refuse("expected two of burst_alpha, burst_beta, burst_r1, the third one negative, and r1 above the rate")
    if not (0 < alpha <= 1 and 0 < beta <= 1):
        burst.refuse("expected chances above 0, 1 at most")
    note = "mean lengths: 1 / burst_beta cycles on, 1 / burst_alpha off"
    return Answer({"traffic.process": "on_off", "traffic.on_cycles": 1 / beta, "traffic.off_cycles": 1 / alpha}, note)


def _burst(ask: Ask) -> Answer:
    if ask.of("injection_process").startswith("on_off"):
        return Answer(note="traffic.process, above")
    return Answer(note="of injection_process = on_off", fate=Fate.NO_EFFECT)


def _read_write(ask: Ask) -> Answer:
    if not ask.stream.kind and ask.of("subnets") > 1:
        subnets = list(range(ask.of("subnets")))
        return Answer({"traffic.subnets": subnets}, "packets that are neither take any subnet, by chance")
    if not ask.stream.kind:
        return Answer(fate=Fate.SAME)
    return Answer(
        {"traffic.request_reply": True},
        f"{ask.stream.kind}s and their replies; each kind has a section and a queue of its own",
    )


def _write_fraction(ask: Ask) -> Answer:
    if not 0 <= ask.value <= 1:
        ask.refuse("expected 0 to 1")
    return _of_read_write(ask)


def _of_read_write(ask: Ask) -> Answer:
    if not ask.stream.kind:
        return Answer(note="of use_read_write = 1", fate=Fate.NO_EFFECT)
    return Answer(note="the rates, above")


def _of_kind(kind: str, keys: Callable[[Ask], dict[str, Any]]) -> Callable[[Ask], Answer]:
    """A key of one kind of packets, read_request; it says something in the section of its stream alone."""

    def rule(ask: Ask) -> Answer:
        if not ask.stream.kind:
            return Answer(note="of use_read_write = 1", fate=Fate.NO_EFFECT)
        if kind not in (ask.stream.request, ask.stream.reply):
            return Answer()
        found = keys(ask)
        return Answer(found, "" if found else "the range, above")

    return rule


def _size_of(kind: str) -> Row:
    def keys(ask: Ask) -> dict[str, Any]:
        if not 1 <= ask.value <= MOST_FLITS:
            ask.refuse(f"expected 1 to {MOST_FLITS} flits")
        if kind == ask.stream.reply:
            return {"traffic.reply_flits": ask.value}
        return {"traffic.length": "fixed", "traffic.flits": ask.value}

    return Row(f"{kind}_size", Kind.WHOLE, "1", _of_kind(kind, keys), by_class=True, section="traffic")


def _range_of(kind: str, first: str, last: str) -> list[Row]:
    """BookSim takes a negative bound for half of the VCs: requests the lower one."""

    def keys(ask: Ask) -> dict[str, Any]:
        vcs = ask.of("num_vcs")
        begin, end = ask.of(f"{kind}_begin_vc"), ask.of(f"{kind}_end_vc")
        reply = kind == ask.stream.reply
        begin = begin if begin >= 0 else (vcs // 2 if reply else 0)
        end = end if end >= 0 else (vcs - 1 if reply else vcs // 2 - 1)
        if ask.key.endswith("_end_vc"):
            if not begin <= end < vcs:
                ask.refuse(f"VCs {begin} to {end} of num_vcs = {vcs}; expected a range within 0 to {vcs - 1}")
            return {}
        return {"traffic.reply_vcs" if reply else "traffic.vcs": [begin, end]}

    return [
        Row(f"{kind}_begin_vc", Kind.WHOLE, first, _of_kind(kind, keys), section="traffic"),
        Row(f"{kind}_end_vc", Kind.WHOLE, last, _of_kind(kind, keys), section="traffic"),
    ]


def _subnet_of(kind: str) -> Row:
    def keys(ask: Ask) -> dict[str, Any]:
        subnets = ask.of("subnets")
        if subnets == 1 or subnets_used(ask) == {0}:
            return {}
        if not 0 <= ask.value < subnets:
            ask.refuse(f"expected 0 to {subnets - 1}, subnets = {subnets}")
        return {"traffic.reply_subnets" if kind == ask.stream.reply else "traffic.subnets": [ask.value]}

    def rule(ask: Ask) -> Answer:
        if ask.of("subnets") == 1:
            return Answer(note="of subnets above 1", fate=Fate.NO_EFFECT)
        answer = _of_kind(kind, keys)(ask)
        return Answer(answer.keys) if answer.keys or answer.fate is not Fate.NO_EFFECT else answer

    return Row(f"{kind}_subnet", Kind.WHOLE, "0", rule, section="traffic")


def _outstanding(ask: Ask) -> Answer:
    return Answer(note="of sim_type = batch; traffic.outstanding bounds requests under way here", fate=Fate.NO_EFFECT)


def _classes(ask: Ask) -> Answer:
    if ask.value == 1 and not any(stream.name for stream in ask.all.streams()):
        return Answer(fate=Fate.SAME)
    note = "a queue for each class at every node; BookSim's send a flit of each in turn, Braid's a packet"
    return Answer({"interface.scheduler": "classes"}, note, Fate.DIFFERS)


_TRAFFIC = {"by_class": True, "section": "traffic"}
ROWS = [
    Row("classes", Kind.WHOLE, "1", _classes, section="interface"),
    Row("class_priority", Kind.WHOLE, "0", without_effect("of priority = class, which Braid has not"), **_TRAFFIC),
    Row("traffic", Kind.WORD, "uniform", _pattern, **_TRAFFIC),
    Row("perm_seed", Kind.WORD, "0", without_effect("of traffic = randperm, which Braid has not"), section="traffic"),
    Row("packet_size", Kind.WORD, "1", _length, **_TRAFFIC),
    Row("packet_size_rate", Kind.WORD, "1", _size_rate, **_TRAFFIC),
    Row("injection_rate", Kind.NUMBER, "0.1", _rate, **_TRAFFIC),
    Row(
        "injection_rate_uses_flits",
        Kind.WHOLE,
        "0",
        lambda ask: Answer(note="traffic.rate_flits_per_node_cycle, above"),
        section="traffic",
    ),
    Row("injection_process", Kind.WORD, "bernoulli", _process, **_TRAFFIC),
    Row("burst_alpha", Kind.NUMBER, "0.5", _burst, section="traffic"),
    Row("burst_beta", Kind.NUMBER, "0.5", _burst, section="traffic"),
    Row("burst_r1", Kind.NUMBER, "-1.0", _burst, section="traffic"),
    Row("use_read_write", Kind.WHOLE, "0", _read_write, **_TRAFFIC),
    Row("write_fraction", Kind.NUMBER, "0.5", _write_fraction, **_TRAFFIC),
    Row("max_outstanding_requests", Kind.WHOLE, "0", _outstanding, section="traffic"),
    Row(
        "batch_size", Kind.WHOLE, "1000", without_effect("of sim_type = batch, which Braid has not"), section="traffic"
    ),
    Row("batch_count", Kind.WHOLE, "1", without_effect("of sim_type = batch, which Braid has not"), section="traffic"),
    *map(_size_of, ("read_request", "write_request", "read_reply", "write_reply")),
    *_range_of("read_request", "0", "5"),
    *_range_of("write_request", "2", "7"),
    *_range_of("read_reply", "8", "13"),
    *_range_of("write_reply", "10", "15"),
    *map(_subnet_of, ("read_request", "read_reply", "write_request", "write_reply")),
]
