"""The configuration files that are imported, and what is said behind them to run them in both programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """A file, and settings behind it for both programs."""

    file: str  # within BookSim's checkout, or within ONNXim's
    about: (
        float  # what BookSim accepts there in flits a node and cycle, roughly: latencies are compared at shares of it
    )
    words: tuple[str, ...] = ()
    of_onnxim: bool = False
    period: int = 1000  # cycles of a sample: few or long packets need more

    @property
    def name(self) -> str:
        """As the table has it."""
        return " ".join((Path(self.file).name, *self.words))


_MESH = ("topology=mesh", "num_vcs=4", "routing_delay=1")
_ISLIP = ("vc_allocator=islip", "sw_allocator=islip")
_SWITCH_16 = ("k=16", "routing_delay=1")
_SWITCH_52 = ("k=52", "routing_delay=1")
#: Crossbars that are faster than the links, and what BookSim accepts there.
FASTER = (
    Case("src/examples/torus88", 0.42, (*_MESH, "input_speedup=2")),
    Case("src/examples/torus88", 0.42, (*_MESH, "output_speedup=2")),
    Case("src/examples/torus88", 0.42, (*_MESH, "internal_speedup=2.0")),
    Case("src/examples/torus88", 0.42, (*_MESH, "internal_speedup=1.5", "output_buffer_size=4")),
    Case("src/examples/singleconfig", 0.8, (*_SWITCH_16, "input_speedup=2")),
    Case("src/examples/singleconfig", 0.8, (*_SWITCH_16, "output_speedup=2")),
    Case("src/examples/singleconfig", 0.8, (*_SWITCH_16, "output_speedup=2", "vc_allocator=islip")),
    Case("src/examples/singleconfig", 0.9, (*_SWITCH_16, "input_speedup=2", "output_speedup=2")),
    Case("src/examples/singleconfig", 0.9, (*_SWITCH_16, "internal_speedup=2.0")),
    Case("src/examples/singleconfig", 0.8, (*_SWITCH_52, "input_speedup=2")),
    Case("src/examples/singleconfig", 0.8, (*_SWITCH_52, "output_speedup=2")),
    Case("src/examples/singleconfig", 0.9, (*_SWITCH_52, "internal_speedup=2.0", "output_buffer_size=8")),
)
_LIKE = ("routing_delay=1", "wait_for_tail_credit=0")  # as in Braid, where a file has them otherwise
#: Several nodes a router; of the two files of reads and writes, packets of one kind.
CONCENTRATED = (
    Case("runfiles/cmeshconfig", 0.12, ("use_read_write=0",)),
    Case("runfiles/cmeshconfig", 0.12, ("use_read_write=0", *_LIKE)),
    Case("runfiles/flatflyconfig", 0.91, ("vc_allocator=islip",)),
    Case("runfiles/flatflyconfig", 0.91, ("vc_allocator=islip", "routing_delay=1")),
    Case("runfiles/flatflyconfig1", 0.22, _ISLIP),
    Case("runfiles/flatflyconfig1", 0.22, (*_ISLIP, *_LIKE)),
    Case("src/examples/cmeshconfig", 0.12),
    Case("src/examples/cmeshconfig", 0.206, ("traffic=uniform",)),
    Case("src/examples/cmeshconfig", 0.155, ("traffic=bitrev",)),
    Case("src/examples/flatflyconfig", 0.67),
    Case("src/examples/flatflyconfig", 0.67, ("routing_delay=1",)),
    Case("src/examples/flatflyconfig", 0.25, ("traffic=transpose", "routing_delay=1")),
)
_RUNS, _EXAMPLE = "runfiles/dragonflyconfig", "src/examples/dragonflyconfig"
#: Dragonflies: the files as they are (33 groups of 8 routers), like for like, and nine groups of 4 routers. Packets of
#: one flit ask for an output VC each, so that a stage less tells.
DRAGONFLIES = (
    Case(_RUNS, 0.64),
    Case(_RUNS, 0.512, ("routing_delay=1",)),
    Case(_RUNS, 0.7126, ("k=2",)),
    Case(_RUNS, 0.5572, ("k=2", "routing_delay=1")),
    Case(_EXAMPLE, 0.93),
    Case(_EXAMPLE, 0.938, ("k=2",)),
    Case(_EXAMPLE, 0.9446, ("k=2", "routing_delay=1")),
)
#: Whatever can be imported, with the fewest words behind it.
CASES = (
    Case("runfiles/meshconfig", 0.3675),
    Case("runfiles/ftreeconfig", 0.7227),
    Case("runfiles/ftreeconfig", 0.7227, ("routing_delay=1", "wait_for_tail_credit=0")),
    Case("runfiles/immutable", 0.5252, ("routing_function=dim_order",)),
    Case("runfiles/immutabletest", 0.4213, ("routing_function=dim_order_bal", "routing_delay=1")),
    Case("src/examples/mesh88_lat", 0.13, period=10000),
    Case("src/examples/torus88", 0.2432),
    Case("src/examples/torus88", 0.5, ("traffic=uniform", "k=4", "n=3")),
    Case("src/examples/torus88", 0.5, ("topology=mesh", "traffic=uniform", "k=4", "n=3")),
    Case("src/examples/torus88", 0.3, ("topology=mesh", "routing_function=xy_yx")),
    Case("src/examples/torus88", 0.3, ("topology=mesh", "routing_function=adaptive_xy_yx")),
    Case("src/examples/torus88", 0.24, ("topology=mesh", "traffic=transpose", "num_vcs=4", "routing_function=xy_yx")),
    Case(
        "src/examples/torus88",
        0.24,
        ("topology=mesh", "traffic=transpose", "num_vcs=4", "routing_function=adaptive_xy_yx"),
    ),
    Case("src/examples/fattree_config", 0.7271),
    Case("src/examples/fattree_config", 0.7271, ("routing_delay=1",)),
    Case("src/examples/fattree_config", 0.7271, ("routing_function=anca",)),
    Case("src/examples/fattree_config", 0.7271, ("routing_function=anca", "routing_delay=1")),
    Case("src/examples/fattree_config", 0.7271, ("routing_delay=1", *_ISLIP)),
    Case("src/examples/fattree_config", 0.7271, ("routing_function=anca", "routing_delay=1", *_ISLIP)),
    Case("src/examples/singleconfig", 0.6),
    Case("src/examples/singleconfig", 0.6, ("k=4", "n=3")),
    Case("src/examples/anynet/anynet_config", 0.2368, period=10000),
    Case("configs/booksim2_configs/fly_c4_m8.icnt", 0.6283, of_onnxim=True),
    Case("configs/booksim2_configs/fly_c16_m8.icnt", 0.6449, of_onnxim=True),
    Case("configs/booksim2_configs/mesh_sif-rr.icnt", 0.3, ("network_file=anynet_file",), of_onnxim=True),
    Case("configs/booksim2_configs/mesh_sif-age.icnt", 0.3, ("network_file=anynet_file",), of_onnxim=True),
    *DRAGONFLIES,
    *FASTER,
    *CONCENTRATED,
)
#: Folders with configuration files, and their names there.
FOLDERS = {
    "booksim": ("runfiles/*", "src/examples/*", "src/examples/anynet/*_config"),
    "onnxim": ("configs/booksim2_configs/*.icnt",),
    "gpgpusim": ("configs/tested-cfgs/*/*.icnt", "configs/deprecated-cfgs/*/*.icnt"),
}


def files_of(kind: str, folder: Path) -> list[Path]:
    """All configurations of a checkout."""
    found = [path for pattern in FOLDERS[kind] for path in sorted(folder.glob(pattern))]
    return [path for path in found if path.is_file()]
