// Results as JSON; the schema is docs/results.schema.json.
#pragma once

#include <boost/json.hpp>

#include "models/experiment/experiment.h"
#include "models/observe/results.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// The resolved configuration, section by section.
boost::json::object configuration_json(const models::Experiment& experiment);
boost::json::object setup_json(const models::SetupResults& setup, const routing::Topology& topology);
boost::json::object results_json(const models::Experiment& experiment, const models::Results& results,
                                 const routing::Topology& topology);

}  // namespace braid::models
