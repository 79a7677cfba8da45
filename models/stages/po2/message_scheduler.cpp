#include "models/stages/po2/message_scheduler.h"

#include <algorithm>

namespace braid::models::stages::po2 {

void MessageScheduler::bind(RouterChannels& router) {
  grant_i(router.grant);
  receiving_i(router.receiving);
  queued_o(router.queued);
  head_since_o(router.head_since);
  head_message_o(router.head_message);
}

void MessageScheduler::on_bank(Slice& slice, std::uint64_t cycle) {
  slice.begin_nodes(cycle);
  run_nodes_();
}

void MessageScheduler::on_ports(LoneRouter& lone, std::uint64_t cycle) {
  if (!point_) make_point(lone);
  lone.slice().commit(cycle);  // the cycle as source queues count it: nothing is offered, so nothing moves by itself
  move_heads(lone, cycle);
  take_messages(lone);
  point_->step();
  write_heads(lone);
}

void MessageScheduler::make_point(LoneRouter& lone) {
  std::vector<NodeId> nodes;
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!lone.leads_to_node(p)) continue;
    const NodeId node = site_.topology.port(site_.router, PortId{p}).node;
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  point_ = std::make_unique<InjectionPoint>(lone.slice(), nullptr, nodes, lone.local_ports(), site_.configuration,
                                            lone.store());
}

/// A head that is granted a buffer goes in; the next one may come when its transfer is over.
void MessageScheduler::move_heads(LoneRouter& lone, std::uint64_t cycle) {
  const std::uint64_t now = receiving_i->read().field(0, shape_.ports);
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!lone.leads_to_node(p)) continue;
    if (grant_i->read()[p] && lone.slice().head(lone.number(), p)) lone.slice().begin_injection(lone.number(), p);
    const bool over = ((receiving_ & ~now) >> p & 1) != 0;
    if (over) lone.slice().end_injection(lone.number(), p, cycle + 1);
  }
  receiving_ = now;
}

void MessageScheduler::take_messages(LoneRouter& lone) {
  if (arrival_packets_i.size() == 0) return;
  for (unsigned p = 0; p < shape_.ports; ++p) {
    if (!lone.leads_to_node(p)) continue;
    std::uint64_t packets = arrival_packets_i->read().field(p * kArrivalBits, kArrivalBits);
    for (; packets > 0; --packets) {
      const PacketSlot slot = lone.make_packet();
      Packet& packet = lone.store()[slot];
      packet.message = static_cast<std::uint32_t>(arrival_message_i->read().field(p * kMessageBits, kMessageBits));
      packet.priority = arrival_priority_i->read()[p];
      point_->send(lone.local_port(p), slot);
    }
  }
}

void MessageScheduler::write_heads(LoneRouter& lone) {
  Bits queued(shape_.ports), since(shape_.ports * kCycleBits), message(shape_.ports * kMessageBits);
  for (unsigned p = 0; p < shape_.ports; ++p) {
    const auto head = lone.slice().head(lone.number(), p);
    if (!head) continue;
    queued.set(p);
    since.set(p * kCycleBits, kCycleBits, head->since);
    message.set(p * kMessageBits, kMessageBits, lone.store()[head->packet].message);
  }
  queued_o->write(queued);
  head_since_o->write(since);
  head_message_o->write(message);
}

}  // namespace braid::models::stages::po2
