// Two buffers of every pool are kept for escape: one for packets on their way up a spanning tree, one for those on
// their way down. A packet that has waited for its patience may take its up*/down* route instead, and keeps to it.
// Proof that every packet arrives: docs/po2.md.
#include "models/families/po2/pool_policy.h"
#include "routing/algorithm/up_down_table.h"

namespace braid::models::po2 {
namespace {

constexpr PoolClass kUp = 1, kDown = 2;
constexpr std::uint32_t kReserved = 2;

struct EscapeOptions {
  std::uint64_t escape_patience_cycles = 2000;
};
const OptionTable<EscapeOptions> kTable =
    OptionTable<EscapeOptions>("po2").integer("escape_patience_cycles", &EscapeOptions::escape_patience_cycles, 1,
                                              kAnyInteger, "a packet's wait before it escapes");

class UpDownEscape final : public PoolPolicy {
 public:
  UpDownEscape(const routing::Topology& topology, const PoolContext& context)
      : topology_(topology),
        table_(topology),
        regular_(context.buffers - kReserved),
        options_(kTable.read(context.configuration)) {}

  bool admits(const PoolUse& use, PoolClass pool_class) const override {
    return pool_class == kRegular ? use[kRegular] < regular_ : use[pool_class] == 0;
  }

  std::optional<Escape> escape(RouterId router, PoolClass pool_class, NodeId destination) const override {
    const RouterId to = topology_.router_of(destination);
    if (to == router) return std::nullopt;
    const PortId port = table_.port(router, pool_class == kDown, to);
    const bool up = table_.is_up(router, topology_.port(router, port).peer_router);
    return Escape{port, up ? kUp : kDown};
  }

  std::uint64_t patience_cycles() const override { return options_.escape_patience_cycles; }
  void check_room() const override { table_.check_room(); }

 private:
  const routing::Topology& topology_;
  routing::UpDownTable table_;
  std::uint32_t regular_;
  EscapeOptions options_;
};

const bool up_down_escape_registered = PoolPolicyRegistry::instance().add(
    "up_down_escape", "two buffers a router for packets that have waited long, on up*/down* routes; deadlock-free",
    kTable.list(), [](const routing::Topology& t, const PoolContext& o) -> std::unique_ptr<PoolPolicy> {
      if (o.buffers <= kReserved) {
        throw InputError("po2.avoidance = \"up_down_escape\" needs po2.buffers > 2; it is " +
                         std::to_string(o.buffers));
      }
      return std::make_unique<UpDownEscape>(t, o);
    });

}  // namespace
}  // namespace braid::models::po2
