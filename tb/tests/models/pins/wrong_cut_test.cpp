// Wrong use of a network that is cut at pins is told by name, and what to do.
#include <regex>

#include "tb/tests/support/cut_mesh.h"

namespace braid::test::wrong_cut_test {
namespace {

using models::Experiment;
using models::pins::NetworkCut;

std::string report_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), models::pins::kReportType);
    return report.get_msg();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}
void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
Experiment small() { return uniform_mesh(0.2, 3, 3); }
void run(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }

TEST(WrongCut, NobodyAtThePins) {
  models::Simulation simulation(cut_at(small(), "1,1"));
  EXPECT_EQ(report_of([&] { simulation.run(); }),
            "router.implementation = \"pins\": nobody is at the pins of router 1,1; expected a "
            "models::pins::NetworkCut with routers of your own, in a program of your own (docs/pins.md)");
}
TEST(WrongCut, NothingIsCutOut) {
  models::Simulation simulation(small());
  expect_in(report_of([&] { NetworkCut<64> cut("cut", simulation.engine()); }),
            "router.implementation: nothing is cut out of this network; expected \"pins\"");
}
TEST(WrongCut, RouterThatTheNetworkHas) {
  models::Simulation simulation(cut_at(small(), "1,1 1,2"));
  NetworkCut<64> cut("cut", simulation.engine());
  expect_in(report_of([&] { cut.at("2,1"); }), "unknown router \"2,1\"");
}
TEST(WrongCut, ThreadsAreRefused) {
  Experiment e = cut_at(small(), "1,1");
  e.set("simulation.threads", 2);
  expect_in(report_of([&] { models::Simulation simulation(e); }),
            "simulation.threads = 2: routers of modules or behind pins run on one thread; expected 1");
}
TEST(WrongCut, CircuitsThatMoveAreRefused) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("setup.reroute", "each");
  expect_in(report_of([&] { models::Simulation simulation(cut_at(e, "1,1")); }),
            "setup.reroute: circuits over pins are their user's to move; expected \"none\"");
}
TEST(WrongCut, UnboundPins) {
  models::Simulation simulation(cut_at(small(), "1,1"));
  NetworkCut<64> cut("cut", simulation.engine());
  expect_in(
      report_of([] { run(1); }),
      "cut.seat_1_1: link_valid_i_0 is not bound: port 0 of router 1,1, whose place is here: bind the pins of yours "
      "(Cables::join)");
}

/// A router that is bound, and driven by a clock that nobody has made to rise.
struct Bound {
  explicit Bound(const Experiment& e) : simulation(e), cut("cut", simulation.engine()), router("router", e, "1,1") {
    cables.join(cut.at("1,1"), router);
    router.rst_ni(cut.rst_n);
  }
  models::Simulation simulation;
  NetworkCut<64> cut;
  models::pins::BraidRouter<64> router;
  models::pins::Cables<64> cables;
};
TEST(WrongCut, NobodyClocksTheRouter) {
  Bound b(cut_at(small(), "1,1"));
  sc_core::sc_signal<bool> still("still");
  b.router.clk_i(still);
  const std::string report = report_of([] { run(5000); });
  expect_in(report, "cut.seat_1_1: cycle 1");
  expect_in(report, "and nothing has ever come back; bind its clk_i to clk of the cut, and its rst_ni to rst_n");
}
/// A thousand cycles after the first that it was sent, and not one before.
TEST(WrongCut, NobodyHasAnsweredForAThousandCycles) {
  Bound b(cut_at(small(), "1,1"));
  sc_core::sc_signal<bool> still("still");
  b.router.clk_i(still);
  const std::string report = report_of([] { run(5000); });
  std::smatch cycles;
  const std::regex line(
      "cut.seat_1_1: cycle ([0-9]+): router 1,1 has been sent something in cycle ([0-9]+), and nothing");
  ASSERT_TRUE(std::regex_search(report, cycles, line)) << report;
  const std::uint64_t now = std::stoull(cycles[1]), given = std::stoull(cycles[2]);
  EXPECT_GT(given, 0U);
  EXPECT_EQ(now, given + 1000);
}
TEST(WrongCut, RouterOnTheFallingEdge) {
  Bound b(cut_at(small(), "1,1"));
  sc_core::sc_clock falling("falling", b.simulation.engine().period(), 0.5, b.simulation.engine().period() / 2, true);
  b.router.clk_i(falling);
  expect_in(report_of([] { run(5000); }),
            "an input changed in the second half of a cycle, or at the falling edge of the cut's clk; drive it by the "
            "rising edge");
}

// ---------------------------------------------------------------- what the wires must not do

/// A seat of which a testbench plays the router: lines of its pins are set by hand after a rising edge.
struct Played {
  Played() : simulation(cut_at(small(), "1,1")), cut("cut", simulation.engine()), out("out", 5) {
    auto& seat = cut.at("1,1");
    in.drive_from(seat);
    for (std::size_t p = 0; p < 5; ++p) out.lead_to(seat, p, p);
  }
  std::string complaint(std::size_t port, bool head, bool tail, std::uint64_t data) {
    return report_of([&] {
      run(10 * period() + period() / 4);
      out.valid[port].write(true);
      out.head[port].write(head);
      out.tail[port].write(tail);
      out.data[port].write(data);
      run(period());
    });
  }
  double period() { return simulation.engine().period() / sc_core::sc_time(1, sc_core::SC_NS); }
  models::Simulation simulation;
  NetworkCut<64> cut;
  models::pins::SeatSignals<64> in{"in", 5};
  models::pins::LinkSignals<64> out;
};
TEST(WrongCut, FlitThatNeverCameIn) {
  Played p;
  const std::string report = p.complaint(0, true, true, 0x1234567890);
  expect_in(report, "cut.seat_1_1: cycle 10: link_data_i[0] = 0x1234567890: a flit leaves that is not inside");
}
/// A head of four flits comes in, and leaves as if it were a packet of one.
TEST(WrongCut, TailOfAnother) {
  Played p;
  const double half = p.period() / 2;
  run(half / 2);
  std::size_t port = 5;
  std::uint64_t data = 0;
  for (int cycle = 0; cycle < 200 && port == 5; ++cycle) {
    run(half * 2);
    for (std::size_t i = 0; i < 5; ++i) {
      if (p.in.port.link.valid[i].read()) port = i, data = p.in.port.link.data[i].read().to_uint64();
    }
  }
  ASSERT_LT(port, 5U);
  EXPECT_TRUE(p.in.port.link.head[port].read());
  EXPECT_FALSE(p.in.port.link.tail[port].read());
  p.out.valid[0].write(true);
  p.out.head[0].write(true);
  p.out.tail[0].write(true);
  p.out.data[0].write(data);
  expect_in(report_of([&] { run(2 * half); }),
            "link_head_i[0] = true, link_tail_i[0] = true: the flit came in with true and false");
}
/// A packet's second flit leaves as if it were its first.
TEST(WrongCut, HeadOfAnother) {
  Played p;
  run(p.period() / 4);
  std::size_t port = 5;
  std::uint64_t data = 0;
  for (int cycle = 0; cycle < 200 && port == 5; ++cycle) {
    run(p.period());
    for (std::size_t i = 0; i < 5; ++i) {
      const auto& link = p.in.port.link;
      if (link.valid[i].read() && !link.head[i].read()) port = i, data = link.data[i].read().to_uint64();
    }
  }
  ASSERT_LT(port, 5U);
  EXPECT_FALSE(p.in.port.link.tail[port].read()) << "the second of four";
  p.out.valid[0].write(true);
  p.out.head[0].write(true);
  p.out.data[0].write(data);
  expect_in(report_of([&] { run(p.period()); }),
            "link_head_i[0] = true, link_tail_i[0] = false: the flit came in with false and false");
}
/// What has left is inside no more: it does not leave twice.
TEST(WrongCut, FlitThatLeavesTwice) {
  Played p;
  run(p.period() / 4);
  std::size_t port = 5;
  std::uint64_t data = 0;
  for (int cycle = 0; cycle < 200 && port == 5; ++cycle) {
    run(p.period());
    for (std::size_t i = 0; i < 5; ++i) {
      if (p.in.port.link.valid[i].read()) port = i, data = p.in.port.link.data[i].read().to_uint64();
    }
  }
  ASSERT_LT(port, 5U);
  const auto leave = [&](std::size_t by, bool valid) {
    p.out.valid[by].write(valid);
    p.out.head[by].write(true);
    p.out.data[by].write(data);
    return report_of([&] { run(p.period()); });
  };
  EXPECT_EQ(leave(0, true), "nothing");
  EXPECT_EQ(leave(0, false), "nothing");
  expect_in(leave(2, true), "a flit leaves that is not inside; expected the data of one that came in, once");
}
/// Cycles are the engine's to run: it lets the pins be read before each.
TEST(WrongCut, ANetworkThatRunsWithoutItsEngine) {
  CutMesh cut(cut_at(small(), "1,1"));
  cut.engine.run(5);
  models::Network& network = cut.engine.settled();
  std::string said;
  try {
    for (int cycle = 0; cycle < 2; ++cycle) network.cycle();
  } catch (const std::logic_error& error) {
    said = error.what();
  }
  EXPECT_EQ(said, "cycle 6 of a network that is cut at pins runs before they have been read; let its engine run it");
}
/// A credit alone is an answer: nothing is said of a router that then is silent.
TEST(WrongCut, ARouterThatHasAnsweredIsNotWaitedFor) {
  Played p;
  run(p.period() / 4);
  const auto next = [&]() -> std::size_t {
    for (int cycle = 0; cycle < 300; ++cycle) {
      run(p.period());
      for (std::size_t i = 0; i < 5; ++i) {
        if (p.in.port.link.valid[i].read()) return i;
      }
    }
    return 5;
  };
  const std::size_t port = next();
  ASSERT_LT(port, 5U);
  const std::uint32_t lane = p.in.port.link.lane[port].read().to_uint();
  run(p.period());
  p.out.credit[port].write(1U << lane);
  run(p.period());
  p.out.credit[port].write(0);
  EXPECT_EQ(report_of([&] { run(1500 * p.period()); }), "nothing");
}
TEST(WrongCut, CreditForNoFlit) {
  Played p;
  expect_in(report_of([&] {
              run(10 * p.period() + p.period() / 4);
              p.out.credit[4].write(8);
              run(p.period());
            }),
            "cut.seat_1_1: cycle 10: credit_i[4]: a credit for lane 3, on which no flit is out");
}

}  // namespace
}  // namespace braid::test::wrong_cut_test
