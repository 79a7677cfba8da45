#include "models/workload/broadcast/all_reduce_workload.h"

#include <algorithm>

namespace braid::models {

AllReduceWorkload::AllReduceWorkload(const WorkloadContext& context)
    : window_(context.window),
      options_(broadcast_options().read(context.configuration)),
      processors_(*this, context, options_),
      parts_(traffic::all_reduce_parts(processors_.parts())),
      begun_(processors_.count()) {
  processors_.refuse_copies("broadcast.operation = \"all_reduce\"");
  for (std::uint32_t p = 0; p < processors_.count(); ++p) {
    processors_.add({options_,
                     false,
                     false,
                     {traffic::BroadcastStation(p, parts_.up[p], false, true),
                      traffic::BroadcastStation(p, parts_.down[p], false)}});
  }
}

void AllReduceWorkload::open(std::size_t, const std::vector<NodeId>& nodes, Outlet& outlet) {
  processors_.open(nodes, outlet);
  shares_.emplace_back();
  for (const NodeId node : nodes) start_at(1, processors_.position(node), kUp);
}

void AllReduceWorkload::start_at(std::uint64_t cycle, std::uint32_t position, std::uint32_t wave) {
  processors_.slice_of(position).enqueue_at(cycle, position, {TaskProcessor::Task::Kind::kStart, wave});
}

void AllReduceWorkload::send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) {
  processors_.send(cycle, static_cast<std::uint8_t>(broadcast % kWaves), from, to, options_.flits, broadcast);
}

void AllReduceWorkload::begins(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) {
  if (broadcast % kWaves == kDown) return;
  begun_[position] = cycle;
  if (!window_.open || cycle < window_.first_cycle) return;
  Share& share = shares_[processors_.slice_index(position)][broadcast / kWaves];
  ++share.begins;
  share.first_begin = std::min(share.first_begin, cycle);
}

/// The root has everybody's value: the result goes down.
void AllReduceWorkload::completed(std::uint64_t cycle, std::uint32_t broadcast) {
  if (broadcast % kWaves != kUp) return;
  start_at(cycle, 0, broadcast + 1);
}

void AllReduceWorkload::done(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) {
  if (broadcast % kWaves != kDown) return;
  if (window_.open) {
    Share& share = shares_[processors_.slice_index(position)][broadcast / kWaves];
    ++share.ends;
    share.last_end = std::max(share.last_end, cycle);
  }
  if (stopped_) return;
  start_at(options_.again(begun_[position], cycle), position, broadcast + 1);
}

Workload::State AllReduceWorkload::state() const { return processors_.at_work() ? State::kBusy : State::kWaiting; }

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
        all.push_back({processors_.nodes()[from], processors_.nodes()[p], rate, ""});
      }
    }
  }
  return all;
}

BroadcastResults AllReduceWorkload::results() const {
  BroadcastResults r;
  r.scheme = options_.scheme;
  r.positions = processors_.count();
  r.messages = traffic::message_count(parts_.up) + traffic::message_count(parts_.down);
  r.longest_path = traffic::all_reduce_path(parts_);
  LatencyHistogram latencies;
  for (const auto& [number, share] : merged()) {
    if (share.begins < r.positions || share.ends < r.positions) continue;
    latencies.add(share.last_end - share.first_begin);
  }
  r.latency_cycles = latencies.distribution();
  r.completed = r.latency_cycles.count;
  r.refused = processors_.refusals();
  return r;
}

void AllReduceWorkload::checkpoint(Checkpoint& c) {
  c.part("all-reduces");
  c(processors_);
  c.each(shares_);
  c(stopped_);
  if (c.restoring()) begun_.assign(begun_.size(), 0);  // it may have been further than where it goes on
}

Report AllReduceWorkload::report(std::uint64_t) const { return broadcast_report().of(results()); }

}  // namespace braid::models
