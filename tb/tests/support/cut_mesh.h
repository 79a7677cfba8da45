// A running network with routers cut out at pins, and modules of routers bound where they were.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/simulation.h"
#include "models/pins/braid_router.h"
#include "models/pins/cables.h"
#include "models/pins/network_cut.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// `routers` of an experiment, "all" or names with blanks between, out of the network.
inline models::Experiment cut_at(models::Experiment e, const std::string& routers) {
  e.set("router.implementation", "pins");
  e.set("router.rtl_routers", routers);
  return e;
}

struct CutMesh {
  using Router = models::pins::RouterModule<64>;
  using MakeRouter = std::function<std::unique_ptr<Router>(const char* module, const models::Experiment& e,
                                                           const std::string& router)>;

  static std::unique_ptr<Router> modelled(const char* module, const models::Experiment& e, const std::string& router) {
    return std::make_unique<models::pins::BraidRouter<64>>(module, e, router);
  }

  explicit CutMesh(const models::Experiment& e, const MakeRouter& make = modelled,
                   const sc_core::sc_time& clock_period = sc_core::SC_ZERO_TIME)
      : simulation(e), engine(simulation.engine(clock_period)), cut("cut", engine) {
    for (const auto& seat : cut.seats()) {
      routers.push_back(make(("router_" + std::to_string(routers.size())).c_str(), e, seat->router_name()));
      routers.back()->clk_i(cut.clk);
      routers.back()->rst_ni(cut.rst_n);
      cables.join(*seat, *routers.back());
    }
  }

  models::Simulation simulation;
  models::Engine& engine;
  models::pins::NetworkCut<64> cut;
  std::vector<std::unique_ptr<Router>> routers;
  models::pins::Cables<64> cables;
};

/// After so many cycles of both: the same packets with the same cycles, the same flits over every link, the same
/// circuits after the same searches.
inline void expect_same_network(const models::Network& uncut, const models::Network& cut) {
  EXPECT_EQ(cut.now(), uncut.now());
  EXPECT_EQ(cut.merged_statistics().packet_hash(), uncut.merged_statistics().packet_hash());
  EXPECT_EQ(cut.flit_hops(), uncut.flit_hops());
  EXPECT_EQ(cut.movements(), uncut.movements());
  const models::Conservation a = uncut.conservation(), b = cut.conservation();
  EXPECT_TRUE(b.holds()) << b.flits_injected << " flits, " << b.flits_delivered << " delivered, " << b.flits_in_flight
                         << " in flight; " << b.packets_created << " packets, " << b.packets_delivered << ", "
                         << b.packets_in_flight;
  EXPECT_EQ(b.packets_delivered, a.packets_delivered);
  EXPECT_EQ(b.flits_in_flight, a.flits_in_flight);
  for (std::size_t r = 0; r < uncut.topology().router_count(); ++r) {
    for (std::size_t p = 0; p < uncut.topology().port_count(RouterId{r}); ++p) {
      const auto x = uncut.fabric().link_use(RouterId{r}, PortId{p}), y = cut.fabric().link_use(RouterId{r}, PortId{p});
      EXPECT_EQ(y.packet_flits, x.packet_flits) << "router " << r << ", port " << p;
      EXPECT_EQ(y.circuit_flits, x.circuit_flits) << "router " << r << ", port " << p;
    }
  }
  const models::SetupResults s = uncut.setup_results(), t = cut.setup_results();
  EXPECT_EQ(t.total_cycles, s.total_cycles);
  EXPECT_EQ(t.orders_tried, s.orders_tried);
  EXPECT_EQ(t.fell_back_to_packets, s.fell_back_to_packets);
  ASSERT_EQ(t.circuits.size(), s.circuits.size());
  for (std::size_t c = 0; c < s.circuits.size(); ++c) {
    EXPECT_EQ(t.circuits[c].setup_cycles, s.circuits[c].setup_cycles) << c;
    EXPECT_EQ(t.circuits[c].backtracks, s.circuits[c].backtracks) << c;
    EXPECT_EQ(t.circuits[c].path.size(), s.circuits[c].path.size()) << c;
  }
}

}  // namespace braid::test
