// Stages of the RTL in the places of the model's (stage.*): the same packets, and in lockstep no difference but the one
// that is planted. One case a process: SystemC elaborates once.
#include <gtest/gtest.h>

#include <filesystem>

#include "models/engine/engine.h"
#include "models/rtl/lockstep.h"
#include "models/rtl/router_folders.h"
#include "models/rtl/stage_wires.h"
#include "tb/tests/support/bench.h"

namespace braid::test::replaced_stage_test {
namespace {

using models::Experiment;
using models::hybrid::RouterManifest;
using models::hybrid::WiredStage;

bool stages_are_built(const std::string& point) {
  for (const RouterManifest& m : models::hybrid::known_stages({})) {
    if (m.name == "stages_" + point) return std::filesystem::exists(m.library);
  }
  ADD_FAILURE() << "no stages_" << point << ".json: it is there before its library is built";
  return false;
}

struct Case {
  const char* name;
  const char* point;  ///< of hw/points.json
  const char* stage;
  const char* routers;
  const char* schedule;
};

/// Packets, and where the point has circuits those of FM radio that move all the time.
Experiment experiment(const Case& c) {
  Experiment e;
  if (std::string(c.point) == "mesh_packet") {
    e = uniform_mesh(0.35, 4, 4);
  } else {
    e = stream_mesh("fm_radio_4x4.toml", 4, 4);
    e.set("stream.computation_scaling", 0.001);
    add_traffic(e, 0.2);
    e.set("setup.reroute", "all");
    e.set("setup.reroute_at_cycle", 300);
    e.set("setup.reroute_every_cycles", 400);
    e.set("setup.avoid_links", "1,1.east 2,2.north");
    if (std::string(c.point) == "mesh_lanes") {
      e.set("topology.local_ports", 1);
      e.set("router.circuit_lanes", 4);
      e.set("router.share_reserved_links", false);
    }
  }
  return e;
}

class InItsPlace : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::uint64_t kCycles = 2500;
  void SetUp() override {
    if (!stages_are_built(GetParam().point)) GTEST_SKIP() << "scripts/build release rtl_stages_" << GetParam().point;
  }
  Experiment replaced(const char* by) const {
    Experiment e = experiment(GetParam());
    e.set(std::string("stage.") + GetParam().stage, by);
    e.set("stage.routers", GetParam().routers);
    e.set("simulation.schedule", GetParam().schedule);
    return e;
  }
};

TEST_P(InItsPlace, GivesTheHashOfTheModel) {
  Bench model(experiment(GetParam()));
  model.run(kCycles);
  EXPECT_GT(model.delivered(), 100U);
  Bench rtl(replaced("rtl"), 16);
  models::make_engine(*rtl.network)->run(kCycles);
  EXPECT_EQ(rtl.network->merged_statistics().packet_hash(), model.network->merged_statistics().packet_hash());
  EXPECT_EQ(rtl.network->flit_hops(), model.network->flit_hops());
  EXPECT_TRUE(rtl.network->conservation().holds());
}

TEST_P(InItsPlace, NeverDiffersInLockstep) {
  Bench both(replaced("lockstep"), 16);
  EXPECT_NO_THROW(models::make_engine(*both.network)->run(kCycles));
  EXPECT_GT(both.delivered(), 100U);
}

INSTANTIATE_TEST_SUITE_P(
    Stages, InItsPlace,
    testing::Values(Case{"vc_allocator", "mesh_packet", "vc_allocator", "all", "static"},
                    Case{"switch_allocator", "mesh_packet", "switch_allocator", "all", "static"},
                    Case{"one_switch_allocator", "mesh_packet", "switch_allocator", "1,1", "static"},
                    Case{"vc_allocator_processes", "mesh_packet", "vc_allocator", "0,0 1,1", "process_per_stage"},
                    Case{"vc_allocator_beside_circuits", "mesh_stream", "vc_allocator", "all", "static"},
                    Case{"switch_allocator_beside_circuits", "mesh_stream", "switch_allocator", "all", "static"},
                    Case{"setup_unit", "mesh_stream", "setup_unit", "all", "static"},
                    Case{"setup_unit_processes", "mesh_stream", "setup_unit", "all", "process_per_stage"},
                    Case{"some_setup_units", "mesh_stream", "setup_unit", "1,1 2,1", "static"},
                    Case{"some_setup_units_processes", "mesh_stream", "setup_unit", "0,0 2,1 3,3", "process_per_stage"},
                    Case{"circuit_unit", "mesh_stream", "circuit_unit", "all", "static"},
                    Case{"some_circuit_units", "mesh_stream", "circuit_unit", "0,0 1,1 2,1 3,3", "static"},
                    Case{"circuit_unit_processes", "mesh_stream", "circuit_unit", "all", "process_per_stage"},
                    Case{"circuit_unit_shared_ports", "mesh_lanes", "circuit_unit", "all", "static"},
                    Case{"setup_unit_shared_ports", "mesh_lanes", "setup_unit", "all", "static"}),
    [](const auto& c) { return c.param.name; });

/// A stage of the RTL, one bit of one of whose outputs is wrong from some cycle on.
class OneWrongBit final : public WiredStage {
 public:
  OneWrongBit(std::unique_ptr<WiredStage> rtl, std::string port, std::uint64_t from)
      : rtl_(std::move(rtl)), port_(std::move(port)), from_(from) {
    for (const Port& port_of : rtl_->ports()) {
      auto* const at = static_cast<std::uint8_t*>(port_of.at);
      if (port_of.kind != Kind::kInput) copies_[port_of.name].assign(at, at + port_of.bytes);
      showing(port_of);
    }
  }
  void reset() override { rtl_->reset(); }
  void settle() override {
    rtl_->settle();
    copy();
  }
  void clock() override {
    rtl_->clock();
    ++cycle_;
    copy();
  }

 private:
  void showing(const Port& port) {
    Port own = port;
    if (port.kind != Kind::kInput) own.at = copies_[port.name].data();
    show(own);
  }
  void copy() {
    for (const Port& port : rtl_->ports()) {
      if (port.kind == Kind::kInput) continue;
      std::memcpy(copies_[port.name].data(), port.at, port.bytes);
      if (port.name == port_ && cycle_ >= from_) copies_[port.name][0] ^= 1;
    }
  }

  std::unique_ptr<WiredStage> rtl_;
  std::string port_;
  std::uint64_t from_, cycle_ = 0;
  std::map<std::string, std::vector<std::uint8_t>> copies_;
};

struct Planted {
  const char* stage;
  const char* point;
  const char* port;
};

class PlantedFault : public testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, IsFoundInItsCycleByThePortsName) {
  if (!stages_are_built(GetParam().point)) GTEST_SKIP() << "scripts/build release rtl_stages_" << GetParam().point;
  static Planted planted;
  planted = GetParam();
  models::hybrid::set_stage_maker([](const RouterManifest& manifest, const std::string& stage) {
    return std::unique_ptr<WiredStage>(
        std::make_unique<OneWrongBit>(models::hybrid::load_stage(manifest, stage), planted.port, 100));
  });
  Experiment e = experiment({"", planted.point, planted.stage, "", ""});
  e.set(std::string("stage.") + planted.stage, "lockstep");
  e.set("stage.routers", "1,2");
  Bench bench(e);
  const auto engine = models::make_engine(*bench.network);
  EXPECT_NO_THROW(engine->run(100)) << "at cycle N - 1";
  try {
    engine->run(1);
    FAIL() << "no difference seen";
  } catch (const models::hybrid::LockstepError& error) {
    const std::string wanted = std::string("router 1,2, cycle 100: ") + planted.stage + "." + planted.port + " is ";
    EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, PlantedFault,
                         testing::Values(Planted{"vc_allocator", "mesh_packet", "grant_o"},
                                         Planted{"switch_allocator", "mesh_packet", "grant_o"},
                                         Planted{"setup_unit", "mesh_stream", "release_o"},
                                         Planted{"circuit_unit", "mesh_stream", "grant_o"}),
                         [](const auto& c) { return std::string(c.param.stage); });

}  // namespace
}  // namespace braid::test::replaced_stage_test
