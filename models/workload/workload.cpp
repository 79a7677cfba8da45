#include "models/workload/workload.h"

#include <algorithm>

namespace braid::models {

std::vector<std::unique_ptr<Workload>> make_workloads(const WorkloadContext& context) {
  std::vector<std::unique_ptr<Workload>> all;
  const WorkloadRegistry& registry = WorkloadRegistry::instance();
  for (const std::string& section : registry.names()) {
    if (context.configuration.has_section(section)) all.push_back(registry.make(section, context));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->order() < b->order(); });
  return all;
}

}  // namespace braid::models
