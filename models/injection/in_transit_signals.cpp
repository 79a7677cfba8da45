// What a waveform shows of in-transit buffers: ejection and injection again, as a state machine of each node, and the
// packet it is about.
#include <fmt/format.h>

#include "models/injection/in_transit.h"

namespace braid::models {
namespace {

const Question kWhoRests{"in_transit", "which packet rests in an in-transit buffer, since when, and what it waits for"};
const SignalValues kTransitStates{"in_transit_state", {"idle", "detecting", "programming", "ready", "sending"}};

}  // namespace

class InTransit::Signals final : public SignalSource {
 public:
  Signals(const InTransit& parent, SignalTable& table, const std::vector<RouterId>& routers,
          const routing::Topology& topology)
      : parent_(parent) {
    std::vector<bool> chosen(topology.router_count());
    for (const RouterId router : routers) chosen[router.value] = true;
    for (const Station& station : parent.stations_) {
      if (!chosen[topology.router_of(station.node).value]) continue;
      const std::string scope = fmt::format("node_{}.in_transit", station.node.value);
      Row row{};
      row.station = &station;
      row.packet = table.add_packet(scope, "packet")->answers(kWhoRests);
      row.state = table.add_shown(scope, "state", 3, &kTransitStates)->answers(kWhoRests);
      row.since = table.add(scope, "since", 32)->answers(kWhoRests);
      row.packets = table.add_shown(scope, "packets", 16)->answers(kWhoRests);
      row.flits = table.add(scope, "flits", 32)->answers(kWhoRests);
      rows_.push_back(row);
    }
  }
  void sample(std::uint64_t cycle) override {
    for (const Row& row : rows_) {
      row.state->value = static_cast<std::uint64_t>(row.station->state(cycle));
      row.packets->value = row.station->resting.size();
      row.flits->value = row.station->flits;
      row.packet->value = row.since->value = 0;
      if (row.station->resting.empty()) continue;
      const RestingPacket& first = row.station->resting.front();
      const Packet& packet = parent_.context_.store[first.slot];
      row.packet->value = packet_number(packet.source.value, packet.sequence);
      row.since->value = first.here;
    }
  }

 private:
  /// Of the first packet, but for the counts.
  struct Row {
    const Station* station;
    Signal *packet, *state;
    Signal* since;  // cycle in which its mark came
    Signal *packets, *flits;
  };

  const InTransit& parent_;
  std::vector<Row> rows_;
};

std::unique_ptr<SignalSource> InTransit::signals(SignalTable& table, const std::vector<RouterId>& routers,
                                                 const routing::Topology& topology) const {
  if (!used_) return nullptr;
  return std::make_unique<Signals>(*this, table, routers, topology);
}

}  // namespace braid::models
