#include "traffic/streams/partition/block.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "traffic/streams/partition/fission.h"

namespace braid::traffic {
namespace {

/// What a structure's output, or the output of its joiner, leads to.
enum class Next { kFilter, kJoiner, kSplitter, kNothing };

Next head_of(const Structure& s) {
  switch (s.kind) {
    case Structure::Kind::kFilter:
      return Next::kFilter;
    case Structure::Kind::kPipeline:
      return s.children.empty() ? Next::kNothing : head_of(s.children.front());
    case Structure::Kind::kSplitJoin:
      return Next::kSplitter;
    case Structure::Kind::kFeedbackLoop:
      return Next::kJoiner;
  }
  return Next::kNothing;
}

std::size_t live(const std::vector<std::uint64_t>& weights) {
  return weights.size() - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0));
}

class BlockMaker {
 public:
  BlockMaker(const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions, const PartitionOptions& options,
             bool cut_loops)
      : flat_(flat), repetitions_(repetitions), options_(options), cut_loops_(cut_loops) {
    for (std::size_t n = 0; n < flat.nodes.size(); ++n) {
      if (flat.nodes[n].kind == FlatNode::Kind::kFilter) node_of_[flat.nodes[n].name] = n;
    }
  }

  Block make(const Structure& s, Next next, bool behind_joiner, bool in_loop) {
    switch (s.kind) {
      case Structure::Kind::kFilter:
        return filter(s, next, behind_joiner, in_loop);
      case Structure::Kind::kPipeline:
        return pipeline(s, next, behind_joiner, in_loop);
      default:
        return parallel(s, next, in_loop);
    }
  }

 private:
  Block filter(const Structure& s, Next next, bool behind_joiner, bool in_loop) {
    const std::size_t node = node_of(s);
    Block b;
    b.first = filters_++;
    b.last = filters_;
    nodes_.push_back(node);
    b.firings = repetitions_[node];
    b.function = flat_.nodes[node].filter.work;
    b.work = b.firings * b.function.work_cycles;
    const bool folded = options_.joiners == Joiners::kFolded;
    b.divisible = options_.fission && !in_loop && can_be_copied(flat_.nodes[node]) && !(folded && behind_joiner);
    b.joiner_actor = next != Next::kJoiner;
    b.joiner_work = kItemWork * b.firings * b.function.push;
    return b;
  }

  Block pipeline(const Structure& s, Next next, bool behind_joiner, bool in_loop) {
    Block b;
    b.kind = Block::Kind::kSequence;
    b.first = filters_;
    std::vector<const Structure*> stages;
    list_stages(s, stages);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const bool last = i + 1 == stages.size();
      b.children.push_back(make(*stages[i], last ? next : head_of(*stages[i + 1]), behind_joiner, in_loop));
      behind_joiner = stages[i]->kind != Structure::Kind::kFilter;  // or behind a splitter: as good as that
      b.work += b.children.back().work;
    }
    b.last = filters_;
    b.divisible = true;
    return b;
  }

  /// A pipeline in a pipeline is as many stages of it.
  static void list_stages(const Structure& s, std::vector<const Structure*>& stages) {
    for (const Structure& child : s.children) {
      if (child.kind == Structure::Kind::kPipeline) {
        list_stages(child, stages);
      } else {
        stages.push_back(&child);
      }
    }
  }

  Block parallel(const Structure& s, Next next, bool in_loop) {
    const bool loop = s.kind == Structure::Kind::kFeedbackLoop;
    Block b;
    b.kind = Block::Kind::kParallel;
    b.first = filters_;
    const std::size_t inputs = live(s.joiner.weights);
    const Next at_joiner = inputs > 1 ? Next::kJoiner : Next::kNothing;  // one of one branch is a wire
    for (std::size_t i = 0; i < s.children.size(); ++i) {
      const Next behind = loop && i == 0 ? Next::kSplitter : at_joiner;
      b.children.push_back(make(s.children[i], behind, loop && i == 0, in_loop || loop));
      b.work += b.children.back().work;
    }
    b.last = filters_;
    b.divisible = !loop || may_be_cut(s, b);
    const Next behind = loop ? head_of(s.children.front()) : next;
    const bool folds = options_.joiners == Joiners::kFolded && behind == Next::kFilter;
    b.joiner_actor = inputs > 1 && behind != Next::kJoiner && !folds;
    b.joiner_work = kItemWork * joiner_items(s);
    return b;
  }

  /// Items out of a structure's joiner, a steady state: found at the joiner of the flat graph that its first branch
  /// with a filter leads to.
  std::uint64_t joiner_items(const Structure& s) const {
    const std::size_t node = joiner_of(s);
    if (node == flat_.nodes.size()) return 0;
    const auto& weights = s.joiner.weights;
    return repetitions_[node] * std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  }

  /// The node of the structure's joiner: behind the last filter of any branch, through the joiners in it.
  std::size_t joiner_of(const Structure& s) const {
    for (std::size_t i = s.kind == Structure::Kind::kFeedbackLoop ? 1 : 0; i < s.children.size(); ++i) {
      const std::size_t end = tail_of(s.children[i]);
      for (const std::size_t e : flat_.nodes[end].outputs) {
        if (flat_.nodes[flat_.edges[e].to].kind == FlatNode::Kind::kJoiner) return flat_.edges[e].to;
      }
    }
    return flat_.nodes.size();
  }

  /// The node that puts out what the structure does.
  std::size_t tail_of(const Structure& s) const {
    switch (s.kind) {
      case Structure::Kind::kFilter:
        return node_of(s);
      case Structure::Kind::kPipeline:
        return tail_of(s.children.back());
      case Structure::Kind::kSplitJoin:
        return joiner_of(s);
      case Structure::Kind::kFeedbackLoop:
        return flat_.edges[flat_.nodes[tail_of(s.children.front())].outputs.front()].to;
    }
    return 0;
  }

  bool may_be_cut(const Structure& s, const Block& b) const {
    const std::size_t joiner = joiner_of(s);
    if (!cut_loops_ || joiner == flat_.nodes.size()) return false;
    std::uint64_t common = repetitions_[joiner];  // firings of its nodes in a steady state of the loop: over this
    for (std::size_t f = b.first; f < b.last; ++f) common = std::gcd(common, repetitions_[nodes_[f]]);
    return s.enqueued >= repetitions_[joiner] / common * s.joiner.weights.back();
  }

  std::size_t node_of(const Structure& s) const {
    const auto found = node_of_.find(s.name);
    if (found == node_of_.end()) throw std::logic_error("filter " + s.name + " is not in the flat graph");
    return found->second;
  }

  const FlatGraph& flat_;
  const std::vector<std::uint64_t>& repetitions_;
  const PartitionOptions& options_;
  bool cut_loops_;
  std::unordered_map<std::string, std::size_t> node_of_;  // filters
  std::vector<std::size_t> nodes_;                        // [filter]
  std::size_t filters_ = 0;
};

}  // namespace

std::uint64_t Block::load(std::uint32_t copies) const {
  return (firings * copy_work(function, copies) + copies - 1) / copies;
}

Block make_block(const Structure& program, const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions,
                 const PartitionOptions& options, bool cut_loops) {
  return BlockMaker(flat, repetitions, options, cut_loops).make(program, Next::kNothing, false, false);
}

}  // namespace braid::traffic
