"""What BookSim prints and estimates beside latency: of no effect on what is simulated."""

from __future__ import annotations

from braid.booksim.table import Kind, Row, without_effect

_PRINTS = without_effect("what is printed: braid run --json, results.* and --trace here")
_POWER = without_effect("of BookSim's power model; Braid's is [energy] (docs/energy.md)")
_WHOLE = ("print_activity", "print_csv_results", "pair_stats", "viewer_trace")
_FILES = (
    "watch_file",
    "watch_flits",
    "watch_packets",
    "watch_transactions",
    "watch_out",
    "stats_out",
    "sent_packets_out",
    "injected_flits_out",
    "received_flits_out",
    "stored_flits_out",
    "sent_flits_out",
    "outstanding_credits_out",
    "ejected_flits_out",
    "active_packets_out",
    "used_credits_out",
    "free_credits_out",
    "max_credits_out",
)
_POWER_WHOLE = ("sim_power", "channel_width", "channel_sweep")
_POWER_WORDS = ("power_output_file", "tech_file")
_TECHNOLOGY = (
    *("H_INVD2", "W_INVD2", "H_DFQD1", "W_DFQD1", "H_ND2D1", "W_ND2D1", "H_SRAM", "W_SRAM"),
    *("Vdd", "R", "IoffSRAM", "IoffP", "IoffN", "Cg_pwr", "Cd_pwr", "Cgdl", "Cg", "Cd"),
    *("LAMBDA", "MetalPitch", "Rw", "Cw_gnd", "Cw_cpl", "wire_length"),
)
ROWS = [
    *(Row(key, Kind.WHOLE, "0", _PRINTS, section="simulation") for key in _WHOLE),
    *(Row(key, Kind.WORD, "", _PRINTS, section="simulation") for key in _FILES),
    *(Row(key, Kind.WHOLE, "0", _POWER, section="energy") for key in _POWER_WHOLE),
    *(Row(key, Kind.WORD, "", _POWER, section="energy") for key in _POWER_WORDS),
    *(Row(key, Kind.NUMBER, "0", _POWER, section="energy") for key in _TECHNOLOGY),
]
