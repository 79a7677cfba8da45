// The graph of a stream program: filters, splitters and joiners as nodes, joined by queues; how often each fires in a
// steady state, and whether it can go on for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/streams/hierarchy.h"

namespace braid::traffic {

struct FlatNode {
  enum class Kind { kFilter, kSplitter, kJoiner };
  Kind kind = Kind::kFilter;
  std::string name;         ///< unique in the graph
  std::string declaration;  ///< whose instance it is (a splitter, joiner: its structure's); "" of an anonymous one
  SourcePosition where;
  Filter filter;                       ///< kFilter
  Split split{};                       ///< kSplitter
  std::vector<std::uint64_t> weights;  ///< kSplitter: of its output edges, kJoiner: of its input edges, in their order
  std::vector<std::size_t> inputs, outputs;  ///< edges, in the order of branches
};

struct FlatEdge {
  std::size_t from = 0, to = 0;  ///< nodes
  std::uint64_t push = 0;        ///< items a firing of `from`; 0: a branch of weight 0, which carries nothing
  std::uint64_t pop = 0;         ///< items a firing of `to`
  std::uint64_t peek = 0;
  std::uint64_t initial = 0;  ///< items before the first firing
  std::uint64_t words = 1;    ///< of 32 bits, in an item
};

/// A splitjoin or a feedback loop in the graph.
struct FlatSpan {
  std::string name;
  SourcePosition where;  ///< of its declaration
  bool loop = false;
  std::size_t begin = 0, end = 0;  ///< its nodes
};

/// Every splitter and joiner is a node, those of one branch and of weight 0 as well, and every branch an edge.
struct FlatGraph {
  std::string name, file;
  std::vector<FlatNode> nodes;
  std::vector<FlatEdge> edges;
  std::vector<FlatSpan> spans;  ///< inner ones before those around them

  std::size_t count(FlatNode::Kind kind) const;

  /// Firings of each node in one steady state: the smallest positive integers that balance every edge. Throws
  /// InputError, with place and names (of the innermost splitjoin or loop): rates that do not balance, more than 10^12
  /// firings, a feedback loop whose items do not suffice to fire all its nodes (a deadlock).
  std::vector<std::uint64_t> repetitions() const;
};

FlatGraph flatten(const Structure& program, const std::string& file);

}  // namespace braid::traffic
