// Runs one experiment from elaboration to results. The only header the `braid` program needs of the models.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>

#include "models/experiment/experiment.h"
#include "models/experiment/measurement.h"
#include "models/experiment/results.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::models {

class Engine;

class Simulation {
 public:
  using OnProgress = models::OnProgress;

  /// Elaborates: builds topology, routing, traffic and network, and refuses what cannot work; `progress` is told as
  /// each part begins, too. Throws InputError, Interrupted.
  explicit Simulation(const Experiment& experiment, OnProgress progress = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// From now on.
  void on_progress(OnProgress callback);

  /// The clock, for a simulation of the user's own: elaborates the SystemC modules when first called, before the first
  /// sc_start. From then on the user calls sc_start for as long as they like; where nobody binds to the network, or
  /// waits for it, it costs what run() costs. `clock_period` zero: the experiment's. Throws InputError.
  Engine& engine(const sc_core::sc_time& clock_period = sc_core::SC_ZERO_TIME);
  /// The same with a window that the user opens and closes at the present time; in between whole batches
  /// (simulation.batch_cycles). Figures are of packets created and delivered in it, and not of an earlier window's.
  /// Throws InputError.
  void begin_measurement();
  Results end_measurement();
  /// Counts of the whole run until now: cycles, packet hash, flit-hops, conservation. In a process, too.
  Results counts();
  /// The end of a simulation of the user's own: writes packet log and waveform, which are lost else.
  void finish();

  /// Everything as at the present time into a file, for a simulation that begins there (checkpoint.from): of the
  /// network, not of modules of the user's own. Throws InputError while a measurement is open or for a policy that
  /// cannot be saved.
  void save_checkpoint(const std::string& file);

  /// Runs to the end, once in a process: SystemC elaborates once. (Of engine() there may be several, one a network.)
  /// Throws DeadlockError, Interrupted.
  Results run();
  /// After run() has thrown DeadlockError: what is known, and the verdict. Waveform and packet log are written.
  const Results& results() const;
  /// After run(): what `watch.file = "-"` wants printed: each event of what `watch.what` names.
  void each_watched(const std::function<void(std::string_view)>& take) const;

  /// Only the set-up phase: circuits of a stream experiment (for `braid paths`).
  Results set_up_only();

  /// What modules of a user would be told (SC_REPORT) when they bind, as far as it hangs on the experiment alone: an
  /// address map with overlaps. Throws InputError.
  void check_for_users() const;

  const routing::Topology& topology() const;
  const routing::RoutingAlgorithm& routing() const;
  const Network& network() const;        ///< as at the present simulated time
  const Experiment& experiment() const;  ///< as resolved

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace braid::models
