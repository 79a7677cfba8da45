// The classes of synthetic traffic that an experiment has: each [[traffic]] with its place among the figures' classes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/synthetic/synthetic_sources.h"

namespace braid::models {

/// A class's names in the figures: that of its packets and, with a name of its own and replies, that of the replies.
std::vector<std::string> class_names(const SyntheticOptions& options);

struct ClassOfTraffic {
  SyntheticOptions options;
  std::size_t number = 0;                   ///< Packet::traffic_class
  std::optional<std::size_t> reply_number;  ///< of its replies, where they are a class of their own
};
/// In their order; none without [traffic]. Numbered as TrafficClasses does, for they come first there.
std::vector<ClassOfTraffic> classes_of_traffic(const Configuration& configuration);

}  // namespace braid::models
