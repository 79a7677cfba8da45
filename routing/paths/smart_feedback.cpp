// Smart-routing with its feedback (paper: in-transit-buffers, section 3: "the smart-routing algorithm has some feedback
// between both stages ... selecting some paths can involve changing some already computed paths"). smart.cpp removes
// dependencies once, by a guess of the paths, and balances once. Here paths that have been chosen say which dependency
// is worth having back: it comes back, the cycles that it closes go where the fewest chosen paths take them, what
// closes no cycle any more comes back, too, and all paths are chosen anew. What makes no link load evener is undone
// (section 2: "requiring the use of backtracking").
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/paths/dependency_graph.h"
#include "routing/paths/dependency_removal.h"
#include "routing/paths/path_computation.h"
#include "routing/paths/single_paths.h"

namespace braid::routing {
namespace {

struct FeedbackOptions {
  std::uint32_t tries = 16;
};
const OptionTable<FeedbackOptions> kFeedbackTable = OptionTable<FeedbackOptions>("routing").integer(
    "feedback_tries", &FeedbackOptions::tries, 0, 1000000,
    "times that a removed dependency comes back and all paths are chosen anew; 0: as \"smart\"");

bool is_among(const Dependencies& after, const Dependency& d) {
  return std::binary_search(after[d.channel].begin(), after[d.channel].end(), d.next);
}

class SmartFeedback final : public PathComputation {
 public:
  explicit SmartFeedback(const PathContext& context)
      : tries_(kFeedbackTable.read(context.configuration).tries), per_(context.per) {}
  PathSet compute(const Topology& topology, const OnProgress& progress) const override;
  bool minimal() const override { return false; }
  bool acyclic() const override { return true; }

 private:
  std::uint32_t tries_;
  PathsPer per_;
};

class FeedbackSearch {
 public:
  FeedbackSearch(const Topology& topology, PathsPer per, const OnProgress& progress)
      : topology_(topology),
        channels_(topology),
        ends_(routers_with_nodes(topology)),
        per_(per),
        progress_(progress),
        start_(acyclic_dependencies(topology, channels_, progress)) {}

  PathSet run(std::uint32_t tries) {
    Chosen best = choose(start_.after);
    if (tries > 0) ask_for_most_wanted();
    std::uint32_t tried = 0;
    for (bool is_better = true; is_better && tried < tries;) {
      is_better = false;
      for (std::size_t i = 0; i < wanted_.size() && tried < tries; ++i) {
        if (is_among(best.after, wanted_[i])) continue;
        tell(progress_, "try", tried++, tries);
        Chosen other = choose(with(best, wanted_[i]));
        if (!other.evener_than(best)) continue;
        best = std::move(other);
        is_better = true;
      }
    }
    return std::move(best.paths);
  }

 private:
  using Takes = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;  // by dependency
  struct Chosen {
    Dependencies after;
    PathSet paths;
    Takes takes;                          // paths that take both channels
    std::uint64_t most = 0, squares = 0;  // of the numbers of paths on the channels
    bool evener_than(const Chosen& other) const {
      return std::tie(most, squares) < std::tie(other.most, other.squares);
    }
  };

  /// Paths over what may be taken, and how they load it.
  Chosen choose(const Dependencies& after) const {
    WayRules rules(topology_, channels_, after);
    rules.tree = start_.tree;
    PathSet paths(topology_, per_);
    const LinkBalance balance = balance_links(rules, ends_, paths, progress_);
    Chosen chosen{after, single_paths(rules, ends_, balance, std::move(paths), progress_), {}};
    std::vector<std::uint64_t> loads(channels_.count());
    for (const RouterId from : ends_) {
      for (const RouterId to : ends_) {
        for (std::size_t i = 0; i < chosen.paths.count(from, to); ++i) {
          const Way way = channels_.on(from, chosen.paths.at(from, to, i));
          for (std::size_t hop = 0; hop < way.size(); ++hop) {
            ++loads[way[hop]];
            if (hop > 0) ++chosen.takes[{way[hop - 1], way[hop]}];
          }
        }
      }
    }
    for (const std::uint64_t load : loads) {
      chosen.most = std::max(chosen.most, load);
      chosen.squares += load * load;
    }
    return chosen;
  }

  /// All dependencies, those first that most paths would take if cycles did no harm.
  void ask_for_most_wanted() {
    const Dependencies all = all_dependencies(topology_, channels_);
    const Takes takes = choose(all).takes;
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      for (const std::uint32_t next : all[c]) wanted_.push_back({c, next});
    }
    std::stable_sort(wanted_.begin(), wanted_.end(),
                     [&takes](const Dependency& a, const Dependency& b) { return taken(takes, a) > taken(takes, b); });
  }
  static std::uint64_t taken(const Takes& takes, const Dependency& d) {
    const auto found = takes.find({d.channel, d.next});
    return found == takes.end() ? 0 : found->second;
  }

  /// The dependencies of a choice with one more, those gone that close a cycle with it, as many as can be.
  Dependencies with(const Chosen& chosen, const Dependency& back) const {
    DependencyGraph graph(chosen.after);
    graph.add(back);
    for (auto cycle = graph.shortest_cycle(); !cycle.empty(); cycle = graph.shortest_cycle()) {
      graph.remove(least_taken(cycle, chosen.takes, back));
    }
    for (const Dependency& d : wanted_) {
      if (!is_among(graph.after(), d) && !graph.reaches(d.next, d.channel)) graph.add(d);
    }
    return graph.after();
  }

  /// There is one outside the tree: a dependency that came back has an end there, and so has its neighbour in the
  /// cycle.
  Dependency least_taken(const std::vector<Dependency>& cycle, const Takes& takes, const Dependency& back) const {
    const Dependency* least = nullptr;
    for (const Dependency& d : cycle) {
      const bool is_back = d.channel == back.channel && d.next == back.next;
      if (is_back || (start_.tree[d.channel] && start_.tree[d.next])) continue;
      if (least == nullptr || taken(takes, d) < taken(takes, *least)) least = &d;
    }
    return *least;
  }

  const Topology& topology_;
  Channels channels_;
  std::vector<RouterId> ends_;
  PathsPer per_;
  const OnProgress& progress_;
  AcyclicDependencies start_;
  std::vector<Dependency> wanted_;
};

PathSet SmartFeedback::compute(const Topology& topology, const OnProgress& progress) const {
  return FeedbackSearch(topology, per_, progress).run(tries_);
}

const bool smart_feedback_registered = PathComputationRegistry::instance().add(
    "smart_feedback", "as smart, then dependencies come back and go again while that makes link loads evener",
    kFeedbackTable.list(), [](const PathContext& c) { return std::make_unique<SmartFeedback>(c); });

}  // namespace
}  // namespace braid::routing
