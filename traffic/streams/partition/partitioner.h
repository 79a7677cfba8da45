// Where to cut a program. One partitioner a file, registered by name.
#pragma once

#include <cstddef>
#include <vector>

#include "routing/base/progress.h"
#include "routing/base/registry.h"
#include "traffic/streams/partition/block.h"
#include "traffic/streams/partition/partition.h"

namespace braid::traffic {

struct PartitionContext {
  const Block& program;
  std::size_t tiles;  ///< 1 or more
  const routing::OnProgress& progress;
};

class Partitioner {
 public:
  static const char* axis() { return "partitioner"; }
  virtual ~Partitioner() = default;
  /// In the program's order, together all filters, on at most `tiles` tiles; the same for the same program.
  virtual std::vector<Part> parts(const PartitionContext& context) const = 0;
};
using PartitionerRegistry = Registry<Partitioner>;

}  // namespace braid::traffic
