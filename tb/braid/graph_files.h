// The flat graph of a stream program for other programs.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/streams/flat_graph.h"

namespace braid::tb {

struct GraphCounts {
  std::size_t filters = 0, splitters = 0, joiners = 0, edges = 0;
};
GraphCounts counts_of(const traffic::FlatGraph& graph);

/// On standard error, once: of a program with portals.
void warn_of_messages(const traffic::Structure& program);

/// Work of one firing: of a filter its estimate, of splitters and joiners nothing.
std::uint64_t work_of(const traffic::FlatNode& node);
const char* kind_of(const traffic::FlatNode& node);

/// docs/streamit.md names the fields. `as_written` and `as_lifted`: of the program both ways; the graph is one of them.
boost::json::object graph_json(const traffic::FlatGraph& graph, const std::vector<std::uint64_t>& repetitions,
                               const GraphCounts& as_written, const GraphCounts& as_lifted);
/// GraphML with attributes, as yEd and networkx read it.
std::string graph_graphml(const traffic::FlatGraph& graph, const std::vector<std::uint64_t>& repetitions);
/// For graphviz.
std::string graph_dot(const traffic::FlatGraph& graph, const std::vector<std::uint64_t>& repetitions);

}  // namespace braid::tb
