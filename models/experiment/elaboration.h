// Elaboration: an experiment made into a network, before its first cycle, and the refusal of what cannot work.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "models/engine/network.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/experiment.h"
#include "models/experiment/measurement.h"
#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/break_off.h"
#include "routing/base/input_error.h"
#include "routing/base/progress.h"
#include "routing/base/run_files.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// In the order in which they are made: each needs those above it, and keeps references to them.
struct Elaboration {
  /// `progress` is told as each part begins. Throws InputError, Interrupted.
  Elaboration(const Experiment& e, const OnProgress& progress, Senders senders = Senders::kWorkloads);
  Elaboration(const Elaboration&) = delete;
  Elaboration& operator=(const Elaboration&) = delete;

  RunFiles files;                             ///< of this simulation, where the program knows no more of them
  std::optional<RunFiles::Scope> elaborates;  ///< while it does: what is made here reads files
  std::optional<routing::BreakOff> breaks_off;
  const Experiment experiment;
  const MeasurementOptions options;
  const CheckpointOptions checkpoint_file;
  std::string registers;  ///< of checkpoint.from
  const WatchOptions watched;
  const std::string log_file;  ///< empty: no log
  const routing::Topology topology;
  std::unique_ptr<routing::RoutingAlgorithm> routing;
  std::unique_ptr<Network> network;

 private:
  void claim_files() const;
  std::size_t checked_slices(const FabricFamily& family) const;
};

/// About ten times a second what a computation tells goes on to whoever watches. Throws Interrupted through it.
routing::OnProgress passed_on(const OnProgress& progress, const char* phase);

/// With the place of the key that it names, or that names the file which cannot be read; as it is if it has a place.
[[noreturn]] void throw_with_place(const Experiment& experiment, const InputError& error);

/// Does the work; what it refuses without saying where gets the place of the key that it names.
template <class Work>
auto with_places(const Experiment& experiment, const Work& work) {
  try {
    return work();
  } catch (const InputError& e) {
    throw_with_place(experiment, e);
  }
}

}  // namespace braid::models
