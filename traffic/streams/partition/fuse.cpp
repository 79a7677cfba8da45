#include "traffic/streams/partition/fuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "routing/base/input_error.h"

namespace braid::traffic {
namespace {

std::uint64_t peeked_beyond(const FlatEdge& e) { return e.peek > e.pop ? e.peek - e.pop : 0; }
std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// What actor `to` gets of actor `from`, a steady state.
struct Stream {
  std::uint64_t items = 0, initial = 0;
  std::uint64_t beyond = 0;            ///< items to see beyond those taken
  std::vector<std::size_t> copies_of;  ///< edges of the flat graph all of whose items, or a share that nobody else has
};

class Fusion {
 public:
  Fusion(const Fissed& program, const NodeParts& parts, std::uint32_t flit_bits)
      : program_(program),
        flat_(program.flat),
        parts_(parts),
        flit_bits_(flit_bits),
        needs_(flat_.nodes.size()),
        known_(flat_.nodes.size()) {}

  Fused fuse() {
    graph_.name = flat_.name;
    graph_.file = flat_.file;
    make_actors();
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) {
      if (flat_.nodes[n].kind == FlatNode::Kind::kSplitter || parts_.part[n] == kNoPart) continue;
      for (const std::size_t e : flat_.nodes[n].outputs) {
        if (carries(flat_.edges[e])) add_streams(e);
      }
    }
    for (const auto& [ends, stream] : streams_) add_edge(ends.first, ends.second, stream);
    number_groups();
    return {graph_, actor_firings_};
  }

 private:
  using Kind = FlatNode::Kind;

  void make_actors() {
    const std::size_t count = parts_.joiner_alone.size();
    firings_.assign(count, 0);
    std::vector<std::vector<std::size_t>> members(count);
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < flat_.nodes.size(); ++n) {
      const std::size_t p = parts_.part[n];
      if (p == kNoPart) continue;
      if (members[p].empty()) order.push_back(p);
      members[p].push_back(n);
      firings_[p] = std::gcd(firings_[p], program_.repetitions[n]);
    }
    actor_.assign(count, 0);
    for (const std::size_t p : order) {
      actor_[p] = static_cast<std::uint32_t>(graph_.actors.size());
      actor_firings_.push_back(firings_[p]);
      graph_.actors.push_back({name_of(members[p]), work_of(p, members[p]), {}});
    }
  }

  std::string name_of(const std::vector<std::size_t>& members) {
    std::vector<std::string> filters;
    for (const std::size_t n : members) {
      if (flat_.nodes[n].kind == Kind::kFilter) filters.push_back(flat_.nodes[n].name);
    }
    std::string name = filters.empty() ? flat_.nodes[members.back()].name : filters.front();
    if (filters.size() > 1) name += (filters.size() == 2 ? "+" : "..") + filters.back();
    while (!names_.insert(name).second) name += '\'';
    return name;
  }

  std::uint64_t work_of(std::size_t part, const std::vector<std::size_t>& members) const {
    std::uint64_t work = 0;
    for (const std::size_t n : members) {
      const std::uint64_t times = program_.repetitions[n] / firings_[part];
      if (flat_.nodes[n].kind == Kind::kFilter) work += times * flat_.nodes[n].filter.work.work_cycles;
      if (flat_.nodes[n].kind != Kind::kJoiner || !parts_.joiner_alone[part]) continue;
      for (const std::size_t e : flat_.nodes[n].inputs) {
        if (parts_.part[flat_.edges[e].from] != part) work += kItemWork * times * flat_.edges[e].pop;
      }
    }
    return work;
  }

  /// In an item of an edge.
  std::uint64_t flits_of(std::size_t e) const {
    constexpr std::uint64_t kWordBits = 32;
    return flit_bits_ == 0 ? 1 : divided_up(flat_.edges[e].words * kWordBits, flit_bits_);
  }
  std::uint64_t items_of(std::size_t e) const {
    return carries(flat_.edges[e]) ? flat_.edges[e].push * program_.repetitions[flat_.edges[e].from] : 0;
  }
  /// The node at its end if that is a splitter, which only passes items on.
  const FlatNode* splitter_behind(std::size_t e) const {
    const FlatNode& n = flat_.nodes[flat_.edges[e].to];
    return n.kind == Kind::kSplitter ? &n : nullptr;
  }

  /// One edge out of a filter or joiner, through the splitters behind it.
  void add_streams(std::size_t root) {
    std::set<std::size_t> ends;
    find_ends(root, ends);
    const std::size_t from = parts_.part[flat_.edges[root].from];
    ends.erase(from);
    for (const std::size_t to : ends) {
      Stream& stream = streams_[{actor_[from], actor_[to]}];
      const std::uint64_t flits = flits_of(root), taken = items_to(root, to, firings_[to]), items = taken * flits;
      stream.beyond =
          std::max(divided_up(stream.beyond * (stream.items + items), std::max<std::uint64_t>(stream.items, 1)),
                   divided_up(beyond_of(root, to, taken) * flits * (stream.items + items), items));
      stream.items += items;
      stream.initial += initial_to(root, to, 0) * flits;
      collect_copies(root, to, stream.copies_of);
    }
  }

  void find_ends(std::size_t e, std::set<std::size_t>& ends) const {
    if (const FlatNode* splitter = splitter_behind(e)) {
      for (const std::size_t branch : splitter->outputs) {
        if (carries(flat_.edges[branch])) find_ends(branch, ends);
      }
    } else if (parts_.part[flat_.edges[e].to] != kNoPart) {
      ends.insert(parts_.part[flat_.edges[e].to]);
    }
  }

  /// Items of an edge that go to a part, a steady state; what several branches of a duplicating splitter carry there,
  /// once.
  std::uint64_t items_to(std::size_t e, std::size_t part, std::uint64_t firings) const {
    const std::uint64_t all = items_of(e);
    const FlatNode* splitter = splitter_behind(e);
    if (splitter == nullptr) return parts_.part[flat_.edges[e].to] == part ? all : 0;
    std::uint64_t sum = 0;
    for (const std::size_t branch : splitter->outputs) sum += items_to(branch, part, firings);
    return splitter->split == Split::kDuplicate && sum > all && all % firings == 0 ? all : sum;
  }

  std::uint64_t initial_to(std::size_t e, std::size_t part, std::uint64_t before) const {
    const std::uint64_t here = before + flat_.edges[e].initial;
    const FlatNode* splitter = splitter_behind(e);
    if (splitter == nullptr) return parts_.part[flat_.edges[e].to] == part ? here : 0;
    std::uint64_t all = 0, round = 0;
    for (const std::size_t branch : splitter->outputs) round += flat_.edges[branch].push;
    for (const std::size_t branch : splitter->outputs) {
      const bool copy = splitter->split == Split::kDuplicate;
      const std::uint64_t share = copy ? here : here * flat_.edges[branch].push / std::max<std::uint64_t>(round, 1);
      const std::uint64_t there = initial_to(branch, part, share);
      all = copy ? std::max(all, there) : all + there;
    }
    return all;
  }

  /// Of `items` that go to a part over one stream, its branches evenly mixed.
  std::uint64_t beyond_of(std::size_t e, std::size_t part, std::uint64_t items) {
    if (const FlatNode* splitter = splitter_behind(e)) {
      std::uint64_t most = 0;
      for (const std::size_t branch : splitter->outputs) most = std::max(most, beyond_of(branch, part, items));
      return most;
    }
    const FlatEdge& edge = flat_.edges[e];
    if (parts_.part[edge.to] != part || !carries(edge)) return 0;
    const std::uint64_t beyond = peeked_beyond(edge) + firings_ahead(edge.to) * edge.pop;
    return divided_up(beyond * items, items_of(e));
  }

  /// Firings that a node must be ahead for what is behind it in its actor to peek.
  std::uint64_t firings_ahead(std::size_t n) {
    if (known_[n]) return needs_[n];
    known_[n] = 1;  // round a feedback loop: 0, its items are there
    std::uint64_t most = 0;
    for (const std::size_t e : flat_.nodes[n].outputs) {
      const FlatEdge& edge = flat_.edges[e];
      if (!carries(edge) || parts_.part[edge.to] != parts_.part[n]) continue;
      const std::uint64_t items = peeked_beyond(edge) + firings_ahead(edge.to) * edge.pop;
      if (items > edge.initial) most = std::max(most, divided_up(items - edge.initial, edge.push));
    }
    return needs_[n] = most;
  }

  void collect_copies(std::size_t e, std::size_t part, std::vector<std::size_t>& copies) const {
    const std::uint64_t there = items_to(e, part, 1);
    const FlatNode* splitter = splitter_behind(e);
    if (there == items_of(e) || splitter == nullptr) {
      if (there > 0) copies.push_back(e);
      return;
    }
    for (const std::size_t branch : splitter->outputs) collect_copies(branch, part, copies);
  }

  void add_edge(std::uint32_t from, std::uint32_t to, const Stream& stream) {
    StreamEdge edge;
    edge.from = from;
    edge.to = to;
    edge.push = rate(stream.items / actor_firings_[from], kMostRate, from, to);
    edge.pop = rate(stream.items / actor_firings_[to], kMostRate, from, to);
    edge.peek = rate(edge.pop + stream.beyond, kMostPeek, from, to);
    edge.initial = rate(stream.initial, kMostPeek, from, to);
    graph_.edges.push_back(edge);
    copies_of_.push_back(stream.copies_of);
  }

  std::uint32_t rate(std::uint64_t items, std::uint64_t most, std::uint32_t from, std::uint32_t to) const {
    if (items <= most) return static_cast<std::uint32_t>(items);
    throw InputError(
        {graph_.file, 0, 0},
        fmt::format("{} items a firing on {} -> {} when the program is on these tiles; expected at most {}", items,
                    one_line(graph_.actors[from].name), one_line(graph_.actors[to].name), most));
  }

  /// Edges of one actor that carry the same items.
  void number_groups() {
    std::map<std::pair<std::uint32_t, std::vector<std::size_t>>, std::vector<std::size_t>> alike;
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) alike[{graph_.edges[e].from, copies_of_[e]}].push_back(e);
    std::uint32_t groups = 0;
    for (const auto& [copies, edges] : alike) {
      if (edges.size() < 2) continue;
      for (const std::size_t e : edges) graph_.edges[e].group = groups;
      ++groups;
    }
  }

  const Fissed& program_;
  const FlatGraph& flat_;
  const NodeParts& parts_;
  std::uint32_t flit_bits_;
  StreamGraph graph_;
  std::set<std::string> names_;
  std::vector<std::uint64_t> firings_;                                 // [part] a steady state
  std::vector<std::uint32_t> actor_;                                   // [part]
  std::vector<std::uint64_t> actor_firings_;                           // [actor] a steady state
  std::vector<std::uint64_t> needs_;                                   // [node]
  std::vector<char> known_;                                            // [node]
  std::map<std::pair<std::uint32_t, std::uint32_t>, Stream> streams_;  // by actors
  std::vector<std::vector<std::size_t>> copies_of_;                    // [edge]
};

}  // namespace

Fused fuse(const Fissed& program, const NodeParts& parts, std::uint32_t flit_bits) {
  return Fusion(program, parts, flit_bits).fuse();
}

}  // namespace braid::traffic
