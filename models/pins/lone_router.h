// One router of an experiment's network by itself: where it stands there, and the model's registers for it alone. What
// is around it hangs on its pins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"
#include "models/rtl/router_pins.h"
#include "models/rtl/router_site.h"
#include "models/rtl/wires.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::models::pins {

/// What an experiment says of one of its routers. Fixed for life.
struct RouterPlace {
  /// `router`: a name of the topology ("1,2"). Throws InputError: an unknown name, another family of routers, more than
  /// 8 ports, a routing that looks at a packet's source (pins do not tell it).
  RouterPlace(const Configuration& experiment, const std::string& router);
  RouterPlace(const RouterPlace&) = delete;
  RouterPlace& operator=(const RouterPlace&) = delete;

  const Configuration configuration;
  const routing::Topology topology;
  const std::unique_ptr<const routing::RoutingAlgorithm> routing;
  const hybrid::Options options;
  const RouterId router;
  const hybrid::RouterShape shape;
  const hybrid::RouterSite straps;

  routing::PortKind kind(std::uint32_t port) const;
  bool wired(std::uint32_t port) const { return kind(port) != routing::PortKind::kUnconnected; }
  /// Lanes that a port's links have: packet VCs, then circuits.
  std::uint32_t lanes(std::uint32_t port) const;
  /// Has the routing a way on for a packet that comes in there?
  bool leads_on(std::uint32_t port, std::uint32_t lane, NodeId destination) const;
  /// Flits that the buffer of a lane holds.
  std::uint32_t depth(std::uint32_t lane) const;
};

/// The registers and stages of that router, as after reset. The rest of the network has none.
class LoneRouter {
 public:
  explicit LoneRouter(const RouterPlace& place, PacketStore& store);
  LoneRouter(const LoneRouter&) = delete;
  LoneRouter& operator=(const LoneRouter&) = delete;

  hybrid::Slice& slice() { return *slices_[place_.router.value]; }
  hybrid::RouterBank& bank() { return bank_; }
  hybrid::SetupUnits& setup() { return setup_; }
  hybrid::RouterPins& pins() { return *pins_; }

 private:
  const RouterPlace& place_;
  hybrid::RouterBank bank_;
  hybrid::SetupUnits setup_;
  std::vector<std::uint32_t> slice_of_router_;
  std::vector<std::unique_ptr<hybrid::Slice>> slices_;  // [router]: this one and its neighbours, whose wires it needs
  std::unique_ptr<hybrid::RouterPins> pins_;
};

/// The packets of all modules of the process, as long as there is one: the table of a store takes 8 MB.
std::shared_ptr<PacketStore> shared_packets();

/// The Verilated RTL of that router. Throws InputError where none is found that fits, with flits of `flit_width` bits,
/// or it is not built (models/rtl/router_folders.h).
std::unique_ptr<hybrid::WiredRouter> make_wired_rtl(const RouterPlace& place, std::uint32_t flit_width,
                                                    bool assertions);

}  // namespace braid::models::pins
