// Acknowledged broadcasts as a workload (paper: diamond-rings, section 4): bursts of broadcasts from one root, one
// after the other, by software on the nodes' processors and packets over whatever network there is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/workload/broadcast_tally.h"
#include "models/workload/processor_slice.h"
#include "models/workload/workload.h"
#include "traffic/broadcast/placed.h"

namespace braid::models {

enum class BroadcastMedium { kNetwork, kLine };
enum class BroadcastOperation { kBroadcast, kAllReduce };

struct BroadcastOptions : ProcessorCosts {
  std::string scheme = "diamond_ring", placement = "node_order";
  std::uint32_t root = 0;
  std::uint32_t burst = 1;       ///< broadcasts that the root begins without waiting for the one before
  std::uint64_t gap_cycles = 0;  ///< from a burst's end to the next one's begin
  BroadcastMedium medium = BroadcastMedium::kNetwork;

  // Where it is the line (models/event_lines/broadcast_line.h):
  std::uint32_t hop_cycles = 1;  ///< of a wire along a link, for a cycle of the link's
  bool turn_round = true;
  std::uint32_t most_under_way = 256;  ///< broadcasts

  // Where it is the network:
  BroadcastOperation operation = BroadcastOperation::kBroadcast;
  std::uint32_t flits = 1;  ///< of a message
  bool sequenced = false;
  bool queued_events = false;
  std::uint64_t timeout_cycles = 0;    ///< after which the root gives up a broadcast; 0: never
  std::uint32_t silent_node = 0;       ///< does not pass on the broadcast below
  std::int64_t silent_broadcast = -1;  ///< by number; -1: none (to test the timeout)
};
const OptionTable<BroadcastOptions>& broadcast_options();

class BroadcastWorkload final : public Workload, private ProcessorHost {
 public:
  /// Throws InputError.
  explicit BroadcastWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {"broadcasts"}; }
  std::vector<std::string> kinds() const override { return {"broadcast"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override;
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  void stop() override { stopped_ = true; }
  State state() const override;
  void begin_window() override { tally_.begin_window(); }
  void end_batch() override { tally_.end_batch(); }
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  Report report(std::uint64_t measured_cycles) const override;
  BroadcastResults results() const;

  const std::vector<NodeId>& nodes() const { return nodes_; }  ///< [position]

 private:
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
  TaskProcessor& processor(std::uint32_t position) override { return *processors_[position]; }
  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) override;
  void begins(std::uint64_t cycle, std::uint32_t, std::uint32_t broadcast) override { root_.begun[broadcast] = cycle; }
  void issued(std::uint64_t cycle, std::uint32_t) override { start_next(cycle); }
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override { end_broadcast(cycle, broadcast, true); }
  void called(std::uint64_t cycle) override { begin_burst(cycle); }

  void begin_burst(std::uint64_t cycle);
  void start_next(std::uint64_t cycle);
  void end_broadcast(std::uint64_t cycle, std::uint32_t broadcast, bool complete);
  void give_up_late(std::uint64_t cycle);
  std::string blame(const GivenUp& given_up) const;

  BroadcastOptions options_;
  BroadcastTally tally_;  // kept by the slice of the root's node, as
  Root root_;             // ...
  std::unique_ptr<traffic::BroadcastScheme> scheme_;
  std::vector<NodeId> nodes_;                               // [position]
  std::vector<std::uint32_t> position_;                     // [node]
  std::vector<std::unique_ptr<TaskProcessor>> processors_;  // [position]
  std::vector<Outlet*> outlets_;                            // [position]
  std::vector<std::unique_ptr<ProcessorSlice>> slices_;
  ProcessorSlice* slice_of_root_ = nullptr;
  bool stopped_ = false;
};

}  // namespace braid::models
