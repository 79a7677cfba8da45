// Links and receivers of an ideal network on SystemC signals, each alone beside a network of modules: it is to write
// what its twin there writes, in every cycle (driven_module.h). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "models/stages/ideal/links.h"
#include "models/stages/ideal/receiver.h"
#include "tb/tests/support/driven_module.h"

namespace braid::test::ideal_driven_test {
namespace {

using models::Experiment;
using namespace models::stages::ideal;  // NOLINT(google-build-using-namespace)

/// Steps of a cycle (docs/hardware-view/ideal.md).
enum Step : std::size_t { kLinks, kReceivers };

struct Driver {
  friend std::ostream& operator<<(std::ostream& out, const Driver& d) { return out << d.name; }
  const char* name;
  bool queue_at_receiver;
  std::uint32_t local_ports;
};

Experiment crowded(const Driver& driver) {
  Experiment e = uniform_mesh(0.8, 3, 2);
  e.set("router.architecture", "ideal").set("router.queue_at_receiver", driver.queue_at_receiver);
  e.set("topology.local_ports", driver.local_ports);
  return e;
}

class IdealDriven : public testing::TestWithParam<Driver> {
 protected:
  void expect_follows(models::stages::Stage& module, const std::string& twin, Step step,
                      const std::vector<std::string>& moving) {
    DrivenModule driven(module, "network." + twin, DrivenModule::around(step));
    test::expect_follows(network, fast, driven, 2000, nullptr, nullptr);
    driven.expect_moved(100, moving);
  }
  const Experiment experiment = crowded(GetParam());
  ModuleBench network{experiment};
  Bench fast{experiment};
};

TEST_P(IdealDriven, LinksWriteWhatTheirTwinDoes) {
  Links links("alone", 6);
  expect_follows(links, "links", kLinks, {"comes_o_0", "comes_o_5"});
}

TEST_P(IdealDriven, AReceiverWritesWhatItsTwinDoes) {
  Receiver receiver("alone", GetParam().local_ports, GetParam().queue_at_receiver);
  expect_follows(receiver, "receiver_4", kReceivers, {"takes_o"});
}

INSTANTIATE_TEST_SUITE_P(By, IdealDriven,
                         testing::Values(Driver{"links_that_wait", false, 1}, Driver{"queues", true, 1},
                                         Driver{"queues_of_two_ports", true, 2}),
                         [](const auto& driver) { return std::string(driver.param.name); });

}  // namespace
}  // namespace braid::test::ideal_driven_test
