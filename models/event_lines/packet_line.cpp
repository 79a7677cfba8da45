#include "models/event_lines/packet_line.h"

#include "routing/topology/ring.h"

namespace braid::models {
namespace {

struct PacketLineOptions {
  std::uint32_t packet_flits = 1;
};
const OptionTable<PacketLineOptions> kPacketLineTable = OptionTable<PacketLineOptions>("sat").integer(
    "packet_flits", &PacketLineOptions::packet_flits, 1, 65535, "length of the packet that is the signal");

const bool packet_line_registered = EventLineRegistry::instance().add(
    "control_packet", "a small packet through the data network, node after node", kPacketLineTable.list(),
    [](const routing::Topology& topology, const Configuration& configuration) {
      return std::make_unique<PacketLine>(topology, kPacketLineTable.read(configuration).packet_flits);
    });

}  // namespace

PacketLine::PacketLine(const routing::Topology& topology, std::uint32_t flits) : flits_(flits) {
  for (const routing::RingStop& stop : routing::virtual_ring(topology)) order_.push_back(stop.node);
}

void PacketLine::step(std::uint64_t cycle, Stops& stops) {
  if (!started_) {  // the signal is at the first stop in the first cycle
    started_ = true;
    home_ = cycle;
    stops.receive(order_[0], cycle);
  }
  departs_ = false;  // the packet has been made
  if (arrived_) {
    come_to_next(cycle, stops);
  } else if (at_station_ && stops.try_release(from(), cycle)) {
    at_station_ = false;
    departs_ = true;
  }
}

void PacketLine::come_to_next(std::uint64_t cycle, Stops& stops) {
  arrived_ = false;
  stop_ = next();
  at_station_ = true;
  stops.receive(from(), cycle + 1);
  if (stop_ != 0) return;
  const std::uint64_t round = cycle + 1 - home_;
  if (shortest_ == 0 || round < shortest_) shortest_ = round;
  home_ = cycle + 1;
}

void PacketLine::checkpoint(Checkpoint& c) {
  c(stop_, started_, at_station_, departs_, arrived_, home_, shortest_);
  c.index(stop_, order_.size(), "stop of a line");
  c.expect(!at_station_ || !departs_, "a signal in two places");
}

/// Is the signal under way, and the node that it is at or comes from.
class PacketLineSignals final : public SignalSource {
 public:
  PacketLineSignals(const PacketLine& line, SignalTable& table)
      : line_(line),
        packet_(table.add_shown("sat.line", "packet", 1)),
        last_node_(table.add_shown("sat.line", "last_node", 32)) {}
  void sample(std::uint64_t) override {
    packet_->value = line_.at_station_ ? 0 : 1;
    last_node_->value = line_.from().value;
  }

 private:
  const PacketLine& line_;
  Signal *packet_, *last_node_;
};

std::unique_ptr<SignalSource> PacketLine::signals(SignalTable& table) const {
  return std::make_unique<PacketLineSignals>(*this, table);
}

}  // namespace braid::models
