// A module of a PO2 router alone: that of router 1 in a row of small_po2() (tb/tests/support/po2_row.h), unless another
// is asked for.
#pragma once

#include "models/stages/po2/site.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/stage_on_signals.h"

namespace braid::test {

constexpr unsigned kEastOf1 = 0, kWestOf1 = 1, kNodeOf1 = 4, kPortsOf1 = 5;

template <class Module>
struct Po2Stage {
  models::Experiment experiment;
  routing::Topology topology = routing::make_topology(experiment);
  std::unique_ptr<routing::RoutingAlgorithm> routing = routing::make_routing(topology, experiment);
  Module module;
  StageOnSignals bench{module};

  explicit Po2Stage(const models::Experiment& e, std::size_t router = 1)
      : experiment(e), module("stage", models::stages::po2::Site{experiment, topology, *routing, RouterId{router}}) {}
};

}  // namespace braid::test
