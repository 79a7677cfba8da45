#include "network.h"

#include <algorithm>
#include <utility>

namespace {

constexpr std::uint64_t kFlitBytes = 16, kPacketFlits = 16;

}  // namespace

SharedNetwork::SharedNetwork(braid::models::StepNetwork network, std::vector<std::uint32_t> nodes)
    : network_(std::move(network)), nodes_(std::move(nodes)) {}

void SharedNetwork::send(int source, int destination, int tag, std::uint64_t bytes, Handler handler, void* argument) {
  std::uint64_t flits = std::max<std::uint64_t>(1, (bytes + kFlitBytes - 1) / kFlitBytes);
  const std::uint32_t number = next_tag_++;
  next_tag_ %= braid::models::StepNetwork::kNoTag;
  under_way_[number] = {(flits + kPacketFlits - 1) / kPacketFlits, {source, destination, tag}, {handler, argument}};
  for (; flits > 0; flits -= std::min(flits, kPacketFlits)) {
    network_.send({nodes_.at(source), nodes_.at(destination), static_cast<std::uint32_t>(std::min(flits, kPacketFlits)),
                   0, number});
  }
}

void SharedNetwork::receive(int source, int destination, int tag, Handler handler, void* argument) {
  const Channel channel{source, destination, tag};
  const auto come = unclaimed_.find(channel);
  if (come == unclaimed_.end()) {
    receivers_[channel].push_back({handler, argument});
    return;
  }
  if (--come->second == 0) unclaimed_.erase(come);
  schedule(0, handler, argument);
}

void SharedNetwork::arrived(const Message& message) {
  message.sent();
  const auto waiting = receivers_.find(message.channel);
  if (waiting == receivers_.end()) {
    ++unclaimed_[message.channel];
    return;
  }
  const Call call = waiting->second.front();
  waiting->second.pop_front();
  if (waiting->second.empty()) receivers_.erase(waiting);
  call();
}

void SharedNetwork::schedule(std::uint64_t cycles, Handler handler, void* argument) {
  events_.push({now() + cycles, order_++, {handler, argument}});
}

void SharedNetwork::run() {
  for (;;) {
    while (!events_.empty() && events_.top().cycle <= now()) {
      const Call call = events_.top().call;
      events_.pop();
      call();
    }
    if (under_way_.empty() && events_.empty()) return;
    network_.step(under_way_.empty() ? events_.top().cycle - now() : 1);
    for (const auto& packet : network_.arrivals()) {
      const auto message = under_way_.find(packet.tag);
      if (--message->second.packets_left > 0) continue;
      const Message whole = message->second;
      under_way_.erase(message);
      arrived(whole);
    }
  }
}

int BraidNetworkApi::sim_send(void*, std::uint64_t count, int, int destination, int tag, AstraSim::sim_request*,
                              SharedNetwork::Handler handler, void* argument) {
  network_.send(sim_comm_get_rank(), destination, tag, count, handler, argument);
  return 0;
}

int BraidNetworkApi::sim_recv(void*, std::uint64_t, int, int source, int tag, AstraSim::sim_request*,
                              SharedNetwork::Handler handler, void* argument) {
  network_.receive(source, sim_comm_get_rank(), tag, handler, argument);
  return 0;
}

void BraidNetworkApi::sim_schedule(AstraSim::timespec_t delta, SharedNetwork::Handler handler, void* argument) {
  network_.schedule(static_cast<std::uint64_t>(delta.time_val), handler, argument);
}

AstraSim::timespec_t BraidNetworkApi::sim_get_time() {
  return {AstraSim::NS, static_cast<long double>(network_.now())};
}
