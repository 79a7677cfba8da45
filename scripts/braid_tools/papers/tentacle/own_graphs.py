"""The nine benchmarks as Braid itself partitions and lays them out: `braid partition` of its own programs (MIT's are in
graphs/), with its defaults, then its annealer with a cost for each reading: the paper's, which is the cost of MIT's
compiler without its term for switches that synchronize, or the default, as `braid run PROGRAM.str --mesh 4x4` has it,
which also counts streams without a disjoint path and so takes away the contention that the paper measures."""

from __future__ import annotations

import json
from pathlib import Path

from braid_tools.papers.tentacle.networks import EXPERIMENT, PACKET
from braid_tools.papers.tentacle.programs import write_variant
from braid_tools.program import ROOT, Run, braid
from braid_tools.study import Study

PAPERS_LAYOUT, USUAL_LAYOUT = "hops", "weighted"  # stream.layout_cost
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


def laid_out(study: Study, graph: Path, size: int, layout: str = USUAL_LAYOUT) -> dict[str, int]:
    """A tile for every actor."""
    mesh = {"topology.width": size, "topology.height": size}
    keys = {"stream.graph": graph, "interface.stream_queue_items": 1_000_000, **mesh, **PACKET}
    keys["stream.layout_cost"] = layout
    arguments = Run("", EXPERIMENT, keys).arguments()
    out = study.folder / f"layout_{layout}_{graph.stem}.json"

    def make() -> dict[str, int]:
        braid("paths", EXPERIMENT, *arguments, "--json", out)
        found = json.loads(out.read_text())
        out.unlink()
        return {actor["name"]: actor["node"] for actor in found["actors"]}

    return study.kept(f"paths {' '.join(arguments)}", [EXPERIMENT, graph], make)


def own(study: Study, benchmark: str, size: int, layout: str) -> Path:
    """Braid's graph with every actor on its tile."""
    graph, _ = partitioned(study, benchmark, size)
    target = study.folder / f"own_{layout}_{benchmark}_{size}x{size}.toml"
    return write_variant(graph, target, tiles=laid_out(study, graph, size, layout))
