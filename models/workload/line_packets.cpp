#include "models/workload/line_packets.h"

#include "models/workload/outlet.h"

namespace braid::models {

LinePackets::LinePackets(PacketLine& line, std::size_t nodes, const MeasurementWindow& window)
    : line_(line), window_(window), slice_of_(nodes), sent_(nodes) {}

void LinePackets::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet&) {
  for (const NodeId node : nodes) slice_of_[node.value] = slice;
}

void LinePackets::generate(std::size_t slice, std::uint64_t cycle) {
  if (!line_.departs() || slice_of_[line_.from().value] != slice) return;
  outlets_[slice]->send(cycle, 0, line_.from(), line_.to(), line_.flits());
  if (!window_.open) return;
  Sent& sent = sent_[line_.from().value];
  ++sent.packets;
  sent.to = line_.to();
}

std::vector<routing::Flow> LinePackets::flows(std::uint64_t measured_cycles) const {
  std::vector<routing::Flow> all;
  for (std::size_t n = 0; n < sent_.size(); ++n) {
    if (sent_[n].packets == 0) continue;
    const auto flits = static_cast<double>(sent_[n].packets * line_.flits());
    all.push_back({NodeId{n}, sent_[n].to, flits / static_cast<double>(measured_cycles)});
  }
  return all;
}

}  // namespace braid::models
