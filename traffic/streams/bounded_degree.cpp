#include "traffic/streams/bounded_degree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::traffic {
namespace {

/// What a stream carries: items a steady state of each kind. Two streams with the same kind carry copies.
using Contents = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t items(const Contents& contents) {
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : contents) sum += count;
  return sum;
}

struct FanStream {
  std::uint32_t from = 0, to = 0;
  Contents contents;
  std::uint64_t rounds_ahead = 0;  // of the consumer's pops that it must see beyond the one it takes
  std::uint64_t extra_items = 0;   // the same in items, while the stream is as it was in the graph
};

/// Counts in items a steady state; rates come back at the end.
class DegreeBound {
 public:
  DegreeBound(const StreamGraph& graph, std::uint32_t degree, const routing::Topology& topology)
      : graph_(graph), degree_(degree), topology_(topology), firings_(graph.repetitions()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> kind_of;  // (actor, group)
    for (const StreamEdge& e : graph.edges) {
      const std::uint64_t kind = e.group ? kind_of.try_emplace({e.from, *e.group}, kinds_++).first->second : kinds_++;
      const std::uint64_t extra = std::max(e.peek, e.pop) - e.pop;
      streams_.push_back({e.from, e.to, {{kind, firings_[e.from] * e.push}}, (extra + e.pop - 1) / e.pop, extra});
    }
  }

  /// The actor and side with the most streams too many. False: there is none.
  bool worst(std::uint32_t& actor, bool& out) const {
    std::size_t most = 0;  // too many
    for (std::uint32_t a = 0; a < graph_.actors.size(); ++a) {
      for (const bool side : {true, false}) {
        if (of(a, side).size() <= limit(a) + most) continue;
        most = of(a, side).size() - limit(a);
        actor = a;
        out = side;
      }
    }
    return most > 0;
  }

  bool tile_is_free() const { return graph_.actors.size() < topology_.node_count(); }

  /// A splitter (joiner) takes the streams that have waited longest, so that trees are as flat as can be.
  void add_tree_node(std::uint32_t actor, bool out) {
    std::vector<std::size_t> taken = of(actor, out);
    const std::size_t wanted = std::min(degree_, taken.size() - limit(actor) + 1);
    const std::optional<RouterId> tile = tree_tile(actor, wanted);
    taken.resize(tile ? std::min(wanted, std::max<std::size_t>(2, links(*tile))) : wanted);
    const auto node = static_cast<std::uint32_t>(graph_.actors.size());
    FanStream trunk{out ? actor : node, out ? node : actor, {}, 0, 0};
    std::uint64_t grain = 0;
    for (const std::size_t s : taken) {
      FanStream& branch = streams_[s];
      grain = std::gcd(grain, items(branch.contents));
      add(trunk, branch, out);
      if (!out) branch.rounds_ahead = branch.extra_items = 0;
      (out ? branch.from : branch.to) = node;
    }
    grain = std::gcd(grain, items(trunk.contents));
    std::uint64_t received = out ? items(trunk.contents) : 0;
    if (!out) {
      for (const std::size_t s : taken) received += items(streams_[s].contents);
    }
    const std::string name = graph_.actors[actor].name + (out ? " splitter " : " joiner ");
    graph_.actors.push_back({free_name(name), received / grain * kPassCycles, tile});
    firings_.push_back(grain);
    streams_.push_back(trunk);
  }

  /// One stream less at the actor: it goes by way of the other end of another one. False: there is no such way.
  bool relay(std::uint32_t actor, bool out) {
    std::optional<Way> best;
    std::size_t best_carrier = 0, best_passed = 0;
    for (const std::size_t carrier : of(actor, out)) {
      for (const std::size_t passed : of(actor, out)) {
        if (carrier == passed) continue;
        const Way found = way(streams_[carrier], streams_[passed], out);
        if ((best && found >= *best) || !can_pass(carrier, passed, out)) continue;
        best = found;
        best_carrier = carrier;
        best_passed = passed;
      }
    }
    if (!best) return false;
    pass(streams_[best_carrier], streams_[best_passed], out);
    return true;
  }

  StreamGraph result() {
    graph_.edges.clear();
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> copies;  // (actor, kind): streams with it alone
    for (const FanStream& s : streams_) {
      if (s.contents.size() == 1) ++copies[{s.from, s.contents.begin()->first}];
    }
    for (const FanStream& s : streams_) {
      const std::uint64_t all = items(s.contents), pop = all / firings_[s.to];
      const std::uint64_t ahead = s.extra_items != 0 ? s.extra_items : s.rounds_ahead * pop;
      StreamEdge edge{s.from, s.to, rate(all / firings_[s.from], s), rate(pop, s), rate(pop + ahead, s), {}};
      const std::uint64_t kind = s.contents.begin()->first;
      if (s.contents.size() == 1 && copies[{s.from, kind}] > 1) edge.group = static_cast<std::uint32_t>(kind);
      graph_.edges.push_back(edge);
    }
    return std::move(graph_);
  }

  [[noreturn]] void fail(std::uint32_t actor, bool out, const std::string& why) const {
    throw InputError(
        {graph_.file, 0, 0},
        fmt::format("actor {}: {} streams {} it, expected at most {} (stream.degree, links of its tile): {}",
                    one_line(graph_.actors[actor].name), of(actor, out).size(), out ? "leave" : "enter", limit(actor),
                    why));
  }

 private:
  /// An actor that has a tile has no more streams than that has links.
  std::size_t limit(std::uint32_t actor) const {
    const auto& tile = graph_.actors[actor].placement;
    return tile ? std::min(degree_, links(*tile)) : degree_;
  }

  std::size_t links(RouterId tile) const {
    if (tile.value >= topology_.node_count()) return degree_;  // place() will say so
    const auto& ports = topology_.routers[topology_.router_of(NodeId{tile.value}).value];
    return static_cast<std::size_t>(std::count_if(
        ports.begin(), ports.end(), [](const routing::Port& p) { return p.kind == routing::PortKind::kNetwork; }));
  }

  /// Where all others have tiles: the free one with the most links, up to `wanted` streams and a trunk, of those the
  /// one nearest to the actor.
  std::optional<RouterId> tree_tile(std::uint32_t actor, std::size_t wanted) const {
    std::vector<bool> taken(topology_.node_count());
    for (const Actor& a : graph_.actors) {
      if (!a.placement || a.placement->value >= taken.size()) return std::nullopt;
      taken[a.placement->value] = true;
    }
    std::optional<RouterId> best;
    const auto rank = [&](RouterId tile) {
      return std::pair(std::min(links(tile), wanted),
                       -static_cast<std::int64_t>(distance(*graph_.actors[actor].placement, tile)));
    };
    for (std::size_t n = 0; n < taken.size(); ++n) {
      if (!taken[n] && (!best || rank(RouterId{n}) > rank(*best))) best = RouterId{n};
    }
    return best;
  }

  std::vector<std::size_t> of(std::uint32_t actor, bool out) const {
    std::vector<std::size_t> result;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if ((out ? streams_[s].from : streams_[s].to) == actor) result.push_back(s);
    }
    return result;
  }

  /// On the way out copies join into one; what is joined on the way in is a new kind, and so is what `actor` could not
  /// send in equal parts.
  Contents together(const Contents& a, const Contents& b, std::uint32_t actor, bool out) const {
    Contents both = a;
    both.insert(b.begin(), b.end());
    if (out && items(both) % firings_[actor] == 0) return both;
    return {{kinds_, items(a) + items(b)}};
  }

  void add(FanStream& carrier, const FanStream& passed, bool out) {
    const std::uint64_t before = items(carrier.contents);
    carrier.contents = together(carrier.contents, passed.contents, carrier.from, out);
    ++kinds_;
    if (!out) carrier.rounds_ahead = std::max(carrier.rounds_ahead, passed.rounds_ahead);
    if (items(carrier.contents) != before) carrier.extra_items = 0;
  }

  /// The actor in between fires so that it can hand on whole items, and closes no cycle.
  bool can_pass(std::size_t carrier, std::size_t passed, bool out) const {
    const FanStream &c = streams_[carrier], &p = streams_[passed];
    const std::uint32_t between = out ? c.to : c.from, other = out ? p.to : p.from;
    if (between == other) return false;
    if (items(p.contents) % firings_[between] != 0) return false;
    if (items(together(c.contents, p.contents, c.from, out)) % firings_[between] != 0) return false;
    return out ? !reaches(other, between) : !reaches(between, other);
  }

  void pass(FanStream& carrier, FanStream& passed, bool out) {
    const std::uint32_t between = out ? carrier.to : carrier.from;
    graph_.actors[between].work_cycles += items(passed.contents) / firings_[between] * kPassCycles;
    add(carrier, passed, out);
    (out ? passed.from : passed.to) = between;
    if (!out) passed.rounds_ahead = passed.extra_items = 0;
  }

  bool reaches(std::uint32_t from, std::uint32_t to) const {
    std::vector<char> seen(graph_.actors.size());
    std::vector<std::uint32_t> ahead{from};
    while (!ahead.empty()) {
      const std::uint32_t here = ahead.back();
      ahead.pop_back();
      if (here == to) return true;
      if (std::exchange(seen[here], 1) != 0) continue;
      for (const std::size_t s : of(here, true)) ahead.push_back(streams_[s].to);
    }
    return false;
  }

  /// The lowest is taken: an actor that has as many streams as it may comes last (it passes one on in turn, always
  /// further down the graph, or up, so this ends); then links from one end to the other, then streams it has.
  using Way = std::tuple<bool, std::uint64_t, std::size_t>;
  Way way(const FanStream& carrier, const FanStream& passed, bool out) const {
    const std::uint32_t between = out ? carrier.to : carrier.from, far = out ? passed.to : passed.from;
    const std::uint32_t near = out ? carrier.from : carrier.to;
    const std::size_t streams = of(between, out).size();
    return {streams >= limit(between), distance(near, between) + distance(between, far), streams};
  }

  std::uint64_t distance(std::uint32_t a, std::uint32_t b) const {
    const auto &here = graph_.actors[a].placement, &there = graph_.actors[b].placement;
    return here && there ? distance(*here, *there) : 0;
  }

  std::uint64_t distance(RouterId a, RouterId b) const {
    if (a.value >= topology_.node_count() || b.value >= topology_.node_count()) return 0;
    return topology_.distances_to(topology_.router_of(NodeId{b.value}))[topology_.router_of(NodeId{a.value}).value];
  }

  std::string free_name(const std::string& stem) const {
    for (std::size_t n = 1;; ++n) {
      const std::string name = stem + std::to_string(n);
      if (std::none_of(graph_.actors.begin(), graph_.actors.end(), [&](const Actor& a) { return a.name == name; })) {
        return name;
      }
    }
  }

  std::uint32_t rate(std::uint64_t value, const FanStream& s) const {
    if (value <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(value);
    throw InputError({graph_.file, 0, 0},
                     fmt::format("stream.degree: expected less than 2^32 items a firing of {} and {}",
                                 one_line(graph_.actors[s.from].name), one_line(graph_.actors[s.to].name)));
  }

  StreamGraph graph_;
  std::size_t degree_;
  const routing::Topology& topology_;
  std::vector<std::uint64_t> firings_;  // [actor] in a steady state
  std::vector<FanStream> streams_;
  std::uint64_t kinds_ = 0;
};

/// A splitter or joiner on the way would need to be told of the items that are there first.
void check_no_loop(const StreamGraph& graph) {
  for (const StreamEdge& e : graph.edges) {
    if (e.initial == 0) continue;
    throw InputError("stream.degree: edge " + graph.actors[e.from].name + " -> " + graph.actors[e.to].name +
                     " has initial items; expected 0 (any number of streams)");
  }
}

}  // namespace

StreamGraph bound_degree(const StreamGraph& graph, std::uint32_t degree, bool relays,
                         const routing::Topology& topology) {
  check_no_loop(graph);
  DegreeBound bound(graph, degree, topology);
  std::uint32_t actor = 0;
  bool out = false;
  while (bound.worst(actor, out)) {
    if (bound.tile_is_free()) {
      bound.add_tree_node(actor, out);
    } else if (!relays) {
      bound.fail(actor, out, "expected a free tile for a splitter or joiner, or stream.relays = true");
    } else if (!bound.relay(actor, out)) {
      bound.fail(actor, out, "no actor at their other ends can pass one on");
    }
  }
  return bound.result();
}

}  // namespace braid::traffic
