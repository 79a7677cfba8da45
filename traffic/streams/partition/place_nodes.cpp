// Where splitters and joiners go.
#include <algorithm>
#include <optional>
#include <set>

#include "traffic/streams/partition/fuse.h"

namespace braid::traffic {
namespace {

class NodePlacer {
 public:
  NodePlacer(const Fissed& program, const std::vector<std::size_t>& filter_part, std::size_t parts, Joiners joiners)
      : flat_(program.flat), made_joiner_(program.made_joiner), folds_(joiners == Joiners::kFolded), count_(parts) {
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) {
      const bool filter = flat_.nodes[n].kind == Kind::kFilter;
      part_.push_back(filter ? std::optional(filter_part[n]) : std::nullopt);
    }
  }

  NodeParts place() {
    NodeParts result;
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) result.part.push_back(part_of(n));
    result.joiner_alone.assign(count_, 1);
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) {
      if (flat_.nodes[n].kind == FlatNode::Kind::kFilter) result.joiner_alone[result.part[n]] = 0;
    }
    return result;
  }

 private:
  using Kind = FlatNode::Kind;

  std::vector<std::size_t> live(const std::vector<std::size_t>& edges) const {
    std::vector<std::size_t> all;
    for (const std::size_t e : edges) {
      if (carries(flat_.edges[e])) all.push_back(e);
    }
    return all;
  }

  std::size_t part_of(std::size_t n) {
    if (part_[n]) return *part_[n];
    const std::vector<std::size_t> inputs = live(flat_.nodes[n].inputs);
    std::size_t part = kNoPart;
    if (!inputs.empty()) {
      part = flat_.nodes[n].kind == Kind::kSplitter ? part_of(flat_.edges[inputs.front()].from) : joiner(n, inputs);
    }
    part_[n] = part;
    return part;
  }

  std::size_t joiner(std::size_t n, const std::vector<std::size_t>& inputs) {
    if (inputs.size() == 1) return part_of(flat_.edges[inputs.front()].from);  // a wire
    std::set<std::size_t> sources;
    for (const std::size_t e : inputs) sources.insert(source_part(flat_.edges[e].from));
    if (sources.size() == 1 && *sources.begin() != kNoPart) return *sources.begin();
    sources.erase(kNoPart);
    for (const std::size_t part : fed_by(n)) {
      if (sources.count(part) != 0) return part;  // a feedback loop in one actor
    }
    const std::vector<std::size_t> outputs = live(flat_.nodes[n].outputs);
    if (!outputs.empty()) {
      const std::size_t next = flat_.edges[outputs.front()].to;
      const FlatNode& behind = flat_.nodes[next];
      if (behind.kind == Kind::kJoiner && live(behind.inputs).size() > 1) return part_of(next);
      if (behind.kind == Kind::kFilter && folds_ && !made_joiner_[n]) return part_of(next);
    }
    return count_++;
  }

  /// The actor whose filters put out what comes out of node n; kNoPart if those are several.
  std::size_t source_part(std::size_t n) const {
    if (part_[n]) return *part_[n];
    const std::vector<std::size_t> inputs = live(flat_.nodes[n].inputs);
    std::set<std::size_t> sources;
    for (const std::size_t e : inputs) sources.insert(source_part(flat_.edges[e].from));
    return sources.size() == 1 ? *sources.begin() : kNoPart;
  }

  /// Actors of the first filters behind a node.
  std::set<std::size_t> fed_by(std::size_t n) const {
    std::set<std::size_t> parts;
    for (const std::size_t e : live(flat_.nodes[n].outputs)) {
      const std::size_t to = flat_.edges[e].to;
      if (flat_.nodes[to].kind == Kind::kFilter) {
        parts.insert(*part_[to]);
      } else {
        const std::set<std::size_t> more = fed_by(to);
        parts.insert(more.begin(), more.end());
      }
    }
    return parts;
  }

  const FlatGraph& flat_;
  const std::vector<char>& made_joiner_;
  const bool folds_;
  std::vector<std::optional<std::size_t>> part_;  // [node]
  std::size_t count_;                             // parts
};

}  // namespace

NodeParts place_nodes(const Fissed& program, const std::vector<std::size_t>& filter_part, std::size_t parts,
                      Joiners joiners) {
  return NodePlacer(program, filter_part, parts, joiners).place();
}

}  // namespace braid::traffic
