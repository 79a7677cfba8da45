#include "models/fabric/circuits.h"

namespace braid::models {
namespace {

using Step = OnTopology<CircuitResult::Step>;
const FigureTable<Step>& step_figures() {
  static const FigureTable<Step> table =
      FigureTable<Step>()
          .add("router", "", "name", [](const Step& s) { return s.topology->router_names[s.item->router.value]; })
          .add("port", "", "output port taken there",
               [](const Step& s) { return s.topology->port(s.item->router, s.item->port).name; });
  return table;
}

using Circuit = OnTopology<CircuitResult>;
const FigureTable<Circuit>& circuit_figures() {
  static const FigureTable<Circuit> table =
      FigureTable<Circuit>()
          .add("stream", "", "producer -> consumer", [](const Circuit& c) { return c.item->stream; })
          .add("source_node", "", "number", [](const Circuit& c) { return c.item->source.value; })
          .add("destination_node", "", "number", [](const Circuit& c) { return c.item->destination.value; })
          .add("setup_cycles", "cycles", "from its search's start until it stands",
               [](const Circuit& c) { return c.item->setup_cycles; })
          .add("backtracks", "", "dead ends that its search left again",
               [](const Circuit& c) { return c.item->backtracks; })
          .parts(
              "path", "", "routers from source to destination",
              [](const Circuit& c) { return on_topology(c.item->path, *c.topology); }, step_figures());
  return table;
}

}  // namespace

const FigureTable<OnTopology<SetupResults>>& setup_figures() {
  using Setup = OnTopology<SetupResults>;
  static const FigureTable<Setup> table =
      FigureTable<Setup>()
          .add("fell_back_to_packets", "", "no order of the streams found a circuit for each",
               [](const Setup& s) { return s.item->fell_back_to_packets; })
          .add("orders_tried", "", "of the streams", [](const Setup& s) { return s.item->orders_tried; })
          .add("failed_stream", "", "of the last order, if it fell back",
               [](const Setup& s) { return s.item->failed_stream; })
          .add("total_cycles", "cycles", "all streams, one after the other, all orders",
               [](const Setup& s) { return s.item->total_cycles; })
          .parts(
              "circuits", "", "that stand", [](const Setup& s) { return on_topology(s.item->circuits, *s.topology); },
              circuit_figures());
  return table;
}

}  // namespace braid::models
