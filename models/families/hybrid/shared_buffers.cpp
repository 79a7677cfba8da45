#include "models/families/hybrid/shared_buffers.h"

#include <algorithm>

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

SharedBuffers::SharedBuffers(const RouterBank& bank, const Options& options)
    : bank_(bank),
      reserved_(options.reserved_depth),
      shared_(options.shared_depth),
      used_(bank.output_vc_count()),
      pool_(bank.wiring().links.size(), static_cast<std::uint8_t>(options.shared_depth)) {}

std::uint32_t SharedBuffers::used_of_port(PortIndex out) const {
  std::uint32_t used = 0;
  for (std::uint32_t v = 0; v < bank_.vcs(); ++v) used += used_[bank_.vc_index(out, v)];
  return used;
}

void SharedBuffers::check_restored(const Checkpoint& c) const {
  c.expect(used_.size() == bank_.output_vc_count() && pool_.size() == bank_.wiring().links.size(),
           "shared buffers of another network");
  for (PortIndex p = 0; p < pool_.size(); ++p) {
    std::uint32_t pooled = pool_[p];
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
      const std::uint32_t used = used_[bank_.vc_index(p, v)];
      pooled += used - std::min(used, reserved_);
    }
    c.expect(pooled == shared_, "a pool of flit places that does not add up");
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
      const VcIndex vc = bank_.vc_index(p, v);
      const std::uint32_t own = reserved_ - std::min<std::uint32_t>(used_[vc], reserved_);
      c.expect(bank_.output_vcs[vc].credits == own + pool_[p], "credits that are not what buffers have left");
    }
  }
}

/// Nodes may hold flits that came on ejection links (interface.packet_ejection_flits): of those not all are found.
void SharedBuffers::check_places(const std::vector<std::unique_ptr<Slice>>& slices) const {
  std::vector<std::uint32_t> places(used_.size());
  for (const auto& slice : slices) find_flits(*slice, places);
  const bool all = !slices.front()->interfaces().bounded();
  for (PortIndex p = 0; p < pool_.size(); ++p) {
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
      const VcIndex vc = bank_.vc_index(p, v);
      const bool held = !all && bank_.links[p].to_node && places[vc] < used_[vc];
      Checkpoint::expect(held || places[vc] == used_[vc], "flit places in use that nothing is in");
    }
  }
}

void SharedBuffers::find_flits(const Slice& slice, std::vector<std::uint32_t>& places) const {
  slice.for_each_input_port([&](PortIndex port) {
    if (bank_.upstream[port] == kNone) return;
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
      const VcIndex in_vc = bank_.vc_index(port, v);
      places[behind(in_vc)] += bank_.input_vcs[in_vc].count;
    }
  });
  // In the ST register a flit has left its buffer, whose credit is not on the way yet; and it counts behind its output.
  for (const Slice::Traversal& t : slice.switch_register()) {
    if (bank_.is_circuit_lane(t.flit.vc())) continue;
    ++places[behind(t.in_vc)];
    ++places[bank_.vc_index(t.out_port, t.flit.vc())];
  }
  for (const auto& channel : slice.outgoing()) {
    for (const Channel::Slot& slot : channel->slots()) find_on_wires(slot, places);
  }
}

void SharedBuffers::find_on_wires(const Channel::Slot& slot, std::vector<std::uint32_t>& places) const {
  for (const FlitArrival& arrival : slot.packets) ++places[behind(arrival.target + arrival.flit.vc())];
  for (const FlitArrival& arrival : slot.ejections) {
    if (bank_.is_circuit_lane(arrival.flit.vc())) continue;
    ++places[bank_.vc_index(bank_.wiring().local_ports[arrival.target].exit_port, arrival.flit.vc())];
  }
  for (const VcIndex credit : slot.credits) ++places[credit];
}

}  // namespace braid::models::hybrid
