// The message layer: messages of several packets, cut apart at their source and put together at their destination
// (po2-message-scheduling, section 3). What is counted of them: MessageStatistics.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/observe/distribution.h"
#include "models/workload/statistics.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"

namespace braid::models {

struct Message {
  std::uint64_t created = 0;              ///< cycle
  std::uint64_t network_latency_sum = 0;  ///< of its packets so far
  std::uint32_t packets = 0;
  std::uint32_t delivered = 0;  ///< packets
  std::uint32_t lost = 0;       ///< packets: with one the message is never delivered
  bool priority = false;
  bool measured = false;  ///< born in the measurement window
};
using MessageStore = SlotStore<Message>;

/// Messages of one length.
struct MessageLengthResult {
  std::uint32_t packets = 0;
  bool priority = false;
  std::uint64_t messages = 0;
  double latency_mean_cycles = 0;
  double network_latency_mean_cycles = 0;
};

/// Figures of messages born while measuring.
struct MessageResults {
  std::uint64_t created = 0, delivered = 0;
  Estimate normalized_latency_cycles;
  Distribution latency_distribution;
  std::vector<MessageLengthResult> by_length;
};
/// What they mean.
const FigureTable<MessageResults>& message_figures();

/// Sums of integers only, as in Statistics.
class MessageStatistics {
 public:
  explicit MessageStatistics(const MeasurementWindow& window) : window_(&window) {}
  void begin_window() { *this = MessageStatistics(*window_); }
  void created(Message& message);
  void delivered(std::uint64_t cycle, const Message& message);
  void merge(const MessageStatistics& other);
  MessageResults results() const;
  void checkpoint(Checkpoint& c) { c(created_, delivered_, by_length_, batches_, latencies_); }

 private:
  struct PerLength {
    std::uint64_t messages = 0, latency_sum = 0, network_latency_sum = 0;
  };
  struct Batch {
    std::uint64_t messages = 0, normalized_sum = 0;  // latency / packets, in units of 2^-16 cycles
  };
  const MeasurementWindow* window_;
  std::uint64_t created_ = 0, delivered_ = 0;
  std::vector<PerLength> by_length_[2];  // [priority][packets]
  std::vector<Batch> batches_;           // by cycle of creation
  LatencyHistogram latencies_;
};

/// The messages of one slice's nodes. A message's slot is given back where the message arrives.
class MessageBook {
 public:
  MessageBook(MessageStore& store, const MeasurementWindow& window)
      : store_(store), pool_(store), statistics_(window) {}

  /// A new message of `packets` packets; returns what Packet::message is to hold.
  std::uint32_t open(std::uint64_t cycle, std::uint32_t packets, bool priority);
  /// A packet of a message has arrived. Packets of one message all arrive at one slice.
  void deliver(std::uint64_t cycle, const Packet& packet);
  /// It never will.
  void lost(const Packet& packet);
  const MessageStatistics& statistics() const { return statistics_; }
  void begin_window() { statistics_.begin_window(); }
  /// Its own; not the store.
  void checkpoint(Checkpoint& c) { c(pool_, statistics_); }
  const MessageStore::Pool& pool() const { return pool_; }

 private:
  void close_if_complete(std::uint32_t slot, const Message& message);

  MessageStore& store_;
  MessageStore::Pool pool_;
  MessageStatistics statistics_;
};

}  // namespace braid::models
