#include "models/workload/synthetic/class_options.h"

#include <algorithm>

namespace braid::models {

std::vector<std::string> class_names(const SyntheticOptions& options) {
  if (options.name.empty()) return {"packets"};
  if (!options.request_reply) return {options.name};
  return {options.name, options.name + " replies"};
}

std::vector<ClassOfTraffic> classes_of_traffic(const Configuration& configuration) {
  std::vector<ClassOfTraffic> all;
  std::vector<std::string> names{"packets"};
  const auto number_of = [&](const std::string& name) {
    const auto place = std::find(names.begin(), names.end(), name);
    const auto number = static_cast<std::size_t>(place - names.begin());
    if (place == names.end()) names.push_back(name);
    return number;
  };
  for (std::size_t i = 0; i < configuration.times("traffic"); ++i) {
    ClassOfTraffic one{synthetic_options().read(configuration.only("traffic", i)), 0, {}};
    const std::vector<std::string> own = class_names(one.options);
    one.number = number_of(own.front());
    if (own.size() > 1) one.reply_number = number_of(own.back());
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace braid::models
