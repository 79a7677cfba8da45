// The processors of the nodes that take part in broadcasts or all-reduces: which node stands at which position, the
// slice that steps it, and its way into the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/broadcast/broadcast_options.h"
#include "models/workload/broadcast/processor_slice.h"
#include "models/workload/broadcast/task_processor.h"
#include "models/workload/outlet.h"
#include "models/workload/workload.h"
#include "traffic/broadcast/placed.h"

namespace braid::models {

class PlacedProcessors {
 public:
  /// As [broadcast] places them. `host` is told what happens, and outlives this. Throws InputError.
  PlacedProcessors(ProcessorHost& host, const WorkloadContext& context, const BroadcastOptions& options);
  /// The processor of the next position; all of them before the first open().
  void add(TaskProcessor processor) { processors_.push_back(std::move(processor)); }

  const std::vector<traffic::BroadcastPart>& parts() const { return placed_.scheme->parts(); }  ///< [position]
  const std::vector<NodeId>& nodes() const { return placed_.nodes; }                            ///< [position]
  std::uint32_t position(NodeId node) const { return position_[node.value]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes().size()); }
  TaskProcessor& operator[](std::uint32_t position) { return processors_[position]; }
  const TaskProcessor& operator[](std::uint32_t position) const { return processors_[position]; }

  /// As Workload::open.
  void open(const std::vector<NodeId>& nodes, Outlet& outlet);
  void step(std::size_t slice, std::uint64_t cycle) { slices_[slice]->step(cycle); }
  /// A message for the processor of the packet's destination.
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet);
  /// A word for it, of the number that its kind is (a packet of kind 0 is none).
  void deliver_word(std::size_t slice, std::uint64_t cycle, const Packet& packet);
  /// Where a position's node is.
  std::size_t slice_index(std::uint32_t position) const { return slice_of_[position]; }
  ProcessorSlice& slice_of(std::uint32_t position) { return *slices_[slice_of_[position]]; }
  /// A message as a packet.
  void send(std::uint64_t cycle, std::uint8_t kind, std::uint32_t from, std::uint32_t to, std::uint32_t flits,
            std::uint32_t broadcast);

  /// ... one packet to all whom a position tells at once.
  void send_to_all(std::uint64_t cycle, std::uint8_t kind, std::uint32_t from, std::uint32_t flits,
                   std::uint32_t broadcast);
  /// Throws InputError if the scheme has routers copy packets, which `what` knows nothing of.
  void refuse_copies(const char* what) const;

  /// Any slice.
  bool at_work() const;
  /// Of all slices.
  std::vector<std::string> refusals() const;
  /// What each processor does.
  std::unique_ptr<SignalSource> signals(SignalTable& table) const;
  void checkpoint(Checkpoint& c) {
    c.each(processors_);
    c.each(slices_);
    for (const auto& slice : slices_) slice->check_restored(c);
    for (const TaskProcessor& processor : processors_) processor.check_restored(c, processors_.size());
  }

 private:
  ProcessorHost& host_;
  traffic::PlacedBroadcast placed_;
  std::vector<std::uint32_t> position_;    // [node]
  std::vector<TaskProcessor> processors_;  // [position]
  std::vector<Outlet*> outlets_;           // [position]
  std::vector<std::size_t> slice_of_;      // [position]
  std::vector<std::unique_ptr<ProcessorSlice>> slices_;
};

}  // namespace braid::models
