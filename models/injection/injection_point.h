// The injection point: where a node's packets wait before the network's interface takes them, under every fabric. Two
// policies meet here, each in a file of its own:
//   InjectionScheduler  which waiting packet goes next (`interface.scheduler`), one object a local port;
//   InjectionGate       whether the node may send at all (`interface.fairness`), one object a network.
// A packet goes down when the gate is open and the interface is ready to put its head on the link in the next cycle, so
// both decide as late as hardware could. A queue behind the gate is an option (interface.behind_gate_packets). Without
// policies ("fifo", "none") there is no injection point at all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/work_list.h"
#include "models/observe/signals.h"

namespace braid::models {

class InjectionScheduler {
 public:
  static const char* axis() { return "injection scheduler"; }
  virtual ~InjectionScheduler() = default;
  virtual void push(PacketSlot packet) = 0;
  /// Takes out the packet that goes next. Not called when empty.
  virtual PacketSlot pop() = 0;
  virtual std::size_t size() const = 0;
  /// Does it look at which packets may go before it says which one does? Then select() is asked before pop(), and
  /// false where none may.
  using MayGo = std::function<bool(PacketSlot)>;
  virtual bool selects() const { return false; }
  virtual bool select(const MayGo&) { return true; }
  /// Would another packet go first if the one that pop() gave last were still here?
  virtual bool preempts() const { return false; }
  /// Undoes the last pop(). Called at most once after it.
  virtual void put_back(PacketSlot) {}
  /// Its own figures, as its registration declares them: counts, added up over all ports.
  virtual Report report() const { return {}; }
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this interface.scheduler has no checkpoint()"); }
};

struct SchedulerContext {
  const PacketStore& store;
  NodeId node;
  const Configuration& configuration;  ///< for the scheduler's own options
};
using InjectionSchedulerRegistry = Registry<InjectionScheduler, SchedulerContext>;
/// For schedulers that order messages. Throws InputError if there are none: without message.packet_flits such a
/// scheduler would be first in, first out under another name.
void check_messages(const SchedulerContext& context);

class InjectionGate {
 public:
  static const char* axis() { return "fairness policy"; }
  virtual ~InjectionGate() = default;

  /// May the node send another packet? Called from the node's slice, as is passed().
  virtual bool open(NodeId node) const = 0;
  /// A packet of the node goes down: its head is on the link in the next cycle.
  virtual void passed(NodeId node) = 0;

  /// Packets that wait at a node's injection point.
  using Waiting = std::function<std::size_t(NodeId)>;
  /// After every slice has committed: what runs between the nodes (a SAT line).
  virtual void end_cycle(std::uint64_t cycle, const Waiting& waiting) = 0;

  /// What is wrong, by the names of nodes; empty: nothing. The watchdog ends the run with it.
  virtual std::string complaint(std::uint64_t, const Waiting&) const { return {}; }
  /// Figures count from now on.
  virtual void begin_window() {}
  /// Its own figures, as its registration declares them.
  virtual Report report() const { return {}; }
  /// Declares its wires. Null: none.
  virtual std::unique_ptr<SignalSource> signals(SignalTable&) const { return nullptr; }
  /// Between two cycles.
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this interface.fairness has no checkpoint()"); }
};

struct GateContext {
  const routing::Topology& topology;
  const Configuration& configuration;  ///< for the gate's own options
};
using InjectionGateRegistry = Registry<InjectionGate, GateContext>;

struct InjectionOptions {
  std::string scheduler = "fifo";
  std::string fairness = "none";
  std::uint32_t behind_gate_packets = 0;  ///< between gate and link; 0: straight onto the link
};
const OptionTable<InjectionOptions>& injection_options();

/// The injection points of one slice's nodes, above its transport.
class InjectionPoint final : public PacketTransport {
 public:
  /// `gate` may be null: always open.
  InjectionPoint(PacketTransport& below, InjectionGate* gate, const std::vector<NodeId>& nodes,
                 const LocalPortMap& ports, const Configuration& configuration, const PacketStore& store);

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_on_circuit(std::size_t local_port, std::uint32_t lane, PacketSlot packet) override {
    below_.send_on_circuit(local_port, lane, packet);
  }
  void send_on_tree(std::size_t local_port, std::uint32_t lane, const std::vector<Copy>& copies) override {
    below_.send_on_tree(local_port, lane, copies);
  }
  std::size_t queued(std::size_t local_port) const override { return waiting(local_port) + below_.queued(local_port); }

  /// One cycle, after the slice's endpoints: hands down at most one packet for each local port; takes back one that has
  /// not begun to leave if the scheduler preempts it.
  void step();

  /// Packets that have not gone down.
  std::size_t waiting(std::size_t local_port) const { return queues_[local_port - first_].scheduler->size(); }
  std::uint64_t waiting() const;
  /// Adds what each scheduler reports.
  void report(std::vector<Report>& reports) const;
  void checkpoint(Checkpoint& c) {
    c.each(queues_);
    c(busy_);
    if (!c.restoring()) return;
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      c.expect(!busy_.contains(i) || (queues_[i].scheduler && queues_[i].scheduler->size() > 0),
               "an empty queue that is busy");
    }
  }

 private:
  struct Queue {
    NodeId node;
    std::unique_ptr<InjectionScheduler> scheduler;
    void checkpoint(Checkpoint& c) { c(scheduler); }
  };
  /// May a packet go down? Its head would be on the link next, or there is room behind the gate.
  bool room(std::size_t local_port) const {
    return behind_ == 0 ? below_.ready(local_port) : below_.queued(local_port) < behind_;
  }
  PacketTransport& below_;
  InjectionGate* gate_;
  std::size_t behind_ = 0;     // interface.behind_gate_packets; 0 without a gate
  std::size_t first_ = 0;      // local port of queues_[0]
  std::vector<Queue> queues_;  // [local port - first_]; no scheduler where the port is another slice's
  void preempt(std::size_t i);
  bool room_for_one_of(std::size_t i);
  WakeSet busy_;           // queues to look at: with packets
  bool selects_ = false;   // schedulers look at which packets may go
  bool notified_ = false;  // ... and, as the interface below says when it can take one, something new
};

}  // namespace braid::models
