#include "models/stages/po2/lone_router.h"

#include "routing/base/input_error.h"

namespace braid::models::stages::po2 {

LoneRouter::LoneRouter(const Site& site)
    : site_(site),
      local_ports_(site.topology),
      slicing_(site.topology.router_count(), 1),
      fabric_({site.configuration, site.topology, site.routing, store_, slicing_}) {
  const models::po2::Options& o = fabric_.router_options();
  std::string key = models::po2::beyond_avoidance(o);
  if (o.switch_cycles != 0) key = "po2.switch_cycles";
  if (o.miss_cycles != 0) key = "po2.miss_cycles";
  if (!key.empty()) {
    throw InputError("a module of a PO2 router that stands alone has no ports for " + key +
                     ": expected its default, or a whole network");
  }
  fabric_.set_sink(0, this);
  for (std::size_t b = 0; b < registers().buffers.size(); ++b) of_buffers_.push_back(make_packet());
  for (std::size_t p = 0; p < registers().ports.size(); ++p) {
    sent_by_.push_back(make_packet());
    received_by_.push_back(make_packet());
  }
}

std::size_t LoneRouter::local_port(std::size_t p) const {
  const NodeId node = wiring(p).node;
  std::size_t local = local_ports_.first[node.value];
  for (const routing::Attachment& attachment : site_.topology.nodes[node.value]) {
    if (attachment.router == site_.router && attachment.port == PortId{p}) break;
    ++local;
  }
  return local;
}

PacketSlot LoneRouter::make_packet() {
  const PacketSlot slot = slots_.take();
  store_[slot] = Packet{};
  return slot;
}

void LoneRouter::hold(std::size_t b, Buffer buffer) {
  Registers& here = registers();
  const bool waits = buffer.state == Buffer::State::kWaiting;
  if (waits) here.waiting.push_back(static_cast<std::uint8_t>(b));
  if (((here.free >> b) & 1) != 0) {
    here.free &= ~(std::uint64_t{1} << b);
    ++here.use[buffer.pool_class];
  }
  here.buffers[b] = buffer;
}

models::po2::PoolUse LoneRouter::use_with_room(std::uint64_t classes) const {
  models::po2::PoolUse use{};
  for (std::size_t c = 0; c < use.size(); ++c) {
    if (((classes >> c) & 1) == 0) use[c] = static_cast<std::uint8_t>(of_buffers_.size());
  }
  return use;
}

void LoneRouter::show_messages(Registers& pool, const Bits& blocking, const Bits& message, unsigned first) {
  for (unsigned b = 0; b < pool.buffers.size(); ++b) {
    pool.buffers[b].state = blocking[first + b] ? Buffer::State::kArriving : Buffer::State::kFree;
    pool.buffers[b].message = static_cast<std::uint32_t>(message.field((first + b) * kMessageBits, kMessageBits));
  }
}

}  // namespace braid::models::stages::po2
