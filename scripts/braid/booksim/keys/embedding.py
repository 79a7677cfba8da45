"""Keys of the simulators that embed BookSim 2: GPGPU-Sim and Accel-Sim (intersim2), ONNXim and PyTorchSim."""

from __future__ import annotations

from braid.booksim.table import Answer, Ask, Kind, Row, without_effect

_SEAT = without_effect("between a simulator's cores and BookSim; Braid's nodes have queues without bound")
_MAP = without_effect("which node is a core and which a memory: all nodes send here")
_PRINTS = without_effect("what is printed")


def _flit_size(ask: Ask) -> Answer:
    if ask.setting is None:  # BookSim 2 itself has no such key
        return Answer()
    return Answer({"energy.flit_bits": 8 * ask.value}, "bytes; it makes no difference to cycles")


_UNREAD = without_effect("intersim2 reads it nowhere")
ROWS = [
    Row("flit_size", Kind.WHOLE, "32", _flit_size, section="energy"),
    Row("use_map", Kind.WHOLE, "1", _MAP, section="interface"),
    Row("memory_node_map", Kind.WORD, "", _MAP, section="interface"),
    Row("input_buffer_size", Kind.WHOLE, "0", _SEAT, section="interface"),
    Row("ejection_buffer_size", Kind.WHOLE, "0", _SEAT, section="interface"),
    Row("boundary_buffer_size", Kind.WHOLE, "16", _SEAT, section="interface"),
    Row("network_count", Kind.WHOLE, "2", _UNREAD, section="interface"),
    Row("perfect_icnt", Kind.WHOLE, "0", _UNREAD, section="interface"),
    Row("fixed_lat_per_hop", Kind.WHOLE, "0", _UNREAD, section="interface"),
    Row("output_extra_latency", Kind.WHOLE, "0", _UNREAD, section="interface"),
    *(
        Row(key, Kind.WHOLE, "0", _PRINTS, section="simulation")
        for key in (
            "enable_link_stats",
            "MATLAB_OUTPUT",
            "DISPLAY_LAT_DIST",
            "DISPLAY_HOP_DIST",
            "DISPLAY_PAIR_LATENCY",
        )
    ),
]
