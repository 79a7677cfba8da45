// A network cut at pins whose flits are as wide as flits may be: the network's own 64 bits are the lowest, and all else
// is as at 64 bits.
#include <memory>
#include <vector>

#include "tb/tests/support/cut_mesh.h"

namespace braid::test::cut_width_test {
namespace {

template <int Width>
void expect_cut_of() {
  const models::Experiment e = uniform_mesh(0.35, 3, 3);
  Bench uncut(e);
  uncut.run(600);
  const models::Experiment at_pins = cut_at(e, "1,1 2,1");
  models::Simulation simulation(at_pins);
  models::Engine& engine = simulation.engine();
  models::pins::NetworkCut<Width> cut("cut", engine);
  std::vector<std::unique_ptr<models::pins::BraidRouter<Width>>> routers;
  models::pins::Cables<Width> cables;
  for (const auto& seat : cut.seats()) {
    const std::string name = "router_" + std::to_string(routers.size());
    routers.push_back(std::make_unique<models::pins::BraidRouter<Width>>(name.c_str(), at_pins, seat->router_name()));
    routers.back()->clk_i(cut.clk);
    routers.back()->rst_ni(cut.rst_n);
    cables.join(*seat, *routers.back());
  }
  engine.run(600);
  expect_same_network(*uncut.network, engine.settled());
}
TEST(NetworkCutOfWideFlits, IsTheNetworkOf100Bits) { expect_cut_of<100>(); }
TEST(NetworkCutOfWideFlits, IsTheNetworkOf256Bits) { expect_cut_of<256>(); }

/// By name; a router that is not cut out has none, and the nearest name is said.
TEST(NetworkCutSeats, AreNamedAfterTheirRouters) {
  models::Simulation simulation(cut_at(uniform_mesh(0.1, 3, 3), "1,1 2,1"));
  const models::pins::NetworkCut<64> cut("cut", simulation.engine());
  ASSERT_EQ(cut.seats().size(), 2U);
  EXPECT_EQ(cut.seats()[0]->router_name(), "1,1");
  EXPECT_STREQ(cut.seats()[0]->name(), "cut.seat_1_1");
  EXPECT_STREQ(cut.seats()[1]->name(), "cut.seat_2_1");
  EXPECT_EQ(&cut.at("2,1"), cut.seats()[1].get());
  EXPECT_FALSE(cut.at("2,1").ended());
}

}  // namespace
}  // namespace braid::test::cut_width_test
