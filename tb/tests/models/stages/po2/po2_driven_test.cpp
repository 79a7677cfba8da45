// The modules of a PO2 router on SystemC signals, driven by synthetic traffic and by a stream graph: each stands alone
// beside a network of modules and is to write what its twin there writes, in every cycle (driven_module.h). The
// messages of the nodes come to the message scheduler by its ports. `scripts/nightly` runs a million cycles
// (BRAID_LOCKSTEP_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/stages/base/hardware_view.h"
#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "models/stages/po2/offer_unit.h"
#include "models/stages/po2/route_unit.h"
#include "tb/tests/support/driven_module.h"
#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/po2_full_load.h"

namespace braid::test::po2_driven_test {
namespace {

using models::Experiment;
using namespace models::stages::po2;

/// Steps of a cycle (docs/hardware-view/po2.md).
enum Step : std::size_t { kOffers, kPool, kLinks, kRoutes, kNodes };

/// Messages of several packets near saturation, pools that run out, and escapes.
Experiment synthetic() {
  Experiment e = po2(0.8, "derouting", 3);
  e.set("interface.scheduler", "alpha");
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.buffers", 6);
  e.set("po2.escape_patience_cycles", 500);
  return e;
}

Experiment stream() {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("topology.local_ports", 1);
  e.set("stream.computation_scaling", 0.01);
  e.set("interface.switching", "packet");
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "best_paths");
  e.set("routing.allow_deadlock", true);
  return e;
}

struct Driver {
  const char* name;
  Experiment (*experiment)();
  std::size_t router;
  std::uint64_t moves;  ///< that an output makes in 20000 cycles, at least
};

class Po2Driven : public testing::TestWithParam<Driver> {
 protected:
  /// `messages`: the module has a processor's side.
  template <class Module>
  void expect_follows(const std::string& name, std::size_t step, const std::vector<std::string>& moving,
                      bool messages = false) {
    const Experiment e = GetParam().experiment();
    ModuleBench network(e);
    const RouterId router{GetParam().router};
    const Site site{network.experiment, network.topology, *network.routing, router};
    Module module("alone", site);
    DrivenModule driven(
        module,
        "network." + models::stages::module_name("router", network.topology.router_names[router.value]) + "." + name,
        step);
    elaborate();
    const std::uint64_t cycles = wanted_cycles();
    for (std::uint64_t cycle = 0; cycle < cycles && !HasFatalFailure(); ++cycle) {
      network.cycle(ModuleBench::Order::kSleeping, [&](std::size_t s) { driven.look(s); });
      if (messages) drive_messages(driven, network, router, cycle);
      driven.end(cycle);
    }
    EXPECT_GT(network.delivered(), cycles / 400);
    driven.expect_moved(GetParam().moves * cycles / 20000, moving);
  }

 private:
  static std::uint64_t wanted_cycles() {
    const char* const asked = std::getenv("BRAID_LOCKSTEP_CYCLES");
    return asked == nullptr ? 20000 : std::stoull(asked);
  }
  /// What the router's nodes have made in the cycle: a message each at most.
  static void drive_messages(DrivenModule& driven, const ModuleBench& network, RouterId router, std::uint64_t cycle) {
    const auto ports = static_cast<unsigned>(network.topology.port_count(router));
    models::stages::Bits packets(ports * kArrivalBits), message(ports * kMessageBits), priority(ports);
    const models::PacketStore& store = network.network->store();
    for (models::PacketSlot slot = 0; slot < store.slots(); ++slot) {
      const models::Packet& packet = store[slot];
      const routing::Attachment& from = network.topology.nodes[packet.source.value].front();
      if (packet.created != cycle || packet.length_flits == 0 || from.router != router) continue;
      const auto p = static_cast<unsigned>(from.port.value);
      packets.set(p * kArrivalBits, kArrivalBits, packets.field(p * kArrivalBits, kArrivalBits) + 1);
      message.set(p * kMessageBits, kMessageBits, packet.message);
      priority.set(p, packet.priority);
    }
    driven.drive("arrival_packets_i", packets);
    driven.drive("arrival_message_i", message);
    driven.drive("arrival_priority_i", priority);
  }
};

TEST_P(Po2Driven, OfferUnitOnSignalsWritesWhatItsTwinDoes) {
  expect_follows<OfferUnit>("offer_unit", kOffers, {"offer_o", "inject_o", "buffer_o", "offer_since_o"});
}
TEST_P(Po2Driven, BufferPoolOnSignalsWritesWhatItsTwinDoes) {
  expect_follows<BufferPool>("buffer_pool", kPool, {"grant_o", "held_o", "blocking_o", "buffer_o"});
}
TEST_P(Po2Driven, LinkControllerOnSignalsWritesWhatItsTwinDoes) {
  expect_follows<LinkController>("link_controller", kLinks,
                                 {"incoming_o", "idle_o", "sending_o", "receiving_o", "leaving_o"});
}
TEST_P(Po2Driven, RouteUnitOnSignalsWritesWhatItsTwinDoes) {
  expect_follows<RouteUnit>("route_unit", kRoutes, {"waiting_o", "since_o", "in_port_o", "ways_o"});
}
TEST_P(Po2Driven, MessageSchedulerOnSignalsWritesWhatItsTwinDoes) {
  expect_follows<MessageScheduler>("message_scheduler", kNodes, {"queued_o", "head_since_o"}, true);
}
INSTANTIATE_TEST_SUITE_P(By, Po2Driven,
                         testing::Values(Driver{"synthetic_traffic", synthetic, 9, 20},
                                         Driver{"stream_graph", stream, 5, 5}),
                         [](const auto& driver) { return driver.param.name; });

}  // namespace
}  // namespace braid::test::po2_driven_test
