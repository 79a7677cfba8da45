// Replays a trace (docs/traces.md): packets go at the cycles that it has (by time), when those that they come after
// have arrived (by dependency), or when both is so. It is read while the run goes on; in memory is a window of it.
//
// Slices run at once, so what a packet's arrival means elsewhere is worked out between cycles: the first slice that
// asks in a cycle settles what has arrived in the cycle before, under a lock that the others wait for, and reads on. A
// packet that only waits for such as arrive at its own node is of that node's slice, and may go in the cycle of an
// arrival.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "models/workload/workload.h"
#include "traffic/replay/ordered_trace.h"

namespace braid::models {

enum class ReplayBy : std::uint8_t { kTime, kDependency, kBoth };
struct ReplayOptions {
  std::string file;
  ReplayBy by = ReplayBy::kTime;
  std::uint64_t window = 262144;       ///< packets
  std::vector<std::uint32_t> subnets;  ///< [class of the trace] that carries it; empty: subnet 0
};
const OptionTable<ReplayOptions>& replay_options();

/// Over the whole run.
struct ReplayResults {
  std::uint64_t trace_packets = 0, made = 0, delivered = 0;
  std::uint64_t held_back = 0;                 ///< read too late to go in their cycle
  std::optional<std::uint64_t> last_delivery;  ///< cycle
  double trace_share = 0.0;                    ///< delivered of the trace
};
const FigureTable<ReplayResults>& replay_figures();

class ReplayWorkload final : public Workload {
 public:
  /// Reads the trace once, to its end. Throws InputError.
  explicit ReplayWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return trace_->header().classes; }
  /// A class's packets are a kind of its name.
  std::vector<std::string> kinds() const override { return classes(); }
  std::optional<ClassSubnets> class_subnets() const override;
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override;
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  bool bears_losses() const override { return options_.by == ReplayBy::kTime; }
  void stop() override { stopped_ = true; }
  bool open_loop() const override { return options_.by == ReplayBy::kTime; }
  State state() const override;
  Report report(std::uint64_t) const override { return replay_figures().of(results()); }
  void checkpoint(Checkpoint&) override;
  ReplayResults results() const;

 private:
  /// A packet that goes in cycle `due`.
  struct Due {
    std::uint64_t due = 0, position = 0;
    std::uint32_t source = 0, destination = 0;
    std::uint16_t flits = 1;
    std::uint8_t traffic_class = 0;
    bool operator>(const Due& other) const { return due != other.due ? due > other.due : position > other.position; }
  };
  /// A packet of the window.
  struct Entry {
    Due packet;
    std::uint64_t delay = 0, delivered_at = 0;
    std::uint32_t pending = 0;              // that it waits for
    bool local = false, delivered = false;  // local: of its source's slice alone
    std::vector<std::uint32_t> followers;   // slots of those that wait for it
  };
  struct Arrived {
    std::uint32_t slot;
    std::uint64_t cycle;
  };
  struct Slice {
    Outlet* outlet = nullptr;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
    std::vector<Arrived> arrived[2];  // [cycle % 2] written in the cycle, settled in the next
    std::size_t followed = 0;         // of those of this cycle, whose local followers have been told
    std::uint64_t made = 0, delivered = 0, last_delivery = 0;
  };
  std::uint32_t slot_of(std::uint64_t position) const { return static_cast<std::uint32_t>(position % window_.size()); }
  bool by_dependency() const { return options_.by != ReplayBy::kTime; }
  void begin_cycle(std::uint64_t cycle);
  void settle(std::uint64_t cycle);
  void read_on(std::uint64_t cycle);
  bool may_enter(std::uint64_t cycle) const;
  void enter(std::uint64_t cycle);
  void link(Entry& entry, std::uint32_t slot);
  void tell_local_followers(const Arrived& arrived);
  void one_arrived(Entry& follower, std::uint64_t cycle);
  Slice& slice_of(std::uint32_t node) { return slices_[slice_of_node_[node]]; }

  const ReplayOptions options_;
  traffic::TraceUse use_;
  std::uint64_t trace_packets_ = 0;
  std::unique_ptr<traffic::OrderedTrace> trace_;
  traffic::OrderedTrace::Next next_;
  bool more_ = false;          // next_ is a packet
  std::vector<Entry> window_;  // by dependency: slot_of(position)
  std::uint64_t oldest_ = 0;   // position of the first that has not arrived
  std::uint64_t held_back_ = 0;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> slice_of_node_;
  std::mutex between_cycles_;
  std::uint64_t next_cycle_ = 0;  // for which begin_cycle() has yet to run
  bool stopped_ = false;
  std::string changed_;  // what is wrong with the file now; "": nothing
};

}  // namespace braid::models
