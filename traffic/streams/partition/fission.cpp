#include "traffic/streams/partition/fission.h"

#include <algorithm>
#include <numeric>

#include "traffic/streams/partition/partition.h"

namespace braid::traffic {
namespace {

std::uint64_t window(const WorkFunction& f) { return std::max(f.peek, f.pop); }

class FilterCopies {
 public:
  FilterCopies(Fissed& to, std::size_t node, std::uint32_t copies)
      : to_(to), node_(node), copies_(copies), filter_(to.flat.nodes[node]) {}

  void make() {
    const std::uint64_t round = to_.repetitions[node_] / copies_;
    const std::size_t in = filter_.inputs.front(), out = filter_.outputs.front();
    const WorkFunction& f = filter_.filter.work;
    const std::uint64_t items = copy_items(f, copies_);
    const std::uint64_t words_in = to_.flat.edges[in].words, words_out = to_.flat.edges[out].words;
    const bool duplicates = items == f.pop * copies_;
    const std::size_t splitter = add(FlatNode::Kind::kSplitter, ".split", round);
    const std::size_t joiner = add(FlatNode::Kind::kJoiner, ".join", round);
    to_.flat.nodes[splitter].split = duplicates ? Split::kDuplicate : Split::kRoundRobin;
    to_.made_joiner[joiner] = 1;
    redirect(in, splitter, joiner, out);
    FlatEdge& into = to_.flat.edges[in];
    into.pop = f.pop * copies_;
    into.peek = std::max(into.pop, f.pop * (copies_ - 1) + window(f));
    to_.flat.edges[out].push = f.push * copies_;
    for (std::uint32_t c = 0; c < copies_; ++c) {
      const std::size_t copy = c == 0 ? node_ : add(FlatNode::Kind::kFilter, "", round);
      to_.original[copy] = node_;
      FlatNode& n = to_.flat.nodes[copy];
      n.filter = filter_.filter;
      n.filter.work.work_cycles = copy_work(f, copies_);
      n.name = filter_.name + "." + std::to_string(c + 1);
      n.inputs.clear();
      n.outputs.clear();
      const std::uint64_t seen = duplicates ? std::max(items, f.pop * c + window(f)) : items;
      join(splitter, copy, {0, 0, items, items, seen, 0, words_in});
      join(copy, joiner, {0, 0, f.push, f.push, f.push, 0, words_out});
      to_.flat.nodes[splitter].weights.push_back(duplicates ? 1 : items);
      to_.flat.nodes[joiner].weights.push_back(f.push);
    }
    to_.repetitions[node_] = round;
  }

 private:
  std::size_t add(FlatNode::Kind kind, const std::string& suffix, std::uint64_t repetitions) {
    FlatNode n;
    n.kind = kind;
    n.name = filter_.name + suffix;
    n.where = filter_.where;
    to_.flat.nodes.push_back(n);
    to_.repetitions.push_back(repetitions);
    to_.made_joiner.push_back(0);
    to_.original.push_back(to_.flat.nodes.size() - 1);
    return to_.flat.nodes.size() - 1;
  }

  void redirect(std::size_t in, std::size_t splitter, std::size_t joiner, std::size_t out) {
    to_.flat.edges[in].to = splitter;
    to_.flat.nodes[splitter].inputs = {in};
    to_.flat.edges[out].from = joiner;
    to_.flat.nodes[joiner].outputs = {out};
  }

  void join(std::size_t from, std::size_t to, FlatEdge edge) {
    edge.from = from;
    edge.to = to;
    to_.flat.nodes[from].outputs.push_back(to_.flat.edges.size());
    to_.flat.nodes[to].inputs.push_back(to_.flat.edges.size());
    to_.flat.edges.push_back(edge);
  }

  Fissed& to_;
  const std::size_t node_;
  const std::uint32_t copies_;
  const FlatNode filter_;  // as it was
};

}  // namespace

bool can_be_copied(const FlatNode& n) {
  const Filter& f = n.filter;
  return !f.stateful && !f.prework && f.work.pop > 0 && f.work.push > 0 && n.inputs.size() == 1 &&
         n.outputs.size() == 1;
}

std::uint64_t copy_items(const WorkFunction& f, std::uint32_t copies) {
  return copies == 1 ? f.pop : std::min(f.pop * copies, window(f));
}

std::uint64_t copy_work(const WorkFunction& f, std::uint32_t copies) {
  return f.work_cycles + kItemWork * (copy_items(f, copies) - f.pop);
}

Fissed fissed(const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions,
              const std::vector<std::uint32_t>& copies) {
  Fissed result;
  result.flat = flat;
  result.repetitions = repetitions;
  result.made_joiner.resize(flat.nodes.size());
  result.original.resize(flat.nodes.size());
  std::iota(result.original.begin(), result.original.end(), std::size_t{0});
  for (std::size_t n = 0; n < copies.size(); ++n) {  // as many rounds as let every copy fire whole times
    const std::uint64_t rounds = copies[n] / std::gcd<std::uint64_t>(copies[n], repetitions[n]);
    result.steady_states = std::lcm(result.steady_states, rounds);
  }
  for (std::uint64_t& r : result.repetitions) r *= result.steady_states;
  for (std::size_t n = 0; n < copies.size(); ++n) {
    if (copies[n] > 1) FilterCopies(result, n, copies[n]).make();
  }
  return result;
}

}  // namespace braid::traffic
