// Until the reader's own is merged.
#include "traffic/streams/flat_graph.h"

#include <algorithm>
#include <numeric>

namespace braid::traffic {
namespace {

class Flattener {
 public:
  FlatGraph graph;
  struct Ends { std::size_t in, out; };
  std::size_t add(FlatNode n) { graph.nodes.push_back(std::move(n)); return graph.nodes.size() - 1; }
  void join(std::size_t a, std::size_t b, std::uint64_t push, std::uint64_t pop, std::uint64_t peek, std::uint64_t initial = 0) {
    graph.nodes[a].outputs.push_back(graph.edges.size());
    graph.nodes[b].inputs.push_back(graph.edges.size());
    graph.edges.push_back({a, b, push, pop, peek, initial});
  }
  std::uint64_t push_of(std::size_t n, std::size_t branch = 0) {
    const FlatNode& f = graph.nodes[n];
    if (f.kind == FlatNode::Kind::kFilter) return f.filter.work.push;
    if (f.kind == FlatNode::Kind::kSplitter) return f.weights[branch];
    return std::accumulate(f.weights.begin(), f.weights.end(), std::uint64_t{0});
  }
  std::uint64_t pop_of(std::size_t n, std::size_t branch = 0) {
    const FlatNode& f = graph.nodes[n];
    if (f.kind == FlatNode::Kind::kFilter) return f.filter.work.pop;
    if (f.kind == FlatNode::Kind::kJoiner) return f.weights[branch];
    if (f.split == Split::kDuplicate) return 1;
    return std::accumulate(f.weights.begin(), f.weights.end(), std::uint64_t{0});
  }
  void link(std::size_t a, std::size_t b, std::size_t ab = 0, std::size_t bb = 0, std::uint64_t initial = 0) {
    const std::uint64_t pop = pop_of(b, bb);
    const bool filter = graph.nodes[b].kind == FlatNode::Kind::kFilter;
    join(a, b, push_of(a, ab), pop, filter ? std::max(pop, graph.nodes[b].filter.work.peek) : pop, initial);
  }
  Ends walk(const Structure& s) {
    FlatNode n;
    n.name = s.name;
    n.where = s.where;
    if (s.kind == Structure::Kind::kFilter) {
      n.filter = s.filter;
      const std::size_t i = add(n);
      return {i, i};
    }
    if (s.kind == Structure::Kind::kPipeline) {
      Ends all = walk(s.children[0]);
      for (std::size_t c = 1; c < s.children.size(); ++c) {
        const Ends e = walk(s.children[c]);
        link(all.out, e.in);
        all.out = e.out;
      }
      return all;
    }
    FlatNode split = n, joiner = n;
    split.kind = FlatNode::Kind::kSplitter;
    split.name = s.name + ".split";
    split.split = s.splitter.kind;
    split.weights = s.splitter.weights;
    joiner.kind = FlatNode::Kind::kJoiner;
    joiner.name = s.name + ".join";
    joiner.weights = s.joiner.weights;
    if (s.kind == Structure::Kind::kSplitJoin) {
      const std::size_t a = add(split);
      std::vector<Ends> ends;
      for (const Structure& c : s.children) ends.push_back(walk(c));
      const std::size_t b = add(joiner);
      for (std::size_t i = 0; i < ends.size(); ++i) link(a, ends[i].in, i);
      for (std::size_t i = 0; i < ends.size(); ++i) link(ends[i].out, b, 0, i);
      return {a, b};
    }
    const std::size_t b = add(joiner);
    const Ends body = walk(s.children[0]);
    const std::size_t a = add(split);
    graph.nodes[a].outputs.push_back(0);
    graph.nodes[b].inputs.push_back(0);
    const Ends loop = walk(s.children[1]);
    graph.nodes[a].outputs.clear();
    graph.nodes[b].inputs.clear();
    pending.push_back({a, b, loop, s.enqueued});
    link(b, body.in);
    link(body.out, a);
    return {b, a};
  }
  struct Loop { std::size_t splitter, joiner; Ends loop; std::uint64_t enqueued; };
  std::vector<Loop> pending;
};

}  // namespace

std::size_t FlatGraph::count(FlatNode::Kind kind) const {
  return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const FlatNode& n) { return n.kind == kind; }));
}

FlatGraph flatten(const Structure& program, const std::string& file) {
  Flattener f;
  f.graph.name = program.name;
  f.graph.file = file;
  f.walk(program);
  for (const auto& l : f.pending) {
    f.link(l.splitter, l.loop.in, 1);
    f.link(l.loop.out, l.joiner, 0, 1, l.enqueued);
  }
  for (FlatEdge& e : f.graph.edges) {
    if (e.push == 0 || e.pop == 0) e.push = e.pop = e.peek = 0;
  }
  return f.graph;
}

std::vector<std::uint64_t> FlatGraph::repetitions() const {
  std::vector<std::uint64_t> num(nodes.size()), den(nodes.size(), 1);
  num[0] = 1;
  for (bool grew = true; grew;) {
    grew = false;
    for (const FlatEdge& e : edges) {
      if (e.push == 0) continue;
      const auto set = [&](std::size_t n, std::uint64_t a, std::uint64_t b) {
        const std::uint64_t g = std::gcd(a, b);
        num[n] = a / g;
        den[n] = b / g;
        grew = true;
      };
      if (num[e.from] && !num[e.to]) set(e.to, num[e.from] * e.push, den[e.from] * e.pop);
      if (num[e.to] && !num[e.from]) set(e.from, num[e.to] * e.pop, den[e.to] * e.push);
    }
    if (!grew) {
      for (std::size_t n = 0; n < nodes.size() && !grew; ++n) {
        if (!num[n]) { num[n] = 1; grew = true; }
      }
    }
  }
  std::uint64_t all = 1, common = 0;
  for (const std::uint64_t d : den) all = std::lcm(all, d);
  std::vector<std::uint64_t> r;
  for (std::size_t n = 0; n < nodes.size(); ++n) r.push_back(num[n] * (all / den[n]));
  for (const std::uint64_t x : r) common = std::gcd(common, x);
  for (std::uint64_t& x : r) x /= common;
  return r;
}

}  // namespace braid::traffic
