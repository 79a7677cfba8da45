// BMIN (paper: in-transit-buffers, section 3.2): as few in-transit buffers as break every cycle. Where a path takes one
// channel after another, the first waits for the second; the dependency goes only when every path that has it gets a
// buffer there. So the fewest buffers are the lightest feedback arc set of the channel-dependency graph, a dependency
// weighing as much as paths have it. "minimum" searches for a light one, "fewest" has the lightest or says that it has
// none in the time.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "routing/paths/feedback_arcs.h"
#include "routing/paths/fewest_arcs.h"
#include "routing/paths/path_computation.h"
#include "routing/paths/place_where.h"

namespace braid::routing {
namespace {

/// What waits for what, and how many paths make it do so.
class WeightedDependencies {
 public:
  WeightedDependencies(const Topology& topology, const Channels& channels, const PathSet& paths,
                       const OnProgress& progress)
      : topology_(topology),
        channels_(channels),
        ports_(topology.max_port_count()),
        arc_(channels.count() * ports_, 0) {
    const std::vector<bool> has_node = have_nodes(topology);
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    for (const RouterId from : ends) {
      tell(progress, "source", from.value, topology.router_count());
      for (const RouterId to : ends) {
        for (std::size_t i = 0; i < paths.count(from, to); ++i) add(channels.on(from, paths.at(from, to, i)), has_node);
      }
    }
  }
  const std::vector<Arc>& arcs() const { return arcs_; }
  /// Of two channels that a path takes one after the other.
  std::size_t arc(std::uint32_t before, std::uint32_t behind) const { return arc_[place(before, behind)] - 1; }
  std::string name(std::uint32_t channel) const {
    const Channels::Channel& c = channels_[channel];
    return "(" + topology_.router_names[c.from.value] + ")->" + topology_.port(c.from, c.port).name;
  }

 private:
  void add(const std::vector<std::uint32_t>& taken, const std::vector<bool>& has_node) {
    for (std::size_t hop = 1; hop < taken.size(); ++hop) {
      std::uint32_t& arc = arc_[place(taken[hop - 1], taken[hop])];
      if (arc == 0) {
        arcs_.push_back({taken[hop - 1], taken[hop], 0, !has_node[channels_[taken[hop]].from.value]});
        arc = static_cast<std::uint32_t>(arcs_.size());
      }
      ++arcs_[arc - 1].weight;
    }
  }
  std::size_t place(std::uint32_t before, std::uint32_t behind) const {
    return before * ports_ + channels_[behind].port.value;
  }
  const Topology& topology_;
  const Channels& channels_;
  std::size_t ports_;
  std::vector<std::uint32_t> arc_;  // [channel * ports + port taken next] index + 1; 0: no path does so
  std::vector<Arc> arcs_;
};

class Minimum : public InTransitPlacement {
 public:
  void place(const Topology& topology, PathSet& paths, const OnProgress& progress) const override {
    const Channels channels(topology);
    const WeightedDependencies dependencies(topology, channels, paths, progress);
    const FeedbackArcs feedback = feedback_arcs(channels.count(), dependencies.arcs(), progress);
    if (!feedback.stuck.empty()) refuse(dependencies, feedback.stuck);
    const std::vector<bool> removed = improved(channels.count(), dependencies.arcs(), feedback.removed, progress);
    place_where(topology, channels, paths, progress,
                [&](std::uint32_t before, std::uint32_t behind) { return removed[dependencies.arc(before, behind)]; });
  }

 private:
  /// Another set of arcs without which there is no cycle.
  virtual std::vector<bool> improved(std::size_t, const std::vector<Arc>&, const std::vector<bool>& found,
                                     const OnProgress&) const {
    return found;
  }
  [[noreturn]] static void refuse(const WeightedDependencies& dependencies, const std::vector<std::uint32_t>& cycle) {
    std::string text;
    constexpr std::size_t kMost = 6;
    for (std::size_t i = 0; i < std::min(kMost, cycle.size()); ++i) text += dependencies.name(cycle[i]) + " waits for ";
    if (cycle.size() > kMost) text += "… (" + std::to_string(cycle.size() - kMost) + " more) waits for ";
    throw InputError("routing.in_transit = \"minimum\" cannot break a cycle over routers without nodes, where no " +
                     std::string("in-transit buffer can stand: ") + text + dependencies.name(cycle.front()));
  }
};

struct FewestOptions {
  double seconds = 60.0;
};
const OptionTable<FewestOptions> kFewestTable = OptionTable<FewestOptions>("routing").number(
    "fewest_seconds", &FewestOptions::seconds, 0.01, 1e9,
    "for the proof that no placement has fewer; without one the run is refused");

class Fewest final : public Minimum {
 public:
  explicit Fewest(const Configuration& configuration) : seconds_(kFewestTable.read(configuration).seconds) {}

 private:
  std::vector<bool> improved(std::size_t channels, const std::vector<Arc>& arcs, const std::vector<bool>& found,
                             const OnProgress& progress) const override {
    const FewestArcs fewest = fewest_arcs(channels, arcs, found, seconds_, progress);
    if (fewest.proven) return fewest.removed;
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < arcs.size(); ++i) weight += found[i] ? arcs[i].weight : 0;
    throw InputError("routing.in_transit = \"fewest\": no proof within routing.fewest_seconds = " +
                     to_digits(seconds_) + "; no placement has fewer than " + std::to_string(fewest.bound) +
                     " buffers on all paths, " + "\"minimum\" has " + std::to_string(weight));
  }
  double seconds_;
};

const bool minimum_registered = InTransitPlacementRegistry::instance().add(
    "minimum", "nearly as few as break every cycle of the channel-dependency graph (BMIN)",
    [](const PathContext&) { return std::make_unique<Minimum>(); });
const bool fewest_registered = InTransitPlacementRegistry::instance().add(
    "fewest", "as few as break every cycle, proven by an integer program: networks of some dozen switches",
    kFewestTable.list(), [](const PathContext& c) { return std::make_unique<Fewest>(c.configuration); });

}  // namespace
}  // namespace braid::routing
