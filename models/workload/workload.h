// What uses the network: whoever makes packets at the nodes and takes those that arrive. One object a network and kind,
// registered under the section of an experiment that asks for it ([traffic], [stream]); several run side by side, and a
// network without any is a test bench that sends packets of its own (Network::send_packet).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/observe/signals.h"
#include "models/workload/outlet.h"
#include "models/workload/statistics.h"
#include "routing/algorithm/disjoint_paths.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "routing/base/progress.h"
#include "routing/base/registry.h"

namespace braid::models {

class BroadcastLine;

/// What a workload is made from; all of it outlives the workload.
struct WorkloadContext {
  const Configuration& configuration;
  const routing::Topology& topology;
  const LocalPortMap& ports;
  Fabric& fabric;  ///< for circuits
  const MeasurementWindow& window;
  routing::OnProgress progress = {};  ///< of what takes long to make
  std::size_t number = 0;             ///< among those of a section that stands several times
};

class Workload {
 public:
  static const char* axis() { return "workload"; }
  virtual ~Workload() = default;

  /// Names of its classes of traffic, which get figures of their own.
  virtual std::vector<std::string> classes() const = 0;
  /// Names of its kinds of packets (Packet::kind), for the packet log.
  virtual std::vector<std::string> kinds() const = 0;
  /// Does it make packets? A warm-up waits for some to arrive, unless no workload makes any.
  virtual bool sends_packets() const { return true; }
  /// Does it make packets unasked? Not one that passes on what others in the simulation hand to it.
  virtual bool sends_by_itself() const { return true; }
  /// Within a cycle workloads act in this order, then by name: fixed, so that no result depends on what is linked.
  virtual unsigned order() const { return 1; }

  /// Once for each slice, in their order, before the first cycle. `outlet` lives as long as the network.
  virtual void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) = 0;

  /// What those who bind to it would be told in the simulation, asked before anybody does (`braid check`). Throws
  /// InputError.
  virtual void check_for_users() const {}

  /// Between whom its streams lead, if each of its packets is of one of them; from then on they name it
  /// (Packet::route). Before the first cycle, where streams have paths of their own. Empty: they are not, or it has no
  /// packets.
  virtual std::vector<routing::StreamEnds> name_streams() { return {}; }

  /// Of each of its classes the subnets that carry it, one at least, where the network has several
  /// (models/fabric/subnets.h). None: it knows one network only, and is refused there.
  virtual std::optional<ClassSubnets> class_subnets() const { return std::nullopt; }

  // From here to sent(): called from the slice's thread, slices at once.
  /// One cycle: makes packets. After the network's clock edge, so a packet can leave a cycle later.
  virtual void generate(std::size_t slice, std::uint64_t cycle) = 0;
  /// Of all slices, by the one thread that runs them.
  virtual void generate_all(std::size_t slices, std::uint64_t cycle) {
    for (std::size_t s = 0; s < slices; ++s) generate(s, cycle);
  }
  /// The head of a packet on a circuit, or for a queue of finite depth, is at its destination: is there room for all of
  /// it? If so the room is taken.
  virtual bool admit(const Packet&) { return true; }
  /// The tail has arrived in `cycle`.
  virtual void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) = 0;
  /// The tail leaves its source queue.
  virtual void sent(const Packet&) {}
  /// It will never arrive.
  virtual void lost(std::size_t, const Packet&) {}

  /// Does it act between cycles as well?
  virtual bool acts_between_cycles() const { return false; }
  /// The end of a cycle, if it does: after all slices and set-up, by one thread.
  virtual void end_cycle(std::uint64_t) {}

  // Between cycles, by the run's controller:
  /// Makes no more packets (to empty the network).
  virtual void stop() {}
  /// Does it go on if packets are lost? Who waits for each would wait for ever.
  virtual bool bears_losses() const { return false; }
  /// Does it send whatever the network takes, so that it can saturate it?
  virtual bool open_loop() const { return false; }
  /// Packets that it has made and not sent, between cycles.
  virtual std::uint64_t held_packets() const { return 0; }
  /// Of a class of its own, by batch of the window: cycles in which a source had no room for what it had made.
  virtual std::vector<std::uint64_t> stalled_source_cycles(std::size_t) const { return {}; }
  /// Has it come on since the last call, beside packets that arrive? (A program: its sinks have fired.)
  virtual bool advanced() { return true; }
  /// For the watchdog of a network without flits: kIdle has nothing to do, kWaiting waits for packets, kBusy computes.
  enum class State { kIdle, kWaiting, kBusy };
  virtual State state() const { return State::kIdle; }
  /// Why it takes no more of what has come, for the watchdog of a network in which nothing moves: a line; empty: it
  /// takes all.
  virtual std::string blocked() const { return {}; }
  /// The measurement window opens; in it, a batch has ended.
  virtual void begin_window() {}
  virtual void end_batch() {}
  /// What it sent to whom while measuring, flits/cycle: as its pattern draws destinations, or as counted.
  virtual std::vector<routing::Flow> flows(std::uint64_t) const { return {}; }
  /// Declares its own signals; null: it has none.
  virtual std::unique_ptr<SignalSource> signals(SignalTable&) const { return nullptr; }
  /// The line beside the network that it uses, for modules that run it in its place; null: it uses none.
  virtual BroadcastLine* event_line() { return nullptr; }
  /// Its own figures over the measured cycles, as its registration declares them.
  virtual Report report(std::uint64_t) const { return {}; }

  /// What it and its nodes hold between two cycles.
  /// Could it have made the packet? Asked of those that come from a checkpoint.
  virtual bool knows(const Packet&) const { return true; }
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this workload has no checkpoint()"); }
};

/// By section: "traffic" for [traffic].
using WorkloadRegistry = Registry<Workload, WorkloadContext>;

/// The workloads whose sections the configuration has, in their order.
std::vector<std::unique_ptr<Workload>> make_workloads(const WorkloadContext& context);

}  // namespace braid::models
