// "rtl" and "lockstep" in the seats of stages, without Verilator: the test makes the stages. What those grant is
// granted; in lockstep the model's counts, and the first cycle is named in which the two differ. One case a process
// (SystemC elaborates once).
#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "models/engine/engine.h"
#include "models/rtl/stage_wires.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/stage_seat.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/shadow.h"

namespace braid::test::rtl_seats_test {
namespace {

using models::Experiment;
using models::hybrid::RouterManifest;
using models::hybrid::WiredStage;
using Kind = WiredStage::Kind;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

template <class Ports>
void expect_seats() {
  const auto& entries = StageRegistry<Ports>::instance().entries();
  for (const char* name : {"model", "rtl", "lockstep"}) EXPECT_EQ(entries.count(name), 1U) << Ports::axis() << name;
}

TEST(SeatsOfStages, AreForTheModelForTheRtlAndForBoth) {
  expect_seats<VcAllocatorPorts>();
  expect_seats<SwitchAllocatorPorts>();
  expect_seats<SetupUnitPorts>();
  expect_seats<CircuitUnitPorts>();
}

/// A folder whose only library of stages has routers of five ports, with these fields beside.
std::string folder_of(const std::string& name, const std::string& fields) {
  const std::string folder = temporary_file("rtl_seats_" + name);
  std::filesystem::create_directories(folder + "/stages");
  std::ofstream(folder + "/stages/of_this_test.json")
      << R"({"name": "of_this_test", "library": "of_this_test.so", "build": "none", "shape": {"ports": 5, "vcs": 4, )"
      << R"("depth": 8, "flit_width": 64, "routing": "x_first")" << fields << "}}";
  return folder;
}

// ---------------------------------------------------------------- in the model's place

/// Grants one request after the other whose ports are both left; shown as a wire, or as a register of the edge.
class Greedy final : public WiredStage {
 public:
  explicit Greedy(Kind kind) : kind_(kind) {
    show("request_i", Kind::kInput, request_);
    show("out_port_i", Kind::kInput, out_port_);
    show("taken_inputs_i", Kind::kInput, taken_inputs_);
    show("taken_outputs_i", Kind::kInput, taken_outputs_);
    show("grant_o", kind, grant_);
  }
  void reset() override { grant_ = 0; }
  void settle() override {
    if (kind_ == Kind::kWire) look();
  }
  void clock() override {
    if (kind_ == Kind::kRegister) look();
  }

 private:
  void look() {
    grant_ = 0;
    unsigned inputs = taken_inputs_, outputs = taken_outputs_;
    for (unsigned vc = 0; vc < 20; ++vc) {
      const unsigned in = 1U << vc / 4, out = 1U << (out_port_ >> 3 * vc & 7);
      if ((request_ >> vc & 1) == 0 || (inputs & in) != 0 || (outputs & out) != 0) continue;
      inputs |= in;
      outputs |= out;
      grant_ |= 1U << vc;
    }
  }
  const Kind kind_;
  std::uint32_t request_ = 0, grant_ = 0;
  std::uint64_t out_port_ = 0;
  std::uint8_t taken_inputs_ = 0, taken_outputs_ = 0;
};

Kind shown_as = Kind::kWire;

/// An allocator of wires and one whose grants come with the edge are the same to the network around them.
TEST(RtlInItsSeat, GrantsWhatItsOutputsSay) {
  Experiment e = uniform_mesh(0.4, 3, 3);
  e.set("router.rtl_folder", folder_of("greedy", ""));
  e.set("stage.switch_allocator", "rtl");
  models::hybrid::set_stage_maker([](const RouterManifest&, const std::string& stage) {
    EXPECT_EQ(stage, "switch_allocator");
    return std::unique_ptr<WiredStage>(std::make_unique<Greedy>(shown_as));
  });
  NetworkOfModules wires("wires", e);
  shown_as = Kind::kRegister;
  NetworkOfModules registers("registers", e);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (int cycle = 0; cycle < 400; ++cycle) {
    wires.cycle(ProcessOrder::kMade);
    registers.cycle(ProcessOrder::kReversed);
  }
  for (NetworkOfModules* network : {&wires, &registers}) {
    EXPECT_GT(network->network().conservation().packets_delivered, 150U);
    EXPECT_TRUE(network->network().conservation().holds());
  }
  EXPECT_EQ(wires.network().merged_statistics().packet_hash(), registers.network().merged_statistics().packet_hash());
}

// ---------------------------------------------------------------- beside it

/// Nothing on an output, if it has one; counts the edges since its reset.
class Silent final : public WiredStage {
 public:
  Silent() {
    if (output != nullptr) show({output, kind, bits_.data(), bits_.size()});
    edges = 0;
  }
  void reset() override {}
  void settle() override {}
  void clock() override { ++edges; }
  inline static const char* output = nullptr;
  inline static Kind kind = Kind::kWire;
  inline static std::uint64_t edges = 0;

 private:
  std::array<std::uint8_t, 64> bits_{};
};

Experiment in_lockstep(const std::string& stage, const char* router) {
  Experiment e = shadows::circuits(4);
  e.set("router.rtl_folder",
        folder_of(stage,
                  R"(, "arbiter": "round_robin", "bypass": 0, "circuits": 1, "circuit_depth": 5, "circuit_lanes": 4)"));
  e.set("stage." + stage, "lockstep");
  e.set("stage.routers", router);
  models::hybrid::set_stage_maker([](const RouterManifest&, const std::string&) {
    return std::unique_ptr<WiredStage>(std::make_unique<Silent>());
  });
  return e;
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.stage << c.output; }
  const char* stage;
  const char* output;
  Kind kind;
};

class Lockstep : public testing::TestWithParam<Case> {};

/// Wires are compared before the edge of their cycle, registers behind it.
TEST_P(Lockstep, NamesTheFirstCycleInWhichTheModelSaysMore) {
  const Case& c = GetParam();
  Silent::output = c.output;
  Silent::kind = c.kind;
  Bench bench(in_lockstep(c.stage, "1,1"), 16);
  const auto engine = models::make_engine(*bench.network);
  const std::string said = complaint<std::exception>([&] { engine->run(1000); });
  const std::uint64_t cycle = Silent::edges - (c.kind == Kind::kRegister ? 1 : 0);
  EXPECT_GT(cycle, 0U);
  const std::string wanted = "lockstep: router 1,1, cycle " + std::to_string(cycle) + ": " + c.stage + "." + c.output;
  EXPECT_NE(said.find(wanted + " is "), std::string::npos) << said << " after " << Silent::edges << " edges";
}
INSTANTIATE_TEST_SUITE_P(
    Of, Lockstep,
    testing::Values(Case{"switch_allocator", "grant_o", Kind::kWire}, Case{"vc_allocator", "grant_o", Kind::kWire},
                    Case{"setup_unit", "send_o", Kind::kWire}, Case{"setup_unit", "send_o", Kind::kRegister},
                    Case{"circuit_unit", "grant_o", Kind::kWire},
                    Case{"circuit_unit", "control_valid_o", Kind::kRegister}),
    [](const auto& c) { return std::string(c.param.stage) + (c.param.kind == Kind::kWire ? "_wire" : "_register"); });

class LockstepWithoutOutputs : public testing::TestWithParam<const char*> {};

TEST_P(LockstepWithoutOutputs, IsTheModel) {
  Silent::output = nullptr;
  Bench model(shadows::circuits(4)), both(in_lockstep(GetParam(), "all"), 16);
  const auto engine = models::make_engine(*both.network);
  model.run(600);
  engine->run(600);
  EXPECT_GT(model.delivered(), 150U);
  EXPECT_EQ(both.network->merged_statistics().packet_hash(), model.network->merged_statistics().packet_hash());
  EXPECT_EQ(both.network->flit_hops(), model.network->flit_hops());
  EXPECT_EQ(Silent::edges % 600, 0U);
  EXPECT_GT(Silent::edges, 0U) << "in every cycle";
}
INSTANTIATE_TEST_SUITE_P(Of, LockstepWithoutOutputs,
                         testing::Values("vc_allocator", "switch_allocator", "setup_unit", "circuit_unit"),
                         [](const auto& c) { return std::string(c.param); });

/// It is nothing without the registers of a network.
TEST(LockstepAlone, IsRefused) {
  Silent::output = nullptr;
  const Experiment e = in_lockstep("vc_allocator", "all");
  const routing::Topology topology = routing::make_topology(e);
  const AlonePlace place(e, "1,1");
  const RouterShape shape = place.shape();
  const auto unit = StageRegistry<VcAllocatorPorts>::instance().make(
      "lockstep", {"unit", shape, e, topology, RouterId{std::size_t{5}}});
  EXPECT_TRUE(unit->is_modelled());
  sc_core::sc_signal<bool> clock("clock");
  unit->clk_i(clock);
  const PortSignals signals(*unit, 8);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(complaint<std::logic_error>([&] { unit->run(); }), "unit: lockstep is for a stage in a network");
}

}  // namespace
}  // namespace braid::test::rtl_seats_test
