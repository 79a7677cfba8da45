#include "models/icnt/ejection.h"

#include <utility>

namespace braid::models::icnt {

Ejection::Ejection(const Configuration& configuration, PacketPool& packets, Wires& wires,
                   std::vector<std::uint32_t> channels)
    : packets_(packets),
      wires_(wires),
      vcs_(configuration.vcs),
      shift_(configuration.channel_shift()),
      boundary_(configuration.boundary_buffer),
      ring_size_(configuration.vcs * configuration.vc_buffer),  // the router's credits bound it
      channels_(std::move(channels)),
      nodes_(channels_.size()),
      state_(channels_.size() << shift_),
      ring_(channels_.size() * ring_size_),
      active_(channels_.size()) {}

void Ejection::take_flits() {
  auto& flits = wires_.flits_at_nodes();
  for (const Flit& flit : flits) {
    const unsigned node = flit.place >> shift_;
    Channel& channel = state_[flit.place];
    if (channel.coming == 0) {
      const std::uint32_t all = packets_[flit.packet].flits;
      packets_.append(channel.packets, flit.packet);
      channel.coming = all;
      if (channel.left == 0) {
        channel.moving = flit.packet;
        channel.left = all;
      }
    }
    --channel.coming;
    ++channel.ejection;
    nodes_[node].ejection |= std::uint64_t{1} << (flit.place & ((1U << shift_) - 1));
    active_.insert(node);
  }
  flits.clear();
}

void Ejection::retire(unsigned node) {
  Node& at = nodes_[node];
  if (at.retiring != 0) {
    const unsigned vc = ring_[node * ring_size_ + at.retiring_first];
    at.retiring_first = at.retiring_first + 1 == ring_size_ ? 0 : at.retiring_first + 1;
    --at.retiring;
    ++retired_;
    wires_.credit_to_router(channels_[node] + vc);
  }
  // Flits that the boundary buffer has no room for wait for a pop().
  if (at.retiring != 0) return;
  for (std::uint64_t left = at.ejection; left != 0; left &= left - 1)
    if (state_[(node << shift_) + lowest(left)].boundary != boundary_) return;
  active_.erase(node);
}

unsigned Ejection::turn_of(const Node& at) const { return PortSets::next(&at.complete, 1, at.turn); }

PacketId Ejection::top(unsigned node) const { return state_[(node << shift_) + turn_of(nodes_[node])].packets.first; }

PacketId Ejection::pop(unsigned node) {
  Node& at = nodes_[node];
  const unsigned vc = turn_of(at);
  at.turn = vc + 1 == vcs_ ? 0 : vc + 1;
  Channel& channel = state_[(node << shift_) + vc];
  const PacketId packet = channel.packets.first;
  packets_.drop_first(channel.packets);
  channel.boundary -= packets_[packet].flits;
  if (--channel.complete == 0) at.complete &= ~(std::uint64_t{1} << vc);
  if (channel.ejection != 0) active_.insert(node);
  return packet;
}

}  // namespace braid::models::icnt
