"""The configuration files that are imported, and what is said behind them to run them in both programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """A file, and settings behind it for both programs."""

    file: str  # within BookSim's checkout, or within ONNXim's
    words: tuple[str, ...] = ()
    of_onnxim: bool = False

    @property
    def name(self) -> str:
        """As the table has it."""
        return " ".join((Path(self.file).name, *self.words))


#: Whatever can be imported, with the fewest words behind it.
CASES = (
    Case("runfiles/meshconfig"),
    Case("runfiles/ftreeconfig"),
    Case("runfiles/immutable", ("routing_function=dim_order",)),
    Case("runfiles/immutabletest", ("routing_function=dim_order_bal", "internal_speedup=1.0")),
    Case("src/examples/mesh88_lat", ("input_speedup=1",)),
    Case("src/examples/torus88"),
    Case("src/examples/fattree_config"),
    Case("src/examples/singleconfig"),
    Case("configs/booksim2_configs/fly_c4_m8.icnt", of_onnxim=True),
    Case("configs/booksim2_configs/fly_c16_m8.icnt", of_onnxim=True),
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
