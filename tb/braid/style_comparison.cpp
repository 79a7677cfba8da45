#include "tb/braid/style_comparison.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <tuple>

#include "models/engine/network.h"
#include "models/experiment/simulation.h"
#include "models/fabric/packet_log.h"
#include "models/tlm/styles/packet_timing.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::tb {
namespace {

using models::Network;
using models::PacketRecord;

constexpr double kLeastSeconds = 0.2;  ///< that a style's packets are repeated for

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Parts {
  routing::Topology topology;
  std::unique_ptr<routing::RoutingAlgorithm> routing;
};

void run_cycles(Network& network, std::uint64_t cycles) {
  for (std::uint64_t i = 0; i < cycles; ++i) network.cycle();
}

TracedPacket traced(const PacketRecord& record, std::uint64_t first, std::uint64_t last) {
  const models::Packet& p = record.packet;
  TracedPacket t{p.created, record.delivered.value_or(0), p.source, p.destination, p.length_flits, false};
  t.measured = record.delivered && first <= p.created && p.created < last;
  return t;
}

/// All packets of a run that records them, by cycle of creation.
std::vector<TracedPacket> trace(models::Experiment e, const Parts& parts, const models::MeasurementOptions& o,
                                StyleComparison& result) {
  e.set("log.file", "packets.csv");  // records are kept; nobody writes the file
  Network network(e, parts.topology, *parts.routing, 1);
  const std::uint64_t first = o.min_warmup_cycles, last = first + o.measure_cycles;
  run_cycles(network, last);
  network.stop_sources();
  for (std::uint64_t i = 0; i < o.max_drain_cycles && network.conservation().packets_in_flight > 0; i += 100) {
    run_cycles(network, 100);
  }
  std::vector<const PacketRecord*> records;
  for (const auto& page : network.packet_log()->pages()) {
    for (const PacketRecord& r : page.records()) records.push_back(&r);
  }
  std::sort(records.begin(), records.end(), [](const PacketRecord* a, const PacketRecord* b) {
    return std::tie(a->packet.created, a->packet.source, a->packet.sequence) <
           std::tie(b->packet.created, b->packet.source, b->packet.sequence);
  });
  std::vector<TracedPacket> packets;
  std::uint64_t flits = 0;
  for (const PacketRecord* r : records) {
    packets.push_back(traced(*r, first, last));
    if (packets.back().measured) flits += packets.back().flits;
    if (!r->delivered && r->packet.created >= first) ++result.undelivered;
    result.packets += packets.back().measured ? 1 : 0;
  }
  result.load_flits_per_node_cycle =
      static_cast<double>(flits) / static_cast<double>(o.measure_cycles * parts.topology.node_count());
  return packets;
}

StyleFigures engine_figures(const models::Experiment& e, const Parts& parts, const models::MeasurementOptions& o,
                            const std::vector<TracedPacket>& packets) {
  StyleFigures f;
  f.style = models::kCycleAccurate;
  double latency = 0, measured = 0, made = 0;
  for (const TracedPacket& p : packets) {
    if (p.measured) latency += static_cast<double>(p.delivered - p.created);
    measured += p.measured ? 1 : 0;
    made += o.min_warmup_cycles <= p.created ? 1 : 0;
  }
  f.mean_latency_cycles = latency / measured;
  Network network(e, parts.topology, *parts.routing, 1);  // keeps no records: what it is as fast as without them
  run_cycles(network, o.min_warmup_cycles);
  const double before = processor_seconds();
  run_cycles(network, o.measure_cycles);
  f.packets_per_second = made / (processor_seconds() - before);
  return f;
}

std::unique_ptr<models::PacketTiming> timing_of(const models::Experiment& e, const Parts& parts,
                                                const std::string& style) {
  Configuration chosen = e;
  chosen.set("tlm.style", style);
  return models::make_packet_timing(chosen, parts.topology, *parts.routing);
}

StyleFigures style_figures(const models::Experiment& e, const Parts& parts, const std::string& style,
                           const std::vector<TracedPacket>& packets, double engine_latency) {
  StyleFigures f;
  f.style = style;
  const auto timing = timing_of(e, parts, style);
  const auto give = [&](std::uint64_t from, std::vector<std::uint64_t>& to) {
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const TracedPacket& p = packets[i];
      to[i] = timing->deliver(p.from, p.to, p.flits, from + p.created, from + p.created);
    }
  };
  std::vector<std::uint64_t> delivered(packets.size()), again(packets.size());
  give(0, delivered);
  double seconds = 0, given = 0;
  // Again and again, one after the other: that routes are followed once does not count.
  for (std::uint64_t from = packets.back().created; seconds < kLeastSeconds; from += packets.back().created) {
    const double before = processor_seconds();
    give(from, again);
    seconds += processor_seconds() - before;
    given += static_cast<double>(packets.size());
  }
  double latency = 0, off = 0, measured = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (!packets[i].measured) continue;
    latency += static_cast<double>(delivered[i] - packets[i].created);
    off += std::abs(static_cast<double>(delivered[i]) - static_cast<double>(packets[i].delivered));
    ++measured;
  }
  f.mean_latency_cycles = latency / measured;
  f.error = f.mean_latency_cycles / engine_latency - 1.0;
  f.mean_packet_error_cycles = off / measured;
  f.packets_per_second = given / seconds;
  return f;
}

}  // namespace

StyleComparison compare_styles(const models::Experiment& e) {
  const auto o = models::measurement_options().read(e);
  Parts parts{routing::make_topology(e), nullptr};
  parts.routing = routing::make_routing(parts.topology, e);
  for (const auto& [style, entry] : models::PacketTimingRegistry::instance().entries()) timing_of(e, parts, style);
  StyleComparison result;
  const std::vector<TracedPacket> packets = trace(e, parts, o, result);
  if (result.packets == 0) {
    throw InputError("no packet arrived that was made while measuring: expected a longer simulation.measure_cycles");
  }
  result.styles.push_back(engine_figures(e, parts, o, packets));
  for (const auto& [style, entry] : models::PacketTimingRegistry::instance().entries()) {
    result.styles.push_back(style_figures(e, parts, style, packets, result.styles.front().mean_latency_cycles));
  }
  return result;
}

}  // namespace braid::tb
