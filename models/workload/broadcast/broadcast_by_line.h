// Acknowledged broadcasts in hardware as a workload: the bursts of one root over a line beside the network
// (models/event_lines/broadcast_line.h). No processor has to do with it, and the network carries none of its packets.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "models/workload/broadcast/broadcast_options.h"
#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/workload.h"
#include "traffic/broadcast/placed.h"

namespace braid::models {

class BroadcastByLine final : public Workload {
 public:
  /// Throws InputError.
  explicit BroadcastByLine(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {}; }
  std::vector<std::string> kinds() const override { return {}; }
  bool sends_packets() const override { return false; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  /// All of the line, with the slice of the root's node: nobody else touches it, but modules that run it.
  void generate(std::size_t slice, std::uint64_t cycle) override;
  void deliver(std::size_t, std::uint64_t, const Packet&) override {}
  void stop() override { stopped_ = true; }
  bool advanced() override;
  void begin_window() override { tally_.begin_window(); }
  void end_batch() override { tally_.end_batch(); }
  Report report(std::uint64_t measured_cycles) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  BroadcastLine* event_line() override { return &line_; }
  void checkpoint(Checkpoint& c) override;

  const std::vector<NodeId>& nodes() const { return placed_.nodes; }  ///< [position]

 private:
  void count(std::uint64_t cycle);
  void end_broadcast(std::uint64_t end, std::uint64_t cycle);

  BroadcastOptions options_;
  traffic::PlacedBroadcast placed_;
  BroadcastLine line_;
  BroadcastTally tally_;
  std::size_t slice_of_root_ = SIZE_MAX;
  std::deque<std::uint64_t> begun_;  // cycles in which those under way began, in their order
  std::uint64_t completed_ = 0, completed_at_last_look_ = 0;
  std::uint64_t unfinished_ = 0, burst_begin_ = 1;  // of this burst, or of the one to come
  bool stopped_ = false;
};

}  // namespace braid::models
