// Registers in checkpoints that contradict each other, one at a time, made by hand: each is refused for what it is.
// (Many at random: tb/python/gates/test_damaged.py, which only asks that nothing crashes.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "models/families/po2/fabric.h"
#include "models/families/virtual_cut_through/fabric.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::restored_test {
namespace {

using models::Experiment;

/// What a network says to the registers that another saved.
std::string refusal(const Experiment& e, const std::string& bytes, std::size_t slices = 1) {
  const Bench bench(e, slices);
  return complaint<CheckpointError>([&] { restore(*bench.network, bytes); });
}

/// Far beyond saturation, for 300 cycles.
Experiment busy(const std::string& architecture) {
  Experiment e = architecture == "hybrid" ? uniform_mesh(0.9, 4, 4) : in_family(architecture);
  if (architecture != "hybrid") add_traffic(e, architecture == "po2" ? 0.3 : 0.9);
  return e;
}

/// Of a VC of a busy mesh that is as wanted, and its port.
using Wanted = std::function<bool(const models::hybrid::InputVc&)>;
using Change = std::function<void(models::hybrid::RouterBank&, models::hybrid::VcIndex)>;
std::string of_hybrid(const Wanted& wanted, const Change& change) {
  const Experiment e = busy("hybrid");
  Bench bench(e);
  bench.run(300);
  EXPECT_EQ(refusal(e, saved(*bench.network)), "");
  auto& bank = const_cast<models::hybrid::RouterBank&>(models::hybrid::of(bench.network->fabric()).bank());
  for (models::hybrid::VcIndex v = 0; v < bank.input_vc_count(); ++v) {
    if (!wanted(bank.input_vcs[v])) continue;
    change(bank, v);
    return refusal(e, saved(*bench.network));
  }
  return "no such VC";
}

TEST(Restored, AVcHoldsNoMoreFlitsThanItsBuffer) {
  const auto full = [](const auto& vc) { return vc.count > 0; };
  EXPECT_EQ(of_hybrid(full, [](auto& bank, auto v) { bank.input_vcs[v].count = 200; }).rfind("number of flits", 0), 0U);
}

TEST(Restored, ASwitchRequestIsOfAVcThatHasAnOutputAndAFlit) {
  using models::hybrid::VcState;
  const auto ask = [](auto& bank, auto v) { bank.switch_requests[bank.port_of_vc(v)] |= 1U << bank.lane_of(v); };
  const auto waiting = [](const auto& vc) { return vc.state == VcState::kWaitsForVc && vc.count > 0; };
  EXPECT_EQ(of_hybrid(waiting, ask), no_such_state("a switch request without a flit"));
  const auto empty = [](const auto& vc) { return vc.state == VcState::kActive && vc.count == 0; };
  EXPECT_EQ(of_hybrid(empty, ask), no_such_state("a switch request without a flit"));
}

/// A head that waits for a VC is there, and has as many ways on as the routing algorithm may give it, one at least.
TEST(Restored, AHeadThatWaitsForAVcHasAWayOn) {
  using models::hybrid::VcState;
  const auto waiting = [](const auto& vc) { return vc.state == VcState::kWaitsForVc && vc.count > 0; };
  const std::string refused = no_such_state("a head without a way on");
  EXPECT_EQ(of_hybrid(waiting, [](auto& bank, auto v) { bank.input_vcs[v].count = 0; }), refused);
  EXPECT_EQ(of_hybrid(waiting, [](auto& bank, auto v) { bank.ways[v] = 0; }), refused);
  EXPECT_EQ(of_hybrid(waiting, [](auto& bank, auto v) { ++bank.ways[v]; }), refused) << "x first has one";
}

/// An input VC that has none of the output VCs, and none of them has it.
TEST(Restored, AVcLeavesByAnOutputVcThatIsThere) {
  const auto leaving = [](const auto& vc) { return vc.state == models::hybrid::VcState::kActive; };
  std::string outputs;
  const auto change = [&](auto& bank, auto v) {
    outputs = std::to_string(bank.output_vc_count());
    bank.output_vcs[bank.input_vcs[v].out_vc].owner = models::kNone;
    bank.input_vcs[v].out_vc = static_cast<models::hybrid::VcIndex>(bank.output_vc_count());
  };
  const std::string said = of_hybrid(leaving, change);
  EXPECT_EQ(said, "output VC " + outputs + ", here are " + outputs);
}

/// Of one stream that has its circuit.
TEST(Restored, ASetUpHasNoMoreResultsThanCircuits) {
  const Experiment e = tile_streams(3, 3, 2, {{0, 2}});
  Bench bench(e);
  bench.run(300);
  EXPECT_EQ(refusal(e, saved(*bench.network)), "");
  const auto& set_up = *models::hybrid::of(bench.network->fabric()).setup_sequencer();
  auto& circuits = const_cast<models::SetupResults&>(set_up.results()).circuits;
  ASSERT_EQ(circuits.size(), 1U);
  circuits.push_back(circuits.front());
  EXPECT_EQ(refusal(e, saved(*bench.network)), no_such_state("an order of other circuits"));
}

/// Nine nodes with two local ports each, and a lane a port: where a circuit that moves is torn down to.
TEST(Restored, ACircuitEndsAtALaneOfALocalPort) {
  models::Experiment e = tile_streams(3, 3, 2, {{0, 2}});
  e.set("setup.reroute", "each");
  const Bench bench(e);
  const auto& requests = models::hybrid::of(bench.network->fabric()).setup_requests();
  const auto refusal_of = [&](std::size_t port, std::uint32_t lane) {
    return complaint<CheckpointError>([&] { requests.check_end({port, lane, 1}); });
  };
  EXPECT_EQ(refusal_of(0, 0), "");
  EXPECT_EQ(refusal_of(17, 0), "");
  EXPECT_EQ(refusal_of(18, 0), "local port 18, here are 18");
  EXPECT_EQ(refusal_of(17, 1), "circuit 1, here are 1");
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Two packets cross a router; the event that ends one of the transfers is made the other's.
TEST(Restored, ATransferEndsOnce) {
  using Event = models::virtual_cut_through::Slice::Event;
  using Kind = models::virtual_cut_through::Slice::EventKind;
  const Experiment e = busy("virtual_cut_through");
  Bench bench(e);
  bench.run(300);
  const auto& bank = dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).bank();
  std::string bytes = saved(*bench.network);
  EXPECT_EQ(refusal(e, bytes), "");
  constexpr std::size_t kLength = sizeof Event::due + sizeof Event::kind, kOut = kLength + sizeof Event::length_flits,
                        kIn = kOut + sizeof Event::out_port;  // of an event's members, as they are saved
  for (std::size_t i = 0; i + kIn + sizeof Event::in_port <= bytes.size(); ++i) {
    const auto due = at<std::uint64_t>(bytes, i);
    const auto in = at<std::uint32_t>(bytes, i + kIn), out = at<std::uint32_t>(bytes, i + kOut);
    if (due < bench.network->now() || due > bench.network->now() + 255 || in >= bank.input_port_count() ||
        at<Kind>(bytes, i + kLength - 1) != Kind::kTransferred || out >= bank.links.size() ||
        bank.router_of(in) != bank.router_of(out) || !bank.queues[in].leaving) {
      continue;
    }
    for (std::uint32_t other = 0; other < bank.input_port_count(); ++other) {
      if (other == in || bank.router_of(other) != bank.router_of(in) || !bank.queues[other].leaving) continue;
      std::memcpy(bytes.data() + i + kIn, &other, sizeof other);
      EXPECT_EQ(refusal(e, bytes), no_such_state("a transfer that is not under way"));
      return;
    }
  }
  FAIL() << "no router that two packets cross";
}

TEST(Restored, APoolAddsUpInEachOfItsSums) {
  using models::po2::Router;
  const std::function<void(Router&)> changes[] = {[](Router& r) { ++r.use[0]; }, [](Router& r) { r.free ^= 1U; },
                                                  [](Router& r) { r.idle ^= 1U; }};
  const Experiment e = busy("po2");
  for (const auto& change : changes) {
    Bench bench(e);
    bench.run(300);
    EXPECT_EQ(refusal(e, saved(*bench.network)), "");
    change(const_cast<Router&>(models::po2::of(bench.network->fabric()).routers().front()));
    EXPECT_EQ(refusal(e, saved(*bench.network)), no_such_state("a pool that does not add up"));
  }
}

/// A packet that tries a far pool in vain holds its port until it knows: one without the other is no such state.
TEST(Restored, ARejectionIsOfAPacketThatTriesAndOfAPortThatItHolds) {
  using models::po2::Port;
  using models::po2::Router;
  const std::function<void(Router&, Port&)> changes[] = {[](Router& r, Port& p) { r.buffers[p.buffer].trying = false; },
                                                         [](Router&, Port& p) { p.use = Port::Use::kSending; },
                                                         [](Router& r, Port& p) {
                                                           r.buffers[p.buffer].trying = false;
                                                           p.use = Port::Use::kSending;
                                                         }};
  Experiment e = busy("po2");
  e.set("po2.rejection", "tried").set("po2.buffers", 4);
  for (const auto& change : changes) {
    Bench bench(e);
    bench.run(300);
    EXPECT_EQ(refusal(e, saved(*bench.network)), "");
    bool found = false;
    for (const Router& router : models::po2::of(bench.network->fabric()).routers()) {
      auto& here = const_cast<Router&>(router);
      const auto tries = [&](const Port& p) { return p.use == Port::Use::kRejected && here.buffers[p.buffer].trying; };
      const auto port = std::find_if(here.ports.begin(), here.ports.end(), tries);
      if (port == here.ports.end()) continue;
      change(here, *port);
      found = true;
      break;
    }
    ASSERT_TRUE(found);
    EXPECT_EQ(refusal(e, saved(*bench.network)), no_such_state("a rejection of nobody"));
  }
}

/// A slice's list of another slice's routers that are to look again: in the checkpoint two lists, its own empty. With
/// router 0 in it, of the first slice, that of the first slice is refused.
TEST(Restored, ASliceWakesRoutersOfTheSliceThatTheListIsFor) {
  const Experiment e = busy("po2");
  Bench bench(e, 2);
  std::size_t lists = 0, refused = 0;
  for (bench.run(300); refused == 0 && bench.network->now() < 320; bench.run(1)) {
    const std::string bytes = saved(*bench.network);
    EXPECT_EQ(refusal(e, bytes, 2), "");
    for (std::size_t i = 0; i + 28 <= bytes.size(); ++i) {
      const auto length = at<std::uint64_t>(bytes, i + 16);
      const auto router = at<std::uint32_t>(bytes, i + 24);
      if (at<std::uint64_t>(bytes, i) != 2 || at<std::uint64_t>(bytes, i + 8) != 0) continue;
      if (length == 0 || length > bench.topology.router_count()) continue;
      if (router < bench.topology.router_count() / 2 || router >= bench.topology.router_count()) continue;
      ++lists;
      std::string changed = bytes;
      changed.replace(i + 24, 4, 4, '\0');
      refused += refusal(e, changed, 2) == no_such_state("a wake of another slice's router") ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 0U) << "of " << lists;
}

/// Under way, in the queue of a host, or at rest in an in-transit buffer: who comes there looks its route up.
TEST(Restored, EveryPacketThatWasSentHasARoute) {
  const Experiment e = irregular_myrinet(8, 0.3, "balanced", "every_switch");
  Bench bench(e);
  bench.run(3000);
  EXPECT_EQ(refusal(e, saved(*bench.network)), "");
  auto& store = const_cast<models::PacketStore&>(myrinet_of(bench).store());
  std::size_t refused = 0;  // of slots that are free again nobody looks the route up
  for (models::PacketSlot slot = 0; slot < store.slots() && refused < 16; ++slot) {
    const routing::RouteId route = store[slot].route;
    if (route == routing::kNoRoute) continue;
    store[slot].route = routing::kNoRoute;
    const std::string said = refusal(e, saved(*bench.network));
    if (!said.empty()) {
      ++refused;
      EXPECT_EQ(said.rfind("route of a packet 4294967295, here are ", 0), 0U) << slot << ": " << said;
    }
    store[slot].route = route;
  }
  EXPECT_EQ(refused, 16U);
}

/// Whatever four bytes are a channel's number in an event: some such change is refused as one.
TEST(Restored, AnEventIsOfAChannelThatIsThere) {
  const Experiment e = busy("myrinet");
  Bench bench(e);
  bench.run(300);
  const std::string bytes = saved(*bench.network);
  EXPECT_EQ(refusal(e, bytes), "");
  std::size_t refused = 0;
  for (std::size_t i = 0; i + 13 <= bytes.size() && refused == 0; ++i) {
    const auto due = at<std::uint64_t>(bytes, i);
    if (due < bench.network->now() || due > bench.network->now() + 1000 || at<std::uint8_t>(bytes, i + 12) > 10)
      continue;
    std::string changed = bytes;
    changed.replace(i + 8, 4, "\xfe\xff\xff\x7f");
    refused += refusal(e, changed).rfind("channel 2147483646, here are ", 0) == 0 ? 1 : 0;
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace braid::test::restored_test
