// A partitioned program for other programs and for people.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "traffic/streams/partition/partition.h"

namespace braid::tb {

/// docs/streams.md names the fields.
boost::json::object partition_json(const traffic::Partitioned& partitioned, std::size_t tiles,
                                   const std::string& partitioner);
/// For graphviz: edges with their items a steady state, groups of copies in one colour.
std::string partition_dot(const traffic::StreamGraph& graph);

}  // namespace braid::tb
