// The figures of a stream program: names, units, meanings.
#include "models/workload/stream_program.h"

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
          .add("items_per_kilocycle", "items/kilocycle", "delivered while measuring", &E::items_per_kilocycle);
  return table;
}

}  // namespace

const FigureTable<StreamResults>& stream_figures() {
  using S = StreamResults;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("graph", "", "name of the stream graph", &S::graph)
          .add("iterations_per_kilocycle", "iterations/kilocycle",
               "steady states completed, mean over the sinks; a sink's count is its firings that have ended over its "
               "repetitions, in whole thousandths",
               &S::iterations_per_kilocycle)
          .parts("actors", "", "of the program, and where they are", &S::actors, actor_figures())
          .parts("edges", "", "of the program, and what flowed on them", &S::edges, edge_figures());
  return table;
}

}  // namespace braid::models
