// Networks whose circuits share local ports, let packets have turns, keep to bounds of their nodes, or are set up at
// once: saved in the midst of it and gone on with, beside a twin that was never interrupted. (All else:
// models/engine/checkpoint_*.)
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/continued.h"

namespace braid::test::circuits_continued_test {
namespace {

using models::Experiment;

/// FM radio at full speed on circuits that share local ports, beside packets.
Experiment radio(std::uint32_t ports, std::uint32_t lanes) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.001);
  e.set("topology.local_ports", ports);
  e.set("router.circuit_lanes", lanes);
  add_traffic(e, 0.2);
  return e;
}

TEST(CircuitsContinued, WithTurnsOfPackets) {
  Experiment e = radio(2, 4);
  e.set("router.circuit_burst_flits", 4);
  expect_continues(e, 333, 20, 5);
}

TEST(CircuitsContinued, WithNodesThatKeepToABound) {
  Experiment e = radio(4, 2);
  for (const char* key : {"packet_injection", "packet_ejection", "circuit_injection", "circuit_ejection"}) {
    e.set("interface." + std::string(key) + "_flits", std::string(key).find("packet") == 0 ? 1 : 2);
  }
  e.set("router.circuit_burst_flits", 2);
  expect_continues(e, 301, 20);
}

TEST(CircuitsContinued, WithHeadsThatSpeculate) {
  Experiment e = radio(2, 4);
  e.set("router.speculative", true);
  e.set("router.share_reserved_links", false);
  expect_continues(e, 312, 20);
}

/// In the midst of the set-up of all at once.
TEST(CircuitsContinued, FoundAllAtOnce) {
  Experiment e = radio(2, 4);
  e.set("setup.searches", "parallel");
  expect_continues(e, 14, 30);
}

}  // namespace
}  // namespace braid::test::circuits_continued_test
