// The figures of messages: names, units, meanings.
#include "models/workload/messages/message_book.h"

namespace braid::models {
namespace {

const FigureTable<MessageLengthResult>& length_figures() {
  using L = MessageLengthResult;
  static const FigureTable<L> table =
      FigureTable<L>()
          .add("packets", "", "of a message", &L::packets)
          .add("priority", "", "messages of priority", &L::priority)
          .add("messages", "", "that arrived", &L::messages)
          .add("latency_mean_cycles", "cycles", "creation until the last packet is there", &L::latency_mean_cycles)
          .add("network_latency_mean_cycles", "cycles", "of their packets", &L::network_latency_mean_cycles);
  return table;
}

}  // namespace

const FigureTable<MessageResults>& message_figures() {
  using M = MessageResults;
  static const FigureTable<M> table =
      FigureTable<M>()
          .add("created", "", "born while measuring", &M::created)
          .add("delivered", "", "of them, all packets arrived", &M::delivered)
          .add("normalized_latency_cycles", "cycles",
               "latency of a message over its packets (kept in 1/65536 cycle), mean over messages; batches by creation",
               &M::normalized_latency_cycles)
          .of_delivered()
          .part("latency_distribution_cycles", "cycles", "creation until the last packet is there",
                &M::latency_distribution, distribution_figures())
          .of_delivered()
          .parts("by_length", "", "by priority, then length", &M::by_length, length_figures());
  return table;
}

}  // namespace braid::models
