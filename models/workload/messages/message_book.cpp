#include "models/workload/messages/message_book.h"

namespace braid::models {
namespace {

constexpr double kNormalizedUnits = 65536.0;

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? kNoSample : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

void MessageStatistics::created(Message& message) {
  message.measured = window_->open;
  if (message.measured) ++created_;
}

void MessageStatistics::delivered(std::uint64_t cycle, const Message& message) {
  if (!window_->measures(message)) return;
  ++delivered_;
  const std::uint64_t latency = cycle - message.created;
  std::vector<PerLength>& lengths = by_length_[message.priority ? 1 : 0];
  if (lengths.size() <= message.packets) lengths.resize(message.packets + 1);
  PerLength& of_length = lengths[message.packets];
  ++of_length.messages;
  of_length.latency_sum += latency;
  of_length.network_latency_sum += message.network_latency_sum;
  latencies_.add(latency);
  const std::size_t batch = (message.created - window_->first_cycle) / window_->batch_cycles;
  if (batches_.size() <= batch) batches_.resize(batch + 1);
  ++batches_[batch].messages;
  batches_[batch].normalized_sum += (latency << 16) / message.packets;
}

void MessageStatistics::merge(const MessageStatistics& other) {
  created_ += other.created_;
  delivered_ += other.delivered_;
  for (std::size_t p = 0; p < 2; ++p) {
    if (by_length_[p].size() < other.by_length_[p].size()) by_length_[p].resize(other.by_length_[p].size());
    for (std::size_t l = 0; l < other.by_length_[p].size(); ++l) {
      by_length_[p][l].messages += other.by_length_[p][l].messages;
      by_length_[p][l].latency_sum += other.by_length_[p][l].latency_sum;
      by_length_[p][l].network_latency_sum += other.by_length_[p][l].network_latency_sum;
    }
  }
  if (batches_.size() < other.batches_.size()) batches_.resize(other.batches_.size());
  for (std::size_t b = 0; b < other.batches_.size(); ++b) {
    batches_[b].messages += other.batches_[b].messages;
    batches_[b].normalized_sum += other.batches_[b].normalized_sum;
  }
  latencies_.merge(other.latencies_);
}

MessageResults MessageStatistics::results() const {
  MessageResults r;
  r.created = created_;
  r.delivered = delivered_;
  std::uint64_t normalized_sum = 0;
  std::vector<BatchSum> sums;
  for (const Batch& batch : batches_) {
    normalized_sum += batch.normalized_sum;
    sums.push_back({static_cast<double>(batch.normalized_sum) / kNormalizedUnits, static_cast<double>(batch.messages)});
  }
  r.normalized_latency_cycles = estimate_of_batches(sums);
  r.normalized_latency_cycles.mean = mean(normalized_sum, delivered_) / kNormalizedUnits;  // over messages
  r.latency_distribution = latencies_.distribution();
  for (std::size_t p = 0; p < 2; ++p) {
    for (std::size_t l = 1; l < by_length_[p].size(); ++l) {
      const PerLength& of_length = by_length_[p][l];
      if (of_length.messages == 0) continue;
      r.by_length.push_back({static_cast<std::uint32_t>(l), p == 1, of_length.messages,
                             mean(of_length.latency_sum, of_length.messages),
                             mean(of_length.network_latency_sum, of_length.messages * l)});
    }
  }
  return r;
}

std::uint32_t MessageBook::open(std::uint64_t cycle, std::uint32_t packets, bool priority) {
  const std::uint32_t slot = pool_.take();
  Message& message = store_[slot];
  message = Message{};
  message.created = cycle;
  message.packets = packets;
  message.priority = priority;
  statistics_.created(message);
  return slot;
}

void MessageBook::deliver(std::uint64_t cycle, const Packet& packet) {
  Message& message = store_[packet.message];
  message.network_latency_sum += cycle - packet.injected;
  if (++message.delivered == message.packets) statistics_.delivered(cycle, message);
  close_if_complete(packet.message, message);
}

void MessageBook::lost(const Packet& packet) {
  Message& message = store_[packet.message];
  ++message.lost;
  close_if_complete(packet.message, message);
}

/// Nobody asks for a message again once all its packets are delivered or lost.
void MessageBook::close_if_complete(std::uint32_t slot, const Message& message) {
  if (message.delivered + message.lost == message.packets) pool_.give_back(slot);
}

}  // namespace braid::models
