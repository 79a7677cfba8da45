// The options and figures of broadcasts.
#include "models/workload/broadcast_workload.h"
#include "traffic/broadcast/placement.h"

namespace braid::models {

const OptionTable<BroadcastOptions>& broadcast_options() {
  using O = BroadcastOptions;
  static const OptionTable<O> table =
      OptionTable<O>("broadcast")
          .policy<traffic::BroadcastSchemeRegistry>("scheme", &O::scheme, "who tells whom")
          .policy<traffic::BroadcastPlacementRegistry>("placement", &O::placement, "which node stands where in it")
          .integer("root", &O::root, 0, 4294967295, "node that broadcasts")
          .integer("flits", &O::flits, 1, 65535, "of a message")
          .integer("burst", &O::burst, 1, 1000000, "broadcasts that the root begins without waiting for one another")
          .integer("gap_cycles", &O::gap_cycles, 0, kAnyInteger, "from the end of a burst to the next one")
          .boolean("sequenced", &O::sequenced,
                   "nodes put aside what is out of sequence (sequenced diamond rings, section 4.1)")
          .boolean("queued_events", &O::queued_events, "the event is a task of its own, at the end of a node's queue")
          .integer("receive_cycles", &O::receive_cycles, 0, 1000000000, "a message: first thing in its task")
          .integer("order_cycles", &O::order_cycles, 0, 1000000000, "... and for its number, if sequenced")
          .integer("event_cycles", &O::event_cycles, 0, 1000000000, "a broadcast: before the node may pass it on")
          .integer("send_cycles", &O::send_cycles, 0, 1000000000, "a message")
          .integer("issue_cycles", &O::issue_cycles, 0, 1000000000, "a broadcast, at the root after its messages")
          .integer("settle_cycles", &O::settle_cycles, 0, 1000000000, "a broadcast, after the node passed it on")
          .integer("after_cycles", &O::after_cycles, 0, 1000000000, "a message: last thing in its task")
          .integer("timeout_cycles", &O::timeout_cycles, 0, kAnyInteger,
                   "after which the root gives a broadcast up and says who did not acknowledge; 0: never")
          .integer("silent_broadcast", &O::silent_broadcast, -1, 4294967295,
                   "number of a broadcast that one node does not pass on, to see the timeout; -1: none")
          .integer("silent_node", &O::silent_node, 0, 4294967295, "that node");
  return table;
}

const FigureTable<BroadcastResults>& broadcast_figures() {
  using R = BroadcastResults;
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("scheme", "", "broadcast.scheme", &R::scheme)
          .add("positions", "", "nodes that take part", &R::positions)
          .add("messages", "", "of one broadcast", &R::messages)
          .add("longest_path", "messages", "from the root through a node and back", &R::longest_path)
          .add("completed", "", "broadcasts acknowledged while measuring", &R::completed)
          .add("broadcasts_per_kilocycle", "", "acknowledged; batches by completion", &R::broadcasts_per_kilocycle)
          .part("latency_cycles", "cycles", "from the root's first cycle on a broadcast to its completion",
                &R::latency_cycles, distribution_figures())
          .part("burst_cycles", "cycles", "from the begin of a burst to its last completion", &R::burst_cycles,
                distribution_figures())
          .add("burst_broadcasts_per_kilocycle", "", "of a burst over the median of burst_cycles, the fill included",
               &R::burst_rate)
          .add("unacknowledged", "", "broadcasts given up, with who did not acknowledge", &R::unacknowledged)
          .add("refused", "", "messages that no broadcast can bring: twice, or late", &R::refused);
  return table;
}

}  // namespace braid::models
