#include "traffic/streams/stream_graph.h"

#include "routing/base/input_error.h"
#include "traffic/streams/balance.h"

namespace braid::traffic {

std::vector<std::uint64_t> StreamGraph::repetitions() const {
  std::vector<RateEdge> rates;
  for (const StreamEdge& e : edges) rates.push_back({e.from, e.to, e.push, e.pop});
  const auto bad_edge = [this](std::size_t e) {
    throw InputError({file, 0, 0}, "rates are inconsistent: edge " + actors[edges[e].from].name + " -> " +
                                       actors[edges[e].to].name + " cannot balance");
  };
  const auto too_many = [this](std::size_t a) {
    throw InputError({file, 0, 0}, "rates are too far apart: actor " + one_line(actors[a].name) +
                                       ": expected at most 10^12 firings of each actor in a steady state");
  };
  return balanced_firings(actors.size(), rates, bad_edge, too_many);
}

}  // namespace braid::traffic
