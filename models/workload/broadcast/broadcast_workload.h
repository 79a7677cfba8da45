// Acknowledged broadcasts as a workload (paper: diamond-rings, section 4): bursts of broadcasts from one root, one
// after the other, by software on the nodes' processors and packets over whatever network there is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/broadcast/broadcast_options.h"
#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/broadcast/placed_processors.h"
#include "models/workload/broadcast/processor_slice.h"
#include "models/workload/broadcast/reception_buffers.h"
#include "models/workload/workload.h"

namespace braid::models {

class BroadcastWorkload final : public Workload, private ProcessorHost {
 public:
  /// Throws InputError.
  explicit BroadcastWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {"broadcasts"}; }
  std::vector<std::string> kinds() const override { return {"broadcast", "room"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override;
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  void stop() override { stopped_ = true; }
  State state() const override;
  void begin_window() override { tally_.begin_window(); }
  void end_batch() override { tally_.end_batch(); }
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  Report report(std::uint64_t measured_cycles) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override { return processors_.signals(table); }
  void checkpoint(Checkpoint& c) override;
  BroadcastResults results() const;

  const std::vector<NodeId>& nodes() const { return processors_.nodes(); }  ///< [position]

 private:
  enum Kind : std::uint8_t { kBroadcast, kRoom };
  struct GivenUp {
    std::uint32_t broadcast;
    std::vector<std::uint32_t> heard;  ///< by the root until then
  };
  /// Kept by the slice of the root's node.
  struct Root {
    std::uint32_t next = 0;                        // number of the next broadcast
    std::uint32_t to_begin = 0, unfinished = 0;    // of this burst
    std::uint64_t burst_begin = 0;                 // cycle
    bool burst_whole = true;                       // none of it was given up
    std::map<std::uint32_t, std::uint64_t> begun;  // under way, with the cycle
    std::vector<GivenUp> given_up;
  };
  /// Of bounded buffers: `to` can take one more message of `from`, which heard so in this cycle.
  struct Room {
    std::uint64_t cycle;
    std::uint32_t from, to;  // positions
  };
  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) override;
  void send_to_all(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from) override;
  void taken(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) override;
  void begins(std::uint64_t cycle, std::uint32_t, std::uint32_t broadcast) override { root_.begun[broadcast] = cycle; }
  void issued(std::uint64_t cycle, std::uint32_t) override { start_next(cycle); }
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override { end_broadcast(cycle, broadcast, true); }
  void called(std::uint64_t cycle, std::uint32_t) override { begin_burst(cycle); }

  /// Of routers, for a scheme whose packets they copy.
  void ask_for_copies(Fabric& fabric) const;
  void begin_burst(std::uint64_t cycle);
  void start_next(std::uint64_t cycle);
  void end_broadcast(std::uint64_t cycle, std::uint32_t broadcast, bool complete);
  void give_up_late(std::uint64_t cycle);
  void use_rooms(std::size_t slice, std::uint64_t cycle);
  std::string blame(const GivenUp& given_up) const;

  BroadcastOptions options_;
  BroadcastTally tally_;  // kept by the slice of the root's node, as
  Root root_;             // ...
  PlacedProcessors processors_;
  ReceptionBuffers buffers_;              // of a position, by its slice, as
  std::vector<std::vector<Room>> rooms_;  // [slice]
  bool stopped_ = false;
};

}  // namespace braid::models
