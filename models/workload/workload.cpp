#include "models/workload/workload.h"

#include <algorithm>

namespace braid::models {

std::vector<std::unique_ptr<Workload>> make_workloads(const WorkloadContext& context) {
  std::vector<std::unique_ptr<Workload>> all;
  for (const auto& [section, entry] : WorkloadRegistry::instance().entries()) {
    if (context.configuration.has_section(section)) all.push_back(entry.make(context));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->order() < b->order(); });
  return all;
}

}  // namespace braid::models
