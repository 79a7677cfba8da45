// Load balancing: which filters of a stream program become one actor, and which become several (paper:
// tentacle-routing, section 2.1). Any way in which the program's hierarchy can be cut is a list of parts, each a range
// of filters in the program's order: consecutive stages of a pipeline, consecutive branches of a splitjoin, or whole
// structures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "routing/base/progress.h"
#include "traffic/streams/flat_graph.h"
#include "traffic/streams/hierarchy.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {

constexpr std::uint64_t kItemWork =
    3;  ///< of a joiner or a copy that passes on or drops an item, as MIT's compiler has

enum class Joiners {
  kActors,  ///< each with a tile and work of its own, as MIT's compiler has them
  kFolded,  ///< into the filter behind, which takes its items from several streams in turn
};

enum class ItemWidth {
  kOneFlit,  ///< every item, whatever its type
  kByType,   ///< words of 32 bits: one, a complex number two, a struct or an array those of its parts
};

struct PartitionOptions {
  std::string partition = "dynamic_programming";  ///< a Partitioner
  std::uint32_t tiles = 0;                        ///< most actors; 0: as many as there are nodes
  Joiners joiners = Joiners::kActors;
  bool fission = true;
  std::string mean_rates;  ///< of rates that change from call to call: "Filter=1.5 Other.pop=2"
  ItemWidth item_width = ItemWidth::kOneFlit;
  std::uint32_t flit_bits = 32;  ///< with kByType
};
/// Filters [first, last) of the program as one actor; copies > 1: as many actors of one filter, which take turns.
struct Part {
  std::size_t first = 0, last = 0;
  std::uint32_t copies = 1;
};

struct Partitioned {
  StreamGraph graph;
  std::vector<Part> parts;
  double steady_states = 1;  ///< of the program in one of the graph (copies take turns)
  // Of one steady state of the program:
  double program_work = 0;     ///< its filters
  double total_work = 0;       ///< with joiners, and with what copies drop
  double bottleneck_work = 0;  ///< of the busiest actor
  double items = 0;            ///< from actor to actor
};

/// At most `tiles` actors. Throws InputError: rates that do not balance, a program that is one actor, rates beyond
/// what a stream graph holds.
Partitioned partition_program(const Structure& program, const std::string& file, const PartitionOptions& options,
                              std::size_t tiles, const routing::OnProgress& progress = {});
/// The same for given parts, in the program's order; for tests and for who knows better.
Partitioned fuse_program(const Structure& program, const std::string& file, const PartitionOptions& options,
                         const std::vector<Part>& parts);

}  // namespace braid::traffic
