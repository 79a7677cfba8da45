// Whole networks with the RTL in place of modelled routers: the same packets, each with the same cycles, as the model's
// own; and in lockstep, where every register of every router is compared every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "models/rtl/lockstep.h"
#include "models/rtl/pinned_router.h"
#include "models/rtl/router_library.h"
#include "tb/tests/support/bench.h"

namespace braid::test::network_rtl_test {
namespace {

using models::Experiment;

struct Named {
  const char* name;
  Experiment experiment;
  std::uint64_t cycles;
};

Experiment streams(std::uint32_t size, bool packets) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", size, size);
  e.set("stream.computation_scaling", 0.001);
  if (packets) add_traffic(e, 0.2);
  return e;
}

std::vector<Named> experiments() {
  std::vector<Named> all{{"packets_4x4", uniform_mesh(0.35, 4, 4), 3000},
                         {"packets_6x6", uniform_mesh(0.3, 6, 6), 2000}};
  all.push_back({"circuits_4x4", streams(4, false), 3000});
  all.push_back({"circuits_6x6", streams(6, false), 2000});
  all.push_back({"both_4x4", streams(4, true), 3000});
  all.push_back({"both_6x6", streams(6, true), 2000});
  all.push_back({"both_4x4_reserved_links_closed", streams(4, true), 3000});
  all.back().experiment.set("router.share_reserved_links", false);
  for (const char* name : {"shared_local_ports_4x4", "shared_local_ports_closed_4x4"}) {
    all.push_back({name, streams(4, true), 3000});
    all.back().experiment.set("topology.local_ports", 1);
    all.back().experiment.set("router.circuit_lanes", 4);
  }
  all.back().experiment.set("router.share_reserved_links", false);
  all.push_back({"west_first_4x4", streams(4, true), 3000});
  all.back().experiment.set("routing.algorithm", "west_first");
  all.back().experiment.set("router.vcs", 2);
  all.back().experiment.set("router.buffer_depth", 4);
  all.push_back({"odd_even_5x5", streams(5, true), 2000});
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("routing.algorithm", "odd_even");
  all.back().experiment.set("router.vcs", 2);
  all.back().experiment.set("router.buffer_depth", 4);
  all.back().experiment.set("router.circuit_buffer_depth", 3);
  all.push_back({"torus_4x4", streams(4, true), 3000});
  all.back().experiment.set("topology.kind", "torus");
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("routing.ties", "fixed");
  all.back().experiment.set("router.vcs", 5);
  all.back().experiment.set("router.buffer_depth", 4);
  all.back().experiment.set("router.circuit_buffer_depth", 3);
  all.push_back({"minimal_adaptive_6x6", uniform_mesh(0.4, 6, 6), 2000});
  all.back().experiment.set("routing.algorithm", "minimal_adaptive");
  all.back().experiment.set("router.vcs", 3);
  all.back().experiment.set("router.buffer_depth", 4);
  all.push_back({"islip_twice_4x4", streams(4, true), 3000});
  for (const char* stage : {"router.vc_allocator", "router.switch_allocator"}) {
    all.back().experiment.set(stage, "islip");
  }
  all.back().experiment.set("router.islip_iterations", 2);
  all.back().experiment.set("router.arbiter", "matrix");
  all.back().experiment.set("topology.local_ports", 1);
  all.back().experiment.set("routing.algorithm", "minimal_adaptive");
  all.back().experiment.set("router.vcs", 2);
  all.back().experiment.set("router.buffer_depth", 3);
  all.back().experiment.set("router.circuit_buffer_depth", 3);
  all.push_back({"long_links_slow_credits", uniform_mesh(0.3, 4, 4), 2000});
  all.back().experiment.set("topology.link_latency_cycles", 3);
  all.back().experiment.set("router.credit_delay_cycles", 4);
  all.push_back({"buffer_bypass_4x4", uniform_mesh(0.15, 4, 4), 4000});
  all.back().experiment.set("traffic.flits", 16);
  all.back().experiment.set("router.vcs", 1);
  all.back().experiment.set("router.buffer_depth", 4);
  all.back().experiment.set("router.buffer_bypass", true);
  for (const auto& [name, reroute] :
       {std::pair("circuits_move_each_4x4", "each"), std::pair("circuits_move_all_4x4", "all")}) {
    all.push_back({name, streams(4, true), 4000});
    all.back().experiment.set("setup.reroute", reroute);
    all.back().experiment.set("setup.reroute_at_cycle", 600);
    all.back().experiment.set("setup.reroute_every_cycles", 700);
    all.back().experiment.set("setup.avoid_links", "1,1.east 2,2.north");
  }
  return all;
}

/// Of each circuit that stands, how often its search went back; none: without circuits.
std::vector<std::uint32_t> backtracks(const Bench& bench) {
  std::vector<std::uint32_t> of_each;
  for (const models::CircuitResult& c : bench.network->setup_results().circuits) of_each.push_back(c.backtracks);
  return of_each;
}

class InRtl : public testing::TestWithParam<Named> {};

TEST_P(InRtl, GivesTheHashOfTheModel) {
  Bench model(GetParam().experiment);
  model.run(GetParam().cycles);
  const std::uint64_t hash = model.network->merged_statistics().packet_hash();
  EXPECT_GT(model.delivered(), 100U);
  Experiment e = GetParam().experiment;
  e.set("router.implementation", "rtl");
  const auto expect_the_same = [&](const std::string& where) {
    Bench rtl(e);
    rtl.run(GetParam().cycles);
    EXPECT_EQ(rtl.network->merged_statistics().packet_hash(), hash) << where;
    EXPECT_TRUE(rtl.network->conservation().holds()) << where;
    EXPECT_EQ(rtl.network->flit_hops(), model.network->flit_hops()) << where;
    EXPECT_EQ(backtracks(rtl), backtracks(model)) << where;
  };
  for (const char* routers : {"all", "0,0 1,1 2,1 3,3"}) {
    e.set("router.rtl_routers", routers);
    e.set("simulation.threads", 1);
    expect_the_same(routers);
    e.set("simulation.threads", 2);
    expect_the_same(std::string(routers) + " in two threads");
  }
}
/// ... or the numbers compared above would all be nothing.
TEST(RtlNetwork, HasSearchesThatGoBack) {
  Experiment e = streams(4, false);
  e.set("topology.local_ports", 1);
  e.set("router.circuit_lanes", 4);
  std::uint32_t most = 0;
  for (std::uint32_t seed = 1; most == 0; ++seed) {
    ASSERT_LT(seed, 60U);
    e.set("experiment.seed", seed);
    Bench model(e);
    model.run(1500);
    const std::vector<std::uint32_t> wanted = backtracks(model);
    if (!wanted.empty()) most = *std::max_element(wanted.begin(), wanted.end());
    if (most == 0) continue;
    Experiment in_rtl = e;
    in_rtl.set("router.implementation", "rtl");
    Bench rtl(in_rtl);
    rtl.run(1500);
    EXPECT_EQ(backtracks(rtl), wanted);
  }
}

TEST_P(InRtl, NeverDiffersInLockstep) {
  Experiment e = GetParam().experiment;
  e.set("router.implementation", "lockstep");
  Bench both(e);
  EXPECT_NO_THROW(both.run(GetParam().cycles / 2));
  EXPECT_GT(both.delivered(), 50U);
}
INSTANTIATE_TEST_SUITE_P(Networks, InRtl, testing::ValuesIn(experiments()), [](const auto& c) { return c.param.name; });

/// The names by which wires tell packets, of all flits on links: [first VC there, VC, slot of the packet, flit].
std::vector<std::array<std::uint32_t, 4>> names_on_links(const Bench& bench) {
  std::vector<std::array<std::uint32_t, 4>> names;
  auto& fabric = models::hybrid::of(bench.network->fabric());
  for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
    for (const auto& channel : fabric.slice(s).outgoing()) {
      for (const auto& slot : channel->slots()) {
        for (const auto& a : slot.packets) {
          names.push_back({a.target, a.flit.vc(), a.flit.packet(), a.flit.sequence()});
        }
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A flit's data on the wires tell its packet's slot: two runs have the same waves, on however many threads.
TEST(RtlNetwork, HasTheSameDataOnItsWiresOnAnyNumberOfThreads) {
  Experiment e = uniform_mesh(0.3, 6, 6);
  e.set("router.implementation", "rtl");
  Bench one(e);
  e.set("simulation.threads", 2);
  Bench two(e), again(e);
  for (int i = 0; i < 20; ++i) {
    for (Bench* bench : {&one, &two, &again}) bench->run(20);
    const auto names = names_on_links(one);
    EXPECT_GT(names.size(), i == 0 ? 5U : 20U);
    EXPECT_EQ(names_on_links(two), names) << "in cycle " << 20 * (i + 1);
    EXPECT_EQ(names_on_links(again), names) << "in cycle " << 20 * (i + 1);
  }
}

/// On one thread what neighbours send to a router lies in one mailbox; on two each has its own.
TEST(RtlNetwork, HasOneMailboxARouterOnOneThread) {
  Experiment e = uniform_mesh(0.1, 3, 3);
  e.set("router.implementation", "rtl");
  const auto mailboxes_of_the_middle = [&] {
    Bench bench(e);
    return models::hybrid::of(bench.network->fabric()).slice(4).incoming().size();
  };
  EXPECT_EQ(mailboxes_of_the_middle(), 1U);
  e.set("simulation.threads", 2);
  EXPECT_EQ(mailboxes_of_the_middle(), 5U) << "four neighbours and itself";
  e.set("simulation.threads", 1);
  e.set("router.implementation", "lockstep");
  EXPECT_EQ(mailboxes_of_the_middle(), 5U) << "lockstep tells by the mailbox who has sent";
}

/// Worked by hand: ones behind the last winner. 8 ports of 8 VCs ask one another's arbiters, a word's every bit.
TEST(ArbiterShadow, OfSixtyFourRequesters) {
  models::hybrid::ArbiterShadow arbiter(false, 64);
  EXPECT_EQ(arbiter.word(), ~std::uint64_t{0});
  arbiter.use(62);
  EXPECT_EQ(arbiter.word(), std::uint64_t{1} << 63);
  arbiter.use(63);
  EXPECT_EQ(arbiter.word(), 0U);
  arbiter.use(0);
  EXPECT_EQ(arbiter.word(), ~std::uint64_t{1});
}

/// Lockstep notices a single wrong bit, in the cycle in which it appears, and leaves what is needed to see why.
class OneWrongBit final : public models::hybrid::PinRouter {
 public:
  explicit OneWrongBit(std::unique_ptr<models::hybrid::WiredRouter> rtl)
      : rtl_(dynamic_cast<models::hybrid::PinRouter*>(rtl.release())) {}
  void reset_wires(const models::hybrid::RouterSite& site) override { rtl_->reset_wires(site); }
  void clock_wires(const models::hybrid::WireInputs& in, models::hybrid::WireOutputs& out) override {
    rtl_->clock_wires(in, out);
  }
  const models::hybrid::RouterShape& shape() const override { return rtl_->shape(); }
  void reset(const models::hybrid::RouterSite& site) override { rtl_->reset(site); }
  void load(const models::hybrid::RouterSite& site) override { rtl_->load(site); }
  void clock(const models::hybrid::RouterInputs& in, const models::hybrid::FlitCodec& codec) override {
    rtl_->clock(in, codec);
    ++cycle_;
  }
  void outputs(models::hybrid::RouterOutputs& out, const models::hybrid::FlitCodec& codec) const override {
    rtl_->outputs(out, codec);
  }
  void image(models::hybrid::RouterImage& image) const override {
    rtl_->image(image);
    if (cycle_ > 100) image.credits(2, 1) ^= 1;
  }

 private:
  std::unique_ptr<models::hybrid::PinRouter> rtl_;
  std::uint64_t cycle_ = 0;
};

TEST(Lockstep, ReportsTheFirstDifference) {
  const std::filesystem::path folder = temporary_file("difference");
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);
  Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("router.implementation", "lockstep");
  e.set("router.rtl_routers", "1,2");
  const models::hybrid::RouterMaker original =
      models::hybrid::set_router_maker([](const models::hybrid::RouterManifest& manifest, bool assertions) {
        return std::unique_ptr<models::hybrid::WiredRouter>(
            std::make_unique<OneWrongBit>(models::hybrid::load_router(manifest, assertions)));
      });
  Bench bench(e);
  models::hybrid::set_router_maker(original);
  EXPECT_NO_THROW(bench.run(100)) << "at cycle N - 1";
  try {
    bench.run(1);
    FAIL() << "no difference seen";
  } catch (const models::hybrid::LockstepError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("router 1,2, cycle 100: port2.lane1.credits is 0x"), std::string::npos) << text;
    EXPECT_NE(text.find("changes at port 2 in the last 20 cycles"), std::string::npos) << text;
  }
  EXPECT_GT(std::filesystem::file_size(folder / "lockstep.fst"), 1000U);
  EXPECT_TRUE(std::filesystem::exists(folder / "lockstep.gtkw"));
}

TEST(Implementation, RefusesWhatTheRtlIsNot) {
  const auto complaint = [](Experiment e) {
    e.set("router.implementation", "rtl");
    try {
      Bench bench(e);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.vcs", 3);
  EXPECT_NE(complaint(e).find("no Verilated router has 5 ports, 3 VCs of 8 flits"), std::string::npos) << complaint(e);
  e = uniform_mesh(0.1, 4, 4);
  e.set("routing.algorithm", "minimal_adaptive");
  e.set("routing.sticky_escape", false);
  EXPECT_NE(complaint(e).find("routing.sticky_escape = true"), std::string::npos) << complaint(e);
  e = uniform_mesh(0.1, 4, 4);
  e.set("router.switch_allocator", "wavefront");
  EXPECT_NE(
      complaint(e).find("expected router.vc_allocator and router.switch_allocator = \"separable_input_first\" or"),
      std::string::npos)
      << complaint(e);
  e = uniform_mesh(0.1, 4, 4);
  e.set("router.switch_allocator", "islip");  // and VA separable: there is such a point of circuits alone
  EXPECT_NE(complaint(e).find("SA by iSLIP in 1 iteration"), std::string::npos) << complaint(e);
  e = uniform_mesh(0.1, 4, 4);
  e.set("router.rtl_routers", "0,0 9,9");
  EXPECT_NE(complaint(e).find("unknown router \"9,9\""), std::string::npos) << complaint(e);
}

}  // namespace
}  // namespace braid::test::network_rtl_test
