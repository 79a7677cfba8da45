// From all filters apart: while there are more actors than tiles, the two neighbours that are lightest together become
// one; then the busiest filter becomes more and more copies as long as tiles are left and that helps.
#include <algorithm>
#include <utility>

#include "traffic/streams/partition/partitioner.h"

namespace braid::traffic {
namespace {

/// A block, or several neighbours fused: an actor (a filter perhaps in copies) if it has no spans.
struct Span {
  std::size_t first = 0, last = 0;
  std::uint64_t work = 0;
  const Block* filter = nullptr;  ///< of one filter alone
  std::uint32_t copies = 1;
  bool joiner_actor = false;
  std::vector<Span> spans;

  bool is_actor() const { return spans.empty(); }
  std::uint64_t load() const { return copies == 1 ? work : filter->load(copies); }
  std::size_t tiles() const {
    if (is_actor()) return copies == 1 ? 1 : filter->copy_tiles(copies);
    std::size_t sum = joiner_actor ? 1 : 0;
    for (const Span& p : spans) sum += p.tiles();
    return sum;
  }
};

Span all_apart(const Block& b) {
  Span p{b.first, b.last, b.work, nullptr, 1, false, {}};
  if (b.kind == Block::Kind::kFilter) {
    p.filter = &b;
  } else if (b.divisible) {
    p.joiner_actor = b.kind == Block::Kind::kParallel && b.joiner_actor;
    for (const Block& child : b.children) p.spans.push_back(all_apart(child));
  }
  return p;
}

class Fuser {
 public:
  /// Makes one of the two neighbours that are lightest together, or of a block what is in one span already.
  void fuse_lightest(Span& root) {
    find(root);
    Span& at = *where_;
    if (at.spans.size() > 1) {
      Span &left = at.spans[pair_], &right = at.spans[pair_ + 1];
      left = {left.first, right.last, left.work + right.work, nullptr, 1, false, {}};
      at.spans.erase(at.spans.begin() + static_cast<std::ptrdiff_t>(pair_) + 1);
    }
    if (at.spans.size() == 1 && at.spans.front().is_actor()) at = Span(at.spans.front());
  }

 private:
  void find(Span& at) {
    if (at.spans.size() == 1 && at.spans.front().is_actor()) consider(at, 0, at.work);
    for (std::size_t i = 0; i + 1 < at.spans.size(); ++i) {
      if (!at.spans[i].is_actor() || !at.spans[i + 1].is_actor()) continue;
      consider(at, i, at.spans[i].work + at.spans[i + 1].work);
    }
    for (Span& p : at.spans) find(p);
  }
  void consider(Span& at, std::size_t pair, std::uint64_t work) {
    if (where_ != nullptr && work >= lightest_) return;
    where_ = &at;
    pair_ = pair;
    lightest_ = work;
  }

  Span* where_ = nullptr;
  std::size_t pair_ = 0;
  std::uint64_t lightest_ = 0;
};

Span* busiest(Span& at) {
  if (at.is_actor()) return &at;
  Span* most = nullptr;
  for (Span& p : at.spans) {
    Span* one = busiest(p);
    if (most == nullptr || one->load() > most->load()) most = one;
  }
  return most;
}

/// One copy more of the busiest actor; false if that cannot be, or is no use.
bool copy_busiest(Span& root, std::size_t tiles) {
  Span& span = *busiest(root);
  if (span.filter == nullptr || !span.filter->divisible) return false;
  const Block& filter = *span.filter;
  const std::size_t more = filter.copy_tiles(span.copies + 1) - filter.copy_tiles(span.copies);
  if (root.tiles() + more > tiles || filter.load(span.copies + 1) >= span.load()) return false;
  if (filter.joiner_actor && filter.joiner_work >= span.load()) return false;
  ++span.copies;
  return true;
}

void list_parts(const Span& at, std::vector<Part>& parts) {
  if (at.is_actor()) parts.push_back({at.first, at.last, at.copies});
  for (const Span& p : at.spans) list_parts(p, parts);
}

class Greedy final : public Partitioner {
 public:
  std::vector<Part> parts(const PartitionContext& context) const override {
    Span root = all_apart(context.program);
    const std::size_t begin = root.tiles();
    for (std::size_t now = begin; now > context.tiles; now = root.tiles()) {
      routing::tell(context.progress, "actor fused", begin - now, begin - context.tiles);
      Fuser().fuse_lightest(root);
    }
    while (copy_busiest(root, context.tiles)) {
    }
    std::vector<Part> parts;
    list_parts(root, parts);
    return parts;
  }
};

const bool greedy_registered = PartitionerRegistry::instance().add(
    "greedy", "fuses the lightest neighbours until the actors fit, then makes copies of the busiest filter",
    [] { return std::make_unique<Greedy>(); });

}  // namespace
}  // namespace braid::traffic
