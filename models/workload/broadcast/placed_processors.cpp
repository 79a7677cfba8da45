#include "models/workload/broadcast/placed_processors.h"

#include <algorithm>

namespace braid::models {

PlacedProcessors::PlacedProcessors(ProcessorHost& host, const WorkloadContext& context, const BroadcastOptions& options)
    : host_(host),
      placed_(traffic::place_broadcast(options.scheme, options.placement, context.topology, NodeId{options.root}, 1,
                                       context.configuration)),
      position_(count()),
      outlets_(count()),
      slice_of_(count(), SIZE_MAX) {
  for (std::uint32_t p = 0; p < count(); ++p) position_[nodes()[p].value] = p;
}

void PlacedProcessors::open(const std::vector<NodeId>& nodes, Outlet& outlet) {
  for (const NodeId node : nodes) {
    outlets_[position_[node.value]] = &outlet;
    slice_of_[position_[node.value]] = slices_.size();
  }
  slices_.push_back(std::make_unique<ProcessorSlice>(host_, processors_));
}

void PlacedProcessors::deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
  slices_[slice]->arrive(cycle, position_[packet.destination.value], packet.tag, position_[packet.source.value]);
}

void PlacedProcessors::deliver_word(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
  slices_[slice]->arrive(cycle, position_[packet.destination.value],
                         {TaskProcessor::Task::Kind::kListen, packet.tag, position_[packet.source.value], packet.kind});
}

void PlacedProcessors::send(std::uint64_t cycle, std::uint8_t kind, std::uint32_t from, std::uint32_t to,
                            std::uint32_t flits, std::uint32_t broadcast) {
  outlets_[from]->send(cycle, kind, nodes()[from], nodes()[to], flits, broadcast);
}

void PlacedProcessors::send_to_all(std::uint64_t cycle, std::uint8_t kind, std::uint32_t from, std::uint32_t flits,
                                   std::uint32_t broadcast) {
  std::vector<NodeId> to;
  for (const std::uint32_t position : parts()[from].told_at_once) to.push_back(nodes()[position]);
  outlets_[from]->send_copies(cycle, kind, nodes()[from], to, flits, broadcast);
}

void PlacedProcessors::refuse_copies(const char* what) const { traffic::refuse_copies(parts(), what); }

bool PlacedProcessors::at_work() const {
  return std::any_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->at_work(); });
}

std::vector<std::string> PlacedProcessors::refusals() const {
  std::vector<std::string> all;
  for (const auto& slice : slices_) all.insert(all.end(), slice->refusals().begin(), slice->refusals().end());
  return all;
}

}  // namespace braid::models
