// Routers that are known by their pins alone in place of modelled ones: no flit is lost or made at any cycle. The
// router is tb/tests/plugins/wormhole.cpp, loaded as a user's RTL is.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/pins/cut_router.h"
#include "models/rtl/ready_valid_router.h"
#include "models/rtl/router_folders.h"
#include "models/rtl/router_library.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/places.h"

namespace braid::test::wired_router_test {
namespace {

using models::Experiment;
using models::hybrid::RouterManifest;
using models::hybrid::WiredRouter;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;

Experiment with_wormholes(double rate, const std::string& routers) {
  Experiment e = uniform_mesh(rate, 4, 4);
  e.set("router.vcs", 2).set("router.buffer_depth", 4);
  e.set("router.implementation", "rtl");
  e.set("router.rtl_routers", routers);
  e.set("router.rtl_folder", kRouterFolder);
  return e;
}

void expect_conservation_in_every_cycle(const Experiment& e) {
  Bench bench(e);
  for (int cycle = 0; cycle < 1500; ++cycle) {
    bench.run(1);
    ASSERT_TRUE(bench.network->conservation().holds()) << cycle;
  }
  EXPECT_GT(bench.delivered(), 500U);
}

TEST(WiredRouter, NoFlitIsLostInAnyCycle) { expect_conservation_in_every_cycle(with_wormholes(0.3, "all")); }
TEST(WiredRouter, NoFlitIsLostBesideModelledRouters) {
  expect_conservation_in_every_cycle(with_wormholes(0.3, "0,0 1,1 2,1 3,3"));
}
TEST(WiredRouter, NoFlitIsLostInTwoThreads) {
  Experiment e = with_wormholes(0.3, "all");
  e.set("simulation.threads", 2);
  expect_conservation_in_every_cycle(e);
}
TEST(WiredRouter, NoFlitIsLostOverLongLinks) {
  Experiment e = with_wormholes(0.2, "0,0 1,1 2,1 3,3");
  e.set("topology.link_latency_cycles", 3);
  expect_conservation_in_every_cycle(e);
}

TEST(WiredRouter, EverythingArrivesOnceItsSourcesStop) {
  Experiment e = with_wormholes(0.3, "all");
  Bench bench(e);
  bench.run(500);
  const auto before = bench.network->conservation();
  EXPECT_GT(before.packets_in_flight, 0U);
  sources_of(bench).stop();
  bench.run(500);
  EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U);
}

/// What a router does to the flits that leave after cycle 100, seen through a wormhole that is right otherwise.
class Wrong : public WiredRouter {
 public:
  explicit Wrong(std::unique_ptr<WiredRouter> router) : router_(std::move(router)) {}
  void reset_wires(const models::hybrid::RouterSite& site) override { router_->reset_wires(site); }
  void clock_wires(const WireInputs& in, WireOutputs& out) override {
    router_->clock_wires(in, out);
    if (++cycles_ <= 100) return;
    for (std::size_t p = 0; p < 5; ++p) out.links[p].data[0] ^= std::uint64_t{1} << 40;
  }

 private:
  std::unique_ptr<WiredRouter> router_;
  int cycles_ = 0;
};

/// One that throws in cycle 100.
class Throwing : public WiredRouter {
 public:
  explicit Throwing(std::unique_ptr<WiredRouter> router) : router_(std::move(router)) {}
  void reset_wires(const models::hybrid::RouterSite& site) override {
    name_ = std::to_string(site.x) + "," + std::to_string(site.y);
    router_->reset_wires(site);
  }
  void clock_wires(const WireInputs& in, WireOutputs& out) override {
    if (++cycles_ > 100) throw std::runtime_error(name_);
    router_->clock_wires(in, out);
  }

 private:
  std::unique_ptr<WiredRouter> router_;
  std::string name_;
  int cycles_ = 0;
};

template <class Router>
std::string error_of(const Experiment& e) {
  const models::hybrid::RouterMaker original = models::hybrid::set_router_maker([](const RouterManifest& manifest,
                                                                                   bool assertions) {
    return std::unique_ptr<WiredRouter>(std::make_unique<Router>(models::hybrid::load_router(manifest, assertions)));
  });
  Bench bench(e);
  models::hybrid::set_router_maker(original);
  try {
    bench.run(500);
    return "nothing said";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(WiredRouter, AFlitThatNeverCameInIsToldWithItsPin) {
  const std::string text = error_of<Wrong>(with_wormholes(0.3, "1,1"));
  EXPECT_NE(text.find("a flit leaves that is not inside"), std::string::npos) << text;
}
/// Two threads: the second has the routers of the last two rows. Where several throw in one cycle it is the first one.
TEST(WiredRouter, WhatAnotherThreadThrowsEndsTheRunAsItDoesInOne) {
  for (const auto& [routers, first] :
       {std::pair("2,3", "2,3"), std::pair("0,3 1,1 3,3", "1,1"), std::pair("all", "0,0")}) {
    Experiment e = with_wormholes(0.3, routers);
    EXPECT_EQ(error_of<Throwing>(e), first);
    e.set("simulation.threads", 2);
    EXPECT_EQ(error_of<Throwing>(e), first);
  }
}

/// READY/VALID: a register of one flit from input 0 to output 1, which takes a flit when it is empty.
class OneFlit final : public models::hybrid::ReadyValidRouter {
 public:
  OneFlit() : ReadyValidRouter(2, 2) {}

 private:
  void reset_pins(const models::hybrid::RouterSite&) override { flit_ = {}; }
  void settle(const Offers& rx, std::uint32_t tx_ready) override {
    rx_ = rx[0];
    ready_ = (tx_ready & 2U) != 0;
  }
  std::uint32_t rx_ready() const override { return flit_.valid ? 0 : 1; }
  Offers tx() const override {
    Offers offers;
    offers[1] = flit_;
    return offers;
  }
  void clock_pins() override {
    if (!flit_.valid) {
      flit_ = rx_;
    } else if (ready_) {
      flit_ = {};
    }
  }

  Offer flit_, rx_;
  bool ready_ = false;
};

TEST(ReadyValidRouter, TurnsCreditsIntoReadyAndBack) {
  OneFlit router;
  router.reset_wires({});
  WireInputs in;
  WireOutputs out;
  const auto clock = [&] {
    router.clock_wires(in, out);
    in.links[0].valid = false;
    in.credits = {};
  };
  const auto give = [&](bool head, bool tail, std::uint64_t data) { in.links[0] = {true, head, tail, 0, {data}}; };
  std::vector<std::uint64_t> left;
  for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
    if (cycle < 2) give(cycle == 0, false, cycle);  // as many as the buffer before the input
    if (cycle == 4) give(false, true, 2);           // one more, for a credit of cycle 0
    clock();
    EXPECT_EQ(out.credits[0], cycle == 0 || cycle == 2 || cycle == 4 ? 1U : 0U) << cycle;
    if (out.links[1].valid) left.push_back(cycle << 8 | (out.links[1].head ? 16 : 0) | out.links[1].data[0]);
  }
  EXPECT_EQ(left, (std::vector<std::uint64_t>{1 << 8 | 16, 3 << 8 | 1})) << "two credits, so the third flit waits";
  in.credits[1] = 1;
  clock();
  EXPECT_TRUE(out.links[1].valid && out.links[1].tail && !out.links[1].head);
  EXPECT_EQ(out.links[1].data[0], 2U);
}

/// Whole routers lie in a folder of the search, single stages in its folder `stages`; neither is taken for the other.
TEST(RouterFolders, HaveSingleStagesInTheirFolderStages) {
  namespace fs = std::filesystem;
  const fs::path folder = temporary_file("rtl_folder");
  fs::create_directories(folder / "stages");
  fs::copy_file(fs::path(kRouterFolder) / "wormhole.json", folder / "stages" / "stages_wormhole.json");
  Configuration configuration;
  configuration.set("router.rtl_folder", folder.string());
  const std::vector<RouterManifest> stages = models::hybrid::known_stages(configuration);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].file, (folder / "stages" / "stages_wormhole.json").string());
  EXPECT_EQ(stages[0].name, "wormhole");
  EXPECT_TRUE(models::hybrid::known_routers(configuration).empty());
  configuration.set("router.rtl_folder", (folder / "stages").string());
  EXPECT_TRUE(models::hybrid::known_stages(configuration).empty());
  EXPECT_EQ(models::hybrid::known_routers(configuration).size(), 1U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace braid::test::wired_router_test
