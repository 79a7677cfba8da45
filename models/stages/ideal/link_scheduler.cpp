#include "models/stages/ideal/link_scheduler.h"

namespace braid::models::stages::ideal {

LinkScheduler::LinkScheduler(const sc_core::sc_module_name& name, const std::vector<std::size_t>& sends,
                             const std::vector<std::size_t>& receives, bool queue_at_receiver)
    : Stage(name),
      waits_i("waits_i", sends.size()),
      sends_o("sends_o", sends.size()),
      turns_(sends, receives, queue_at_receiver),
      has_turn_(sends.size() * sends.size()) {}

LinkScheduler::LinkScheduler(const sc_core::sc_module_name& name, Channels& channels)
    : LinkScheduler(name, channels.fabric().sends(), channels.fabric().receives(),
                    channels.fabric().options().queue_at_receiver) {
  channels_ = &channels;
  for (std::size_t n = 0; n < channels.nodes.size(); ++n) {
    waits_i[n](channels.nodes[n].waits);
    sends_o[n](channels.nodes[n].sends);
  }
}

void LinkScheduler::step(std::uint64_t cycle) {
  if (channels_ != nullptr) return channels_->send(cycle);
  on_ports();
}

/// Links whose packets begin to wait in one cycle get their turns in the order of their nodes.
void LinkScheduler::on_ports() {
  const auto nodes = static_cast<std::uint32_t>(waits_i.size());
  const auto waits = [&](std::uint32_t link) { return waits_i[link / nodes]->read()[link % nodes]; };
  turns_.retire([&](std::uint32_t link) {
    has_turn_[link] = waits(link);
    return !has_turn_[link];
  });
  for (std::uint32_t link = 0; link < has_turn_.size(); ++link) {
    if (!waits(link) || has_turn_[link]) continue;
    has_turn_[link] = true;
    turns_.activate(link);
  }
  std::vector<Bits> sends(nodes, Bits(nodes));
  turns_.step(
      [nodes](std::uint32_t link) { return models::ideal::LinkEnds{NodeId{link / nodes}, NodeId{link % nodes}}; },
      [&](std::uint32_t link) { sends[link / nodes].set(link % nodes); });
  for (std::uint32_t n = 0; n < nodes; ++n) sends_o[n]->write(sends[n]);
}

}  // namespace braid::models::stages::ideal
