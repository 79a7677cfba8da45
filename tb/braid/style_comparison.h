// The coding styles of TLM-2.0 against the engine: the same packets through each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"
#include "routing/base/ids.h"

namespace braid::tb {

/// A packet of the engine's run.
struct TracedPacket {
  std::uint64_t created = 0, delivered = 0;  ///< cycles; delivered 0: not by the end
  NodeId from, to;
  std::uint32_t flits = 0;
  bool measured = false;  ///< made after the warm-up, and delivered
};

struct StyleFigures {
  std::string style;
  double mean_latency_cycles = 0;       ///< of the measured packets
  double error = 0;                     ///< of the mean, as a share of the engine's
  double mean_packet_error_cycles = 0;  ///< how far a packet is off, sign left out
  double packets_per_second = 0;        ///< of processor time
};

struct StyleComparison {
  std::uint64_t packets = 0;             ///< measured
  std::uint64_t undelivered = 0;         ///< made while measuring, not there by simulation.max_drain_cycles later
  double load_flits_per_node_cycle = 0;  ///< accepted
  std::vector<StyleFigures> styles;      ///< the engine first
};

/// Runs the experiment on the engine, one thread and no SystemC kernel, for simulation.min_warmup_cycles and
/// simulation.measure_cycles, then gives the packets to each style. Throws InputError.
StyleComparison compare_styles(const models::Experiment& experiment);

}  // namespace braid::tb
