#include "models/workload/all_reduce_workload.h"

#include <algorithm>

#include "traffic/broadcast/placement.h"

namespace braid::models {
AllReduceWorkload::AllReduceWorkload(const WorkloadContext& context)
    : window_(context.window),
      options_(broadcast_options().read(context.configuration)),
      placed_(traffic::place_broadcast(options_.scheme, options_.placement, context.topology, NodeId{options_.root}, 1,
                                       context.configuration)),
      parts_(traffic::all_reduce_parts(placed_.scheme->parts())),
      position_(placed_.nodes.size()),
      outlets_(placed_.nodes.size()),
      slice_of_(placed_.nodes.size()) {
  for (std::uint32_t p = 0; p < placed_.nodes.size(); ++p) {
    position_[placed_.nodes[p].value] = p;
    const std::vector waves{traffic::BroadcastStation(p, parts_.up[p], false, true),
                            traffic::BroadcastStation(p, parts_.down[p], false)};
    processors_.push_back(std::make_unique<TaskProcessor>(options_, false, false, waves));
  }
}

void AllReduceWorkload::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) {
  ProcessorHost& host = *this;
  slices_.push_back(std::make_unique<ProcessorSlice>(host));
  shares_.emplace_back();
  for (const NodeId node : nodes) {
    const std::uint32_t p = position_[node.value];
    outlets_[p] = &outlet;
    slice_of_[p] = slice;
    slices_[slice]->enqueue_at(1, p, {TaskProcessor::Task::Kind::kStart, kUp});
  }
}

void AllReduceWorkload::deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
  slices_[slice]->arrive(cycle, position_[packet.destination.value], packet.tag, position_[packet.source.value]);
}

void AllReduceWorkload::send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) {
  const auto kind = static_cast<std::uint8_t>(broadcast % kWaves);
  outlets_[from]->send(cycle, kind, placed_.nodes[from], placed_.nodes[to], options_.flits, broadcast);
}

void AllReduceWorkload::begins(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) {
  if (broadcast % kWaves == kDown || !window_.open || cycle < window_.first_cycle) return;
  Share& share = shares_[slice_of_[position]][broadcast / kWaves];
  ++share.begins;
  share.first_begin = std::min(share.first_begin, cycle);
}

/// The root has everybody's value: the result goes down.
void AllReduceWorkload::completed(std::uint64_t cycle, std::uint32_t broadcast) {
  if (broadcast % kWaves != kUp) return;
  slices_[slice_of_[0]]->enqueue_at(cycle, 0, {TaskProcessor::Task::Kind::kStart, broadcast + 1});
}

void AllReduceWorkload::done(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) {
  if (broadcast % kWaves != kDown) return;
  const std::size_t slice = slice_of_[position];
  if (window_.open) {
    Share& share = shares_[slice][broadcast / kWaves];
    ++share.ends;
    share.last_end = std::max(share.last_end, cycle);
  }
  if (stopped_) return;
  slices_[slice]->enqueue_at(cycle + options_.gap_cycles, position, {TaskProcessor::Task::Kind::kStart, broadcast + 1});
}

Workload::State AllReduceWorkload::state() const {
  const auto works = [](const auto& p) { return p->front() != nullptr; };
  return std::any_of(processors_.begin(), processors_.end(), works) ? State::kBusy : State::kWaiting;
}

void AllReduceWorkload::begin_window() {
  for (auto& shares : shares_) shares.clear();
}

std::map<std::uint32_t, AllReduceWorkload::Share> AllReduceWorkload::merged() const {
  std::map<std::uint32_t, Share> all;
  for (const auto& shares : shares_) {
    for (const auto& [number, share] : shares) {
      Share& sum = all[number];
      sum.begins += share.begins;
      sum.ends += share.ends;
      sum.first_begin = std::min(sum.first_begin, share.first_begin);
      sum.last_end = std::max(sum.last_end, share.last_end);
    }
  }
  return all;
}

std::vector<routing::Flow> AllReduceWorkload::flows(std::uint64_t measured_cycles) const {
  const double rate = static_cast<double>(results().completed * options_.flits) / static_cast<double>(measured_cycles);
  std::vector<routing::Flow> all;
  for (const auto* wave : {&parts_.up, &parts_.down}) {
    for (std::uint32_t p = 0; p < wave->size(); ++p) {
      for (const std::uint32_t from : (*wave)[p].heard) {
        all.push_back({placed_.nodes[from], placed_.nodes[p], rate, ""});
      }
    }
  }
  return all;
}

BroadcastResults AllReduceWorkload::results() const {
  BroadcastResults r;
  r.scheme = options_.scheme;
  r.positions = placed_.nodes.size();
  r.messages = traffic::message_count(parts_.up) + traffic::message_count(parts_.down);
  r.longest_path = traffic::all_reduce_path(parts_);
  LatencyHistogram latencies;
  for (const auto& [number, share] : merged()) {
    if (share.begins < r.positions || share.ends < r.positions) continue;
    latencies.add(share.last_end - share.first_begin);
  }
  r.latency_cycles = latencies.distribution();
  r.completed = r.latency_cycles.count;
  for (const auto& slice : slices_) {
    r.refused.insert(r.refused.end(), slice->refusals().begin(), slice->refusals().end());
  }
  return r;
}

Report AllReduceWorkload::report(std::uint64_t) const { return broadcast_report().of(results()); }

}  // namespace braid::models
