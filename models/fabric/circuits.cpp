#include "models/fabric/circuits.h"

#include <algorithm>

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
          .add("shared_links", "", "of a branch of a tree: links of its path that other branches have, too",
               [](const Circuit& c) { return c.item->shared_links; })
          .parts(
              "path", "", "routers from source to destination",
              [](const Circuit& c) { return on_topology(c.item->path, *c.topology); }, step_figures());
  return table;
}

const FigureTable<SearchesAtOnce>& at_once_figures() {
  static const FigureTable<SearchesAtOnce> table =
      FigureTable<SearchesAtOnce>()
          .add("searches", "", "attempts that have begun, in all orders", &SearchesAtOnce::searches)
          .add("backtracks", "", "dead ends that they left again", &SearchesAtOnce::backtracks)
          .add("rip_ups", "", "of what a younger stream held, for a link or lane that an older one wanted",
               &SearchesAtOnce::rip_ups)
          .add("waits", "", "of a younger search for a link that an older one held", &SearchesAtOnce::waits);
  return table;
}

const FigureTable<Move>& move_figures() {
  static const FigureTable<Move> table =
      FigureTable<Move>()
          .add("number", "", "of the stream, as in the packet log", &Move::circuit)
          .add("stream", "", "producer -> consumer", &Move::stream)
          .add("stopped_cycle", "", "from whose end on the source gave nothing more to the circuit",
               &Move::stopped_cycle)
          .add("empty_cycle", "", "... and had sent all: the tear-down follows the last flit", &Move::empty_cycle)
          .add("torn_cycle", "", "at whose end the last flit was the destination's", &Move::torn_cycle)
          .add("resumed_cycle", "", "from whose end on it sends again", &Move::resumed_cycle)
          .add("waiting_items", "items", "at the source then", &Move::waiting_items)
          .add("links", "", "between the routers of its path", &Move::links)
          .add("search_cycles", "cycles", "from the request of the search that found it until it stood",
               &Move::search_cycles)
          .add("other_path", "", "than before", &Move::moved)
          .add("on_avoided_link", "", "of setup.avoid_links", [](const Move& m) { return !m.avoids; });
  return table;
}

/// The shortest (longest) standstill; 0 without any move.
std::uint64_t extreme_standstill(const RerouteResults& r, bool longest) {
  if (r.moves.empty()) return 0;
  const auto [least, most] = std::minmax_element(r.moves.begin(), r.moves.end(), [](const Move& a, const Move& b) {
    return a.standstill_cycles() < b.standstill_cycles();
  });
  return (longest ? most : least)->standstill_cycles();
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
          .add("total_cycles", "cycles", "of all streams, in all orders",
               [](const Setup& s) { return s.item->total_cycles; })
          .part(
              "at_once", "", "searches of all streams at once", [](const Setup& s) { return s.item->at_once; },
              at_once_figures())
          .exists_with("setup.searches = \"parallel\"")
          .parts(
              "circuits", "", "that stand", [](const Setup& s) { return on_topology(s.item->circuits, *s.topology); },
              circuit_figures());
  return table;
}

const FigureTable<RerouteResults>& reroute_figures() {
  using R = RerouteResults;
  const auto count = [](auto holds) {
    return [holds](const R& r) {
      return static_cast<std::uint64_t>(std::count_if(r.moves.begin(), r.moves.end(), holds));
    };
  };
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("rounds", "", "that have ended: in each every stream's circuit is torn down and searched anew",
               &R::rounds)
          .add("moves", "", "circuits that stand again", [](const R& r) { return r.moves.size(); })
          .add("other_paths", "", "of them on another path than before", count([](const Move& m) { return m.moved; }))
          .add("on_avoided_links", "", "of them on a link of setup.avoid_links for want of another path",
               count([](const Move& m) { return !m.avoids; }))
          .add("min_standstill_cycles", "cycles",
               "from the end of the cycle in which a source has sent all it gave to the circuit to the end of that in "
               "which its next one stands",
               [](const R& r) { return extreme_standstill(r, false); })
          .add("mean_standstill_cycles", "cycles", "over all moves",
               [](const R& r) {
                 double sum = 0;
                 for (const Move& m : r.moves) sum += static_cast<double>(m.standstill_cycles());
                 return r.moves.empty() ? kNoSample : sum / static_cast<double>(r.moves.size());
               })
          .add("max_standstill_cycles", "cycles", "over all moves",
               [](const R& r) { return extreme_standstill(r, true); })
          .parts("list", "", "the moves, by the cycle in which they ended", &R::moves, move_figures())
          .only_in_json();
  return table;
}

}  // namespace braid::models
