// What became of the changes of a program (stream_changes.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/streams/rate_watch.h"
#include "routing/base/figures.h"
#include "routing/base/ids.h"

namespace braid::models {

struct StreamChangeResult {
  std::string kind;  ///< "migration" or "filter added"
  std::string actor;
  NodeId from, to;
  std::uint64_t stopped_cycle = 0;  ///< from whose end on the streams that lead to it send nothing
  std::uint64_t idle_cycle = 0;     ///< ... these were empty and down, and its last firing had ended
  std::uint64_t empty_cycle = 0;    ///< ... so were those that lead away
  std::uint64_t moved_cycle = 0;    ///< ... its items and state were there: it goes on
  std::uint64_t resumed_cycle = 0;  ///< ... the last of its streams goes on; 0: not by the end of the run
  std::uint64_t state_flits = 0;
  struct Stream {
    std::string name;
    std::size_t number = 0;
    bool on_circuit = false;
    std::uint64_t links = 0, search_cycles = 0;  ///< of its circuit
    std::uint64_t resumed_cycle = 0, waiting_items = 0;
  };
  std::vector<Stream> streams;
  RateWatch::Rate rate;

  bool ended() const { return resumed_cycle != 0; }
};

struct StreamChangeResults {
  std::uint64_t planned = 0;
  std::uint64_t lost_items = 0;
  std::vector<StreamChangeResult> list;  ///< that have begun
};
const FigureTable<StreamChangeResults>& stream_change_figures();

}  // namespace braid::models
