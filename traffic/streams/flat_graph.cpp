#include "traffic/streams/flat_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/streams/balance.h"
#include "traffic/streams/deadlock.h"

namespace braid::traffic {
namespace {

using NodeKind = FlatNode::Kind;

constexpr std::size_t kNoEdge = std::numeric_limits<std::size_t>::max();

class Flattener {
 public:
  explicit Flattener(FlatGraph& graph) : graph_(graph) {}

  /// Where a structure begins and ends: its neighbours are joined to these, whatever goes over.
  struct Ends {
    std::size_t first = 0, last = 0;  ///< nodes
  };

  Ends add(const Structure& s) {
    switch (s.kind) {
      case Structure::Kind::kPipeline:
        return add_pipeline(s);
      case Structure::Kind::kSplitJoin:
        return add_splitjoin(s);
      case Structure::Kind::kFeedbackLoop:
        return add_loop(s);
      default:
        return add_filter(s);
    }
  }

  /// A loop's joiner into which nothing comes from outside, and its splitter from which nothing leaves, have one edge.
  void drop_open_ways() {
    for (FlatNode& node : graph_.nodes) {
      drop(node.inputs, node.kind == NodeKind::kJoiner ? &node.weights : nullptr);
      drop(node.outputs, node.kind == NodeKind::kSplitter ? &node.weights : nullptr);
    }
  }

 private:
  static void drop(std::vector<std::size_t>& edges, std::vector<std::uint64_t>* weights) {
    for (std::size_t i = edges.size(); i-- > 0;) {
      if (edges[i] != kNoEdge) continue;
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
      if (weights != nullptr) weights->erase(weights->begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  std::size_t add_node(NodeKind kind, const Structure& s, const char* suffix) {
    FlatNode node;
    node.kind = kind;
    node.name = s.name + suffix;
    node.declaration = s.declaration;
    node.where = s.where;
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.size() - 1;
  }
  std::size_t add_splitter(const Structure& s) {
    const std::size_t n = add_node(NodeKind::kSplitter, s, ".split");
    graph_.nodes[n].split = s.splitter.kind;
    graph_.nodes[n].weights = s.splitter.weights;
    graph_.nodes[n].outputs.assign(s.splitter.weights.size(), kNoEdge);
    return n;
  }
  std::size_t add_joiner(const Structure& s) {
    const std::size_t n = add_node(NodeKind::kJoiner, s, ".join");
    graph_.nodes[n].weights = s.joiner.weights;
    graph_.nodes[n].inputs.assign(s.joiner.weights.size(), kNoEdge);
    return n;
  }

  static std::uint64_t total(const FlatNode& node) {
    return std::accumulate(node.weights.begin(), node.weights.end(), std::uint64_t{0});  // of less than 2^31 each
  }
  std::uint64_t pushed(const FlatNode& node, std::size_t way) const {
    if (node.kind == NodeKind::kFilter) return node.filter.work.push;
    return node.kind == NodeKind::kSplitter ? node.weights[way] : total(node);
  }
  std::uint64_t popped(const FlatNode& node, std::size_t way) const {
    if (node.kind == NodeKind::kFilter) return node.filter.work.pop;
    if (node.kind == NodeKind::kJoiner) return node.weights[way];
    return node.split == Split::kDuplicate ? 1 : total(node);
  }

  /// `out` and `in`: which branch of a splitter and a joiner; of other nodes 0.
  void connect(std::size_t from, std::size_t out, std::size_t to, std::size_t in, std::uint64_t initial = 0) {
    FlatNode& a = graph_.nodes[from];
    FlatNode& b = graph_.nodes[to];
    const std::uint64_t pop = popped(b, in);
    const std::uint64_t peek = b.kind == NodeKind::kFilter ? std::max(b.filter.work.peek, pop) : pop;
    if (a.outputs.size() <= out) a.outputs.resize(out + 1, kNoEdge);
    if (b.inputs.size() <= in) b.inputs.resize(in + 1, kNoEdge);
    a.outputs[out] = b.inputs[in] = graph_.edges.size();
    graph_.edges.push_back({from, to, pushed(a, out), pop, peek, initial, 1});
  }

  Ends add_filter(const Structure& s) {
    const std::size_t n = add_node(NodeKind::kFilter, s, "");
    graph_.nodes[n].filter = s.filter;
    return {n, n};
  }

  Ends add_pipeline(const Structure& s) {
    Ends all = add(s.children.front());
    for (std::size_t i = 1; i < s.children.size(); ++i) {
      const Ends next = add(s.children[i]);
      connect(all.last, 0, next.first, 0);
      all.last = next.last;
    }
    return all;
  }

  Ends add_splitjoin(const Structure& s) {
    const std::size_t splitter = add_splitter(s);
    std::vector<std::size_t> lasts;
    for (const Structure& child : s.children) {
      const Ends branch = add(child);
      connect(splitter, lasts.size(), branch.first, 0);
      lasts.push_back(branch.last);
    }
    const std::size_t joiner = add_joiner(s);
    for (std::size_t i = 0; i < lasts.size(); ++i) connect(lasts[i], 0, joiner, i);
    graph_.spans.push_back({s.name, s.declared, false, splitter, graph_.nodes.size()});
    return {splitter, joiner};
  }

  Ends add_loop(const Structure& s) {
    const std::size_t joiner = add_joiner(s);
    const Ends body = add(s.children[0]);
    connect(joiner, 0, body.first, 0);
    const std::size_t splitter = add_splitter(s);
    connect(body.last, 0, splitter, 0);
    const Ends loop = add(s.children[1]);
    connect(splitter, 1, loop.first, 0);
    connect(loop.last, 0, joiner, 1, s.enqueued);
    graph_.spans.push_back({s.name, s.declared, true, joiner, graph_.nodes.size()});
    return {joiner, splitter};
  }

  FlatGraph& graph_;
};

[[noreturn]] void cannot_balance(const FlatGraph& graph, std::size_t e, const FlatSpan* span) {
  const FlatEdge& edge = graph.edges[e];
  const FlatNode& from = graph.nodes[edge.from];
  const FlatNode& to = graph.nodes[edge.to];
  throw InputError(span != nullptr ? span->where : to.where,
                   "rates do not balance" + (span != nullptr ? " in " + one_line(span->name) : "") + ": " +
                       one_line(from.name) + " pushes " + std::to_string(edge.push) + ", " + one_line(to.name) +
                       " pops " + std::to_string(edge.pop) + ": expected rates that leave nothing behind");
}

[[noreturn]] void too_many(const FlatNode& node) {
  throw InputError(node.where, "rates are too far apart: " + one_line(node.name) +
                                   ": expected at most 10^12 firings of each node in a steady state");
}

/// Throws if this span cannot balance by itself.
void check_balance(const FlatGraph& graph, const FlatSpan& span) {
  std::vector<RateEdge> rates;
  std::vector<std::size_t> edges;
  for (std::size_t n = span.begin; n < span.end; ++n) {
    for (const std::size_t e : graph.nodes[n].outputs) {
      const FlatEdge& edge = graph.edges[e];
      if (edge.to < span.begin || edge.to >= span.end) continue;
      rates.push_back({edge.from - span.begin, edge.to - span.begin, edge.push, edge.pop});
      edges.push_back(e);
    }
  }
  (void)balanced_firings(
      span.end - span.begin, rates, [&](std::size_t e) { cannot_balance(graph, edges[e], &span); },
      [&](std::size_t n) { too_many(graph.nodes[span.begin + n]); });
}

}  // namespace

std::size_t FlatGraph::count(FlatNode::Kind kind) const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](const FlatNode& n) { return n.kind == kind; }));
}

std::vector<std::uint64_t> FlatGraph::repetitions() const {
  std::vector<RateEdge> rates;
  for (const FlatEdge& e : edges) rates.push_back({e.from, e.to, e.push, e.pop});
  const auto blame = [&](std::size_t e) {
    for (const FlatSpan& span : spans) check_balance(*this, span);  // inner ones first
    cannot_balance(*this, e, nullptr);
  };
  const std::vector<std::uint64_t> firings =
      balanced_firings(nodes.size(), rates, blame, [&](std::size_t n) { too_many(nodes[n]); });
  check_deadlock(*this, firings);
  return firings;
}

namespace {

/// Filters know what they take and give, and what stands between them passes it on.
void set_words(FlatGraph& graph) {
  std::vector<std::uint64_t> passes(graph.nodes.size(), 0);  // of a splitter, joiner; 0: not known yet
  const auto end = [&](std::size_t n, bool giving) {
    const FlatNode& node = graph.nodes[n];
    if (node.kind != NodeKind::kFilter) return passes[n];
    return giving ? node.filter.output_words : node.filter.input_words;
  };
  for (bool more = true; more;) {
    more = false;
    for (FlatEdge& e : graph.edges) {
      const std::uint64_t words = std::max(end(e.from, true), end(e.to, false));
      if (words == 0) continue;
      e.words = words;
      for (const std::size_t n : {e.from, e.to}) {
        if (graph.nodes[n].kind == NodeKind::kFilter || passes[n] != 0) continue;
        passes[n] = words;
        more = true;
      }
    }
  }
}

}  // namespace

FlatGraph flatten(const Structure& program, const std::string& file) {
  FlatGraph graph;
  graph.name = program.name;
  graph.file = file;
  Flattener flattener(graph);
  (void)flattener.add(program);
  flattener.drop_open_ways();
  set_words(graph);
  return graph;
}

}  // namespace braid::traffic
