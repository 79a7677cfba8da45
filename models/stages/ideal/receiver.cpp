#include "models/stages/ideal/receiver.h"

namespace braid::models::stages::ideal {

Receiver::Receiver(const sc_core::sc_module_name& name, Channels& channels, NodeId node)
    : Stage(name),
      most_(channels.fabric().receives()[node.value]),
      queue_at_receiver_(channels.fabric().options().queue_at_receiver),
      channels_(&channels),
      node_(node) {
  const Channels::AtNode& at = channels.nodes[node.value];
  comes_i(at.comes);
  takes_o(at.takes);
  held_o(at.held);
}

/// What it showed of the cycle before is to be over, too.
bool Receiver::has_work(std::uint64_t) { return channels_ == nullptr || !channels_->idle(node_); }

void Receiver::step(std::uint64_t) {
  if (channels_ != nullptr) return channels_->receive(node_);
  held_ += comes_i->read().field(0, kCountBits);
  const std::size_t taken = models::ideal::Fabric::taken_at_once(held_, most_, queue_at_receiver_);
  held_ -= taken;
  takes_o->write(Bits(kCountBits, taken));
  held_o->write(Bits(kCountBits, held_));
}

}  // namespace braid::models::stages::ideal
