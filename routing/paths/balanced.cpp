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
#include <limits>
#include <memory>
#include <utility>
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
    std::size_t number;   // of the paths from one to the other
    std::uint32_t first;  // path
    std::uint32_t left;   // paths
  };
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> pair_of;  // [path]
  std::vector<std::size_t> begin{0};   // [path] in links; one more than there are paths
  std::vector<std::uint32_t> links;    // channels
  std::vector<bool> removed;           // [path]

  std::size_t length(std::size_t path) const { return begin[path + 1] - begin[path]; }
  /// Another path of the last pair.
  void add(const std::vector<std::uint32_t>& taken) {
    pair_of.push_back(static_cast<std::uint32_t>(pairs.size() - 1));
    links.insert(links.end(), taken.begin(), taken.end());
    begin.push_back(links.size());
  }
};

/// Paths of one length by the sum of weights that their links had when last looked at, an upper bound. It falls only,
/// so whatever is put back comes behind the front: a list once opened grows no more, and is sorted once. There is a
/// list for each sum in a window below the highest; the rest waits until the window comes there.
class FallingPaths {
 public:
  struct Front {
    std::int64_t sum;
    std::uint32_t path;  ///< of equal sums the first
  };
  /// Before the first front(), or with less than the sum of the front.
  void put(std::int64_t sum, std::uint32_t path) {
    if (sum >= base_) {
      lists_[static_cast<std::size_t>(sum - base_)].push_back(path);
    } else {
      far_.push_back({sum, path});
    }
  }
  /// Null: no path is left. Valid until it is taken.
  const Front* front() {
    while (next_ == open_.size()) {
      if (front_.sum == base_ && !move_window()) return nullptr;
      --front_.sum;
      open_.clear();
      open_.swap(lists_[static_cast<std::size_t>(front_.sum - base_)]);
      std::sort(open_.begin(), open_.end());
      next_ = 0;
    }
    front_.path = open_[next_];
    return &front_;
  }
  void take_front() { ++next_; }

 private:
  static constexpr std::int64_t kWindow = 4096;

  /// So that its end, just above which the front stands, is the highest sum.
  bool move_window() {
    if (far_.empty()) return false;
    const auto higher = [](const Front& a, const Front& b) { return a.sum < b.sum; };
    front_.sum = std::max_element(far_.begin(), far_.end(), higher)->sum + 1;
    base_ = front_.sum - kWindow;
    lists_.resize(kWindow);
    std::vector<Front> all;
    all.swap(far_);
    for (const Front& f : all) put(f.sum, f.path);
    return true;
  }

  std::vector<std::vector<std::uint32_t>> lists_;  // [sum - base_] paths
  std::vector<Front> far_;                         // sums below base_
  std::int64_t base_ = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint32_t> open_;  // paths of the highest sum
  std::size_t next_ = 0;             // in open_
  Front front_{base_, 0};
};

class Balancer {
 public:
  Balancer(BalanceChoice& choice, std::size_t channels, const OnProgress& progress)
      : choice_(choice),
        progress_(progress),
        weights_(channels),
        links_(static_cast<std::int64_t>(channels)),
        total_(static_cast<std::int64_t>(choice.links.size())) {
    for (const std::uint32_t link : choice.links) ++weights_[link];
    for (std::uint32_t p = 0; p < choice.pair_of.size(); ++p) {
      if (!has_alternative(p)) continue;
      if (by_length_.size() <= choice.length(p)) by_length_.resize(choice.length(p) + 1);
      by_length_[choice.length(p)].put(sum(p), p);
    }
  }

  void run() {
    for (;;) {
      std::size_t length = 0;
      Promise best, second;
      for (std::size_t k = 1; k < by_length_.size(); ++k) {
        const Promise here = promise(k);
        if (second < here) second = here;
        if (best < second) {
          std::swap(best, second);
          length = k;
        }
      }
      if (best.fall == kNothing) return;
      // Promises only fall: above what the second best once promised, this length is the best.
      while (second < promise(length)) take_front(length);
    }
  }

 private:
  bool has_alternative(std::uint32_t path) const { return choice_.pairs[choice_.pair_of[path]].left > 1; }
  std::int64_t sum(std::uint32_t path) const {
    std::int64_t all = 0;
    for (std::size_t i = choice_.begin[path]; i < choice_.begin[path + 1]; ++i) all += weights_[choice_.links[i]];
    return all;
  }

  static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
  /// How much the variance falls, or less, if the first path of a length goes.
  struct Promise {
    std::int64_t fall = kNothing;
    std::uint32_t path = 0;
    /// Of equal falls, the first path comes first.
    friend bool operator<(const Promise& a, const Promise& b) {
      return a.fall < b.fall || (a.fall == b.fall && a.path > b.path);
    }
  };
  Promise promise(std::size_t length) {
    const FallingPaths::Front* front = by_length_[length].front();
    if (front == nullptr) return {};
    const auto k = static_cast<std::int64_t>(length);
    return {links_ * (2 * front->sum - k) + (total_ - k) * (total_ - k), front->path};
  }
  /// Removes the first path of a length if the promise holds; else puts it back where it belongs.
  void take_front(std::size_t length) {
    if (++looks_ % kLooksUntold == 0) tell(progress_, "path", removed_, choice_.pair_of.size() - choice_.pairs.size());
    const FallingPaths::Front front = *by_length_[length].front();
    by_length_[length].take_front();
    if (!has_alternative(front.path)) return;
    const std::int64_t now = sum(front.path);
    if (now == front.sum) {
      remove(front.path);
    } else {
      by_length_[length].put(now, front.path);
    }
  }

  void remove(std::uint32_t path) {
    choice_.removed[path] = true;
    ++removed_;
    --choice_.pairs[choice_.pair_of[path]].left;
    total_ -= static_cast<std::int64_t>(choice_.length(path));
    for (std::size_t i = choice_.begin[path]; i < choice_.begin[path + 1]; ++i) --weights_[choice_.links[i]];
  }

  static constexpr std::uint64_t kLooksUntold = 1024;

  BalanceChoice& choice_;
  const OnProgress& progress_;
  std::uint64_t looks_ = 0;             // at a path
  std::size_t removed_ = 0;             // paths
  std::vector<std::uint32_t> weights_;  // [channel] paths
  std::int64_t links_;
  std::int64_t total_;  // sum of weights_
  std::vector<FallingPaths> by_length_;
};

class Balanced final : public PathComputation {
 public:
  explicit Balanced(const PathContext& context)
      : options_(kBalancedTable.read(context.configuration)),
        per_(context.per),
        random_(read_seed(context.configuration), "routing.balanced") {}
  bool minimal() const override { return true; }
  bool acyclic() const override { return false; }

  PathSet compute(const Topology& topology, const OnProgress& progress) const override {
    const Channels channels(topology);
    PathSet paths(topology, per_);
    BalanceChoice choice = draw(topology, channels, paths, progress);
    Balancer(choice, channels.count(), progress).run();
    for (const BalanceChoice::Pair& pair : choice.pairs) {
      std::uint32_t kept = pair.first;
      while (choice.removed[kept]) ++kept;
      for (std::size_t i = choice.begin[kept]; i < choice.begin[kept + 1]; ++i) {
        paths.at(pair.from, pair.to, pair.number).ports.push_back(channels[choice.links[i]].port);
      }
    }
    return paths;
  }

 private:
  /// For each path that `paths` has room for.
  BalanceChoice draw(const Topology& topology, const Channels& channels, const PathSet& paths,
                     const OnProgress& progress) const {
    Random random = random_;
    BalanceChoice choice;
    const std::vector<RouterId> ends = routers_with_nodes(topology);
    for (const RouterId to : ends) {
      tell(progress, "destination", to.value, topology.router_count());
      const MinimalPaths minimal(topology, to);
      for (const RouterId from : ends) {
        if (from == to) continue;
        for (std::size_t i = 0; i < paths.count(from, to); ++i) {
          const auto first = static_cast<std::uint32_t>(choice.pair_of.size());
          const std::vector<std::uint64_t> drawn = minimal.draw(from, options_.max_paths, random);
          choice.pairs.push_back({from, to, i, first, static_cast<std::uint32_t>(drawn.size())});
          for (const std::uint64_t number : drawn) choice.add(channels.on(from, {minimal.path(from, number), {}}));
        }
      }
    }
    choice.removed.resize(choice.pair_of.size());
    return choice;
  }

  BalancedOptions options_;
  PathsPer per_;
  Random random_;
};

const bool balanced_registered = PathComputationRegistry::instance().add(
    "balanced", "minimal paths, chosen for equal numbers of them on all links", kBalancedTable.list(),
    [](const PathContext& c) { return std::make_unique<Balanced>(c); });

}  // namespace
}  // namespace braid::routing
