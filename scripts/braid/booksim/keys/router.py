"""The input-queued router: buffers, credits, pipeline, allocators."""

from __future__ import annotations

from dataclasses import replace

from braid.booksim.table import WHOLE, Answer, Ask, Fate, Kind, Row, becomes, differs, named, only, without_effect

_AHEAD = (
    "the route is found a router ahead (lookahead): a head takes 4 cycles a router there, 5 here, "
    "so a packet over R routers takes R cycles longer here"
)
_AHEAD_IN_STEPS = (
    "the route is found a router ahead (lookahead): a router takes a step less of internal_speedup there, "
    "also of a head behind a tail, which tells most with one VC"
)
#: Routing functions that look at queues, of which Braid's routers know when the head is there.
BY_QUEUES = ("adaptive_xy_yx", "anca")
_STAGES = "Braid's pipeline has one cycle for this stage"
_MOST_SPEEDUP = 16
_STEPS = "of each stage of a router, as in BookSim: a hop takes 1 + 4 / internal_speedup cycles, rounded up"
_NOT_PRIVATE = "of shared buffers; buffer_policy is private"
_NOT_LIMITED = "of other policies; buffer_policy is private or shared"
_BYPASS = "bypass: as in BookSim a body flit may have the switch in the cycle of its buffer write"
_POOL = "router.reserved_depth and router.shared_depth, above"
_HELD = (
    "BookSim keeps a place that a VC's only flit leaves for the rest of its packet; "
    "here it goes back to the pool, where it is the pool's"
)
_ALLOCATORS = {"islip": "islip", "separable_input_first": "separable_input_first"}
_KNOWS_AGES = "separable_input_first"
_MATCHINGS = {"wavefront": "wavefront", "pim": "pim", "max_size": "maximum_size"}  # Braid has them for the switch
_OTHER_ALLOCATORS = {
    name: "Braid has no such allocator" for name in ("separable_output_first", "loa", "rr_wavefront", "select", "prio")
} | {"piggyback": "Braid speculates in its own way (router.speculative), which was not compared"}
_NO_MATCHING_OF_VCS = dict.fromkeys(_MATCHINGS, "Braid has this allocator for the switch alone")
_MATCHING = (
    "a matching of the same kind; which of equal ones is another: Braid's first diagonal, draws and order are its own"
)
_SEPARABLE_VA = (
    "of a head's candidates Braid asks for the port with the most credits, BookSim's arbiters take a VC in turn"
)


def _buffers(ask: Ask) -> Answer:
    """The other way to say it, buf_size, goes before."""
    if ask.of("buffer_policy") == "shared":
        return Answer({"router.buffer_bypass": True}, f"places: buffer_policy; {_BYPASS}")
    shared = ask.of("buf_size")
    depth = shared // max(1, ask.of("num_vcs")) if shared > 0 else ask.value
    keys = {"router.buffer_depth": depth, "router.buffer_bypass": True}
    divided = "buf_size divided by num_vcs; " if shared > 0 else ""
    return Answer(keys, divided + _BYPASS)


def _shared_size(ask: Ask) -> Answer:
    if ask.value == 0 or ask.value < -1:
        ask.refuse("a router without buffers; expected -1 (vc_buf_size counts) or flits a port")
    if ask.of("buffer_policy") == "shared":
        return Answer(note=_POOL)
    return (
        Answer(note="router.buffer_depth, above")
        if ask.value > 0
        else Answer(note="vc_buf_size counts", fate=Fate.NO_EFFECT)
    )


def _whole(ask: Ask, key: str) -> int:
    """A key that BookSim also reads as a list, {a,b}: one number for all."""
    text = str(ask.of(key))
    if not WHOLE.fullmatch(text):
        ask.refuse(f"{key} = {text}: each of Braid's VCs has as many places of its own; expected one number")
    return int(text)


def _policy(ask: Ask) -> Answer:
    """Of buf_size places a port each VC keeps private_buf_size, the others are shared."""
    if ask.value == "private":
        return Answer(fate=Fate.SAME)
    if ask.value != "shared":
        ask.refuse("Braid's VCs share a pool without further limits; expected private or shared")
    vcs, own = ask.of("num_vcs"), _whole(ask, "private_buf_size")
    places = ask.of("buf_size")
    places = vcs * ask.of("vc_buf_size") if places < 0 else places
    if ask.of("private_bufs") not in (-1, vcs):
        ask.refuse(f"private_bufs = {ask.of('private_bufs')}: each of Braid's VCs has places of its own; expected -1")
    for key in ("private_buf_start_vc", "private_buf_end_vc"):
        if ask.of(key) != "-1":
            ask.refuse(f"{key} = {ask.of(key)}: each of Braid's VCs has places of its own; expected -1")
    if own < 1 or places <= vcs * own:
        ask.refuse(
            f"private_buf_size = {own}: each of Braid's {vcs} VCs keeps at least one place of {places}, and at least "
            "one is shared; expected 1 or more, and less in all than the port has"
        )
    keys = {"router.buffers": "shared", "router.reserved_depth": own, "router.shared_depth": places - vcs * own}
    return Answer(keys, _HELD, Fate.DIFFERS)


def _of_pool(ask: Ask) -> Answer:
    if ask.of("buffer_policy") == "shared":
        return Answer(note=_POOL)
    return Answer(note=_NOT_PRIVATE, fate=Fate.NO_EFFECT)


def _credit_delay(ask: Ask) -> Answer:
    if ask.value == 0:
        note = (
            "0 would be 1 here, and Braid's least is 2: a credit loop longer by a cycle, which tells on small buffers"
        )
        return Answer({"router.credit_delay_cycles": 2}, note, Fate.DIFFERS)
    if ask.value < 0:
        ask.refuse("expected 0 or more")
    note = "Braid counts from the flit's ST until its credit counts, the credit's wire of a cycle included: one more"
    return Answer({"router.credit_delay_cycles": ask.value + 1}, note)


def _routing_delay(ask: Ask) -> Answer:
    """What its absence costs hangs on how many stages a cycle has."""
    if ask.value == 0 and ask.of("routing_function") not in BY_QUEUES:
        return Answer({"router.lookahead": True}, "the route is found a router ahead (lookahead)")
    ahead = _AHEAD if ask.of("internal_speedup") == 1 else _AHEAD_IN_STEPS
    answers = {1: Answer(fate=Fate.SAME), 0: Answer(note=ahead, fate=Fate.DIFFERS)}
    return differs(answers, otherwise=_STAGES)(ask)


def _speed(ask: Ask) -> Answer:
    """Ports of the crossbar for a port of the router, or steps of the pipeline a cycle."""
    if not 1 <= ask.value <= _MOST_SPEEDUP:
        ask.refuse(f"Braid's crossbar runs at 1 to {_MOST_SPEEDUP} times the links' speed; expected such a number")
    if ask.value == 1:
        return Answer(fate=Fate.SAME)
    return Answer({f"router.{ask.key}": ask.value}, _STEPS if ask.key == "internal_speedup" else "")


def _name_of(allocator: str) -> str:
    """islip of islip(2)."""
    return allocator.partition("(")[0]


def _iterations_of(ask: Ask, key: str) -> int:
    """BookSim's iSLIP and PIM do as many as their name says in brackets, one without (NewAllocator has no options)."""
    inside = ask.of(key).partition("(")[2].removesuffix(")")
    if inside and not WHOLE.fullmatch(inside):
        ask.refuse(f"expected {_name_of(ask.of(key))}(N) with a number of iterations")
    return int(inside or 1)


def _allocator(ask: Ask) -> Answer:
    """`ask` is that of vc_allocator or of sw_allocator; both have Braid's one number of iterations."""
    name, key = _name_of(ask.value), f"router.{'vc' if ask.key == 'vc_allocator' else 'switch'}_allocator"
    if ask.key == "vc_allocator":
        known, others = _ALLOCATORS, _OTHER_ALLOCATORS | _NO_MATCHING_OF_VCS
    else:
        known, others = _ALLOCATORS | _MATCHINGS, _OTHER_ALLOCATORS
    answer = named(key, known, others, what="allocator")(replace(ask, value=name))
    if name in _MATCHINGS:
        rounds = {"router.pim_iterations": _iterations_of(ask, ask.key)} if name == "pim" else {}
        return Answer({**answer.keys, **rounds}, _MATCHING, Fate.DIFFERS)
    if name != "islip":
        return Answer(answer.keys, _SEPARABLE_VA, Fate.DIFFERS) if ask.key == "vc_allocator" else answer
    iterations = _iterations_of(ask, ask.key)
    if ask.key == "sw_allocator" and _name_of(ask.of("vc_allocator")) == "islip":
        if iterations != _iterations_of(ask, "vc_allocator"):
            ask.refuse(f"Braid's iSLIP does as many iterations in both; vc_allocator = {ask.of('vc_allocator')}")
        return answer
    return Answer({**answer.keys, "router.islip_iterations": iterations})


def _priority(ask: Ask) -> Answer:
    """A packet's age is counted from its creation, there as here; what is equally old goes in turn."""
    if ask.value == "none":
        return Answer(fate=Fate.SAME)
    if ask.value != "age":
        ask.refuse("the only priority that Braid's routers know is a packet's age; expected none or age")
    for key, knows in (("arb_type", "round_robin"), *((f"{of}_allocator", _KNOWS_AGES) for of in ("vc", "sw"))):
        if ask.of(key) != knows:
            ask.refuse(f"{key} = {ask.of(key)}: Braid's knows no ages; expected {knows} beside priority = age")
    note = "the age counts up to router.age_bits here, without end there"
    if ask.all.classes == 1:
        return Answer({"router.arbiter": "oldest_first"}, note)
    note += "; classes take turns at a node, where BookSim's oldest goes first"
    return Answer({"router.arbiter": "oldest_first"}, note, Fate.DIFFERS)


def _arbiter(ask: Ask) -> Answer:
    if "separable_input_first" not in (ask.of("vc_allocator"), ask.of("sw_allocator")):
        return Answer(note="iSLIP has round-robin pointers of its own", fate=Fate.NO_EFFECT)
    if ask.of("priority") == "age":
        return Answer(note="the oldest goes first, those of one age in turn: priority, below", fate=Fate.SAME)
    names = {"round_robin": "round_robin", "matrix": "matrix"}
    if ask.value.startswith("tree("):
        ask.refuse("Braid has no tree of arbiters; expected round_robin or matrix")
    return named("router.arbiter", names, {}, what="arbiter")(ask)


def _hold(ask: Ask) -> Answer:
    if ask.value and any(ask.all.value("packet_size", c) != "1" for c in range(ask.all.classes)):
        ask.refuse("Braid's switch is allocated flit by flit; expected 0")
    return Answer(note="packets are one flit long", fate=Fate.NO_EFFECT) if ask.value else Answer(fate=Fate.SAME)


def _output_buffer(ask: Ask) -> Answer:
    if ask.value == 0:
        ask.refuse("nothing would leave a router; expected -1 or more")
    if ask.of("output_speedup") <= 1 and ask.of("internal_speedup") <= 1:
        return Answer(note="without speed-up a flit never waits there", fate=Fate.NO_EFFECT)
    if ask.value < 0:
        return Answer(note="any number of flits, as in Braid", fate=Fate.SAME)
    return Answer({"router.output_buffer": ask.value}, "flits with which the switch grants nothing to an output")


_NO_SPECULATION = without_effect("of speculative = 1")
ROWS = [
    Row(
        "router",
        Kind.WORD,
        "iq",
        only("iq", otherwise="Braid has BookSim's input-queued router only", note='router.architecture = "hybrid"'),
    ),
    Row("num_vcs", Kind.WHOLE, "16", becomes("router.vcs")),
    Row("vc_buf_size", Kind.WHOLE, "8", _buffers),
    Row("credit_delay", Kind.WHOLE, "0", _credit_delay),
    Row("vc_allocator", Kind.WORD, "islip", _allocator),
    Row("sw_allocator", Kind.WORD, "islip", _allocator),
    Row("alloc_iters", Kind.WHOLE, "1", without_effect("BookSim hands it to no allocator; islip(N) does N iterations")),
    Row("arb_type", Kind.WORD, "round_robin", _arbiter),
    Row("routing_delay", Kind.WHOLE, "1", _routing_delay),
    Row("vc_alloc_delay", Kind.WHOLE, "1", only(1, otherwise=_STAGES)),
    Row("sw_alloc_delay", Kind.WHOLE, "1", only(1, otherwise=_STAGES)),
    Row("st_prepare_delay", Kind.WHOLE, "0", only(0, otherwise=_STAGES)),
    Row("st_final_delay", Kind.WHOLE, "1", only(1, otherwise=_STAGES)),
    Row("output_delay", Kind.WHOLE, "0", without_effect("BookSim's input-queued router does not read it")),
    Row("input_speedup", Kind.WHOLE, "1", _speed),
    Row("output_speedup", Kind.WHOLE, "1", _speed),
    Row("internal_speedup", Kind.NUMBER, "1.0", _speed),
    Row("output_buffer_size", Kind.WHOLE, "-1", _output_buffer),
    Row("hold_switch_for_packet", Kind.WHOLE, "0", _hold),
    Row(
        "wait_for_tail_credit",
        Kind.WHOLE,
        "0",
        differs(
            {
                0: Answer(fate=Fate.SAME),
                1: Answer(
                    note="a VC is free when the tail's credit is back; here when the tail has left, so more are free",
                    fate=Fate.DIFFERS,
                ),
            },
            otherwise="not a truth value",
        ),
    ),
    Row(
        "vc_busy_when_full",
        Kind.WHOLE,
        "0",
        only(0, otherwise="Braid's heads ask for VCs whether or not they have credits"),
    ),
    Row("vc_prioritize_empty", Kind.WHOLE, "0", only(0, otherwise="Braid prefers no empty VCs")),
    Row("priority", Kind.WORD, "none", _priority),
    Row("vc_priority_donation", Kind.WHOLE, "0", without_effect("of priorities, and priority is none")),
    Row("vc_shuffle_requests", Kind.WHOLE, "0", only(0, otherwise="Braid's requests come in the order of ports")),
    Row("noq", Kind.WHOLE, "0", only(0, otherwise="Braid has no VCs by next output")),
    Row(
        "speculative",
        Kind.WHOLE,
        "0",
        only(0, otherwise="Braid speculates in its own way (router.speculative), which was not compared"),
    ),
    Row("spec_check_elig", Kind.WHOLE, "1", _NO_SPECULATION),
    Row("spec_check_cred", Kind.WHOLE, "1", _NO_SPECULATION),
    Row("spec_mask_by_reqs", Kind.WHOLE, "0", _NO_SPECULATION),
    Row("spec_sw_allocator", Kind.WORD, "prio", _NO_SPECULATION),
    Row("buffer_policy", Kind.WORD, "private", _policy),
    Row("buf_size", Kind.WHOLE, "-1", _shared_size),
    Row("private_bufs", Kind.WHOLE, "-1", _of_pool),
    Row("private_buf_size", Kind.WORD, "1", _of_pool),
    Row("private_buf_start_vc", Kind.WORD, "-1", _of_pool),
    Row("private_buf_end_vc", Kind.WORD, "-1", _of_pool),
    Row("max_held_slots", Kind.WHOLE, "-1", without_effect(_NOT_LIMITED)),
    Row("feedback_aging_scale", Kind.WHOLE, "1", without_effect(_NOT_LIMITED)),
    Row("feedback_offset", Kind.WHOLE, "0", without_effect(_NOT_LIMITED)),
    Row("vct", Kind.WHOLE, "0", without_effect("of the event-driven router")),
]
