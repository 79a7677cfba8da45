// What no network can be built for: each limit's last good value and the first bad one, and what is said of it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tb/tests/support/bench.h"

namespace braid::test {
namespace {

using models::Experiment;

/// What an experiment is refused with; empty: it is not.
std::string refusal(const Experiment& e) {
  try {
    models::check_experiment(e);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

Experiment with(const std::function<void(Experiment&)>& change) {
  Experiment e = uniform_mesh(0.1);
  change(e);
  return e;
}

struct Range {
  const char* key;
  std::function<void(Experiment&, std::uint64_t)> set;
  std::uint64_t low, high;
};

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

TEST(CheckExperiment, KeepsEveryRangeToItsEnds) {
  const std::vector<Range> ranges{
      {"router.vcs", [](Experiment& e, std::uint64_t v) { e.router.vcs = narrow(v); }, 1, 16},
      {"router.buffer_depth", [](Experiment& e, std::uint64_t v) { e.router.buffer_depth = narrow(v); }, 1, 64},
      {"router.circuit_buffer_depth", [](Experiment& e, std::uint64_t v) { e.router.circuit_buffer_depth = narrow(v); },
       1, 64},
      {"router.queue_packets", [](Experiment& e, std::uint64_t v) { e.router.queue_packets = narrow(v); }, 1, 255},
      {"router.credit_delay_cycles", [](Experiment& e, std::uint64_t v) { e.router.credit_delay_cycles = narrow(v); },
       2, 64},
      {"message.packet_flits", [](Experiment& e, std::uint64_t v) { e.message.packet_flits = narrow(v); }, 0, 65535},
      {"message.clock_limit", [](Experiment& e, std::uint64_t v) { e.message.clock_limit = narrow(v); }, 4, 1U << 30},
      {"traffic.reply_flits", [](Experiment& e, std::uint64_t v) { e.synthetic->reply_flits = narrow(v); }, 1, 65535},
      {"interface.packet_items", [](Experiment& e, std::uint64_t v) { e.interface.packet_items = narrow(v); }, 1,
       65535},
      {"interface.pull_block_items", [](Experiment& e, std::uint64_t v) { e.interface.pull_block_items = narrow(v); },
       1, 65535},
      {"interface.pull_outstanding", [](Experiment& e, std::uint64_t v) { e.interface.pull_outstanding = narrow(v); },
       1, 65535},
      {"simulation.threads", [](Experiment& e, std::uint64_t v) { e.simulation.threads = narrow(v); }, 1, 256},
      {"simulation.batch_cycles",
       [](Experiment& e, std::uint64_t v) { e.simulation.batch_cycles = e.simulation.measure_cycles = v; }, 1,
       1000000000},
      {"simulation.measure_cycles", [](Experiment& e, std::uint64_t v) { e.simulation.measure_cycles = v; }, 1000,
       1000000000000}};
  for (const Range& r : ranges) {
    const auto of = [&](std::uint64_t value) { return refusal(with([&](Experiment& e) { r.set(e, value); })); };
    const auto expected = [&](std::uint64_t value) {
      return r.key + (" = " + std::to_string(value)) + " is out of range: expected " + std::to_string(r.low) + " to " +
             std::to_string(r.high);
    };
    EXPECT_EQ(of(r.low), "") << r.key;
    EXPECT_EQ(of(r.high), "") << r.key;
    if (r.low > 0) {
      EXPECT_EQ(of(r.low - 1), expected(r.low - 1));
    }
    EXPECT_EQ(of(r.high + 1), expected(r.high + 1));
  }
}

TEST(CheckExperiment, LetsOtherFamiliesReturnCreditsInOneCycle) {
  const auto delayed = [](const char* architecture, std::uint32_t cycles) {
    return refusal(with([&](Experiment& e) {
      e.router.architecture = architecture;
      e.router.credit_delay_cycles = cycles;
    }));
  };
  EXPECT_EQ(delayed("virtual_cut_through", 1), "");
  EXPECT_EQ(delayed("virtual_cut_through", 0), "router.credit_delay_cycles = 0 is out of range: expected 1 to 64");
  EXPECT_EQ(delayed("hybrid", 1), "router.credit_delay_cycles = 1 is out of range: expected 2 to 64");
}

TEST(CheckExperiment, NeedsSomethingToSend) {
  EXPECT_EQ(refusal(Experiment{}), "nothing to send: expected a [traffic] or a [stream] section");
}

TEST(CheckExperiment, KeepsTheLoadToTheLocalPorts) {
  const auto load = [](double rate, std::uint32_t ports) {
    return refusal(with([&](Experiment& e) {
      e.synthetic->rate_flits_per_node_cycle = rate;
      e.topology.local_ports = ports;
    }));
  };
  EXPECT_EQ(load(0.0, 1), "");
  EXPECT_EQ(load(1.0, 1), "");
  EXPECT_EQ(load(3.0, 3), "");
  EXPECT_EQ(load(1.5, 1), "traffic.rate_flits_per_node_cycle = 1.5 is out of range: expected 0 to 1");
  EXPECT_NE(load(3.01, 3), "");
  EXPECT_NE(load(-0.01, 1), "");
  EXPECT_NE(load(std::numeric_limits<double>::quiet_NaN(), 1), "");
}

TEST(CheckExperiment, NeedsComputationToTakeTime) {
  const auto scaled = [](double scaling) {
    Experiment e;
    e.stream.emplace();
    e.stream->computation_scaling = scaling;
    return refusal(e);
  };
  EXPECT_EQ(scaled(0.001), "");
  EXPECT_EQ(scaled(0.0), "stream.computation_scaling = 0: expected more than 0");
  EXPECT_NE(scaled(-1.0), "");
  EXPECT_NE(scaled(std::numeric_limits<double>::quiet_NaN()), "");
}

TEST(CheckExperiment, NeedsABoundedQueueForSaturatedSources) {
  const auto queue = [](std::uint32_t packets) {
    return refusal(with([&](Experiment& e) {
      e.synthetic->injection.process = "saturated";
      e.interface.source_queue_packets = packets;
    }));
  };
  EXPECT_EQ(queue(1), "");
  EXPECT_EQ(queue(0),
            "traffic.process = \"saturated\" never stops making packets: expected interface.source_queue_packets >= 1");
}

TEST(CheckExperiment, NeedsPacketsThatCanWaitForTheGate) {
  const auto behind = [](std::uint32_t packets, std::uint32_t queue) {
    return refusal(with([&](Experiment& e) {
      e.interface.behind_gate_packets = packets;
      e.interface.source_queue_packets = queue;
    }));
  };
  EXPECT_EQ(behind(3, 4), "");
  EXPECT_EQ(behind(100, 0), "") << "an unbounded queue";
  EXPECT_NE(behind(4, 4).find("interface.behind_gate_packets = 4"), std::string::npos);
}

TEST(CheckExperiment, NeedsMessagesAndASchedulerForPriorities) {
  const auto priority = [](double fraction, std::uint32_t flits, const char* scheduler) {
    return refusal(with([&](Experiment& e) {
      e.message.priority_fraction = fraction;
      e.message.packet_flits = flits;
      e.interface.scheduler = scheduler;
    }));
  };
  EXPECT_EQ(priority(0.1, 4, "alpha"), "");
  EXPECT_EQ(priority(0.0, 0, "fifo"), "");
  EXPECT_NE(priority(0.1, 0, "alpha").find("message.priority_fraction needs messages"), std::string::npos);
  EXPECT_NE(priority(0.1, 4, "fifo").find("message.priority_fraction needs messages"), std::string::npos);
}

TEST(CheckExperiment, KeepsCircuitsToPushedStreams) {
  const auto circuit = [](const std::function<void(Experiment&)>& change) {
    Experiment e;
    e.stream.emplace();
    e.interface.switching = models::Switching::kCircuit;
    change(e);
    return refusal(e);
  };
  EXPECT_EQ(circuit([](Experiment&) {}), "");
  EXPECT_EQ(circuit([](Experiment& e) { e.interface.transfer = models::Transfer::kPull; }),
            "interface.switching = \"circuit\" carries pushed streams: expected interface.transfer = \"push\"");
  EXPECT_EQ(circuit([](Experiment& e) {
              e.stream.reset();
              e.synthetic.emplace();
            }),
            "interface.switching = \"circuit\" needs a [stream] section");
}

TEST(CheckExperiment, BoundsReceivedItemsOnlyWhereTheyCanWait) {
  const auto bounded = [](models::Transfer transfer, models::Switching switching) {
    Experiment e;
    e.stream.emplace();
    e.interface.receive_queue_items = 100;
    e.interface.transfer = transfer;
    e.interface.switching = switching;
    return refusal(e);
  };
  EXPECT_EQ(bounded(models::Transfer::kPull, models::Switching::kPacket), "");
  EXPECT_EQ(bounded(models::Transfer::kPush, models::Switching::kCircuit), "");
  EXPECT_NE(bounded(models::Transfer::kPush, models::Switching::kPacket)
                .find("interface.receive_queue_items bounds circuits and pulled streams"),
            std::string::npos);
}

TEST(CheckExperiment, NeedsWholeBatches) {
  const auto measured = [](std::uint64_t cycles, std::uint64_t batch) {
    return refusal(with([&](Experiment& e) {
      e.simulation.measure_cycles = cycles;
      e.simulation.batch_cycles = batch;
    }));
  };
  EXPECT_EQ(measured(3000, 1000), "");
  EXPECT_EQ(measured(3001, 1000),
            "simulation.measure_cycles = 3001: expected a multiple of simulation.batch_cycles = 1000");
}

TEST(CheckExperiment, KeepsThreadsToTheStaticScheduleAndTheModel) {
  EXPECT_EQ(refusal(with([](Experiment& e) {
              e.simulation.threads = 2;
              e.simulation.schedule = models::Schedule::kProcessPerStage;
            })),
            "simulation.threads needs simulation.schedule = \"static\"");
  for (const char* implementation : {"rtl", "lockstep"}) {
    const auto in_place = [&](const std::function<void(Experiment&)>& change) {
      return refusal(with([&](Experiment& e) {
        e.router.implementation = implementation;
        change(e);
      }));
    };
    EXPECT_EQ(in_place([](Experiment&) {}), "");
    EXPECT_NE(in_place([](Experiment& e) { e.simulation.threads = 2; }).find("needs simulation.threads = 1"),
              std::string::npos);
    EXPECT_NE(in_place([](Experiment& e) { e.router.architecture = "po2"; }).find("needs router.architecture"),
              std::string::npos);
  }
  EXPECT_NE(refusal(with([](Experiment& e) { e.router.implementation = "modle"; })).find("did you mean \"model\"?"),
            std::string::npos);
}

}  // namespace
}  // namespace braid::test
