"""The nine benchmarks as Braid itself partitions and lays them out: `braid partition` of its own programs (MIT's are in
graphs/), with its defaults, then its annealer, with its defaults, as `braid run PROGRAM.str --mesh 4x4` does both."""

from __future__ import annotations

import json
from pathlib import Path

from braid_tools.papers.tentacle.networks import EXPERIMENT, PACKET
from braid_tools.papers.tentacle.programs import write_variant
from braid_tools.program import ROOT, Run, braid
from braid_tools.study import Study

PROGRAMS = ROOT / "traffic" / "streams" / "programs"
FILES = {
    "Audiobeam": "audiobeam",
    "Beamformer": "beamformer",
    "BitonicSort": "bitonic_sort",
    "ChannelVocoder": "channel_vocoder",
    "DES": "des",
    "FilterBank": "filter_bank",
    "FMRadio": "fm_radio",
    "TDE": "tde",
    "Vocoder": "vocoder",
}


def partitioned(study: Study, benchmark: str, size: int, eighths: int = 8) -> tuple[Path, int]:
    """The stream graph for the mesh's tiles, or for some eighths of them, without places; how many steady states of the
    program one of the graph is."""
    tiles = size * size * eighths // 8
    target = study.folder / f"partition_{benchmark}_{size}x{size}_{tiles}.toml"
    said = target.with_suffix(".json")
    braid("partition", PROGRAMS / f"{FILES[benchmark]}.str", "--tiles", str(tiles), "--toml", target, "--json", said)
    return target, json.loads(said.read_text())["steady_states"]


def for_fewer_tiles(study: Study, benchmark: str, size: int, eighths: int) -> tuple[Path, float]:
    """The graph for fewer tiles, so that some are left for splitters and joiners; of the steady states of the graph for
    all tiles, how many one of this is."""
    graph, steady_states = partitioned(study, benchmark, size, eighths)
    return graph, steady_states / partitioned(study, benchmark, size)[1]


def laid_out(study: Study, graph: Path, size: int) -> dict[str, int]:
    """A tile for every actor."""
    mesh = {"topology.width": size, "topology.height": size}
    keys = {"stream.graph": graph, "interface.stream_queue_items": 1_000_000, **mesh, **PACKET}
    arguments = Run("", EXPERIMENT, keys).arguments()
    out = study.folder / f"layout_{graph.stem}.json"

    def make() -> dict[str, int]:
        braid("paths", EXPERIMENT, *arguments, "--json", out)
        found = json.loads(out.read_text())
        out.unlink()
        return {actor["name"]: actor["node"] for actor in found["actors"]}

    return study.kept(f"paths {' '.join(arguments)}", [EXPERIMENT, graph], make)


def own(study: Study, benchmark: str, size: int) -> Path:
    """Braid's graph with every actor on its tile."""
    graph, _ = partitioned(study, benchmark, size)
    return write_variant(
        graph, study.folder / f"own_{benchmark}_{size}x{size}.toml", tiles=laid_out(study, graph, size)
    )
