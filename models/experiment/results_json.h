// Results as JSON; the schema is docs/results.schema.json.
#pragma once

#include <boost/json.hpp>

#include "models/experiment/experiment.h"
#include "models/experiment/results.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// The number of the schema; grows when a figure goes or changes its meaning.
constexpr int kResultsSchema = 1;

/// The resolved configuration, section by section.
boost::json::object configuration_json(const models::Experiment& experiment);
boost::json::object setup_json(const models::SetupResults& setup, const routing::Topology& topology);
boost::json::object results_json(const models::Experiment& experiment, const models::Results& results,
                                 const routing::Topology& topology);

/// docs/results.schema.json, and docs/results.md: made of what is declared.
boost::json::object results_schema();
std::string results_reference();

}  // namespace braid::models
