#include "models/fabric/wait_cycle.h"

namespace braid::models {
namespace {

enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
struct Step {
  std::uint32_t thing;
  std::vector<std::uint32_t> next;
};

std::vector<std::uint32_t> cycle_of(const std::vector<Step>& path, std::uint32_t first) {
  std::vector<std::uint32_t> cycle;
  for (const Step& step : path) {
    if (!cycle.empty() || step.thing == first) cycle.push_back(step.thing);
  }
  return cycle;
}

}  // namespace

std::vector<std::uint32_t> find_wait_cycle(std::size_t count,
                                           const std::function<std::vector<std::uint32_t>(std::uint32_t)>& waits_for) {
  std::vector<Mark> marks(count, Mark::kNew);
  std::vector<Step> path;  // depth first until a thing on the present path is met again
  const auto enter = [&](std::uint32_t thing) {
    marks[thing] = Mark::kOnPath;
    path.push_back({thing, waits_for(thing)});
  };
  for (std::uint32_t start = 0; start < count; ++start) {
    if (marks[start] == Mark::kNew) enter(start);
    while (!path.empty()) {
      Step& here = path.back();
      if (here.next.empty()) {
        marks[here.thing] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = here.next.back();
      here.next.pop_back();
      if (marks[next] == Mark::kOnPath) return cycle_of(path, next);
      if (marks[next] == Mark::kNew) enter(next);
    }
  }
  return {};
}

}  // namespace braid::models
