// All-reduces as a workload: every node has a value of so many flits, all get the values combined. Values go up a tree
// to the root and the result down a tree, over the links of a broadcast scheme (traffic/broadcast/all_reduce.h), by the
// processors that broadcasts have. A node begins its next one some cycles after it had the result of the last.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "models/workload/broadcast/placed_processors.h"
#include "models/workload/broadcast/processor_slice.h"
#include "models/workload/workload.h"
#include "traffic/broadcast/all_reduce.h"

namespace braid::models {

class AllReduceWorkload final : public Workload, private ProcessorHost {
 public:
  /// Throws InputError.
  explicit AllReduceWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {"all-reduces"}; }
  std::vector<std::string> kinds() const override { return {"value", "result"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override { processors_.step(slice, cycle); }
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override {
    processors_.deliver(slice, cycle, packet);
  }
  void stop() override { stopped_ = true; }
  State state() const override;
  void begin_window() override;
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  Report report(std::uint64_t measured_cycles) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override { return processors_.signals(table); }
  void checkpoint(Checkpoint& c) override;
  BroadcastResults results() const;

 private:
  /// A wave up is an even number for the processors, the wave down that follows is the next odd one.
  enum Wave : std::uint32_t { kUp, kDown, kWaves };
  /// What one slice's nodes have of an all-reduce.
  struct Share {
    std::uint64_t begins = 0, ends = 0;
    std::uint64_t first_begin = UINT64_MAX, last_end = 0;  // cycles
  };
  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) override;
  void begins(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) override;
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override;
  void done(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) override;
  void start_at(std::uint64_t cycle, std::uint32_t position, std::uint32_t wave);
  std::map<std::uint32_t, Share> merged() const;

  const MeasurementWindow& window_;
  BroadcastOptions options_;
  PlacedProcessors processors_;
  traffic::AllReduceParts parts_;
  std::vector<std::uint64_t> begun_;  // [position] cycle of its last begin; read in that cycle alone: in no checkpoint
  std::vector<std::map<std::uint32_t, Share>> shares_;  // [slice] by number, while measuring
  bool stopped_ = false;
};

}  // namespace braid::models
