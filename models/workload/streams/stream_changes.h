// A stream program that changes while it runs (paper: tentacle-routing, section 4.4: "the run-time forces actor
// migration or ... application changes to add new filters"). An actor moves to a free tile: its streams are stopped and
// emptied, its circuits torn down, its items and state go over the network as packets, and circuits are searched from
// its new tile. A filter more: the stream that it is put into is stopped and emptied, and two go in its place.
// docs/stream-changes.md draws the cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/workload/streams/rate_watch.h"
#include "models/workload/streams/stream_plan.h"
#include "models/workload/streams/stream_program.h"

namespace braid::models {

/// The program with the filter of change.add_filter on its tile, as it is in the end: the last actor, and the stream
/// that leads from it the last stream. Throws InputError.
StreamPlan with_added_filter(StreamPlan plan, const StreamOptions& options, const routing::Topology& topology);

class StreamChanges {
 public:
  /// Of a program made of with_added_filter(): that filter waits, and its stream leads past it. Throws InputError.
  StreamChanges(StreamProgram& program, const routing::Topology& topology, const LocalPortMap& ports);
  /// Whoever has the program's circuits, if it wants any.
  void use(CircuitChanges& circuits) { circuits_ = &circuits; }

  /// After every slice. True: actors or streams are at other nodes now.
  bool end_cycle(std::uint64_t cycle);
  /// Does one go on, so that actors may wait for no flit?
  bool under_way() const { return phase_ != Phase::kResting; }
  const std::vector<StreamChangeResult>& results() const { return results_; }
  std::size_t planned() const { return changes_.size(); }
  /// Items that the program's own counts miss, or have too many: firings against queues and packets, stream by stream.
  std::uint64_t lost_items() const;

  /// Items and state of an actor on their way, as packets of their own.
  struct Transfer {
    NodeId from, to;
    std::uint64_t flits = 0;
    // Touched only by the slice of `from`:
    std::uint64_t sent = 0;
    std::uint32_t unsent_packets = 0;
    // ... of `to`:
    std::uint64_t arrived = 0;
  };
  Transfer& transfer() { return transfer_; }

 private:
  enum class Phase : std::uint8_t { kResting, kEmptyingInputs, kFinishing, kEmptyingOutputs, kMovingState, kSearching };
  struct Change {
    bool adds = false;
    std::uint32_t actor = 0;
    NodeId to;
    std::uint64_t due = 0;
  };
  void plan_migrations(const routing::Topology& topology);
  void lead_past_filter();
  void begin(std::uint64_t cycle);
  void stop(const std::vector<std::uint32_t>& streams);
  bool emptied(std::uint64_t cycle);
  bool torn_down(std::uint64_t cycle, std::uint32_t stream);
  void finish_or_wait(std::uint64_t cycle);
  void send_state(std::uint64_t cycle);
  void change_places(std::uint64_t cycle);
  void move_actor();
  void add_filter();
  bool found_ways(std::uint64_t cycle);
  std::optional<CircuitChanges::Search> search(std::uint64_t cycle, std::uint32_t stream);
  void go_on(std::uint64_t cycle, std::uint32_t stream, bool on_circuit);
  bool on_circuit(std::uint32_t stream) const;
  std::uint64_t sink_items() const;
  std::uint64_t begun_firings(std::uint32_t actor) const;
  void look(std::uint64_t cycle);

  StreamProgram& program_;
  const LocalPortMap& ports_;
  CircuitChanges* circuits_ = nullptr;
  std::vector<Change> changes_;  // in their order
  std::uint32_t added_to_ = 0;   // the stream that the filter is put into

  Phase phase_ = Phase::kResting;
  std::size_t next_ = 0;                // change that begins next, or is under way
  std::vector<std::uint32_t> streams_;  // of the phase, one after the other ...
  std::size_t position_ = 0;            // ... up to here
  bool asked_ = false;                  // a tear-down or search for this one is under way
  std::uint64_t token_free_ = 0;        // cycle at whose end the next may be asked for
  Transfer transfer_;
  RateWatch watch_;
  std::vector<StreamChangeResult> results_;
};

}  // namespace braid::models
