// BALANCED (paper: in-transit-buffers, section 3.1, Figure 3): of a few minimal paths of each pair, the one goes again
// and again without which the numbers of paths on the links deviate least, until each pair has one.
//
// The figure computes a standard deviation for each path and each removal. Here it is compared without being computed:
// of L links with w paths each and W = sum of all w, L^2 times the variance is L * sum(w^2) - W^2, so without a path of
// k links it falls by
//     L * gain + (W - k)^2 - W^2,   gain = sum of (2w - 1) over the path's links.
// Only gain tells paths of one length apart, and it only ever falls: a heap for each length holds the gains as they
// were when last looked at, upper bounds, and a path is looked at again when it comes to the top.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/channels.h"
#include "routing/paths/minimal_paths.h"
#include "routing/paths/path_computation.h"

namespace braid::routing {
namespace {

struct BalancedOptions {
  std::uint32_t max_paths = 10;
};
const OptionTable<BalancedOptions> kBalancedTable = OptionTable<BalancedOptions>("routing").integer(
    "max_paths", &BalancedOptions::max_paths, 1, 1000, "minimal paths of a pair to choose from, drawn at random");

/// Paths to choose from: those of a pair one after the other.
struct BalanceChoice {
  struct Pair {
    RouterId from, to;
    std::uint32_t first;  // path
    std::uint32_t left;   // paths
  };
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> pair_of;  // [path]
  std::vector<std::size_t> begin{0};   // [path] in links; one more than there are paths
  std::vector<std::uint32_t> links;    // channels
  std::vector<bool> removed;           // [path]

  std::size_t length(std::size_t path) const { return begin[path + 1] - begin[path]; }
};

class Balancer {
 public:
  Balancer(BalanceChoice& choice, std::size_t channels) : choice_(choice), weights_(channels), links_(channels) {
    for (const std::uint32_t link : choice.links) ++weights_[link];
    total_ = static_cast<std::int64_t>(choice.links.size());
    for (std::uint32_t p = 0; p < choice.pair_of.size(); ++p) {
      if (choice.pairs[choice.pair_of[p]].left == 1) continue;
      if (heaps_.size() <= choice.length(p)) heaps_.resize(choice.length(p) + 1);
      heaps_[choice.length(p)].push_back({gain(p), p});
    }
    for (auto& heap : heaps_) std::make_heap(heap.begin(), heap.end());
  }

  void run() {
    while (std::vector<Entry>* heap = best_heap()) {
      std::pop_heap(heap->begin(), heap->end());
      Entry& top = heap->back();
      const std::int64_t now = gain(top.path);
      if (choice_.pairs[choice_.pair_of[top.path]].left == 1) {
        heap->pop_back();
      } else if (now < top.gain) {
        top.gain = now;
        std::push_heap(heap->begin(), heap->end());
      } else {
        remove(top.path);
        heap->pop_back();
      }
    }
  }

 private:
  struct Entry {
    std::int64_t gain;
    std::uint32_t path;
    /// Of equal gains, the first path comes first.
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.gain < b.gain || (a.gain == b.gain && a.path > b.path);
    }
  };

  std::int64_t gain(std::uint32_t path) const {
    std::int64_t sum = 0;
    for (std::size_t i = choice_.begin[path]; i < choice_.begin[path + 1]; ++i)
      sum += 2 * weights_[choice_.links[i]] - 1;
    return sum;
  }

  /// The heap whose top promises most; null when all are empty.
  std::vector<Entry>* best_heap() {
    std::vector<Entry>* best = nullptr;
    std::int64_t most = 0;
    for (std::size_t length = 0; length < heaps_.size(); ++length) {
      if (heaps_[length].empty()) continue;
      const std::int64_t rest = total_ - static_cast<std::int64_t>(length);
      const std::int64_t fall = links_ * heaps_[length].front().gain + rest * rest;
      if (best != nullptr && (fall < most || (fall == most && heaps_[length].front().path > best->front().path))) {
        continue;
      }
      best = &heaps_[length];
      most = fall;
    }
    return best;
  }

  void remove(std::uint32_t path) {
    choice_.removed[path] = true;
    --choice_.pairs[choice_.pair_of[path]].left;
    total_ -= static_cast<std::int64_t>(choice_.length(path));
    for (std::size_t i = choice_.begin[path]; i < choice_.begin[path + 1]; ++i) --weights_[choice_.links[i]];
  }

  BalanceChoice& choice_;
  std::vector<std::int64_t> weights_;  // [channel] paths
  std::int64_t links_;
  std::int64_t total_ = 0;                 // sum of weights_
  std::vector<std::vector<Entry>> heaps_;  // [length]
};

class Balanced final : public PathComputation {
 public:
  explicit Balanced(const Configuration& configuration)
      : options_(kBalancedTable.read(configuration)), random_(read_seed(configuration), "routing.balanced") {}
  bool minimal() const override { return true; }
  bool acyclic() const override { return false; }

  PathSet compute(const Topology& topology) const override {
    const Channels channels(topology);
    BalanceChoice choice = draw(topology, channels);
    Balancer(choice, channels.count()).run();
    PathSet paths(topology.router_count());
    for (const BalanceChoice::Pair& pair : choice.pairs) {
      std::uint32_t kept = pair.first;
      while (choice.removed[kept]) ++kept;
      for (std::size_t i = choice.begin[kept]; i < choice.begin[kept + 1]; ++i) {
        paths.at(pair.from, pair.to).ports.push_back(channels[choice.links[i]].port);
      }
    }
    return paths;
  }

 private:
  BalanceChoice draw(const Topology& topology, const Channels& channels) const {
    Random random = random_;
    BalanceChoice choice;
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    for (const RouterId to : ends) {
      const MinimalPaths minimal(topology, to);
      for (const RouterId from : ends) {
        if (from == to) continue;
        const std::vector<std::uint64_t> drawn = minimal.draw(from, options_.max_paths, random);
        choice.pairs.push_back(
            {from, to, static_cast<std::uint32_t>(choice.pair_of.size()), static_cast<std::uint32_t>(drawn.size())});
        for (const std::uint64_t number : drawn) {
          choice.pair_of.push_back(static_cast<std::uint32_t>(choice.pairs.size() - 1));
          for (const std::uint32_t link : channels.on(from, {minimal.path(from, number), {}}))
            choice.links.push_back(link);
          choice.begin.push_back(choice.links.size());
        }
      }
    }
    choice.removed.resize(choice.pair_of.size());
    return choice;
  }

  BalancedOptions options_;
  Random random_;
};

const bool balanced_registered = PathComputationRegistry::instance().add(
    "balanced", "minimal paths, chosen for equal numbers of them on all links", kBalancedTable.list(),
    [](const PathContext& c) { return std::make_unique<Balanced>(c.configuration); });

}  // namespace
}  // namespace braid::routing
