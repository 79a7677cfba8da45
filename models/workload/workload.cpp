#include "models/workload/workload.h"

#include <algorithm>

namespace braid::models {

namespace {

/// One of a section that stands several times.
std::unique_ptr<Workload> made(const std::string& section, std::size_t i, const WorkloadContext& context) {
  const Configuration one = context.configuration.only(section, i);
  try {
    return WorkloadRegistry::instance().make(
        section,
        WorkloadContext{one, context.topology, context.ports, context.fabric, context.window, context.progress, i});
  } catch (const InputError& e) {
    if (e.has_place()) throw;
    throw InputError(one.place_named_in(e.what()), e.what());
  }
}

}  // namespace

std::vector<std::unique_ptr<Workload>> make_workloads(const WorkloadContext& context) {
  std::vector<std::unique_ptr<Workload>> all;
  const WorkloadRegistry& registry = WorkloadRegistry::instance();
  for (const std::string& section : registry.names()) {
    const std::size_t times = context.configuration.times(section);
    if (times == 1) all.push_back(registry.make(section, context));
    for (std::size_t i = 0; times > 1 && i < times; ++i) all.push_back(made(section, i, context));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->order() < b->order(); });
  return all;
}

}  // namespace braid::models
