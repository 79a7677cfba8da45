// A program as partitioners see it: what can be cut where, and what each actor would cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/streams/partition/partition.h"

namespace braid::traffic {

struct Block {
  enum class Kind {
    kFilter,
    kSequence,  ///< a pipeline: stages in order
    kParallel,  ///< a splitjoin's branches, or a feedback loop's body and loop
  };
  Kind kind = Kind::kFilter;
  std::size_t first = 0, last = 0;  ///< its filters
  std::uint64_t work = 0;           ///< of them all, a steady state
  std::vector<Block> children;
  bool divisible = false;         ///< may be cut between its children, or a filter made into copies
  bool joiner_actor = false;      ///< then a joiner takes one more tile
  std::uint64_t joiner_work = 0;  ///< ... and works that, a steady state
  std::uint64_t firings = 0;      ///< kFilter: a steady state
  WorkFunction function;          ///< kFilter

  /// kFilter: work of each of so many copies, a steady state, rounded up.
  std::uint64_t load(std::uint32_t copies) const;
  /// Tiles of so many copies.
  std::size_t copy_tiles(std::uint32_t copies) const { return copies == 1 ? 1 : copies + (joiner_actor ? 1U : 0U); }
};

/// `repetitions` of the nodes of `flat`, which is the program's graph. A feedback loop is cut only where its enqueued
/// items cover a steady state of its own: its actors fire at most that much at a time, so none waits for ever. Filters
/// in a loop are not copied.
Block make_block(const Structure& program, const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions,
                 const PartitionOptions& options, bool cut_loops = true);

}  // namespace braid::traffic
