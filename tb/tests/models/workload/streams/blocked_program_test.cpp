// A stream program that cannot go on: what it says while packets wait for room, and what it is refused with where its
// queues could never do; and how many items its queues hold where nobody says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/workload/streams/rate_watch.h"
#include "models/workload/streams/stream_program.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::blocked_program_test {
namespace {

using namespace models;
using State = StreamProgram::Actor::State;

/// Actors of these letters on nodes 0, 1, 2 and so on; of each edge from whom to whom, push, pop and initial items.
struct Made {
  struct Way {
    char from, to;
    std::uint32_t push = 1, pop = 1, initial = 0;
  };
  explicit Made(const std::string& letters, const std::vector<Way>& ways) {
    graph.name = "made";
    for (const char letter : letters) {
      graph.actors.push_back({std::string(1, letter), 1, {}});
      place.push_back(NodeId{place.size()});
    }
    for (const Way& way : ways) {
      traffic::StreamEdge edge;
      edge.from = static_cast<std::uint32_t>(letters.find(way.from));
      edge.to = static_cast<std::uint32_t>(letters.find(way.to));
      edge.push = way.push;
      edge.pop = edge.peek = way.pop;
      edge.initial = way.initial;
      graph.edges.push_back(edge);
    }
  }
  StreamProgram program() const { return {graph, place, options}; }
  std::string refusal() const {
    return complaint([&] { program(); });
  }
  traffic::StreamGraph graph;
  std::vector<NodeId> place;
  StreamOptions options;
};

// ---------------------------------------------------------------- while packets wait

/// a and b give to c, c gives to d: edges 0, 1 and 2.
Made joined() {
  Made made("abcd", {{'a', 'c'}, {'b', 'c'}, {'c', 'd'}});
  made.options.ejection_queue_items = 7;
  made.options.stream_queue_items = 4;
  return made;
}
std::string full(const std::string& stream, int node, const std::string& why) {
  return "pushed streams block each other: the queue of " + stream + " at node " + std::to_string(node) +
         " is full, and " + why +
         " (interface.ejection_queue_items = 7); expected more items, 0 (unbounded), more VCs or interface.transfer = "
         "\"pull\"";
}

TEST(BlockedProgram, SaysNothingWhileNothingIsRefused) {
  StreamProgram program = joined().program();
  EXPECT_EQ(program.blocked(), "");
  program.actors()[2].state = State::kEmitting;
  EXPECT_EQ(program.blocked(), "");
}

/// c waits for both, and what b gives comes first, for a's packets hold it up; then what overtook on a's own way.
TEST(BlockedProgram, WaitsForItemsOfAnotherStreamBeforeItsOwn) {
  StreamProgram program = joined().program();
  program.edges()[0].refused = true;
  EXPECT_EQ(program.blocked(), full("a -> c", 2, "c waits for items of b -> c, which cannot pass"));
  program.edges()[1].received.arrive(0, 1);
  EXPECT_EQ(program.blocked(), full("a -> c", 2, "c waits for earlier packets of it, which cannot pass"));
  program.edges()[0].received.arrive(0, 1);
  EXPECT_EQ(program.blocked(), "") << "c has all";
  program.edges()[0].received.consume(1);
  program.edges()[1].received.consume(1);
  program.edges()[0].refused = false;
  program.edges()[1].refused = true;
  EXPECT_EQ(program.blocked(), full("b -> c", 2, "c waits for items of a -> c, which cannot pass"));
}

/// A consumer that has fired and cannot put out what it has made waits for room.
TEST(BlockedProgram, WaitsForRoomWhereTheConsumerHasFired) {
  StreamProgram program = joined().program();
  program.edges()[0].refused = true;
  program.actors()[2].state = State::kEmitting;
  program.edges()[2].queued_items = 3;
  EXPECT_EQ(program.blocked(), "") << "there is room for one more";
  program.edges()[2].queued_items = 4;
  EXPECT_EQ(program.blocked(), full("a -> c", 2, "c waits for room on c -> d"));
}

/// The stream that holds up what would empty it is named, whichever comes first: room comes behind own items, these
/// behind another's. Of two alike it is the first.
TEST(BlockedProgram, NamesTheStreamThatHoldsUpTheOthers) {
  StreamProgram program = joined().program();
  program.edges()[0].refused = program.edges()[1].refused = true;
  program.actors()[2].state = State::kEmitting;
  program.edges()[2].queued_items = 4;
  EXPECT_EQ(program.blocked(), full("a -> c", 2, "c waits for room on c -> d")) << "the first of two";
  program.edges()[2].refused = true;
  EXPECT_EQ(program.blocked(), full("c -> d", 3, "d waits for earlier packets of it, which cannot pass"));
  program.actors()[2].state = State::kWaiting;
  EXPECT_EQ(program.blocked(), full("a -> c", 2, "c waits for items of b -> c, which cannot pass"));
}

// ---------------------------------------------------------------- what is refused

/// a gives an item to d in every firing, and d waits for the first that comes by way of b and c, for which a fires
/// forty times: of d's items four wait at a and 36 at d.
TEST(ProgramRooms, HoldWhatWaitsForALongerWay) {
  Made made("abcd", {{'a', 'b', 1, 10}, {'b', 'c', 1, 4}, {'c', 'd', 4, 1}, {'a', 'd', 1, 10}});
  made.options.packet_items = 1;
  made.options.stream_queue_items = 4;
  made.options.receive_queue_items = 36;
  EXPECT_EQ(made.refusal(), "");
  made.options.receive_queue_items = 35;
  EXPECT_EQ(made.refusal(),
            "interface.receive_queue_items = 35: actor a would wait for ever for room on edge a -> d; expected at "
            "least 36 beside interface.stream_queue_items = 4");
  made.options.stream_queue_items = 5;
  EXPECT_EQ(made.refusal(), "") << "one more waits at a";
}

/// A loop of two actors that begins with nothing.
TEST(ProgramRooms, OfALoopWithoutItemsAreNeverEnough) {
  Made made("ab", {{'a', 'b'}, {'b', 'a'}});
  made.options.packet_items = 1;
  made.options.stream_queue_items = 8;
  made.options.receive_queue_items = 8;
  EXPECT_EQ(made.refusal(),
            "interface.receive_queue_items = 8: actor a would wait for ever for items on edge b -> a; expected more "
            "initial items beside interface.stream_queue_items = 8");
  made.options.multicast = Multicast::kInRouters;
  EXPECT_EQ(made.refusal(),
            "interface.receive_queue_items = 8: actor a would wait for ever for items on edge b -> a; expected more "
            "initial items beside interface.stream_queue_items = 8, where copies of an item leave together "
            "(stream.multicast = \"routers\")");
  made.options.multicast = Multicast::kAtSource;
  made.options.receive_queue_items = 0;
  made.options.ejection_queue_items = 8;
  EXPECT_NE(made.refusal(), "");
  made.graph.edges[1].initial = 1;
  EXPECT_EQ(made.refusal(), "") << "one item goes round";
}

/// Initial items are at the consumer from the start.
TEST(ProgramRooms, HoldInitialItems) {
  Made made("ab", {{'a', 'b', 1, 1, 20}});
  made.options.receive_queue_items = 20;
  EXPECT_EQ(made.refusal(), "");
  made.options.receive_queue_items = 19;
  EXPECT_EQ(made.refusal(),
            "interface.receive_queue_items = 19 is too small for edge a -> b: at least 20 (its initial items)");
}

/// Nobody says how many: 64 items, or what a firing needs if that is more.
TEST(ProgramRooms, AtTheProducerAre64OrWhatAFiringNeeds) {
  for (const std::uint32_t push : {1U, 64U, 65U, 100U}) {
    Made made("ab", {{'a', 'b', push, push}});
    made.options.stream_queue_items = 0;
    EXPECT_EQ(made.program().options().stream_queue_items, std::max(64U, push)) << push;
  }
  Made said("ab", {{'a', 'b'}});
  said.options.stream_queue_items = 3;
  EXPECT_EQ(said.program().options().stream_queue_items, 3U);
}

// ---------------------------------------------------------------- streams and their circuits

/// A search that finds a circuit gives a stream another port and lane; where set-up fails it is back on its own port
/// only where its items leave with others'.
TEST(ProgramCircuits, AreAskedForByNameAndKeepTheFirstPort) {
  StreamProgram program = joined().program();
  const auto requests = program.circuits();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[1].name, "b -> c");
  EXPECT_EQ(requests[1].source, NodeId{1});
  EXPECT_EQ(requests[1].destination, NodeId{2});
  StreamProgram::Edge& edge = program.edges()[1];
  edge.source_port = 5;
  program.circuit_joined(1, 0);
  EXPECT_EQ(edge.tree, std::optional<std::uint32_t>(0));
  program.circuit_found(1, 7, 2);
  EXPECT_EQ(edge.tree, std::nullopt) << "a circuit of its own";
  program.circuit_found(1, 8, 3);
  EXPECT_EQ(edge.source_port, 8U);
  EXPECT_EQ(edge.source_lane, 3U);
  EXPECT_EQ(edge.packet_port, std::optional<std::size_t>(5)) << "before the first search";
  EXPECT_FALSE(program.started());
  program.set_up(false);
  EXPECT_TRUE(program.started());
  EXPECT_EQ(program.switching(), Switching::kPacket);
  EXPECT_EQ(edge.source_port, 8U);
}

/// As above, of streams that may leave together: back on the port before the search, and no tree.
TEST(ProgramCircuits, OfTreesThatDoNotStandGoBackToTheirPorts) {
  Made made = joined();
  made.options.multicast = Multicast::kInRouters;
  for (const bool success : {false, true}) {
    StreamProgram program = made.program();
    StreamProgram::Edge& edge = program.edges()[1];
    edge.source_port = 5;
    program.circuit_found(1, 7, 2);
    program.circuit_joined(0, 1);
    program.set_up(success);
    EXPECT_EQ(edge.source_port, success ? 7U : 5U);
    EXPECT_EQ(program.edges()[0].tree.has_value(), success);
    EXPECT_EQ(edge.branches, success ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{});
    EXPECT_EQ(program.switching(), success ? Switching::kCircuit : Switching::kPacket);
  }
}

TEST(ProgramCircuits, StopAndGoOnStreamByStream) {
  StreamProgram program = joined().program();
  program.stop(1);
  EXPECT_TRUE(program.edges()[1].stopped);
  EXPECT_FALSE(program.edges()[0].stopped);
  program.go_on(1);
  EXPECT_FALSE(program.edges()[1].stopped);
  program.edges()[2].queued_items = 3;
  EXPECT_EQ(program.waiting_items(2), 3U);
  EXPECT_EQ(program.waiting_items(1), 0U);
  EXPECT_TRUE(program.takes_all()) << "no bound at the consumers";
  Made bounded = joined();
  bounded.options.ejection_queue_items = 0;
  bounded.options.receive_queue_items = 16;
  EXPECT_FALSE(bounded.program().takes_all());
}

// ---------------------------------------------------------------- the rate before a change

/// An item in two cycles up to cycle 10, then one a cycle: of the 40 cycles before 40 the first ten had five, which no
/// others had; of those before 41 the fewest are six.
TEST(RateWatch, LooksBackForFourWindows) {
  for (const std::uint64_t change : {40U, 41U}) {
    RateWatch watch(10);
    for (std::uint64_t cycle = 0; cycle <= change; ++cycle) {
      watch.look(cycle, cycle <= 10 ? cycle / 2 : cycle - 5);
      if (cycle == change) watch.begin(cycle);
    }
    EXPECT_EQ(watch.rate().before, std::optional<std::uint64_t>(10));
    EXPECT_EQ(watch.rate().least_before, std::optional<std::uint64_t>(change == 40 ? 5 : 6)) << change;
    EXPECT_EQ(watch.rate().begin, change);
  }
}

}  // namespace
}  // namespace braid::test::blocked_program_test
