// Section [broadcast], whoever carries the broadcasts: processors with packets or a line, broadcasts or all-reduces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/broadcast/task_processor.h"
#include "routing/base/options.h"

namespace braid::models {

enum class BroadcastMedium { kNetwork, kLine };
enum class BroadcastOperation { kBroadcast, kAllReduce, kShootDown, kOwnership, kAtomicUpdate };

struct BroadcastOptions : ProcessorCosts {
  std::string scheme = "diamond_ring", placement = "node_order";
  std::uint32_t root = 0;
  std::uint32_t burst = 1;       ///< broadcasts that the root begins without waiting for the one before
  std::uint64_t gap_cycles = 0;  ///< from a burst's end to the next one's begin
  BroadcastMedium medium = BroadcastMedium::kNetwork;

  // Where it is the line (models/event_lines/broadcast_line.h):
  std::uint32_t hop_cycles = 1;  ///< of a wire along a link, for a cycle of the link's
  bool turn_round = true;
  std::uint32_t most_under_way = 256;  ///< broadcasts

  // Where it is the network:
  BroadcastOperation operation = BroadcastOperation::kBroadcast;
  std::uint32_t flits = 1;  ///< of a message
  bool sequenced = false;
  bool queued_events = false;
  OwnTasks own_tasks = OwnTasks::kWithMessages;
  bool last_task_first = false;
  std::uint32_t buffer_messages = 0;   ///< of a node, for each node that tells it; 0: any number
  std::uint64_t timeout_cycles = 0;    ///< after which the root gives up a broadcast; 0: never
  std::uint32_t silent_node = 0;       ///< does not pass on the broadcast below
  std::int64_t silent_broadcast = -1;  ///< by number; -1: none (to test the timeout)

  // Where it is a consistency event (models/workload/broadcast/consistency_workload.h):
  std::vector<std::uint32_t> roots;       ///< nodes; none: `root`
  std::vector<std::uint32_t> requesters;  ///< nodes; none: all
  std::uint32_t value_flits = 1;          ///< of what an owner passes on

  /// The cycle in which what began and ended begins again. Never the cycle of its begin: a single node without costs
  /// is done at once, and would have no end of it.
  std::uint64_t again(std::uint64_t begin, std::uint64_t end) const { return std::max(end + gap_cycles, begin + 1); }
};
const OptionTable<BroadcastOptions>& broadcast_options();

}  // namespace braid::models
