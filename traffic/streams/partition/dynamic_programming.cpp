// The partitioner of StreamIt's space-multiplexing compilers: the least work of the busiest actor over all ways to cut
// the hierarchy on so many tiles. Asked the other way round: how few tiles do with actors of at most so much work? That
// is a shortest path over the cuts between a structure's children, and the least work follows by bisection.
#include <algorithm>
#include <limits>
#include <utility>

#include "traffic/streams/partition/partitioner.h"

namespace braid::traffic {
namespace {

struct Plan {
  std::size_t tiles = kNever;
  std::vector<Part> parts;
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max() / 4;
};

/// The fewest tiles with at most `most` work on any, out of at most `limit`.
class FewestTiles {
 public:
  FewestTiles(std::uint64_t most, std::size_t limit) : most_(most), limit_(limit) {}

  Plan of(const Block& b) const {
    if (b.work <= most_) return {1, {{b.first, b.last}}};
    if (!b.divisible) return {};
    if (b.kind == Block::Kind::kFilter) return copies(b);
    const bool joiner = b.kind == Block::Kind::kParallel && b.joiner_actor;
    if (joiner && b.joiner_work > most_) return {};
    Plan plan = side_by_side(b.children);
    if (joiner) ++plan.tiles;
    return plan;
  }

 private:
  Plan copies(const Block& b) const {
    if (b.joiner_actor && b.joiner_work > most_) return {};
    for (std::uint32_t copies = 2; b.copy_tiles(copies) <= limit_; ++copies) {
      if (b.load(copies) <= most_) return {b.copy_tiles(copies), {{b.first, b.last, copies}}};
    }
    return {};
  }

  /// Children from one cut to the next are one actor, or a single one is cut itself.
  Plan side_by_side(const std::vector<Block>& children) const {
    const std::size_t n = children.size();
    std::vector<Plan> alone;
    for (const Block& child : children) alone.push_back(of(child));
    std::vector<std::size_t> tiles(n + 1, Plan::kNever), from(n + 1);  // [children before the cut]
    tiles[0] = 0;
    for (std::size_t end = 1; end <= n; ++end) {
      std::uint64_t work = 0;
      for (std::size_t begin = end; begin-- > 0;) {
        work += children[begin].work;
        const std::size_t more = begin + 1 == end ? alone[begin].tiles : work <= most_ ? 1 : Plan::kNever;
        if (tiles[begin] + more >= tiles[end]) continue;
        tiles[end] = tiles[begin] + more;
        from[end] = begin;
      }
    }
    if (tiles[n] >= Plan::kNever) return {};
    return {tiles[n], parts_of(children, alone, from)};
  }

  static std::vector<Part> parts_of(const std::vector<Block>& children, const std::vector<Plan>& alone,
                                    const std::vector<std::size_t>& from) {
    std::vector<std::size_t> cuts;
    for (std::size_t end = children.size(); end > 0; end = from[end]) cuts.push_back(end);
    std::vector<Part> parts;
    for (std::size_t i = cuts.size(); i-- > 0;) {
      const std::size_t end = cuts[i], begin = from[end];
      if (begin + 1 == end) {
        parts.insert(parts.end(), alone[begin].parts.begin(), alone[begin].parts.end());
      } else {
        parts.push_back({children[begin].first, children[end - 1].last});
      }
    }
    return parts;
  }

  const std::uint64_t most_;
  const std::size_t limit_;
};

class DynamicProgramming final : public Partitioner {
 public:
  std::vector<Part> parts(const PartitionContext& context) const override {
    std::uint64_t low = context.program.work / context.tiles, high = context.program.work;
    Plan best = FewestTiles(high, context.tiles).of(context.program);
    std::size_t steps = 0;
    while (low < high) {
      routing::tell(context.progress, "bisection", steps++, 64);
      const std::uint64_t middle = low + (high - low) / 2;
      Plan plan = FewestTiles(middle, context.tiles).of(context.program);
      if (plan.tiles <= context.tiles) {
        best = std::move(plan);
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return best.parts;
  }
};

const bool dynamic_programming_registered = PartitionerRegistry::instance().add(
    "dynamic_programming", "the least work of the busiest actor over all cuts of the hierarchy, then the fewest actors",
    [] { return std::make_unique<DynamicProgramming>(); });

}  // namespace
}  // namespace braid::traffic
