#include "models/families/virtual_cut_through/fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "models/families/virtual_cut_through/signals.h"
#include "routing/base/break_off.h"

namespace braid::models::virtual_cut_through {
namespace {

const OptionTable<Options> kTable =
    OptionTable<Options>("router")
        .integer("queue_packets", &Options::queue_packets, 1, 255, "packet buffers an input port")
        .integer("credit_delay_cycles", &Options::credit_delay_cycles, 1, 2,
                 "from the flit that leaves a buffer until its credit counts upstream");

Options checked_options(const FabricContext& context) {
  const std::uint32_t vcs = routing::routing_options().read(context.configuration).vcs;
  if (vcs != 1) {
    throw InputError(
        fmt::format("router.vcs = {}: virtual cut-through routers have no virtual channels; expected 1", vcs));
  }
  const Options options = kTable.read(context.configuration);
  if (context.routing.relies_on_bubble() && options.queue_packets < 2) {
    throw InputError("routing.bubble = true needs two packet buffers: expected router.queue_packets >= 2");
  }
  return options;
}

class Family final : public FamilyOf<Fabric> {
 public:
  ShownBuffers shown_buffers() const override { return {true, true, "packets"}; }
  FasterLinks faster_links() const override { return FasterLinks::kMoved; }
  std::uint64_t fabric_bytes(const Configuration& c, const routing::Topology& topology,
                             const routing::RoutingAlgorithm&) const override {
    return Bank::bytes(topology, kTable.read(c).queue_packets);
  }
};

/// docs/sat-fairness.md: R + L.
std::unique_ptr<RouterTiming> cut_through_timing(const Configuration&) {
  auto t = std::make_unique<RouterTiming>();
  t->injection.after_head = t->link.after_head = t->ejection.after_head = 1;
  t->delivered_early = 1;
  t->one_queue_an_input = true;
  return t;
}

std::unique_ptr<RouterStorage> cut_through_storage(const Configuration& configuration) {
  auto s = std::make_unique<RouterStorage>();
  s->packets_a_port = kTable.read(configuration).queue_packets;
  return s;
}

const bool virtual_cut_through_registered =
    FabricRegistry::instance().add("virtual_cut_through",
                                   "a queue of whole packets at every input, no virtual channels", kTable.list(),
                                   [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("virtual_cut_through", "docs/sat-fairness.md", cut_through_timing) &&
    RouterStorageRegistry::instance().add("virtual_cut_through", "docs/energy.md", cut_through_storage);

}  // namespace

Fabric::Fabric(const FabricContext& context)
    : context_(context),
      options_(checked_options(context)),
      bank_(context.topology, options_.queue_packets, read_seed(context.configuration)) {
  const Slice::Shared shared{bank_,
                             context.store,
                             context.routing,
                             options_.credit_delay_cycles,
                             context.slicing.slice_of_router,
                             packets_are_recorded(context.configuration),
                             context.slicing.one_thread};
  for (const RouterRange& range : context.slicing.ranges) {
    routing::BreakOff::look();
    slices_.push_back(std::make_unique<Slice>(shared, range));
  }
  const auto slice_of = [&](RouterId r) -> Slice& { return *slices_[context.slicing.slice_of_router[r.value]]; };
  bank_.for_each_neighbours([&](RouterId from, RouterId to) { slice_of(from).connect(slice_of(to)); });
}

Fabric::Counters Fabric::counters() const {
  Counters c;
  for (const auto& s : slices_) {
    c.flit_hops += s->flit_hops();
    c.flits_injected += s->flits_injected();
    c.flits_delivered += s->flits_delivered();
  }
  return c;
}

bool Fabric::transfers_under_way() const {
  return std::any_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->transfers_under_way(); });
}

/// A packet is where its head is; one on its way to its node is still in its last queue.
Fabric::Census Fabric::census() const {
  Census census;
  const auto count = [&](const QueuedPacket& packet) {
    ++census.packets;
    census.flits += packet.length_flits;
  };
  for (std::uint32_t in = 0; in < bank_.input_port_count(); ++in) {
    const Queue& queue = bank_.queues[in];
    for (std::uint32_t i = 0; i < queue.count; ++i) {
      const bool head_is_elsewhere = i == 0 && queue.leaving && !queue.to_node;
      if (!head_is_elsewhere) count(bank_.queued(in, i));
    }
  }
  for (const auto& s : slices_) {
    census.packets += s->packets_waiting_at_sources() + s->in_registers().size();
    for (const PacketSlot slot : s->in_registers()) census.flits += context_.store[slot].length_flits;
    for (const auto& channel : s->outgoing()) {
      for (const Channel::Slot& slot : channel->slots()) {
        for (const Channel::Slot::Arrival& a : slot.arrivals) count(a.packet);
      }
    }
  }
  return census;
}

Fabric::LinkUse Fabric::link_use(RouterId router, PortId port) const {
  return {bank_.flits_sent[bank_.port_index(router, port)], 0};
}

std::uint32_t Fabric::buffered(RouterId router, PortId port, std::uint32_t) const {
  return bank_.queues[bank_.port_index(router, port)].count;
}

std::uint32_t Fabric::credits(RouterId router, PortId port, std::uint32_t) const {
  const PortIndex out = bank_.port_index(router, port);
  return bank_.links[out].to_node ? kUnlimitedCredits : bank_.credits[out];
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (std::uint32_t in = 0; in < bank_.input_port_count(); ++in) {
    if (bank_.queues[in].count > 0) visit(bank_.front(in).slot);
  }
}

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  return std::make_unique<FabricSignals>(*this, table, routers);
}

}  // namespace braid::models::virtual_cut_through
