// The modules of a PO2 router on SystemC signals, driven by synthetic traffic and by a stream graph: each stands alone
// beside a network of modules and is to write what its twin there writes, in every cycle (driven_module.h), and what a
// small reference of its own says (po2_references.h). The messages of the nodes come to the message scheduler by its
// ports. `scripts/nightly` runs a million cycles (BRAID_LOCKSTEP_CYCLES).
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/stages/base/hardware_view.h"
#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "models/stages/po2/offer_unit.h"
#include "models/stages/po2/route_unit.h"
#include "tb/tests/support/driven_module.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/po2_references.h"

namespace braid::test::po2_driven_test {
namespace {

using models::Experiment;
using namespace models::stages::po2;

/// Steps of a cycle (docs/hardware-view/po2.md).
enum Step : std::size_t { kOffers, kPool, kLinks, kRoutes, kNodes };

constexpr std::uint64_t kPatience = 200;

/// Messages of several packets, a Bernoulli source a node, near saturation: pools run out, packets escape.
Experiment synthetic() {
  Experiment e = po2(0.8, "derouting", 3);
  e.set("interface.scheduler", "alpha");
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.buffers", 4);
  e.set("po2.escape_patience_cycles", kPatience);
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
  std::uint64_t patience;
  std::uint64_t moves;  ///< that an output makes in 20000 cycles, at least; and as many turns of its reference
};

std::uint64_t wanted_cycles() {
  const char* const asked = std::getenv("BRAID_LOCKSTEP_CYCLES");
  return asked == nullptr ? 20000 : std::stoull(asked);
}

/// A network, and whose place in it the module takes.
template <class Module>
struct Driven {
  Driven(const Driver& driver, const std::string& name, Step step)
      : network(driver.experiment()),
        fast(driver.experiment()),
        site{network.experiment, network.topology, *network.routing, RouterId{driver.router}},
        module("alone", site),
        driven(module,
               "network." + models::stages::module_name("router", network.topology.router_names[driver.router]) + "." +
                   name,
               DrivenModule::around(step)) {}

  ModuleBench network;
  Bench fast;
  Site site;
  Module module;
  DrivenModule driven;
};

class Po2Driven : public testing::TestWithParam<Driver> {
 protected:
  template <class Module>
  static void expect_right(Driven<Module>& d, Po2Reference& reference, const std::vector<std::string>& moving,
                           const std::function<void(std::uint64_t cycle)>& drive = nullptr) {
    const std::uint64_t cycles = wanted_cycles(), times = GetParam().moves * cycles / 20000;
    expect_follows(d.network, d.fast, d.driven, cycles, drive, [&](std::uint64_t cycle) { reference.check(cycle); });
    d.driven.expect_moved(times, moving);
    EXPECT_GE(reference.turns(), times);
  }
};

/// It has no latency of its own: the twin is its only reference.
TEST_P(Po2Driven, OfferUnitOnSignalsWritesWhatItsTwinDoes) {
  Driven<OfferUnit> d(GetParam(), "offer_unit", kOffers);
  const std::uint64_t cycles = wanted_cycles();
  expect_follows(d.network, d.fast, d.driven, cycles, nullptr, nullptr);
  d.driven.expect_moved(GetParam().moves * cycles / 20000, {"offer_o", "inject_o", "buffer_o", "offer_since_o"});
}

TEST_P(Po2Driven, BufferPoolOnSignalsWritesWhatItsTwinDoes) {
  Driven<BufferPool> d(GetParam(), "buffer_pool", kPool);
  Po2PoolReference reference(d.driven, d.site);
  expect_right(d, reference, {"grant_o", "held_o", "blocking_o", "buffer_o"});
}

TEST_P(Po2Driven, LinkControllerOnSignalsWritesWhatItsTwinDoes) {
  Driven<LinkController> d(GetParam(), "link_controller", kLinks);
  Po2LinkReference reference(d.driven, d.site);
  expect_right(d, reference, {"incoming_o", "idle_o", "sending_o", "receiving_o", "leaving_o"});
}

TEST_P(Po2Driven, RouteUnitOnSignalsWritesWhatItsTwinDoes) {
  Driven<RouteUnit> d(GetParam(), "route_unit", kRoutes);
  Po2RouteReference reference(d.driven, d.site, GetParam().patience);
  expect_right(d, reference, {"waiting_o", "since_o", "in_port_o", "ways_o"});
  if (GetParam().patience > 0)
    d.driven.expect_moved(GetParam().moves * wanted_cycles() / 20000, {"escape_o", "escape_class_o"});
}

/// What the router's nodes have made in the cycle, onto the ports that the twin has not: a message each at most.
void drive_messages(Driven<MessageScheduler>& d, std::uint64_t cycle) {
  constexpr models::PacketSlot kBlock = 4096;  // of the store's slots
  const auto ports = static_cast<unsigned>(d.network.topology.port_count(d.site.router));
  models::stages::Bits packets(ports * kArrivalBits), message(ports * kMessageBits), priority(ports);
  const models::PacketStore& store = d.network.network->store();
  for (models::PacketSlot slot = 0; slot < store.slots(); ++slot) {
    if (!store.has(slot)) {
      slot |= kBlock - 1;
      continue;
    }
    const models::Packet& packet = store[slot];
    if (packet.workload == models::kNoWorkload) {  // nobody has used it; those of a block are used from the lowest on
      slot |= kBlock - 1;
      continue;
    }
    const routing::Attachment& from = d.network.topology.nodes[packet.source.value].front();
    if (packet.created != cycle || from.router != d.site.router) continue;
    const auto p = static_cast<unsigned>(from.port.value);
    const std::uint64_t before = packets.field(p * kArrivalBits, kArrivalBits);
    if (before > 0) {
      ASSERT_EQ(message.field(p * kMessageBits, kMessageBits), packet.message) << "two in cycle " << cycle;
    }
    packets.set(p * kArrivalBits, kArrivalBits, before + 1);
    message.set(p * kMessageBits, kMessageBits, packet.message);
    priority.set(p, packet.priority);
  }
  d.driven.drive("arrival_packets_i", packets);
  d.driven.drive("arrival_message_i", message);
  d.driven.drive("arrival_priority_i", priority);
}

TEST_P(Po2Driven, MessageSchedulerOnSignalsWritesWhatItsTwinDoes) {
  Driven<MessageScheduler> d(GetParam(), "message_scheduler", kNodes);
  Po2SchedulerReference reference(d.driven, d.site);
  expect_right(d, reference, {"queued_o", "head_since_o"}, [&](std::uint64_t cycle) { drive_messages(d, cycle); });
}

INSTANTIATE_TEST_SUITE_P(By, Po2Driven,
                         testing::Values(Driver{"synthetic_traffic", synthetic, 9, kPatience, 10},
                                         Driver{"stream_graph", stream, 5, 0, 5}),
                         [](const auto& driver) { return driver.param.name; });

}  // namespace
}  // namespace braid::test::po2_driven_test
