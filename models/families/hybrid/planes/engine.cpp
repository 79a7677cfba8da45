// Which planes run which routers.
#include <fmt/format.h>

#include "models/families/hybrid/planes/links.h"
#include "models/families/hybrid/planes/registers.h"
#include "models/families/hybrid/planes/shapes.h"
#include "models/families/hybrid/planes/state.h"

namespace braid::models::hybrid::planes {
namespace {

std::string refusal(const Slice& slice, const RouterBank& bank, const Options& options) {
  if (bank.has_circuits()) return "circuits";
  if (bank.wiring().one_way) return "links that go one way";
  if (options.implementation != "model") return "router.implementation = \"" + options.implementation + "\"";
  if (slice.routing().injection_by_class()) return "VCs of their own for classes of traffic";
  if (options.buffer_bypass) return "router.buffer_bypass = true";
  if (bank.shared_buffers() != nullptr) return "router.buffers = \"shared\"";
  if (options.speculative) return "router.speculative = true";
  if (slice.interfaces().bounded())
    return "nodes that leave flits at their ports (interface.packet_*_flits, interface.ejection_queue_items)";
  if (!Registers::turns(slice) && !Registers::ranks(slice)) {
    return "router.switch_allocator = \"" + options.switch_allocator + "\" with router.arbiter = \"" + options.arbiter +
           "\"";
  }
  if (bank.vcs() > unsigned{kMostVcs}) return fmt::format("{} VCs; expected 1 to {}", bank.vcs(), kMostVcs);
  if (used_ports(bank) > unsigned{kMostPorts}) {
    return fmt::format("{} ports; expected 1 to {}", used_ports(bank), kMostPorts);
  }
  return {};
}

/// The usual router of a mesh or torus has shapes of its own; every other one shares two.
std::unique_ptr<CycleEngine> make_engine(Slice& slice, RouterBank& bank, PacketStore& store, const Options& options) {
  const Parts parts{slice, bank, store, options};
  const bool few = bank.router_count() <= kWordBits;
  if (used_ports(bank) == unsigned{kUsualPorts} && bank.is_numbered(3, 2)) return make_usual(parts, few);
  return make_other(parts, few && bank.vcs() <= unsigned{Lanes::kVcs});
}

const bool planes_registered = [] {
  cycle_engine() = {refusal, make_engine};
  return true;
}();

}  // namespace
}  // namespace braid::models::hybrid::planes
