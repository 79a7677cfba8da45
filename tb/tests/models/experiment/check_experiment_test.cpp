// What no network can be built for: each limit's last good value and the first bad one, and what is said of it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/families/hybrid/stand_in.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/loads.h"

namespace braid::test::check_experiment_test {
namespace {

using models::Experiment;

/// What the experiment is refused with, checked and built; empty: it is not.
std::string refusal(const Experiment& e) {
  return complaint([&] { const models::Simulation simulation(e); });
}

Experiment traffic() { return uniform_mesh(0.1, 2, 2); }
Experiment stream() { return streaming(stream_pair(1, 1, 1, 1)); }

/// Several settings, in order.
Experiment with(Experiment e) { return e; }
template <class Value, class... More>
Experiment with(Experiment e, const char* key, const Value& value, const More&... more) {
  e.set(key, value);
  return with(std::move(e), more...);
}

struct Range {
  std::string key;
  Experiment base;
  std::int64_t low, high;
};

TEST(CheckExperiment, KeepsEveryRangeToItsEnds) {
  const Experiment cut_through = with(traffic(), "router.architecture", "virtual_cut_through", "router.vcs", 1);
  const Experiment circuit = with(stream(), "interface.switching", "circuit");
  const Experiment pull = with(stream(), "interface.transfer", "pull", "interface.stream_queue_items", 100000);
  const std::vector<Range> ranges{
      {"router.vcs", traffic(), 1, 16},
      {"router.buffer_depth", traffic(), 1, 256},
      {"router.reserved_depth", with(traffic(), "router.buffers", "shared"), 1, 64},
      {"router.shared_depth", with(traffic(), "router.buffers", "shared"), 1, 126},
      {"router.circuit_buffer_depth", circuit, 1, 64},
      {"router.circuit_lanes", circuit, 1, 16},
      {"router.circuit_burst_flits", circuit, 0, 65535},
      {"router.islip_iterations", with(traffic(), "router.switch_allocator", "islip"), 1, 16},
      {"router.pim_iterations", with(traffic(), "router.switch_allocator", "pim"), 1, 16},
      {"router.input_speedup", traffic(), 1, 16},
      {"router.output_speedup", traffic(), 1, 16},
      {"router.output_buffer", with(traffic(), "router.output_speedup", 2), 0, 4096},
      {"router.age_bits", with(traffic(), "router.arbiter", "oldest_first"), 1, 20},
      {"router.queue_packets", cut_through, 1, 255},
      {"router.credit_delay_cycles", traffic(), 2, 64},
      {"router.credit_delay_cycles", cut_through, 1, 2},
      {"message.packet_flits", traffic(), 0, 65535},
      {"message.clock_limit", with(traffic(), "interface.scheduler", "alpha", "message.packet_flits", 1), 4, 1 << 30},
      {"traffic.reply_flits", with(traffic(), "traffic.request_reply", true), 1, 65535},
      {"interface.packet_items", with(stream(), "interface.stream_queue_items", 100000), 1, 65535},
      {"interface.pull_block_items", pull, 1, 65535},
      {"interface.pull_outstanding", pull, 1, 65535},
      {"simulation.threads", traffic(), 1, 256}};
  for (const Range& r : ranges) {
    const auto of = [&](std::int64_t value) { return refusal(with(r.base, r.key.c_str(), value)); };
    const auto out = [&](std::int64_t value) {
      return r.key + " = " + std::to_string(value) + ": expected integer, " + std::to_string(r.low) + " to " +
             std::to_string(r.high);
    };
    EXPECT_EQ(of(r.low), "") << r.key;
    EXPECT_EQ(of(r.high), "") << r.key;
    EXPECT_EQ(of(r.low - 1), out(r.low - 1));
    EXPECT_EQ(of(r.high + 1), out(r.high + 1));
  }
}

TEST(CheckExperiment, NeedsSomethingToSend) {
  EXPECT_EQ(refusal(Experiment{}),
            "nothing to send: expected a section [broadcast] or [replay] or [stream] or [tlm] or [traffic]");
}

TEST(CheckExperiment, KeepsTheLoadToTheLocalPorts) {
  const auto load = [](double rate, int ports) {
    return refusal(with(traffic(), "traffic.rate_flits_per_node_cycle", rate, "topology.local_ports", ports));
  };
  EXPECT_EQ(load(0.0, 1), "");
  EXPECT_EQ(load(1.0, 1), "");
  EXPECT_EQ(load(3.0, 3), "");
  EXPECT_EQ(load(1.5, 1), "traffic.rate_flits_per_node_cycle = 1.5 is out of range: expected 0 to 1");
  EXPECT_EQ(load(3.01, 3), "traffic.rate_flits_per_node_cycle = 3.01 is out of range: expected 0 to 3");
  EXPECT_EQ(load(-0.01, 1), "traffic.rate_flits_per_node_cycle = -0.01: expected number, at least 0");
  EXPECT_EQ(load(std::numeric_limits<double>::quiet_NaN(), 1),
            "traffic.rate_flits_per_node_cycle = nan: expected number, at least 0");
}

TEST(CheckExperiment, NeedsComputationToTakeTime) {
  const auto scaled = [](double scaling) { return refusal(with(stream(), "stream.computation_scaling", scaling)); };
  EXPECT_EQ(scaled(0.001), "");
  EXPECT_EQ(scaled(0.0), "stream.computation_scaling = 0: expected more than 0");
  EXPECT_EQ(scaled(-1.0), "stream.computation_scaling = -1.0: expected number, at least 0");
  EXPECT_EQ(scaled(std::numeric_limits<double>::quiet_NaN()),
            "stream.computation_scaling = nan: expected number, at least 0");
}

TEST(CheckExperiment, NeedsTheGraphOfAStream) {
  Experiment e;
  e.open("stream");
  EXPECT_EQ(refusal(e), "stream.graph is missing: expected the file of a stream graph");
}

TEST(CheckExperiment, NeedsABoundedQueueForSaturatedSources) {
  const auto queue = [](int packets) {
    return refusal(with(traffic(), "traffic.process", "saturated", "interface.source_queue_packets", packets));
  };
  EXPECT_EQ(queue(1), "");
  EXPECT_EQ(
      queue(0),
      "traffic.process = \"saturated\" never stops making packets: expected interface.source_queue_packets >= 1, or "
      "traffic.outstanding");
}

TEST(CheckExperiment, NeedsPacketsThatCanWaitForTheGate) {
  const auto behind = [](int packets, int queue) {
    return refusal(with(traffic(), "interface.fairness", "sat", "interface.behind_gate_packets", packets,
                        "interface.source_queue_packets", queue));
  };
  EXPECT_EQ(behind(3, 4), "");
  EXPECT_EQ(behind(100, 0), "") << "an unbounded queue";
  EXPECT_EQ(behind(4, 4),
            "interface.behind_gate_packets = 4: no packet of interface.source_queue_packets = 4 would ever wait for "
            "the gate; expected less");
  EXPECT_EQ(refusal(with(traffic(), "interface.behind_gate_packets", 3))
                .rfind("interface.behind_gate_packets belongs to interface.fairness != \"none\"", 0),
            0U);
}

TEST(CheckExperiment, NeedsMessagesAndASchedulerForPriorities) {
  const auto priority = [](double fraction, int flits, const char* scheduler) {
    return refusal(with(traffic(), "message.packet_flits", flits, "message.priority_fraction", fraction,
                        "interface.scheduler", scheduler));
  };
  EXPECT_EQ(priority(0.1, 4, "alpha"), "");
  EXPECT_EQ(priority(0.0, 4, "fifo"), "");
  EXPECT_EQ(priority(0.1, 0, "alpha"),
            "message.priority_fraction belongs to message.packet_flits; this experiment has 0");
  EXPECT_EQ(priority(0.1, 4, "fifo").rfind("message.priority_fraction needs an interface.scheduler that knows", 0), 0U);
}

TEST(CheckExperiment, NeedsMessagesToOrderThem) {
  for (const char* scheduler : {"alpha", "shortest_first", "round_robin", "round_robin_front"}) {
    const Experiment e = with(traffic(), "interface.scheduler", scheduler);
    EXPECT_EQ(refusal(with(e, "message.packet_flits", 1)), "") << scheduler;
    for (const Experiment& none : {e, with(e, "message.packet_flits", 0)}) {
      EXPECT_EQ(refusal(none).rfind("this interface.scheduler orders messages, and there are none: expected", 0), 0U);
    }
  }
  EXPECT_EQ(refusal(with(traffic(), "interface.scheduler", "fifo")), "");
}

TEST(CheckExperiment, NeedsTimeForTheLeastWarmUp) {
  const auto between = [](int least, int most) {
    return refusal(with(traffic(), "simulation.min_warmup_cycles", least, "simulation.max_warmup_cycles", most));
  };
  EXPECT_EQ(between(0, 0), "");
  EXPECT_EQ(between(700, 700), "");
  EXPECT_EQ(between(700, 699),
            "simulation.max_warmup_cycles = 699: expected at least simulation.min_warmup_cycles = 700");
}

TEST(CheckExperiment, NeedsLongPacketsThatAreNotTheShortOnes) {
  const auto lengths = [](int of_short, int of_long) {
    return refusal(
        with(traffic(), "traffic.length", "bimodal", "traffic.short_flits", of_short, "traffic.long_flits", of_long));
  };
  EXPECT_EQ(lengths(5, 5), "");
  EXPECT_EQ(lengths(6, 5), "traffic.short_flits = 6: expected at most traffic.long_flits = 5");
}

/// Of classes with a name, and of requests that wait for their answers.
TEST(CheckExperiment, KeepsSendersToNodesAndAnswersToPacketsThatArriveByThemselves) {
  const auto senders = [](const std::vector<std::uint32_t>& nodes) {
    return refusal(with(traffic(), "traffic.name", "a", "traffic.senders", nodes));
  };
  EXPECT_EQ(senders({0, 3}), "");
  EXPECT_EQ(senders({0, 4}), "traffic.senders: node 4: expected 0 to 3");
  const Experiment answered = with(traffic(), "traffic.request_reply", true);
  EXPECT_EQ(refusal(with(answered, "message.packet_flits", 4)), "");
  EXPECT_EQ(refusal(with(answered, "message.packet_flits", 4, "traffic.outstanding", 1)),
            "message.packet_flits: packets of messages are answered one by one: expected 0, or no traffic.outstanding, "
            "traffic.service_cycles and traffic.name");
}

/// Policies know no places: the key that they name does, in the file or after --set.
TEST(CheckExperiment, SaysWhereTheKeyStandsThatItNames) {
  const auto said = [](const std::string& text, const std::vector<std::string>& settings = {}) {
    return refusal(models::parse_experiment("[topology]\nwidth = 4\n[traffic]\n" + text, "e.toml", settings));
  };
  const std::string rate = "traffic.rate_flits_per_node_cycle", range = rate + " = 2 is out of range: expected 0 to 1";
  EXPECT_EQ(said("rate_flits_per_node_cycle = 2.0"), "e.toml:4:29: " + range);
  EXPECT_EQ(said("", {rate + "=2"}), "--set " + rate + "=2: " + range);
  EXPECT_EQ(said("pattern = \"transpose\"").rfind("e.toml:4:11: traffic pattern \"transpose\" needs a square grid", 0),
            0U);
  EXPECT_EQ(
      said("pattern = \"local\"\nlocal_radius = 0").rfind("e.toml:5:16: traffic pattern \"local\": node 0 has", 0), 0U);
}

/// ... and of a key that is not given the section that it would stand in.
TEST(CheckExperiment, SaysWhereTheSectionStandsOfAKeyThatIsMissing) {
  const std::string said =
      refusal(models::parse_experiment("[topology]\nwidth = 4\n\n[stream]\nlatency = true\n", "e.toml", {}));
  EXPECT_EQ(said.rfind("e.toml:4:2: ", 0), 0U) << said;
  EXPECT_NE(said.find("stream.graph"), std::string::npos) << said;
}

TEST(CheckExperiment, KeepsCircuitsToPushedStreams) {
  Experiment circuit = with(stream(), "interface.switching", "circuit");
  EXPECT_EQ(refusal(circuit), "");
  EXPECT_EQ(refusal(with(circuit, "interface.transfer", "pull")),
            "interface.switching = \"circuit\" carries pushed streams: expected interface.transfer = \"push\"");
  circuit.close("stream");
  circuit.open("traffic");
  EXPECT_EQ(refusal(circuit), "interface.switching belongs to a section [stream]");
}

TEST(CheckExperiment, BoundsReceivedItemsOnlyWhereTheyCanWait) {
  const auto bounded = [](const char* transfer, const char* switching) {
    return refusal(with(stream(), "interface.receive_queue_items", 100, "interface.transfer", transfer,
                        "interface.switching", switching));
  };
  EXPECT_EQ(bounded("pull", "packet"), "");
  EXPECT_EQ(bounded("push", "circuit"), "");
  EXPECT_EQ(bounded("push", "packet").rfind("interface.receive_queue_items bounds circuits and pulled streams: ", 0),
            0U);
}

TEST(CheckExperiment, LetsPushedPacketsWaitAndNoPulledOnes) {
  const Experiment queued = with(stream(), "interface.ejection_queue_items", 9);
  EXPECT_EQ(refusal(queued), "");
  EXPECT_EQ(refusal(with(queued, "interface.transfer", "pull")),
            "interface.ejection_queue_items is of pushed streams: a pulled block has its room before it is asked for "
            "(interface.receive_queue_items); expected 0");
}

TEST(CheckExperiment, NeedsWholeBatches) {
  const auto measured = [](std::int64_t cycles, std::int64_t batch) {
    return refusal(with(traffic(), "simulation.measure_cycles", cycles, "simulation.batch_cycles", batch));
  };
  EXPECT_EQ(measured(3000, 1000), "");
  EXPECT_EQ(measured(3001, 1000),
            "simulation.measure_cycles = 3001: expected a multiple of simulation.batch_cycles = 1000");
  EXPECT_EQ(measured(1000, 1000), "");
  EXPECT_EQ(measured(999, 1000),
            "simulation.measure_cycles = 999: expected a multiple of simulation.batch_cycles = 1000");
  EXPECT_EQ(measured(1, 1), "");
  EXPECT_EQ(measured(0, 1), "simulation.measure_cycles = 0: expected integer, 1 to 1000000000000");
  EXPECT_EQ(measured(1000000000000, 1000000000), "");
  EXPECT_EQ(measured(1000000000001, 1),
            "simulation.measure_cycles = 1000000000001: expected integer, 1 to 1000000000000");
  EXPECT_EQ(measured(1, 0), "simulation.batch_cycles = 0: expected integer, 1 to 1000000000");
  EXPECT_EQ(measured(1000000000, 1000000000), "");
  EXPECT_EQ(measured(1000000001, 1000000001),
            "simulation.batch_cycles = 1000000001: expected integer, 1 to 1000000000");
}

TEST(CheckExperiment, KeepsThreadsToTheStaticSchedule) {
  const Experiment threads = with(traffic(), "simulation.threads", 2);
  EXPECT_EQ(refusal(threads), "");
  EXPECT_EQ(refusal(with(threads, "simulation.schedule", "process_per_stage")),
            "simulation.threads needs simulation.schedule = \"static\"");
}

/// Whether there is RTL of that shape is another matter: network_rtl_test.cpp.
TEST(CheckExperiment, KeepsStandInsToHybridRoutersAndOthersThanRtlToOneThread) {
  for (const char* implementation : {"rtl", "lockstep", "pins"}) {
    if (models::hybrid::StandInRegistry::instance().entries().count(implementation) == 0) continue;
    const std::string rtl = implementation;
    EXPECT_NO_THROW(models::check_experiment(with(traffic(), "router.implementation", rtl)));
    if (rtl != "rtl") {
      EXPECT_EQ(refusal(with(traffic(), "router.implementation", rtl, "simulation.threads", 2)),
                "simulation.threads = 2: routers of modules or behind pins run on one thread; expected 1");
    }
    EXPECT_EQ(refusal(with(traffic(), "router.architecture", "po2", "router.implementation", rtl)),
              "router.implementation belongs to router.architecture = \"hybrid\"; this experiment has \"po2\"");
  }
  EXPECT_EQ(refusal(with(traffic(), "router.implementation", "modle"))
                .rfind("unknown router.implementation \"modle\" (did you mean \"model\"?)", 0),
            0U);
}

}  // namespace
}  // namespace braid::test::check_experiment_test
