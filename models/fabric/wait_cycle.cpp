#include "models/fabric/wait_cycle.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::models {
namespace {

enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
struct WaitStep {
  std::uint32_t thing;
  std::vector<std::uint32_t> next;
};

std::vector<std::uint32_t> cycle_of(const std::vector<WaitStep>& path, std::uint32_t first) {
  std::vector<std::uint32_t> cycle;
  for (const WaitStep& step : path) {
    if (!cycle.empty() || step.thing == first) cycle.push_back(step.thing);
  }
  return cycle;
}

}  // namespace

std::vector<std::uint32_t> find_wait_cycle(const Waiters& waiters) {
  std::vector<Mark> marks(waiters.count(), Mark::kNew);
  std::vector<WaitStep> path;  // depth first until a thing on the present path is met again
  const auto enter = [&](std::uint32_t thing) {
    marks[thing] = Mark::kOnPath;
    path.push_back({thing, waiters.waits_for(thing)});
  };
  for (std::uint32_t start = 0; start < marks.size(); ++start) {
    if (marks[start] == Mark::kNew) enter(start);
    while (!path.empty()) {
      WaitStep& here = path.back();
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

std::string report_waiting(const Waiters& waiters, const std::string& things, const std::string& each) {
  constexpr std::size_t kMostLines = 24;
  std::vector<std::uint32_t> shown = find_wait_cycle(waiters);
  std::string text;
  if (!shown.empty()) {
    text = fmt::format("\ncycle of {} waiting {}, {}:", shown.size(), things, each);
  } else {
    for (std::uint32_t i = 0; i < waiters.count(); ++i) {
      if (waiters.waits(i)) shown.push_back(i);
    }
    text = fmt::format("\nno cycle among {}; these wait:", things);
  }
  for (std::size_t i = 0; i < std::min(shown.size(), kMostLines); ++i) text += "\n  " + waiters.describe(shown[i]);
  if (shown.size() > kMostLines) text += fmt::format("\n  … and {} more", shown.size() - kMostLines);
  return text;
}

}  // namespace braid::models
