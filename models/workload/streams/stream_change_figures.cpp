// The figures of changes of a stream program: names, units, meanings.
#include <algorithm>
#include <optional>

#include "models/workload/streams/stream_change_options.h"
#include "models/workload/streams/stream_change_results.h"

namespace braid::models {
namespace {

using Change = StreamChangeResult;

const FigureTable<Change::Stream>& way_figures() {
  using S = Change::Stream;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("number", "", "of the stream, as in the packet log", &S::number)
          .add("name", "", "producer -> consumer", &S::name)
          .add("on_circuit", "", "its search has found one; else it goes on in packets, or the program is on packets",
               &S::on_circuit)
          .add("links", "", "between the routers of the circuit", &S::links)
          .add("search_cycles", "cycles", "from its request until the circuit stood", &S::search_cycles)
          .add("resumed_cycle", "", "from whose end on it sends again", &S::resumed_cycle)
          .add("waiting_items", "items", "at its source then", &S::waiting_items);
  return table;
}

std::optional<std::uint64_t> standstill(const Change& c) {
  if (!c.ended()) return std::nullopt;
  return c.resumed_cycle - c.stopped_cycle;
}

std::optional<std::uint64_t> cycles_until_rate_holds(const Change& c) {
  const auto holds = c.rate.holds();
  if (!c.ended() || !holds) return std::nullopt;
  return *holds - c.rate.begin;
}

std::uint64_t on(const Change& c, bool circuit) {
  return static_cast<std::uint64_t>(std::count_if(c.streams.begin(), c.streams.end(),
                                                  [&](const Change::Stream& s) { return s.on_circuit == circuit; }));
}

const FigureTable<Change>& change_figures() {
  static const FigureTable<Change> table =
      FigureTable<Change>()
          .add("kind", "", "migration or filter added", &Change::kind)
          .add("actor", "", "that moves, or is added", &Change::actor)
          .add("from_node", "", "number", [](const Change& c) { return c.from.value; })
          .add("to_node", "", "number", [](const Change& c) { return c.to.value; })
          .add("stopped_cycle", "", "from whose end on the streams that lead to it send nothing",
               &Change::stopped_cycle)
          .add("idle_cycle", "", "at whose end these were empty and down, and its last firing had ended",
               &Change::idle_cycle)
          .add("empty_cycle", "", "at whose end the streams that lead away were, too", &Change::empty_cycle)
          .add("moved_cycle", "", "at whose end its items and state were at the new tile, where it goes on",
               &Change::moved_cycle)
          .add("resumed_cycle", "", "from whose end on the last of its streams sends again; 0: not by the run's end",
               &Change::resumed_cycle)
          .add("standstill_cycles", "cycles", "from stopped_cycle to resumed_cycle", standstill)
          .add("state_flits", "flits", "that were moved: items of its queues, and change.state_words",
               &Change::state_flits)
          .add("circuits", "", "of its streams after the change", [](const Change& c) { return on(c, true); })
          .add("on_packets", "", "of its streams after the change", [](const Change& c) { return on(c, false); })
          .add("items_before", "items", "that came to the sinks in change.rate_window_cycles up to stopped_cycle",
               [](const Change& c) { return c.rate.before; })
          .add("least_items_before", "items",
               "that came in as many cycles in the four times as many up to stopped_cycle",
               [](const Change& c) { return c.rate.least_before; })
          .add("least_items", "items", "that came in as many cycles at any time since",
               [](const Change& c) { return c.rate.least; })
          .add("cycles_until_rate_holds", "cycles",
               "from stopped_cycle until the first cycle from which on every change.rate_window_cycles bring 95 % of "
               "least_items_before; of the last window of the run fewer: nothing",
               cycles_until_rate_holds)
          .parts("streams", "", "in the order in which they went on", &Change::streams, way_figures())
          .only_in_json();
  return table;
}

}  // namespace

const FigureTable<StreamChangeResults>& stream_change_figures() {
  using R = StreamChangeResults;
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("planned", "", "actors that move and filters that are added", &R::planned)
          .add("ended", "", "of them",
               [](const R& r) {
                 return static_cast<std::uint64_t>(
                     std::count_if(r.list.begin(), r.list.end(), [](const Change& c) { return c.ended(); }));
               })
          .add("lost_items", "items",
               "by an account of all streams at the end of the run: firings of producers and consumers against queues "
               "and packets; too many count as well",
               &R::lost_items)
          .parts("list", "", "that have begun, in their order", &R::list, change_figures());
  return table;
}

}  // namespace braid::models
