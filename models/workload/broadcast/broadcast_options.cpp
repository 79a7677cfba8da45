#include "models/workload/broadcast/broadcast_options.h"

#include "traffic/broadcast/broadcast_scheme.h"
#include "traffic/broadcast/placement.h"

namespace braid::models {

const OptionTable<BroadcastOptions>& broadcast_options() {
  using O = BroadcastOptions;
  static const OptionTable<O> bursts =
      OptionTable<O>("broadcast")
          .integer("burst", &O::burst, 1, 1000000, "broadcasts that the root begins without waiting for one another");
  static const OptionTable<O> line =
      OptionTable<O>("broadcast")
          .integer("hop_cycles", &O::hop_cycles, 1, 1000, "of the line's wires along a link, for a cycle of the link's")
          .boolean("turn_round", &O::turn_round,
                   "a unit receives or drives one wire a cycle; else all at once, combinationally")
          .integer("most_under_way", &O::most_under_way, 1, 1000000, "broadcasts that units can count at a time");
  static const OptionTable<O> deque =
      OptionTable<O>("broadcast")
          .boolean("last_task_first", &O::last_task_first, "a node takes the last of its own tasks; else the first");
  static const OptionTable<O> acknowledged =
      OptionTable<O>("broadcast")
          .boolean("sequenced", &O::sequenced,
                   "nodes put aside what is out of sequence (sequenced diamond rings, section 4.1)")
          .boolean("queued_events", &O::queued_events, "the event is a task of its own, at the end of a node's queue")
          .choice("own_tasks", &O::own_tasks,
                  {{"with_messages", OwnTasks::kWithMessages},
                   {"before_messages", OwnTasks::kBeforeMessages},
                   {"after_messages", OwnTasks::kAfterMessages}},
                  "starts, queued events and messages put aside: in the queue of the messages, or in a deque beside it "
                  "that goes before or after (section 4.1)")
          .with("before_messages", deque)
          .with("after_messages", deque)
          .integer("buffer_messages", &O::buffer_messages, 0, 1000000,
                   "that a node has room for, for each node that tells it (sections 3 and 3.2); a message without room "
                   "waits at its sender; 0: any number")
          .integer("timeout_cycles", &O::timeout_cycles, 0, kAnyInteger,
                   "after which the root gives a broadcast up and says who did not acknowledge; 0: never")
          .integer("silent_broadcast", &O::silent_broadcast, -1, 4294967295,
                   "number of a broadcast that one node does not pass on, to see the timeout; -1: none")
          .integer("silent_node", &O::silent_node, 0, 4294967295, "that node");
  static const OptionTable<O> issue =
      OptionTable<O>("broadcast")
          .integer("issue_cycles", &O::issue_cycles, 0, 1000000000, "a broadcast, at the root after its messages");
  static const OptionTable<O> order =
      OptionTable<O>("broadcast")
          .integer("order_cycles", &O::order_cycles, 0, 1000000000, "a message, to look at its number, if sequenced");
  static const OptionTable<O> roots = OptionTable<O>("broadcast")
                                          .integers("roots", &O::roots,
                                                    "nodes that broadcast, each over the scheme as placed for it; "
                                                    "empty: the root alone");
  static const OptionTable<O> requesters =
      OptionTable<O>("broadcast")
          .integers("requesters", &O::requesters,
                    "nodes that ask the roots in turn, a request at a time; empty: all nodes");
  static const OptionTable<O> value =
      OptionTable<O>("broadcast")
          .integer("value_flits", &O::value_flits, 1, 65535, "of the message by which an owner passes the value on");
  static const OptionTable<O> network =
      OptionTable<O>("broadcast")
          .integer("flits", &O::flits, 1, 65535, "of a message")
          .integer("receive_cycles", &O::receive_cycles, 0, 1000000000, "a message: first thing in its task")
          .integer("event_cycles", &O::event_cycles, 0, 1000000000, "a broadcast: before the node may pass it on")
          .integer("send_cycles", &O::send_cycles, 0, 1000000000, "a message")
          .integer("settle_cycles", &O::settle_cycles, 0, 1000000000, "a broadcast, after the node passed it on")
          .integer("after_cycles", &O::after_cycles, 0, 1000000000, "a message: last thing in its task")
          .choice(
              "operation", &O::operation,
              {{"broadcast", BroadcastOperation::kBroadcast},
               {"all_reduce", BroadcastOperation::kAllReduce},
               {"shoot_down", BroadcastOperation::kShootDown},
               {"ownership", BroadcastOperation::kOwnership},
               {"atomic_update", BroadcastOperation::kAtomicUpdate}},
              "an event from the root and everybody's acknowledgement; values of all combined at the root and the "
              "result to all; events of several roots, each for itself; requests of nodes that a root puts in order "
              "and tells all of: for the ownership of a value, which the owner before passes on, or to change a "
              "value that every node has a copy of (section 1)")
          .with("broadcast", bursts)
          .with("broadcast", acknowledged)
          .with("broadcast", order)
          .with("broadcast", issue)
          .with("shoot_down", roots)
          .with("shoot_down", bursts)
          .with("shoot_down", issue)
          .with("ownership", roots)
          .with("ownership", requesters)
          .with("ownership", value)
          .with("ownership", order)
          .with("ownership", issue)
          .with("atomic_update", roots)
          .with("atomic_update", requesters)
          .with("atomic_update", order)
          .with("atomic_update", issue);
  static const OptionTable<O> table =
      OptionTable<O>("broadcast")
          .policy<traffic::BroadcastSchemeRegistry>("scheme", &O::scheme, "who tells whom")
          .policy<traffic::BroadcastPlacementRegistry>("placement", &O::placement,
                                                       "which node stands where in it, if the scheme leaves that open")
          .integer("root", &O::root, 0, 4294967295, "node that broadcasts")
          .integer(
              "gap_cycles", &O::gap_cycles, 0, kAnyInteger,
              "from the end of a burst to the next one, which never begins in the cycle in which this one began; of "
              "all-reduces, at each node")
          .choice("medium", &O::medium, {{"network", BroadcastMedium::kNetwork}, {"line", BroadcastMedium::kLine}},
                  "packets between processors, or units in hardware with wires of their own")
          .with("network", network)
          .with("line", bursts)
          .with("line", line);
  return table;
}

}  // namespace braid::models
