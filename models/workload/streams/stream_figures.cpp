// The figures of a stream program: names, units, meanings.
#include "models/observe/distribution.h"
#include "models/workload/streams/stream_program.h"

namespace braid::models {
namespace {

const FigureTable<StreamActorResult>& actor_figures() {
  using A = StreamActorResult;
  static const FigureTable<A> table =
      FigureTable<A>().add("name", "", "of the actor", &A::name).add("node", "", "where it is", [](const A& a) {
        return a.node.value;
      });
  return table;
}

const FigureTable<StreamEdgeResult>& edge_figures() {
  using E = StreamEdgeResult;
  static const FigureTable<E> table =
      FigureTable<E>()
          .add("name", "", "producer -> consumer", &E::name)
          .add("source_node", "", "number", [](const E& e) { return e.source.value; })
          .add("destination_node", "", "number", [](const E& e) { return e.destination.value; })
          .add("items_per_kilocycle", "items/kilocycle", "delivered while measuring", &E::items_per_kilocycle)
          .add("most_at_producer", "items", "at once in the producer's queue while measuring", &E::most_at_producer)
          .add("most_at_consumer", "items",
               "at once in the consumer's queue while measuring, in the order of the stream; of a cycle what has "
               "arrived before anything is taken",
               &E::most_at_consumer);
  return table;
}

const FigureTable<traffic::StreamRemedy>& remedy_figures() {
  using R = traffic::StreamRemedy;
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("taken", "", "what was changed so that a circuit for each stream stands", &R::taken)
          .add("why", "", "where nothing helped: what is in the way of the program as it is; else empty", &R::why)
          .add("degree", "", "most streams into or out of an actor, 0: any number", &R::degree)
          .add("tiles", "", "most actors before splitters and joiners came; of a graph's file 0", &R::tiles)
          .add("layout", "", "0: as stream.layout_cost has it; else that search for disjoint paths", &R::layout)
          .add("tried", "", "graphs on layouts that were judged", &R::tried)
          .add("least_cycles", "cycles",
               "between two steady states of the program on any layout: of its busiest actor, stream or node",
               &R::least_cycles)
          .add("least_cycles_as_asked", "cycles", "the same without a remedy", &R::least_cycles_asked)
          .add("packets_least_cycles", "cycles",
               "with stream.or_packets: the same on packets, of the program as it is, with its most loaded link",
               &R::packets_least_cycles);
  return table;
}

const FigureTable<StreamBound>& bound_figures() {
  using B = StreamBound;
  static const FigureTable<B> table =
      FigureTable<B>()
          .add("kind", "", "compute, link, injection, ejection or round_trip (of what is pulled)", &B::kind)
          .add("place", "", "which actor, link, local port, node or stream", &B::place)
          .add("iterations_per_kilocycle", "iterations/kilocycle", "that it would let through",
               &B::iterations_per_kilocycle)
          .add("reached", "", "items at the sinks over this bound: 1 is all of it", &B::reached);
  return table;
}

}  // namespace

const FigureTable<StreamResults>& stream_figures() {
  using S = StreamResults;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("graph", "", "name of the stream graph", &S::graph)
          .add("untimed_messages", "", "FILE:LINE:COLUMN of the first portal: messages are read, but take no time",
               &S::untimed_messages)
          .exists_with("stream.graph ending in \".str\"")
          .add("steady_states", "", "of the program in an iteration: copies of a filter take turns", &S::steady_states)
          .exists_with("stream.graph ending in \".str\", or with a plan")
          .part("remedy", "", "how circuits came to stand", &S::remedy, remedy_figures())
          .exists_with("stream.remedies = true")
          .add("program_steady_states_per_kilocycle", "steady states/kilocycle",
               "of the program as it is written, by the items at its sinks: taken, or waiting there for the next "
               "firing; the same unit whatever the partition and the network",
               &S::program_steady_states_per_kilocycle)
          .exists_with("stream.graph ending in \".str\", or with a plan")
          .add("iterations_per_kilocycle", "iterations/kilocycle",
               "steady states completed, mean over the sinks; a sink's count is its firings that have ended over its "
               "repetitions, in whole thousandths",
               &S::iterations_per_kilocycle)
          .part("bound", "", "what holds the throughput: of all bounds the one that is nearest", &S::bound,
                bound_figures())
          .part(
              "latency_cycles", "cycles",
              "of the items that sinks took: from the cycle in which a source put out the last item that they hang on "
              "to that in which they are taken",
              &S::latency, distribution_figures())
          .exists_with("stream.latency = true")
          .parts("actors", "", "of the program, and where they are", &S::actors, actor_figures())
          .parts("edges", "", "of the program, and what flowed on them", &S::edges, edge_figures())
          .parts("rates", "", "of the sources that must hold one", &S::rates, stream_rate_figures())
          .exists_with("stream.rates != \"\"")
          .part("changes", "", "of a program that changes while it runs, whole run", &S::changes,
                stream_change_figures())
          .exists_with("a section [change]");
  return table;
}

}  // namespace braid::models
