#include "models/workload/endpoints.h"

#include <algorithm>
#include <numeric>

namespace braid::models {

TrafficClasses::TrafficClasses(const std::vector<std::unique_ptr<Workload>>& workloads) {
  for (const auto& workload : workloads) {
    of_workload.emplace_back();
    for (const std::string& name : workload->classes()) {
      const auto place = std::find(names.begin(), names.end(), name);
      of_workload.back().push_back(static_cast<std::uint8_t>(place - names.begin()));
      if (place == names.end()) names.push_back(name);
    }
    subnets_of_workload.push_back(workload->class_subnets().value_or(ClassSubnets(of_workload.back().size(), {0})));
    subnets.resize(names.size(), {0});
    for (std::size_t c = 0; c < of_workload.back().size(); ++c) {
      subnets[of_workload.back()[c]] = subnets_of_workload.back()[c];
    }
  }
}

std::vector<std::uint8_t> TrafficClasses::all() const {
  std::vector<std::uint8_t> numbers(names.size());
  std::iota(numbers.begin(), numbers.end(), std::uint8_t{0});
  return numbers;
}

Endpoints::Endpoints(const OutletContext& context, const std::vector<std::unique_ptr<Workload>>& workloads,
                     const TrafficClasses& classes, std::size_t slice, const std::vector<NodeId>& nodes,
                     Arrivals& arrivals)
    : context_(context),
      slice_(slice),
      own_(context, kNoWorkload, classes.all(), classes.subnets),
      arrivals_(arrivals) {
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    workloads_.push_back(workloads[w].get());
    outlets_.push_back(std::make_unique<Outlet>(context, static_cast<std::uint8_t>(w), classes.of_workload[w],
                                                classes.subnets_of_workload[w]));
    workloads_[w]->open(slice, nodes, *outlets_[w]);
  }
}

void Endpoints::send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag,
                     std::uint8_t traffic_class) {
  own_.send(cycle, 0, from, to, flits, tag, traffic_class);
}

bool Endpoints::admit(PacketSlot slot) {
  const Packet& packet = context_.store[slot];
  return packet.workload == kNoWorkload || workloads_[packet.workload]->admit(packet);
}

void Endpoints::sent(std::uint64_t cycle, PacketSlot slot) {
  const Packet& packet = context_.store[slot];
  if (packet.record != nullptr) packet.record->left_queue = cycle;
  context_.statistics.sent(cycle, packet);
  if (packet.workload != kNoWorkload) workloads_[packet.workload]->sent(packet);
}

void Endpoints::lost(std::uint64_t cycle, PacketSlot slot) {
  const Packet packet = context_.store[slot];
  if (packet.record != nullptr) {
    packet.record->packet = packet;
    packet.record->lost = cycle;
  }
  context_.pool.give_back(slot);
  context_.statistics.lost(packet);
  if (packet.workload != kNoWorkload) workloads_[packet.workload]->lost(slice_, packet);
}

void Endpoints::deliver(std::uint64_t cycle, PacketSlot slot) {
  const Packet packet = context_.store[slot];
  if (packet.record != nullptr) {
    packet.record->packet = packet;
    packet.record->delivered = cycle;
  }
  context_.pool.give_back(slot);
  context_.statistics.delivered(cycle, packet);
  arrivals_.file(slice_, cycle, packet);
  if (packet.workload != kNoWorkload) workloads_[packet.workload]->deliver(slice_, cycle, packet);
}

}  // namespace braid::models
