"""Every row of the table against a planted value: what becomes of it, or why nothing does."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from braid.booksim.importing import experiment_of, imported
from braid.booksim.keys import ROWS, embedding, reports
from braid.booksim.table import Kind
from braid.errors import InputError
from braid.experiment import flat

BASE = """// the least that says a network
topology = mesh; k = 4; n = 2; routing_function = dor;
"""
#: Two words: the planted one, and those that it needs.
READS = ("use_read_write=1", "write_fraction=0.0")
WRITES = ("use_read_write=1", "write_fraction=1.0")
TREE = ("topology=fattree", "routing_function=nca", "n=3")
BY_QUEUES = ("topology=mesh", "routing_function=adaptive_xy_yx")
AGES = ("vc_allocator=separable_input_first", "sw_allocator=separable_input_first")
SEPARABLE = ("vc_allocator=separable_input_first",)
ON_OFF = ("injection_process=on_off",)

FLY = ("topology=dragonflynew", "routing_function=min", "n=1")

#: A planted word, the words that it needs, and what changes in the experiment.
BECOMES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    (
        "topology=torus",
        ("routing_function=dim_order",),
        {
            "topology.kind": "torus",
            "topology.link_latency_cycles": 2,
            "routing.datelines": "one",
            "routing.ties": "drawn",
        },
    ),
    ("topology=fattree", ("routing_function=nca", "n=3"), {"topology.kind": "k_ary_n_tree"}),
    (
        "topology=fly",
        ("routing_function=dest_tag", "n=1", "k=36"),
        {"topology.kind": "flattened_butterfly", "topology.sizes": [1], "topology.concentration": 36},
    ),
    (
        "topology=fly",
        ("routing_function=dest_tag", "n=3", "k=4"),
        {
            "topology.kind": "butterfly",
            "topology.arity": 4,
            "topology.stages": 3,
            "routing.algorithm": "destination_tag",
        },
    ),
    (
        "topology=dragonflynew",
        FLY[1:],
        {
            "topology.kind": "dragonfly",
            "topology.routers_per_group": 8,
            "topology.global_ports": 4,
            "topology.nodes_per_router": 4,
            "topology.global_links": "absolute",
            "topology.link_latency_cycles": 10,
            "topology.global_latency_cycles": 100,
            "routing.algorithm": "dragonfly_minimal",
            "routing.phase_vcs": "one_each",
        },
    ),
    ("k=2", FLY, {"topology.routers_per_group": 4, "topology.global_ports": 2, "topology.nodes_per_router": 2}),
    ("k=6", (), {"topology.width": 6, "topology.height": 6}),
    ("k=6", TREE, {"topology.arity": 6}),
    ("n=1", (), {"topology.height": 1}),
    ("n=4", TREE[:2], {"topology.levels": 4}),
    ("n=3", (), {"topology.kind": "cube", "topology.sizes": [4, 4, 4], "routing.algorithm": "dimension_order"}),
    (
        "topology=torus",
        ("n=1", "routing_function=dim_order"),
        {
            "topology.kind": "cube",
            "topology.sizes": [4],
            "topology.wrap": True,
            "topology.link_latency_cycles": 2,
            "routing.algorithm": "dimension_order",
        },
    ),
    ("use_noc_latency=0", ("topology=torus", "routing_function=dim_order"), {"topology.link_latency_cycles": 1}),
    ("routing_function=anca", TREE[:1], {"routing.algorithm": "tree_two_choices"}),
    ("routing_function=nca", TREE[:1], {"routing.algorithm": "tree_drawn"}),
    ("routing_function=xy_yx", (), {"routing.algorithm": "xy_yx"}),
    ("routing_function=adaptive_xy_yx", (), {"routing.algorithm": "adaptive_xy_yx"}),
    ("routing_function=min_adapt", (), {"routing.algorithm": "minimal_adaptive"}),
    ("routing_function=dim_order_bal", ("topology=torus",), {"routing.datelines": "two_drawn"}),
    (
        "routing_function=romm",
        (),
        {"topology.kind": "cube", "topology.sizes": [4, 4], "routing.algorithm": "romm"},
    ),
    (
        "routing_function=valiant",
        ("topology=torus",),
        {
            "topology.kind": "cube",
            "topology.sizes": [4, 4],
            "topology.wrap": True,
            "routing.algorithm": "valiant",
        },
    ),
    ("num_vcs=5", (), {"router.vcs": 5}),
    ("vc_buf_size=3", (), {"router.buffer_depth": 3}),
    ("buf_size=80", (), {"router.buffer_depth": 5}),
    (
        "buffer_policy=shared",  # 16 VCs of 8
        (),
        {"router.buffers": "shared", "router.reserved_depth": 1, "router.shared_depth": 112},
    ),
    (
        "buf_size=20",
        ("buffer_policy=shared", "num_vcs=4", "private_bufs=4", "private_buf_size=2"),
        {"router.shared_depth": 12},
    ),
    ("routing_delay=0", (), {"router.lookahead": True}),
    ("credit_delay=2", (), {"router.credit_delay_cycles": 3}),
    ("input_speedup=2", (), {"router.input_speedup": 2}),
    ("output_speedup=3", (), {"router.output_speedup": 3}),
    ("internal_speedup=1.5", (), {"router.internal_speedup": 1.5}),
    ("output_buffer_size=4", ("output_speedup=2",), {"router.output_buffer": 4}),
    ("output_buffer_size=5", ("internal_speedup=2.0",), {"router.output_buffer": 5}),
    (
        "vc_allocator=separable_input_first",
        (),
        {"router.vc_allocator": "separable_input_first", "router.arbiter": "round_robin"},
    ),
    (
        "sw_allocator=separable_input_first",
        (),
        {"router.switch_allocator": "separable_input_first", "router.arbiter": "round_robin"},
    ),
    ("sw_allocator=islip(3)", SEPARABLE, {"router.islip_iterations": 3}),
    ("sw_allocator=wavefront", (), {"router.switch_allocator": "wavefront"}),
    ("sw_allocator=max_size", (), {"router.switch_allocator": "maximum_size"}),
    ("sw_allocator=pim(2)", SEPARABLE, {"router.switch_allocator": "pim", "router.pim_iterations": 2}),
    ("vc_allocator=islip(3)", ("sw_allocator=islip(3)",), {"router.islip_iterations": 3}),
    ("arb_type=matrix", SEPARABLE, {"router.arbiter": "matrix"}),
    ("priority=age", AGES, {"router.arbiter": "oldest_first"}),
    ("traffic=transpose", (), {"traffic.pattern": "bit_transpose"}),
    ("traffic=neighbor", (), {"traffic.pattern": "neighbour"}),
    ("traffic=bad_dragon", FLY, {"traffic.pattern": "next_group"}),
    (
        "traffic=hotspot({{1,2},{3,1}})",
        (),
        {"traffic.pattern": "hot_spot", "traffic.hot_fraction": 1.0, "traffic.hot_nodes": [1, 1, 1, 2]},
    ),
    ("traffic=hotspot", (), {"traffic.pattern": "hot_spot", "traffic.hot_fraction": 1.0}),
    ("packet_size=5", (), {"traffic.flits": 5, "traffic.rate_flits_per_node_cycle": 0.5}),
    (
        "packet_size={{1,5}}",
        ("packet_size_rate={{3,1}}",),
        {
            "traffic.length": "bimodal",
            "traffic.short_flits": 1,
            "traffic.long_flits": 5,
            "traffic.long_fraction": 0.25,
            "traffic.rate_flits_per_node_cycle": 0.2,
        },
    ),
    (
        "packet_size={{2,3,4}}",
        (),
        {
            "traffic.length": "uniform",
            "traffic.min_flits": 2,
            "traffic.max_flits": 4,
            "traffic.rate_flits_per_node_cycle": pytest.approx(0.3),
        },
    ),
    (
        "packet_size_rate={{1,3}}",
        ("packet_size={{1,5}}",),
        {"traffic.long_fraction": 0.75, "traffic.rate_flits_per_node_cycle": 0.4},
    ),
    ("injection_rate=0.3", (), {"traffic.rate_flits_per_node_cycle": 0.3}),
    ("injection_rate_uses_flits=1", ("packet_size=5",), {"traffic.rate_flits_per_node_cycle": pytest.approx(0.1)}),
    (
        "injection_process=on_off",
        (),
        {"traffic.process": "on_off", "traffic.on_cycles": 2.0, "traffic.off_cycles": 2.0},
    ),
    ("burst_alpha=0.1", ON_OFF, {"traffic.off_cycles": 10.0}),
    ("burst_beta=0.2", ON_OFF, {"traffic.on_cycles": 5.0}),
    # a rate of 0.1 at 0.4 in bursts: on for a quarter of the time
    ("burst_r1=0.4", (*ON_OFF, "burst_alpha=-1"), {"traffic.off_cycles": pytest.approx(6.0)}),
    ("read_request_size=3", READS, {"traffic.flits": 3, "traffic.rate_flits_per_node_cycle": pytest.approx(0.3)}),
    ("read_reply_size=3", READS, {"traffic.reply_flits": 3}),
    ("write_request_size=3", WRITES, {"traffic.flits": 3, "traffic.rate_flits_per_node_cycle": pytest.approx(0.3)}),
    ("write_reply_size=3", WRITES, {"traffic.reply_flits": 3}),
    ("read_request_begin_vc=1", READS, {"traffic.vcs": [1, 5]}),
    ("read_request_end_vc=-1", READS, {"traffic.vcs": [0, 7]}),
    ("write_request_begin_vc=-1", WRITES, {"traffic.vcs": [0, 7]}),
    ("write_request_end_vc=6", WRITES, {"traffic.vcs": [2, 6]}),
    ("read_reply_begin_vc=9", READS, {"traffic.reply_vcs": [9, 13]}),
    ("read_reply_end_vc=-1", READS, {"traffic.reply_vcs": [8, 15]}),
    ("write_reply_begin_vc=-1", WRITES, {"traffic.reply_vcs": [8, 15]}),
    ("write_reply_end_vc=12", WRITES, {"traffic.reply_vcs": [10, 12]}),
    ("subnets=3", (), {"network.subnets": 3, "traffic.subnets": [0, 1, 2]}),
    *(
        (
            f"{kind}_{which}_subnet=1",
            (*needs, "subnets=2"),
            {
                "network.subnets": 2,
                "traffic.subnets": [int(which == "request")],
                "traffic.reply_subnets": [int(which == "reply")],
            },
        )
        for kind, needs in (("read", READS), ("write", WRITES))
        for which in ("request", "reply")
    ),
    (
        "sample_period=500",
        (),
        {
            "simulation.batch_cycles": 500,
            "simulation.min_warmup_cycles": 1500,
            "simulation.measure_cycles": 3500,
        },
    ),
    ("warmup_periods=5", (), {"simulation.min_warmup_cycles": 5000, "simulation.measure_cycles": 5000}),
    (
        "warmup_periods=60",
        (),
        {
            "simulation.min_warmup_cycles": 60000,
            "simulation.max_warmup_cycles": 60000,
            "simulation.measure_cycles": 3000,
        },
    ),
    ("max_samples=30", (), {"simulation.measure_cycles": 27000}),
    ("warmup_thres=0.1", ("warmup_periods=0",), {"simulation.warmup_tolerance": 0.1}),
    ("seed=7", (), {"experiment.seed": 7}),
    ("flit_size=16", (), {"energy.flit_bits": 128}),
]
#: A planted word, the words that it needs, and what is said of it beside the key; the experiment is the same.
SAID: list[tuple[str, tuple[str, ...], str]] = [
    ("subnets=2", READS, "has no effect: no packet takes any but the first"),
    ("routing_delay=0", BY_QUEUES, "differs: the route is found a router ahead"),
    ("wait_for_tail_credit=1", (), "differs: a VC is free when the tail's credit is back"),
    ("hold_switch_for_packet=1", (), "has no effect: packets are one flit long"),
    ("output_buffer_size=4", (), "has no effect: without speed-up"),
    (
        "routing_delay=0",
        (*TREE[:1], "n=3", "routing_function=anca", "internal_speedup=2.0"),
        "differs: the route is found a router ahead (lookahead): a router takes a step less of internal_speedup there",
    ),
    ("output_delay=3", (), "has no effect"),
    ("include_queuing=0", (), "differs: Braid's packet latency has the wait at the source"),
    ("sim_type=throughput", (), "differs: BookSim does not wait"),
    ("sim_type=gpgpusim", (), "differs: there the packets come from a GPU simulator"),
    ("xr=2", (), "has no effect"),
    ("alloc_iters=3", (), "has no effect: BookSim hands it to no allocator"),
    ("arb_type=matrix", (), "has no effect: iSLIP"),
    ("burst_alpha=0.1", (), "has no effect: of injection_process"),
    ("burst_beta=0.1", (), "has no effect: of injection_process"),
    ("burst_r1=0.1", (), "has no effect: of injection_process"),
    ("use_noc_latency=0", (), "has no effect: only a torus and concentrated topologies"),
    ("use_noc_latency=0", FLY, "has no effect: BookSim's dragonflies do not read it"),
    (
        "routing_function=min",
        FLY,
        "differs: VC 0 before the link between groups, VC 1 from it on, as in BookSim; of the injection link's VCs",
    ),
    ("write_fraction=0.25", (), "has no effect: of use_read_write"),
    ("packet_size_rate=3", (), "has no effect: packets have one length"),
    ("warmup_thres=0.2", (), "has no effect: of warmup_periods"),
    ("seed=time", (), "differs: Braid draws no seed from the clock"),
    *(
        (f"{key}=7", (), "has no effect")
        for key in ("c", "x", "y", "yr", "limit", "fail_seed", "in_ports", "out_ports")
    ),
    *((f"{key}=some", (), "has no effect") for key in ("channel_file", "network_file", "spec_sw_allocator")),
    *((f"{key}=7", (), "has no effect") for key in ("vc_priority_donation", "spec_check_elig", "spec_check_cred")),
    *((f"{key}=7", (), "has no effect") for key in ("spec_mask_by_reqs", "private_bufs", "private_buf_size", "vct")),
    *((f"{key}=7", (), "has no effect") for key in ("private_buf_start_vc", "private_buf_end_vc", "max_held_slots")),
    *((f"{key}=7", (), "has no effect") for key in ("feedback_aging_scale", "feedback_offset", "class_priority")),
    *((f"{key}=7", (), "has no effect") for key in ("perm_seed", "max_outstanding_requests", "batch_size")),
    *((f"{key}=7", (), "has no effect") for key in ("batch_count", "acc_warmup_thres", "stopping_thres")),
    *((f"{key}=7", (), "has no effect") for key in ("acc_stopping_thres", "latency_thres", "sim_count")),
    *((f"{key}=7", (), "has no effect") for key in ("measure_stats", "deadlock_warn_timeout")),
    *((f"{kind}_subnet=1", (), "has no effect") for kind in ("read_request", "read_reply")),
    *((f"{kind}_subnet=1", (), "has no effect") for kind in ("write_request", "write_reply")),
    *((f"{kind}_size=3", (), "has no effect: of use_read_write") for kind in ("read_request", "write_reply")),
    *(
        (f"{row.key}={'7' if row.kind is not Kind.WORD else 'some'}", (), "has no effect")
        for row in [*reports.ROWS, *embedding.ROWS]
        if row.key != "flit_size"
    ),
]
#: A planted word, and the reason for which it is refused.
REFUSED: list[tuple[str, tuple[str, ...], str]] = [
    (
        "topology=qtree",
        (),
        "Braid has no quad tree; expected one of mesh, torus, fattree, anynet, dragonflynew, fly, cmesh, flatfly",
    ),
    ("topology=dragonfly", (), 'no topology is called "dragonfly" (did you mean "dragonflynew"?)'),
    ("k=17", FLY, "those of Braid's at most 64; expected 1 to 16"),
    ("k=0", FLY, "expected 1 to 16"),
    ("n=2", FLY[:2], "join all routers of a group; expected 1"),
    ("routing_function=ugal", (FLY[0], FLY[2]), "goes by an intermediate router"),
    ("routing_function=min", (*FLY, "use_read_write=1"), "reads and writes share VC 0 and VC 1 of a dragonfly"),
    ("routing_function=min", (*FLY, "num_vcs=1"), "take VC 0 and VC 1; num_vcs = 1, expected 2 or more"),
    ("network_file=none", ("topology=anynet", "routing_function=min"), "cannot be read"),
    ("topology=tors", (), 'no topology is called "tors" (did you mean "torus"?)'),
    ("n=9", (), "Braid's networks have 1 to 8 dimensions"),
    ("n=0", ("topology=torus", "routing_function=dim_order"), "Braid's networks have 1 to 8 dimensions"),
    ("routing_function=xy_yx", ("num_vcs=3",), "on an odd number of VCs, 3, BookSim's packets lose their order"),
    ("routing_function=xy_yx", ("topology=torus",), "BookSim has it on meshes"),
    ("routing_function=min_adapt", ("n=3",), "min_adapt is in Braid in two dimensions only"),
    ("n=17", ("topology=fly", "routing_function=dest_tag"), "Braid's butterflies have 1 to 16 stages"),
    ("xr=2", ("traffic=tornado",), "packets would leave the network"),
    (
        "subnets=3",
        (*READS, "read_reply_subnet=1"),
        "no packet takes subnet 2; expected as many subnets as packets take",
    ),
    ("read_reply_subnet=2", (*READS, "subnets=2", "read_request_subnet=1"), "expected 0 to 1, subnets = 2"),
    ("physical_subnetworks=2", (), "Braid has one network"),
    ("link_failures=1", (), "BookSim draws which links fail"),
    (
        "routing_function=romm",
        ("topology=torus",),
        "BookSim has it on meshes; on topology = torus expected one of dim_order, valiant",
    ),
    ("routing_function=valiant_ni", (), "VCs by destination are not in Braid"),
    ("routing_function=dro", (), 'no such function (did you mean "dor"?)'),
    ("router=event", (), "input-queued router only"),
    ("vc_allocator=piggyback", (), "speculates in its own way"),
    ("sw_allocator=islip(2)", (), "Braid's iSLIP does as many iterations in both; vc_allocator = islip"),
    ("vc_allocator=islip(x)", (), "expected islip(N)"),
    (
        "sw_allocator=loa",
        (),
        "no such allocator; expected one of islip, separable_input_first, wavefront, pim, max_size",
    ),
    ("vc_allocator=wavefront", (), "for the switch alone; expected one of islip, separable_input_first"),
    ("sw_allocator=pim(two)", (), "expected pim(N)"),
    ("arb_type=tree(4,round_robin)", SEPARABLE, "Braid has no tree of arbiters"),
    ("credit_delay=-1", (), "expected 0 or more"),
    ("routing_delay=2", (), "one cycle for this stage; expected 1 or 0"),
    *((f"{key}=2", (), "one cycle for this stage") for key in ("vc_alloc_delay", "sw_alloc_delay", "st_final_delay")),
    ("st_prepare_delay=1", (), "one cycle for this stage; expected 0"),
    *((f"{key}_speedup=17", (), "1 to 16 times the links' speed") for key in ("input", "output", "internal")),
    ("internal_speedup=0.5", (), "1 to 16 times the links' speed"),
    ("output_buffer_size=0", (), "nothing would leave a router"),
    ("hold_switch_for_packet=1", ("packet_size=4",), "allocated flit by flit"),
    ("wait_for_tail_credit=2", (), "expected 0 or 1"),
    *((f"{key}=1", (), "Braid") for key in ("vc_busy_when_full", "vc_prioritize_empty", "vc_shuffle_requests", "noq")),
    ("speculative=1", (), "speculates in its own way"),
    ("buffer_policy=limited", (), "without further limits; expected private or shared"),
    ("buffer_policy=shared", ("private_bufs=1",), "private_bufs = 1: each of Braid's VCs has places of its own"),
    ("buffer_policy=shared", ("private_buf_size=0",), "keeps at least one place of 128"),
    ("buffer_policy=shared", ("private_buf_size=8",), "and at least one is shared"),
    ("buffer_policy=shared", ("private_buf_size={1,2}",), "expected one number"),
    ("buffer_policy=shared", ("private_buf_start_vc=0",), "private_buf_start_vc = 0"),
    ("buffer_policy=shared", ("private_buf_end_vc=1",), "private_buf_end_vc = 1"),
    ("buf_size=0", (), "a router without buffers"),
    ("priority=class", (), "a packet's age; expected none or age"),
    ("priority=age", ("vc_allocator=islip",), "vc_allocator = islip: Braid's knows no ages"),
    ("priority=age", (*SEPARABLE, "sw_allocator=wavefront"), "expected separable_input_first beside priority = age"),
    ("priority=age", (*AGES, "arb_type=matrix"), "arb_type = matrix: Braid's knows no ages"),
    ("classes=0", (), "expected 1 to 16"),
    ("traffic=randperm", (), "write a permutation into a file"),
    ("traffic=unifrm", (), 'no pattern has that name (did you mean "uniform"?)'),
    ("traffic=hotspot({{1,-1}})", (), "of several hot spots"),
    ("traffic=hotspot({{a}})", (), "expected nodes, whole numbers"),
    ("traffic=bad_dragon", (), "that of a dragonfly, topology = dragonflynew"),
    ("traffic=bad_dragon({4,1})", FLY, "and no parameters"),
    ("traffic=tornado", TREE, "Braid has it for meshes and tori"),
    ("traffic=tornado({4,2,1})", (), "expected no parameters"),
    ("packet_size={{1,2,9}}", (), "Braid has packets of one length"),
    ("packet_size=0", (), "expected packets of 1 to 65535 flits"),
    ("injection_rate=1.5", (), "0 to 1 packets a cycle"),
    ("injection_process=poisson", (), "expected bernoulli or on_off"),
    ("burst_alpha=0.0", ON_OFF, "expected chances above 0"),
    ("burst_r1=0.4", ON_OFF, "expected two of burst_alpha, burst_beta, burst_r1"),
    ("write_fraction=1.5", (), "expected 0 to 1"),
    ("read_request_end_vc=20", READS, "expected a range within 0 to 15"),
    ("read_reply_size=0", READS, "expected 1 to 65535 flits"),
    ("sim_type=batch", (), "Braid has no batch mode"),
    ("warmup_periods=-1", (), "expected 0 or more"),
    ("seed=-3", (), "expected a whole number, 0 or more"),
    ("k=2.5", (), "expected a whole number"),
    ("latency_thres=high", (), "expected a number"),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "base.cfg"
    path.write_text(BASE)
    return str(path)


def keys_of(*words: str) -> Mapping[str, Any]:
    sections = tomllib.loads(experiment_of(words)[0].text)
    return flat(sections)


def comments_of(*words: str) -> str:
    lines = experiment_of(words)[0].lines
    return " ".join(line.partition("#")[2].strip() for line in lines)


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in after.items() if before.get(key) != value}


@pytest.mark.parametrize(("word", "needs", "expected"), BECOMES, ids=lambda value: str(value)[:40])
def test_what_a_key_becomes(file: str, word: str, needs: tuple[str, ...], expected: dict[str, Any]) -> None:
    key = word.partition("=")[0]
    others = [one for one in needs if not one.startswith(f"{key}=")]
    try:
        before = keys_of(file, *others)
    except InputError:  # what it needs does without it no more than it without them
        before = {}
    after = keys_of(file, *needs, word)
    assert {name: after[name] for name in expected} == expected
    if before:
        assert set(changed(before, after)) == set(expected)
    assert f"{key} = " in comments_of(file, *needs, word)


@pytest.mark.parametrize(("word", "needs", "said"), SAID, ids=lambda value: str(value)[:40])
def test_what_is_said_of_a_key_that_changes_nothing(file: str, word: str, needs: tuple[str, ...], said: str) -> None:
    key, _, value = word.partition("=")
    assert f"{key} = {value} {said}" in comments_of(file, *needs, word)
    assert keys_of(file, *needs, word) == keys_of(file, *needs)


@pytest.mark.parametrize(("word", "needs", "why"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_refused_and_why(file: str, word: str, needs: tuple[str, ...], why: str) -> None:
    with pytest.raises(InputError) as error:
        experiment_of([file, *needs, word])
    assert why in str(error.value)
    assert str(error.value).startswith(f"{word}: ")


def test_every_row_is_planted() -> None:
    planted = {word.partition("=")[0] for word, _, _ in [*BECOMES, *SAID, *REFUSED]}
    assert planted >= set(ROWS) - {"use_read_write", "classes", "routing_function"}  # each has a test below or above
    assert planted <= set(ROWS)


def test_every_default_is_of_its_kind_and_needs_no_line(file: str) -> None:
    """The file says four keys; of the others only those that differ from Braid's network are mentioned."""
    given = {"topology", "k", "n", "routing_function"}
    for line in experiment_of([file])[0].lines:
        assert "has no effect" not in line
    for row in ROWS.values():
        if row.key in given or row.default == "":
            continue
        quiet = keys_of(file, f"{row.key}={row.default}")
        if row.key != "flit_size":  # a key of those who embed BookSim
            assert quiet == keys_of(file), row.key


def test_what_is_mapped_is_good(file: str) -> None:
    """Braid's own check of many keys at once."""
    words = ["num_vcs=8", "vc_buf_size=5", "credit_delay=2", "arb_type=matrix", "traffic=tornado"]
    words += ["packet_size={{1,5}}", "injection_process=on_off", "seed=3", "sw_allocator=separable_input_first"]
    imported([file, *words], "all.toml")


def test_reads_and_writes_are_two_classes(file: str) -> None:
    words = ["use_read_write=1", "write_fraction=0.25", "write_request_size=5", "injection_rate=0.1"]
    words += ["write_request_begin_vc=0", "write_request_end_vc=5", "write_reply_begin_vc=8", "write_reply_end_vc=13"]
    read, write = tomllib.loads(imported([file, *words], "two.toml").text)["traffic"]
    assert (read["name"], read["rate_flits_per_node_cycle"], read["flits"]) == ("read", 0.075, 1)
    assert (write["name"], write["rate_flits_per_node_cycle"], write["flits"]) == ("write", 0.125, 5)
    assert read["vcs"] == write["vcs"] == [0, 5]
    assert read["reply_vcs"] == write["reply_vcs"] == [8, 13]
    assert read["request_reply"] and write["request_reply"]


def test_classes_have_values_of_their_own(file: str) -> None:
    words = ["classes=3", "injection_rate={0.1,0.2}", "packet_size={{1,3},4}", "traffic={uniform,hotspot({{1,2}})}"]
    sections = tomllib.loads(imported([file, *words], "three.toml").text)
    first, second, third = sections["traffic"]
    assert [one["name"] for one in (first, second, third)] == ["class0", "class1", "class2"]
    assert (first["length"], second["flits"], third["flits"]) == ("bimodal", 4, 4)
    assert first["rate_flits_per_node_cycle"] == pytest.approx(0.2)
    assert third["rate_flits_per_node_cycle"] == pytest.approx(0.8)
    assert (second["hot_nodes"], third["hot_nodes"]) == ([1, 2], [1, 2])
    assert sections["interface"]["scheduler"] == "classes"


def test_several_refusals_are_named_in_one_line(file: str) -> None:
    with pytest.raises(InputError) as error:
        experiment_of([file, "vc_prioritize_empty=1", "priority=class", "topology=qtree"])
    line = str(error.value)
    assert line.startswith("topology=qtree: Braid has no quad tree")
    assert line.endswith("refused, too: vc_prioritize_empty, priority")
    assert "routing_function" not in line  # it hangs on the topology
