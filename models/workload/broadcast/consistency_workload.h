// Consistency events as workloads (paper: diamond-rings, section 1), with several roots in a run, each with a broadcast
// scheme of its own over the same processors:
//   shoot_down     each root tells all others, for itself, in bursts: TLB shoot-downs;
//   ownership      a node asks a root, the sequencer of requests for a value; the root tells all; the owner before
//                  passes the value on when it has handled that; the request is done when the root says that all have
//                  handled it and the value is there;
//   atomic_update  likewise, but every node has a copy of the value and changes it as it handles the event: nobody
//                  passes it on.
// Requests are handled everywhere in the order of their root's numbers (sequenced diamond rings, section 4.1). Messages
// drawn, cycle by cycle: docs/diamond-rings.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/broadcast/broadcast_options.h"
#include "models/workload/broadcast/broadcast_tally.h"
#include "models/workload/broadcast/placed_processors.h"
#include "models/workload/broadcast/processor_slice.h"
#include "models/workload/workload.h"

namespace braid::models {

class ConsistencyWorkload final : public Workload, private ProcessorHost {
 public:
  /// Throws InputError.
  explicit ConsistencyWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {"broadcasts"}; }
  std::vector<std::string> kinds() const override { return {"broadcast", "request", "answer", "value"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override { processors_.step(slice, cycle); }
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  void stop() override { stopped_ = true; }
  State state() const override { return processors_.at_work() ? State::kBusy : State::kWaiting; }
  void begin_window() override;
  void end_batch() override;
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  Report report(std::uint64_t) const override { return broadcast_report().of(results()); }
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override { return processors_.signals(table); }
  void checkpoint(Checkpoint& c) override;
  BroadcastResults results() const;

 private:
  /// Packets; those behind kBroadcast are words to the processors (TaskProcessor::Task::word).
  enum Kind : std::uint8_t { kBroadcast, kRequest, kAnswer, kValue };
  using Task = TaskProcessor::Task;
  // Positions are those of the first root's scheme, whoever's broadcast it is; broadcast b is number b / roots of root
  // b modulo roots.
  /// Kept by the slice of the root's node.
  struct Root {
    std::uint32_t next = 0;                        // number of the next broadcast
    std::uint32_t to_begin = 0, unfinished = 0;    // of a burst
    std::uint64_t burst_begin = 0;                 // cycle
    std::map<std::uint32_t, std::uint64_t> begun;  // numbers under way, with the cycle
    std::uint64_t completed = 0;                   // while measuring
    // [number modulo its length] position. Others look up what they have heard of; a place is written again long after.
    std::vector<std::uint32_t> asked_by;
  };
  /// Kept by the slice of the requester's node.
  struct Requester {
    bool open = false, answered = false, has_value = false;  // a request is under way; what it has
    std::uint32_t root = 0, requests = 0;                    // of the request; so far
    std::uint64_t begin = 0;                                 // cycle
    std::uint32_t number = kNoNumber;                        // of the request's broadcast, once it is handled here
    // [root] number of the broadcast that takes away what this one has not got yet; kNoNumber: none
    std::vector<std::uint32_t> owes;
  };
  static constexpr std::uint32_t kNoNumber = UINT32_MAX;

  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) override;
  void begins(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) override;
  void issued(std::uint64_t cycle, std::uint32_t broadcast) override;
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override;
  void called(std::uint64_t cycle, std::uint32_t position) override;
  void said(std::uint64_t cycle, std::uint32_t position, const Task& task) override;
  void listened(std::uint64_t cycle, std::uint32_t position, const Task& task) override;
  bool follows_events() const override { return by_request(); }
  void handled(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) override;

  bool by_request() const { return options_.operation != BroadcastOperation::kShootDown; }
  std::uint32_t root_of(std::uint32_t broadcast) const { return broadcast % roots(); }
  std::uint32_t roots() const { return static_cast<std::uint32_t>(root_at_.size()); }
  std::uint32_t asked_by(std::uint32_t root, std::uint32_t number) const;
  void add_scheme(const WorkloadContext& context, NodeId root);
  void add_processors();
  void begin_burst(std::uint64_t cycle, std::uint32_t root);
  void start_next(std::uint64_t cycle, std::uint32_t root);
  void end_in_burst(std::uint64_t cycle, std::uint32_t root, std::uint64_t begin);
  void ask(std::uint64_t cycle, std::uint32_t position);
  void put_in_order(std::uint64_t cycle, std::uint32_t root, std::uint32_t requester);
  void pass_on(std::uint64_t cycle, std::uint32_t position, std::uint32_t root, std::uint32_t number);
  void end_if_done(std::uint64_t cycle, std::uint32_t position);
  void say(std::uint64_t cycle, std::uint32_t from, const Task& word);
  void put(std::uint64_t cycle, Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t flits,
           std::uint32_t tag);

  const MeasurementWindow& window_;
  BroadcastOptions options_;
  PlacedProcessors processors_;
  std::vector<std::vector<traffic::BroadcastPart>> parts_;    // [root][position], told and heard positions
  std::vector<std::vector<std::uint32_t>> place_;             // [root][position] in the root's own scheme
  std::vector<std::uint32_t> root_at_;                        // [root] position
  std::uint64_t messages_ = 0, longest_path_ = 0;             // of a broadcast; the most of all roots
  std::vector<bool> requests_;                                // [position]
  std::vector<Root> roots_;                                   // [root]
  std::vector<Requester> requesters_;                         // [position]
  std::vector<BroadcastTally> tallies_;                       // [slice]
  std::vector<std::map<std::uint64_t, std::uint64_t>> sent_;  // [slice] flits while measuring, by both positions
  bool stopped_ = false;
};

}  // namespace braid::models
