// A network that others step: the same cycles, packets and figures as under SystemC, in any number at once.
#include "models/steps/step_network.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "models/engine/deadlock_error.h"
#include "models/engine/engine.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/steps/braid.h"
#include "models/steps/step_run.h"
#include "routing/base/text_file.h"
#include "tb/tests/support/bench.h"

namespace braid::test::step_network_test {
namespace {

using models::StepNetwork;
using models::StepRun;

const std::string kMesh = source_file("tb/experiments/mesh_uniform.toml");
const std::vector<std::string> kSilent = {"traffic.rate_flits_per_node_cycle=0"};

/// Own packets beside an experiment's traffic: every third cycle one, of 1 to 5 flits.
template <class Send>
void send_own(std::uint64_t cycle, std::uint32_t nodes, Send send) {
  if (cycle % 3 != 0) return;
  const auto n = static_cast<std::uint32_t>(cycle / 3);
  send((7 * n) % nodes, (11 * n + 5) % nodes, 1 + n % 5, n);
}

class EveryFamily : public testing::TestWithParam<const char*> {};

TEST_P(EveryFamily, HasTheEnginesPacketsCycleByCycle) {
  const std::string file = source_file(GetParam());
  models::Simulation simulation(models::read_experiment(file));
  models::Engine& engine = simulation.engine();
  StepNetwork steps(file);
  const auto nodes = static_cast<std::uint32_t>(steps.nodes());
  for (std::uint64_t cycle = 0; cycle < 600; ++cycle) {
    engine.run(1);
    steps.step();
    send_own(cycle, nodes, [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t tag) {
      engine.send_packet(NodeId{from}, NodeId{to}, flits, tag);
      steps.send({from, to, flits, 0, tag});
    });
    if (cycle % 50 != 0) continue;
    ASSERT_EQ(steps.packet_hash(), simulation.counts().packet_hash) << "after cycle " << cycle;
  }
  EXPECT_EQ(steps.packet_hash(), simulation.counts().packet_hash);
  EXPECT_EQ(steps.packets_arrived(), simulation.counts().conservation.packets_delivered);
  EXPECT_GT(steps.packets_arrived(), 50U);
}
INSTANTIATE_TEST_SUITE_P(Experiments, EveryFamily,
                         testing::Values("tb/experiments/mesh_uniform.toml", "tb/experiments/mesh_adaptive.toml",
                                         "tb/experiments/mixed.toml", "tb/experiments/tree_sat.toml",
                                         "tb/experiments/po2_hexagonal.toml", "tb/experiments/irregular.toml"),
                         [](const auto& chosen) {
                           const std::string file = chosen.param;
                           return file.substr(15, file.size() - 20);
                         });

TEST(StepNetwork, DeliversAfterFiveCyclesAHopAndThreeAtTheInterfaces) {
  for (const std::uint32_t links : {0U, 1U, 7U}) {
    for (const std::uint32_t flits : {1U, 4U}) {
      StepNetwork steps(kMesh, kSilent);
      steps.step(10);
      steps.send({0, links, flits, 0, 42});
      const std::uint32_t latency = 3 + 5 * (links + 1) + flits - 1;  // docs/router.md
      steps.step(latency - 1);
      EXPECT_TRUE(steps.busy());
      EXPECT_TRUE(steps.arrivals().empty()) << "at cycle N - 1";
      steps.step();
      EXPECT_FALSE(steps.busy());
      const auto arrived = steps.arrivals();
      ASSERT_EQ(arrived.size(), 1U) << "at cycle N = " << latency;
      EXPECT_EQ(arrived[0].cycle - arrived[0].created, latency);
      EXPECT_EQ(arrived[0].created, 9U);
      EXPECT_EQ(arrived[0].injected, 11U) << "a cycle for the VC, then the head is on the link";
      EXPECT_EQ(arrived[0].tag, 42U);
      EXPECT_EQ(arrived[0].flits, flits);
      EXPECT_EQ(arrived[0].routers, links + 1);
      EXPECT_TRUE(steps.arrivals().empty()) << "they are taken once";
    }
  }
}

TEST(StepNetwork, SeveralAtOnceAreEachAsIfAlone) {
  const auto hash_after = [](StepNetwork& steps) {
    steps.step(250);
    return steps.packet_hash();
  };
  StepNetwork alone(kMesh);
  const std::uint64_t first = hash_after(alone), second = hash_after(alone);
  std::vector<StepNetwork> many;
  for (int i = 0; i < 3; ++i) many.emplace_back(kMesh);
  for (StepNetwork& one : many) EXPECT_EQ(hash_after(one), first);
  for (StepNetwork& one : many) EXPECT_EQ(hash_after(one), second);
}

TEST(StepNetwork, GoesOnFromItsOwnCheckpointWithWhatNobodyHasTaken) {
  const std::string file = temporary_file("steps.checkpoint");
  const auto send = [](StepNetwork& steps) {
    for (std::uint32_t n = 0; n < 20; ++n) steps.send({n, 63 - n, 3, 0, n});
  };
  StepNetwork steps(kMesh);
  steps.step(300);
  send(steps);
  steps.step(40);  // some of them have come
  steps.save(file);
  StepNetwork other(kMesh);
  other.restore(file);
  EXPECT_EQ(other.now(), 340U);
  steps.step(200);
  other.step(200);
  EXPECT_EQ(other.packet_hash(), steps.packet_hash());
  const auto came = steps.arrivals(), there = other.arrivals();
  ASSERT_EQ(came.size(), 20U);
  ASSERT_EQ(there.size(), 20U);
  for (std::size_t i = 0; i < came.size(); ++i) {
    EXPECT_EQ(there[i].cycle, came[i].cycle);
    EXPECT_EQ(there[i].tag, came[i].tag);
  }
}

TEST(StepNetwork, OfACheckpointOfTheProgramGoesOnAsTheProgramDoes) {
  const std::string file = temporary_file("program.checkpoint");
  models::Simulation simulation(models::read_experiment(kMesh));
  simulation.engine().run(500);
  simulation.save_checkpoint(file);
  StepNetwork steps(kMesh);
  steps.restore(file);
  simulation.engine().run(300);
  steps.step(300);
  EXPECT_EQ(steps.packet_hash(), simulation.counts().packet_hash);
}

TEST(StepNetwork, GivesArrivalsByCycleThenNodeAndSoManyAsAreAsked) {
  StepNetwork steps(kMesh, kSilent);
  for (std::uint32_t n = 0; n < 10; ++n) steps.send({n, n + 1, 1, 0, n});
  steps.step(100);
  std::vector<StepNetwork::Arrival> all = steps.arrivals(4);
  ASSERT_EQ(all.size(), 4U);
  for (const auto& one : steps.arrivals()) all.push_back(one);
  ASSERT_EQ(all.size(), 10U);
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_LE(std::make_pair(all[i - 1].cycle, all[i - 1].destination),
              std::make_pair(all[i].cycle, all[i].destination));
  }
}

TEST(StepNetwork, CallsBackInTheArrivalsCycleAndMaySendThere) {
  StepNetwork steps(kMesh, kSilent);
  std::vector<std::uint64_t> cycles;
  steps.on_arrival([&](const StepNetwork::Arrival& a) {
    cycles.push_back(steps.now() - 1);
    EXPECT_EQ(a.cycle, cycles.back());
    if (cycles.size() < 3) steps.send({a.destination, a.source, 1});
  });
  steps.step();
  steps.send({0, 1, 1});
  steps.step(60);
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{13, 26, 39})) << "13 cycles each way: 3 + 5 * 2";
  EXPECT_TRUE(steps.arrivals().empty());
}

TEST(StepNetwork, SaysHowManyPacketsWouldLeaveAtOnce) {
  StepNetwork steps(kMesh, {"traffic.rate_flits_per_node_cycle=0", "topology.local_ports=2"});
  EXPECT_EQ(steps.capacity(5), 2U);
  steps.send({5, 9, 8});
  EXPECT_EQ(steps.capacity(5), 1U);
  steps.send({5, 9, 8});
  EXPECT_EQ(steps.capacity(5), 0U);
  steps.step(60);
  EXPECT_EQ(steps.capacity(5), 2U);
}

TEST(StepNetwork, ShowsBuffersCreditsAndLinks) {
  StepNetwork steps(kMesh, kSilent);
  const StepNetwork::Shape shape = steps.shape();
  EXPECT_EQ(shape.routers, 64U);
  EXPECT_EQ(shape.ports, 5U);
  EXPECT_EQ(shape.vcs, 4U);
  const std::size_t lanes = shape.routers * shape.ports * shape.vcs;
  std::vector<std::uint16_t> occupancy(lanes), credits(lanes);
  std::vector<std::uint64_t> links(shape.routers * shape.ports);
  const auto look = [&] {
    steps.occupancy(occupancy.data());
    steps.credits(credits.data());
    steps.link_flits(links.data());
  };
  const auto sum = [](const auto& all) { return std::accumulate(all.begin(), all.end(), std::uint64_t{0}); };
  look();
  const std::uint64_t free = sum(credits);
  EXPECT_EQ(free, (2U * 112U + 64U) * 4U * 8U) << "8 flits a VC of 224 links and 64 ejection links";
  steps.send({0, 2, 6});  // from router 0 eastwards over 1 to 2
  steps.step(9);          // the head was in SA in cycle 6 at the latest, so its credit is away
  look();
  EXPECT_LT(sum(credits), free);
  EXPECT_GT(sum(occupancy), 0U);
  steps.step(60);
  look();
  EXPECT_EQ(sum(credits), free);
  EXPECT_EQ(sum(occupancy), 0U);
  EXPECT_EQ(links[0 * 5 + 0], 6U) << "router 0, east";
  EXPECT_EQ(links[1 * 5 + 0], 6U);
  EXPECT_EQ(links[2 * 5 + 4], 6U) << "router 2, its node";
  EXPECT_EQ(sum(links), 18U);
}

TEST(StepNetwork, CountsAPacketInTheClassItIsSentIn) {
  StepNetwork steps(source_file("tb/experiments/mixed.toml"));
  ASSERT_GE(steps.traffic_classes().size(), 2U);
  steps.send({0, 1, 1, 1, 5});
  steps.send({0, 1, 1, 0, 6});
  steps.step(200);
  const auto arrived = steps.arrivals();
  ASSERT_EQ(arrived.size(), 2U);
  EXPECT_EQ(arrived[0].traffic_class, arrived[0].tag == 5 ? 1U : 0U);
  EXPECT_EQ(arrived[1].traffic_class, arrived[1].tag == 5 ? 1U : 0U);
}

TEST(StepNetwork, NeedsNoWorkload) {
  StepNetwork steps = StepNetwork::from_text("[topology]\nwidth = 2\nheight = 2\n");
  steps.send({0, 3, 1});
  steps.step(3 + 5 * 3 + 1);
  EXPECT_EQ(steps.arrivals().size(), 1U);
}

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST(StepNetwork, RefusesWhatDoesNotExist) {
  StepNetwork steps(kMesh, kSilent);
  EXPECT_EQ(refusal([&] { steps.send({64, 0, 1}); }), "node 64: expected 0 to 63");
  EXPECT_EQ(refusal([&] { steps.send({0, 99, 1}); }), "node 99: expected 0 to 63");
  EXPECT_EQ(refusal([&] { steps.send({0, 1, 0}); }), "a packet of 0 flits: expected 1 to 65535");
  EXPECT_EQ(refusal([&] { steps.send({0, 1, 70000}); }), "a packet of 70000 flits: expected 1 to 65535");
  EXPECT_EQ(refusal([&] { steps.send({0, 1, 1, 9}); }), "class 9 of traffic: expected 0 to 0");
  EXPECT_EQ(refusal([&] { steps.send({0, 1, 1, 1}); }), "class 1 of traffic: expected 0 to 0");
  EXPECT_EQ(refusal([&] { (void)steps.capacity(64); }), "node 64: expected 0 to 63");
  EXPECT_EQ(steps.packets_sent(), 0U);
  EXPECT_NE(refusal([&] { StepNetwork::from_text("[topology]\nwidht = 2\n", "mine.toml"); }).find("mine.toml:2:"),
            std::string::npos);
}

TEST(StepNetwork, EndsAtADeadlockAsARunDoes) {
  StepNetwork steps(source_file("tb/experiments/deadlock.toml"));
  EXPECT_THROW(steps.step(2000000), models::DeadlockError);
}

TEST(StepRun, HasTheFiguresOfTheProgram) {
  const std::string text = "[topology]\nwidth = 4\nheight = 4\n[traffic]\nrate_flits_per_node_cycle = 0.2\n";
  models::Simulation simulation(models::parse_experiment(text, "mine"));
  const models::Results results = simulation.run();
  std::uint64_t told = 0;
  const StepRun::Outcome outcome = StepRun::run(text, "mine", {}, [&told](const models::Progress&) {
    ++told;
    return true;
  });
  const std::string hash = fmt::format("\"packet_hash\": \"{:016x}\"", results.packet_hash);
  EXPECT_NE(outcome.results.find(hash), std::string::npos) << outcome.results;
  EXPECT_TRUE(outcome.deadlock.empty());
  EXPECT_THROW(StepRun::run(text, "mine", {}, [](const models::Progress&) { return false; }), models::Interrupted);
}

TEST(StepRun, WritesTheWaveformOfTheProgram) {
  const std::string text = "[topology]\nwidth = 2\nheight = 2\n[traffic]\nrate_flits_per_node_cycle = 0.2\n";
  const auto traced = [](const std::string& file) {
    return std::vector<std::string>{"trace.file=" + file, "trace.to_cycle=50", "simulation.measure_cycles=1000"};
  };
  const std::string by_program = temporary_file("program.vcd"), here = temporary_file("here.vcd");
  models::Simulation(models::parse_experiment(text, "mine", traced(by_program))).run();
  StepRun::run(text, "mine", traced(here));
  EXPECT_EQ(read_text(here, "a waveform"), read_text(by_program, "a waveform"));
}

TEST(StepRun, RefusesWhatNeedsTheProgram) {
  const auto run = [](const std::vector<std::string>& settings) {
    return refusal([&] { StepRun::run("[traffic]\n", "mine", settings); });
  };
  EXPECT_NE(run({"simulation.schedule=process_per_stage"}).find("needs SystemC"), std::string::npos);
  EXPECT_NE(run({"watch.what=source=0"}).find("is for the program"), std::string::npos);
}

TEST(BraidH, StepsANetworkAndSaysWhatIsWrong) {
  EXPECT_EQ(braid_open("nowhere.toml", nullptr, 0), nullptr);
  EXPECT_NE(std::string(braid_error()).find("nowhere.toml"), std::string::npos);
  const char* const settings[] = {"traffic.rate_flits_per_node_cycle=0"};
  braid_network* network = braid_open(kMesh.c_str(), settings, 1);
  ASSERT_NE(network, nullptr) << braid_error();
  EXPECT_EQ(braid_nodes(network), 64U);
  EXPECT_EQ(braid_send(network, 0, 64, 1, 0, BRAID_NO_TAG), BRAID_BAD_INPUT);
  EXPECT_STREQ(braid_error(), "node 64: expected 0 to 63");
  EXPECT_EQ(braid_step(network, 1), BRAID_OK);
  EXPECT_EQ(braid_send(network, 0, 1, 1, 0, 7), BRAID_OK);
  EXPECT_EQ(braid_step(network, 13), BRAID_OK);
  braid_arrival arrived[2];
  ASSERT_EQ(braid_arrivals(network, arrived, 2), 1U);
  EXPECT_EQ(arrived[0].tag, 7U);
  EXPECT_EQ(arrived[0].cycle, 13U);
  EXPECT_EQ(braid_busy(network), 0);
  EXPECT_EQ(braid_now(network), 14U);
  braid_close(network);
}

/// Each kind of complaint has its status and its line: a full disk is no bad input.
TEST(BraidH, SaysWhyAFileCouldNotBeWrittenAndThatPacketsAreDeadlocked) {
  braid_network* network = braid_open_text("[topology]\nwidth = 2\nheight = 1\n", "mine.toml", nullptr, 0);
  ASSERT_NE(network, nullptr) << braid_error();
  EXPECT_EQ(braid_save(network, testing::TempDir().c_str()), BRAID_BAD_INPUT);
  EXPECT_NE(std::string(braid_error()).find("is a directory"), std::string::npos) << braid_error();
  EXPECT_EQ(braid_save(network, "/dev/full"), BRAID_FAILED);
  EXPECT_STREQ(braid_error(), "/dev/full: cannot be written: No space left on device");
  braid_close(network);
  braid_network* stuck = braid_open(source_file("tb/experiments/deadlock.toml").c_str(), nullptr, 0);
  ASSERT_NE(stuck, nullptr) << braid_error();
  EXPECT_EQ(braid_step(stuck, 2000000), BRAID_DEADLOCK);
  EXPECT_EQ(std::string(braid_error()).find("/dev/full"), std::string::npos) << "the last complaint's line";
  braid_close(stuck);
}

/// Node 5 of a 2-ary 3-fly enters at router 2 of the first stage and leaves at router 2 of the last.
TEST(StepTopology, OfAButterflySaysWhereNodesEnterAndLeave) {
  StepNetwork steps(kMesh, {"topology.kind=butterfly", "topology.arity=2", "topology.stages=3",
                            "routing.algorithm=destination_tag", "traffic.rate_flits_per_node_cycle=0"});
  const std::string text = steps.topology();
  const auto nodes = text.find("\"nodes\":[[[0,2]],[[0,3]],[[1,2]],[[1,3]],[[2,2]],[[2,3]],[[3,2]],[[3,3]]]");
  const auto exits = text.find("\"exits\":[[[8,0]],[[8,1]],[[9,0]],[[9,1]],[[10,0]],[[10,1]],[[11,0]],[[11,1]]]");
  EXPECT_NE(nodes, std::string::npos) << text;
  EXPECT_NE(exits, std::string::npos) << text;
  EXPECT_EQ(StepNetwork(kMesh, kSilent).topology().find("exits"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::step_network_test
