#include "traffic/streams/partition/partition.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "routing/base/input_error.h"
#include "traffic/streams/partition/fuse.h"
#include "traffic/streams/partition/partitioner.h"
#include "traffic/streams/queue_room.h"

namespace braid::traffic {
namespace {

void list_filters(const Structure& s, std::vector<std::string>& names) {
  if (s.kind == Structure::Kind::kFilter) names.push_back(s.name);
  for (const Structure& child : s.children) list_filters(child, names);
}

/// The program's filters, as the flat graph numbers its nodes.
std::vector<std::size_t> filter_nodes(const Structure& program, const FlatGraph& flat) {
  std::unordered_map<std::string, std::size_t> node_of;
  for (std::size_t n = 0; n < flat.nodes.size(); ++n) {
    if (flat.nodes[n].kind == FlatNode::Kind::kFilter) node_of[flat.nodes[n].name] = n;
  }
  std::vector<std::string> names;
  list_filters(program, names);
  std::vector<std::size_t> nodes;
  for (const std::string& name : names) nodes.push_back(node_of.at(name));
  return nodes;
}

/// A part has a number, each of its copies one of its own.
std::size_t number_parts(const std::vector<Part>& parts, const std::vector<std::size_t>& nodes, const Fissed& program,
                         std::vector<std::size_t>& part_of) {
  std::size_t count = 0;
  part_of.assign(program.flat.nodes.size(), kNoPart);
  for (const Part& part : parts) {
    for (std::size_t n = 0; n < part_of.size(); ++n) {
      if (part.copies == 1 || program.original[n] != nodes[part.first]) continue;
      if (program.flat.nodes[n].kind == FlatNode::Kind::kFilter) part_of[n] = count++;
    }
    if (part.copies > 1) continue;
    for (std::size_t f = part.first; f < part.last; ++f) part_of[nodes[f]] = count;
    ++count;
  }
  return count;
}

void add_sums(Partitioned& result, const Fused& made, const Fissed& program) {
  const std::vector<std::uint64_t> repetitions = made.graph.repetitions();
  const double of_all = static_cast<double>(program.steady_states);
  result.steady_states = of_all * static_cast<double>(repetitions[0]) / static_cast<double>(made.firings[0]);
  for (std::size_t a = 0; a < made.firings.size(); ++a) {
    const double work = static_cast<double>(made.firings[a] * made.graph.actors[a].work_cycles) / of_all;
    result.total_work += work;
    result.bottleneck_work = std::max(result.bottleneck_work, work);
  }
  for (const StreamEdge& e : made.graph.edges) {
    result.items += static_cast<double>(made.firings[e.from] * e.push) / of_all;
  }
}

Partitioned fused(const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions,
                  const std::vector<std::size_t>& nodes, const PartitionOptions& options,
                  const std::vector<Part>& parts) {
  std::vector<std::uint32_t> copies(flat.nodes.size(), 1);
  for (const Part& part : parts) copies[nodes[part.first]] = part.copies;
  const Fissed program = fissed(flat, repetitions, copies);
  std::vector<std::size_t> part_of;
  const std::size_t count = number_parts(parts, nodes, program, part_of);
  Partitioned result;
  result.parts = parts;
  const Fused made = fuse(program, place_nodes(program, part_of, count, options.joiners),
                          options.item_width == ItemWidth::kByType ? options.flit_bits : 0);
  result.graph = made.graph;
  for (const std::size_t n : nodes) {
    result.program_work += static_cast<double>(repetitions[n] * flat.nodes[n].filter.work.work_cycles);
  }
  add_sums(result, made, program);
  return result;
}

}  // namespace

Partitioned fuse_program(const Structure& program, const std::string& file, const PartitionOptions& options,
                         const std::vector<Part>& parts) {
  const FlatGraph flat = flatten(program, file);
  return fused(flat, flat.repetitions(), filter_nodes(program, flat), options, parts);
}

Partitioned partition_program(const Structure& program, const std::string& file, const PartitionOptions& options,
                              std::size_t tiles, const routing::OnProgress& progress) {
  const FlatGraph flat = flatten(program, file);
  const std::vector<std::uint64_t> repetitions = flat.repetitions();
  const std::vector<std::size_t> nodes = filter_nodes(program, flat);
  const auto partitioner = PartitionerRegistry::instance().make(options.partition);
  for (const bool cut_loops : {true, false}) {
    const Block block = make_block(program, flat, repetitions, options, cut_loops);
    Partitioned result = fused(flat, repetitions, nodes, options, partitioner->parts({block, tiles, progress}));
    if (result.graph.edges.empty()) {
      throw InputError({file, 0, 0}, "the whole program is one actor on " + std::to_string(tiles) +
                                         " tiles: expected two actors or more, with something to send");
    }
    if (!deadlock(result.graph, {})) return result;
  }
  throw std::logic_error("a program whose feedback loops are whole waits for ever");
}

}  // namespace braid::traffic
