// To make a large network takes long: whoever waits for it is asked all the while whether it is to be broken off
// (routing/base/break_off.h).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routing/base/break_off.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::heard_test {
namespace {

using models::stages::RegisterChannel;

/// How often it was asked while its work was done.
template <class Work>
std::size_t looks(Work work) {
  std::size_t count = 0;
  const routing::BreakOff counts([&count](const char*, std::size_t, std::size_t) { ++count; });
  work();
  return count;
}

/// For each slice once more.
TEST(BreakingOff, IsHeardWhileASliceIsMade) {
  for (const char* family : {"po2", "virtual_cut_through"}) {
    models::Experiment e = in_family(family);
    const Bench bench(e);
    const auto of_slices = [&](std::size_t slices) {
      return looks([&] { const models::Network network(bench.experiment, bench.topology, *bench.routing, slices); });
    };
    EXPECT_GE(of_slices(6), of_slices(1) + 5) << family;
  }
}

void collect(const std::vector<sc_core::sc_object*>& objects, std::size_t& channels) {
  for (sc_core::sc_object* object : objects) {
    channels += dynamic_cast<RegisterChannel*>(object) != nullptr ? 1 : 0;
    collect(object->get_child_objects(), channels);
  }
}

/// For each channel when it is made, and for each stage at its elaboration.
TEST(BreakingOff, IsHeardWhileModulesAreMadeAndElaborated) {
  std::unique_ptr<NetworkOfModules> network;
  const std::size_t made = looks([&] { network = std::make_unique<NetworkOfModules>("network", small_po2(3, 1)); });
  std::size_t channels = 0;
  collect(sc_core::sc_get_top_level_objects(), channels);
  EXPECT_GT(channels, 30U) << "of three routers";
  EXPECT_GE(made, channels);
  const std::size_t elaborated = looks([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
  std::size_t stages = 0;
  for (std::size_t step = 0; step < network->clocks().size(); ++step) stages += network->clocks()[step].stages().size();
  EXPECT_EQ(stages, 15U) << "five a router";
  EXPECT_GE(elaborated, stages);
}

}  // namespace
}  // namespace braid::test::heard_test
