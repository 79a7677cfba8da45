// When the stages run. An engine advances a network by whole cycles of SystemC time; every engine drives the same stage
// functions (models/families/hybrid/slice.h), and all give the same results bit by bit.
//
// The clock's edge of cycle n is at n periods of simulated time. Who looks at the network there, in whatever delta, or
// any time before the next edge, sees what cycle n left; between two calls of sc_start, what the cycles before the
// present time left. What is sent then counts as created in cycle n and leaves in a later one; what cycle n delivered
// is handed over at n periods, a delta after the registers have settled (docs/tlm.md draws it). That a network lags
// behind simulated time while nobody looks is seen by nobody: settled() brings it up to date first. In a network that
// was restored from a checkpoint time begins anew: the edge of its next cycle is at 0.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/engine/cycle_runner.h"
#include "models/engine/network.h"
#include "models/engine/schedule.h"
#include "models/engine/simulated_time.h"

namespace braid::models {

/// Whoever else in the simulation is to be told in time of what the network does.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Can the next cycle bring anything for it, or has the last? While nobody waits the network runs many cycles at a
  /// time.
  virtual bool waits() const = 0;
  /// Before a cycle, if it or those before it are run late: what came since the last belongs to that one.
  virtual void flush(std::uint64_t /*last_cycle*/) {}
  /// After a cycle, from a process: takes what is there. May send.
  virtual void look(std::uint64_t cycle) = 0;
  /// What it has in hand that a checkpoint of the network would lose; empty: nothing.
  virtual std::string in_hand() const { return {}; }
};

class Engine : public CycleRunner {
 public:
  explicit Engine(Network& network);
  ~Engine() override;

  /// sc_start for so long. A user may as well call sc_start.
  void run(std::uint64_t cycles) override;

  /// The network as it is at the present simulated time.
  Network& settled();
  /// What a checkpoint at the present time would lose, by the first watcher who has something in hand; empty: nothing.
  std::string in_hand() const;
  /// `watcher` lives as long as the simulation runs.
  void watch(Watcher& watcher) { watchers_.push_back(&watcher); }
  /// A watcher that waited for nothing does now.
  virtual void wake() = 0;

  /// A packet of the user's own, of no workload, sent at the present simulated time; for any process. `tag` comes with
  /// it. Throws InputError where a node does not exist or no flit is to be sent.
  void send_packet(NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag = kNoTag);
  /// Calls back for every packet that arrives at a node, whoever sent it: at the edge of the cycle in which its tail
  /// did; nodes in order. Throws InputError where there is no such node.
  using OnDelivery = std::function<void(std::uint64_t cycle, const Packet& packet)>;
  void on_delivery(NodeId node, OnDelivery callback);

  /// The clock's period.
  sc_core::sc_time period() const { return clock_cycles(1, period_ps_); }
  /// Time from now to the next edge that is still to run; zero only between two calls of sc_start, at an edge.
  sc_core::sc_time to_next_edge() const;

 protected:
  /// Runs the present cycle to its end, whatever of it has run.
  virtual void finish_cycle() = 0;
  /// The edge of the cycle at the present time, or the last before it.
  std::uint64_t edge() const;
  /// Before anything of the next cycle runs: what watchers have for it.
  void begin_cycle();
  /// The end of a cycle: what belongs to no slice, and the observer.
  void end_cycle();
  /// Must every cycle be seen in its own time? By an observer, or else by a watcher.
  bool observed() const { return observer() != nullptr; }
  bool watched() const;
  /// For a process of its own, in a delta after the cycle.
  void hand_over();
  /// What its module is called: "network"; where that is taken, of a second network, "network_1", and so on.
  static std::string module_name();

  Network& network_;
  const std::uint64_t period_ps_;

 private:
  const std::uint64_t first_cycle_;  // whose edge is at time 0: other than 0 in a network that was restored

  class Taps;
  void settle();

  sc_core::sc_time::value_type period_;
  bool settling_ = false;
  std::uint64_t begun_ = 0;  // cycles
  std::vector<Watcher*> watchers_;
  std::unique_ptr<Taps> taps_;  // null: nobody has asked for deliveries
};

/// One clocked SC_METHOD walks the stages of all slices; with more than one slice, a thread for each. Nobody waiting,
/// it runs 64 cycles an activation; while somebody waits it runs one.
std::unique_ptr<Engine> make_static_engine(Network& network);

/// An sc_module for each router and one for each of its stages. The network has one slice a router.
std::unique_ptr<Engine> make_process_per_stage_engine(Network& network);

/// The engine of the schedule that the network's configuration names.
std::unique_ptr<Engine> make_engine(Network& network);

}  // namespace braid::models
