#include "models/families/myrinet/fabric.h"

#include "models/fabric/router_timing.h"
#include "models/families/myrinet/signals.h"

namespace braid::models::myrinet {
namespace {

class Family final : public FamilyOf<Fabric> {
 public:
  /// Links have stop and go, no credits.
  ShownBuffers shown_buffers() const override { return {true, false}; }
  /// Events skip most cycles of most switches: there is too little to do in one to share it.
  std::size_t slices(const Configuration&, std::size_t, std::size_t) const override { return 1; }
  bool loses_links() const override { return true; }
  std::uint64_t fabric_bytes(const Configuration&, const routing::Topology& topology,
                             const routing::RoutingAlgorithm&) const override {
    return Slice::bytes(topology);
  }
};

/// docs/in-transit-buffers.md, "The switch, cycle by cycle".
std::unique_ptr<RouterTiming> myrinet_timing(const Configuration& configuration) {
  const Options o = options().read(configuration);
  const Timing timing = timing_of(o);
  auto t = std::make_unique<RouterTiming>();
  t->injection.after_head = t->link.after_head = t->ejection.after_head = 1;
  t->link.before_flits = t->ejection.before_flits = static_cast<std::uint32_t>(timing.routing_cycles);
  t->one_queue_an_input = true;
  t->node_link_latency = true;
  t->slack = SlackBuffers{o.stop_flits, o.go_flits};
  t->route_in_header = true;
  t->cut_through_ps = timing.cycle_ps;
  return t;
}

const bool myrinet_registered =
    FabricRegistry::instance().add("myrinet", "source-routed wormhole switches with stop and go, as Myrinet's",
                                   options().list(), [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("myrinet", "docs/in-transit-buffers.md", myrinet_timing);

}  // namespace

Fabric::Fabric(const FabricContext& context)
    : context_(context), options_(checked_options(context)), slice_(context, options_) {}

Fabric::Counters Fabric::counters() const {
  Counters counters;
  for (const Channel& channel : slice_.channels()) {
    if (channel.from_node) {
      std::uint64_t payload = channel.payload_of_gone;
      for (const Passing& packet : channel.passing) payload += packet.payload_before(channel.sent.at(now()));
      counters.flits_injected += payload;
    } else {
      counters.flit_hops += channel.sent.at(now());
    }
    counters.flits_lost += channel.lost(now());
    if (!channel.to_node) continue;
    counters.flits_delivered += channel.payload_of_gone;
    for (const Passing& packet : channel.passing) {
      counters.flits_delivered += packet.payload_before(channel.arrived.at(now() - 1));
    }
  }
  return counters;
}

/// A packet is where its tail is. One that a host passes on while it still comes in is on its way to the host. What has
/// come over a link that is down has come whole, but for an end sign that may be due.
Fabric::Census Fabric::census() const {
  Census census;
  for (const Channel& channel : slice_.channels()) {
    const std::uint64_t sent = channel.dead ? UINT64_MAX : channel.sent.at(now());
    const std::uint64_t gone = channel.to_node ? channel.arrived.at(now() - 1) : channel.left.at(now());
    for (const Passing& packet : channel.passing) {
      census.flits += packet.payload_before(sent) - packet.payload_before(gone);
      if (sent >= packet.end() && gone < packet.end()) ++census.packets;
    }
  }
  for (std::size_t i = 0; i < slice_.interfaces().size(); ++i) {
    slice_.interfaces()[i].packets.for_each([&](PacketSlot slot) {
      if (slice_.incoming(i, slot) == kNone) ++census.packets;
    });
  }
  census.packets -= slice_.in_two_pieces();
  return census;
}

Fabric::LinkUse Fabric::link_use(RouterId router, PortId port) const {
  const Channel& channel = slice_.channels()[slice_.wiring().port_index(router, port)];
  return {channel.sent.at(now()), 0, channel.stopped.at(now())};
}

std::uint32_t Fabric::buffered(RouterId router, PortId port, std::uint32_t) const {
  return static_cast<std::uint32_t>(slice_.buffered(slice_.channel_into(slice_.wiring().port_index(router, port))));
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (const Channel& channel : slice_.channels()) {
    if (!channel.passing.empty()) visit(channel.passing.front().slot);
  }
}

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  return std::make_unique<FabricSignals>(*this, table, routers);
}

Fabric& of(models::Fabric& fabric) { return dynamic_cast<Fabric&>(fabric); }

}  // namespace braid::models::myrinet
