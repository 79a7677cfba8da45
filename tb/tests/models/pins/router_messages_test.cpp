// Messages at the pins of a router: one a cycle, told by the pins that are up, and all of the fields of a message and
// of a request as they stand there. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/pins/router_module.h"
#include "tb/tests/support/pin_mesh.h"
#include "tb/tests/support/pin_report.h"
#include "tb/tests/support/router_wires.h"

namespace braid::test::router_messages_test {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::WireInputs;
using models::hybrid::WireOutputs;

/// Keeps what its pins tell, and says what it is told to say.
class Recorder final : public models::hybrid::WiredRouter {
 public:
  void reset_wires(const models::hybrid::RouterSite&) override { ++resets; }
  void clock_wires(const WireInputs& in, WireOutputs& out) override {
    seen.push_back(in);
    out = says;
  }
  std::vector<WireInputs> seen;
  WireOutputs says;
  int resets = 0;
};
/// A router of a 3x3 mesh with circuits, all of whose inside is the recorder.
class Recorded final : public models::pins::RouterModule<64> {
 public:
  Recorded(const char* name, const models::Experiment& e)
      : RouterModule(name, std::make_unique<models::pins::RouterPlace>(e, "1,1")) {
    auto made = std::make_unique<Recorder>();
    recorder = made.get();
    set_router(std::move(made), place().straps);
  }
  Recorder* recorder;
};

models::Experiment with_or_without(bool circuits) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  return circuits ? with_circuits(e) : e;
}

struct Bench {
  explicit Bench(bool circuits = true) : router("router", with_or_without(circuits)) {
    router.clk_i(clock);
    router.rst_ni(reset);
    in.bind(router);
    out.drive_from(router);
  }
  void run(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }
  const WireInputs& last() const { return router.recorder->seen.back(); }
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS, 0.5, 1, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset{"reset", true};
  Recorded router;
  InputSignals<64> in{5};
  models::pins::RouterSignals<64> out{"out", 5};
};

TEST(RouterMessages, AreOneACycle) {
  Bench b;
  b.run(4);
  b.in.control_valid[1].write(true);
  b.in.control_valid[3].write(true);
  expect_in_report(pin_report(4),
                   "router: cycle 2: control_valid_i[1] and [3] are up: a router takes one control message a cycle, so "
                   "one search or tear-down may be under way in a network");
}

/// By whichever port, with all that is there; the cycle after there is none.
TEST(RouterMessages, AreReadWithAllTheirFields) {
  Bench b;
  std::uint32_t search = 0xffe0;
  for (std::uint32_t port = 0; port < 4; ++port) {
    for (const ControlKind kind :
         {ControlKind::kProbe, ControlKind::kBacktrack, ControlKind::kAcknowledge, ControlKind::kTearDown}) {
      WireInputs in;
      in.control = {true, port, kind, ++search, 0x0100 + search % 7, 0};
      b.in.write(in);
      b.run(2);
      EXPECT_TRUE(b.last().control.valid);
      EXPECT_EQ(b.last().control.port, port);
      EXPECT_EQ(b.last().control.kind, kind);
      EXPECT_EQ(b.last().control.search, search);
      EXPECT_EQ(b.last().control.destination, 0x0100 + search % 7);
      EXPECT_EQ(b.last().control.circuit, 0U);
      EXPECT_FALSE(b.last().request.valid);
      b.in.write({});
      b.run(2);
      EXPECT_FALSE(b.last().control.valid);
      in.request = {true, 4, kind, search, 0x0001, port};
      in.control.valid = false;
      b.in.write(in);
      b.run(2);
      EXPECT_FALSE(b.last().control.valid);
      EXPECT_TRUE(b.last().request.valid);
      EXPECT_EQ(b.last().request.port, 4U);
      EXPECT_EQ(b.last().request.kind, kind);
      EXPECT_EQ(b.last().request.search, search);
      EXPECT_EQ(b.last().request.destination, 0x0001U);
      EXPECT_EQ(b.last().request.circuit, port);
      b.in.write({});
      b.run(2);
      EXPECT_FALSE(b.last().request.valid);
    }
  }
}

/// Without circuits nobody looks at these pins.
TEST(RouterMessages, AreNotReadWithoutCircuits) {
  Bench b(false);
  WireInputs in;
  in.control = {true, 1, ControlKind::kProbe, 1, 2, 0};
  in.request = {true, 4, ControlKind::kProbe, 1, 2, 0};
  b.in.write(in);
  b.router.recorder->says.control = {true, 2, ControlKind::kTearDown, 9, 8, 0};
  b.router.recorder->says.outcome = b.router.recorder->says.success = true;
  b.run(6);
  EXPECT_FALSE(b.last().control.valid);
  EXPECT_FALSE(b.last().request.valid);
  for (std::size_t p = 0; p < 5; ++p) EXPECT_FALSE(b.out.control_valid[p].read()) << p;
  EXPECT_EQ(b.out.control_search.read(), 0U);
  EXPECT_FALSE(b.out.outcome_valid.read());
}

/// What it says is on the pins of one port, with its fields; those stay when it says nothing.
TEST(RouterMessages, AreWrittenWithAllTheirFields) {
  Bench b;
  WireOutputs& says = b.router.recorder->says;
  for (std::uint32_t port = 0; port < 4; ++port) {
    says = {};
    says.control = {true, port, ControlKind::kTearDown, 0x1230 + port, 0x0200 + port, 0};
    says.outcome = port % 2 == 0;
    says.success = port == 2;
    b.run(2);
    for (std::uint32_t p = 0; p < 5; ++p) EXPECT_EQ(b.out.control_valid[p].read(), p == port) << p;
    EXPECT_EQ(b.out.outcome_valid.read(), port % 2 == 0);
    EXPECT_EQ(b.out.outcome_success.read(), port == 2);
    says = {};
    b.run(2);
    for (std::uint32_t p = 0; p < 5; ++p) EXPECT_FALSE(b.out.control_valid[p].read()) << p;
    EXPECT_EQ(b.out.control_kind.read(), static_cast<unsigned>(ControlKind::kTearDown));
    EXPECT_EQ(b.out.control_search.read(), 0x1230 + port);
    EXPECT_EQ(b.out.control_destination.read(), 0x0200 + port);
    EXPECT_FALSE(b.out.outcome_valid.read());
    EXPECT_FALSE(b.out.outcome_success.read());
  }
}

/// Held in reset from the beginning on, it is reset once, and all of its pins are 0 whatever stood there; each reset
/// later resets it once more, at once or when the clock rises.
TEST(RouterMessages, AreNoneInAReset) {
  Bench b;
  b.reset.write(false);
  b.out.control_search.write(7);
  b.out.control_kind.write(2);
  b.out.link.lane[3].write(5);
  b.out.link.data[2].write(6);
  b.out.link.credit[1].write(9);
  b.out.outcome_success.write(true);
  b.run(9);
  EXPECT_EQ(b.router.recorder->resets, 1);
  EXPECT_TRUE(b.router.recorder->seen.empty());
  EXPECT_EQ(b.router.cycles(), 0U);
  EXPECT_EQ(b.out.control_search.read(), 0U);
  EXPECT_EQ(b.out.control_kind.read(), 0U);
  EXPECT_EQ(b.out.link.lane[3].read(), 0U);
  EXPECT_EQ(b.out.link.data[2].read().to_uint64(), 0U);
  EXPECT_EQ(b.out.link.credit[1].read(), 0U);
  EXPECT_FALSE(b.out.outcome_success.read());
  b.reset.write(true);
  b.run(4);
  EXPECT_EQ(b.router.cycles(), 2U);
  EXPECT_EQ(b.router.recorder->seen.size(), 2U);
  b.reset.write(false);
  b.run(0.5);
  EXPECT_EQ(b.router.recorder->resets, 2) << "at once";
  EXPECT_EQ(b.router.cycles(), 0U);
  b.run(7.5);
  EXPECT_EQ(b.router.recorder->resets, 2);
  b.reset.write(true);
  b.run(2);
  EXPECT_EQ(b.router.cycles(), 1U);
}

}  // namespace
}  // namespace braid::test::router_messages_test
