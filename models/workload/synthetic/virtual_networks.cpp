#include "models/workload/synthetic/virtual_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/fabric/fabric.h"
#include "models/workload/synthetic/class_options.h"

namespace braid::models {
namespace {

template <class Member>
auto most(const std::vector<VirtualNetworks::Range>& ranges, Member member) {
  auto value = member(*ranges.front().algorithm);
  for (const auto& range : ranges) value = std::max(value, member(*range.algorithm));
  return value;
}

/// Collects the ranges that classes name, and which class has which.
class Ranges {
 public:
  explicit Ranges(std::uint32_t vcs) : vcs_(vcs) {}
  void give(std::size_t traffic_class, const std::vector<std::uint32_t>& words, const std::string& key) {
    std::pair<std::uint32_t, std::uint32_t> range{0, vcs_};
    if (!words.empty()) {
      if (words.size() != 2 || words[0] > words[1] || words[1] >= vcs_) {
        throw InputError(fmt::format("{}: expected [FIRST, LAST], two virtual channels of 0 to {}", key, vcs_ - 1));
      }
      range = {words[0], words[1] - words[0] + 1};
      any_ = true;
    }
    auto place = std::find(ranges.begin(), ranges.end(), range);
    if (place == ranges.end()) place = ranges.insert(place, range);
    if (of_class.size() <= traffic_class) of_class.resize(traffic_class + 1);
    of_class[traffic_class] = static_cast<std::uint8_t>(place - ranges.begin());
  }
  /// Two that have VCs in common, but not all; or "".
  std::string overlap() const {
    for (const auto& [first, count] : ranges) {
      for (const auto& [other, others] : ranges) {
        const bool same = first == other && count == others;
        if (same || first + count <= other || other + others <= first) continue;
        return fmt::format("virtual channels {} to {} of one class and {} to {} of another overlap", first,
                           first + count - 1, other, other + others - 1);
      }
    }
    return "";
  }
  bool any() const { return any_; }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::vector<std::uint8_t> of_class;

 private:
  std::uint32_t vcs_;
  bool any_ = false;
};

void check_family(const Configuration& configuration) {
  const std::string family = fabric_options().read(configuration).architecture;
  const auto word = [&](const char* key, const char* usual) {
    const Configuration::Given* given = configuration.find(key);
    return given == nullptr ? std::string(usual) : std::get<std::string>(given->value);
  };
  if (family != "hybrid" || word("router.implementation", "model") != "model" || configuration.has_section("stage")) {
    throw InputError(
        "traffic.vcs: virtual channels of a class's own are known to modelled hybrid routers: expected "
        "router.architecture = \"hybrid\", router.implementation = \"model\" and no section [stage]");
  }
}

/// Does a packet have one way, and do links wait for each other in no cycle with a single VC? Then they do not whatever
/// VCs packets have on them.
bool needs_no_vcs(const routing::Topology& topology, const Configuration& configuration,
                  const std::vector<VirtualNetworks::Range>& ranges, const routing::OnProgress& progress) {
  if (most(ranges, [](const auto& a) { return a.max_candidates(); }) > 1) return false;
  Configuration one = configuration;
  one.set("router.vcs", 1);
  try {
    routing::check_deadlock_free(topology, *routing::make_routing(topology, one, progress), 1, progress);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

const routing::ReadsOutputQueues* reader_of(const VirtualNetworks::Range& range) {
  return dynamic_cast<const routing::ReadsOutputQueues*>(range.algorithm.get());
}

}  // namespace

void VirtualNetworks::route(const routing::RouteQuery& query, routing::CandidateList& out) const {
  const Range& range = range_of(query.traffic_class);
  routing::RouteQuery inner = query;
  inner.in_vc = VcId{query.in_vc.value >= range.first ? std::size_t{query.in_vc.value - range.first} : 0};
  range.algorithm->route(inner, out);
  out.shift_vcs(range.first);
}

VcMask VirtualNetworks::injection_vcs() const {
  VcMask all = 0;
  for (const Range& range : ranges_) all |= range.algorithm->injection_vcs() << range.first;
  return all;
}

VcMask VirtualNetworks::injection_vcs_of(std::uint8_t traffic_class) const {
  const Range& range = range_of(traffic_class);
  return range.algorithm->injection_vcs() << range.first;
}

VcMask VirtualNetworks::escape_vcs() const {
  VcMask all = 0;
  for (const Range& range : ranges_) all |= range.algorithm->escape_vcs() << range.first;
  return all;
}

bool VirtualNetworks::depends_on_source() const {
  return most(ranges_, [](const auto& a) { return a.depends_on_source(); });
}
bool VirtualNetworks::relies_on_bubble() const {
  return most(ranges_, [](const auto& a) { return a.relies_on_bubble(); });
}
std::uint32_t VirtualNetworks::draws() const {
  std::uint32_t most = 1;
  for (const Range& range : ranges_) most = std::max(most, range.algorithm->draws());
  return most;
}

std::size_t VirtualNetworks::max_candidates() const {
  return most(ranges_, [](const auto& a) { return a.max_candidates(); });
}
void VirtualNetworks::check_room() const {
  for (const Range& range : ranges_) range.algorithm->check_room();
}

bool VirtualNetworks::reads_queues() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const Range& range) { return reader_of(range) != nullptr; });
}
bool VirtualNetworks::reads_all_queues() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const Range& range) {
    const auto* reader = reader_of(range);
    return reader != nullptr && reader->reads_all_queues();
  });
}
void VirtualNetworks::read_queues(const routing::OutputQueues& queues) const {
  for (const Range& range : ranges_) {
    if (const auto* reader = reader_of(range)) reader->read_queues(queues);
  }
}

std::unique_ptr<routing::RoutingAlgorithm> make_routing_by_class(const routing::Topology& topology,
                                                                 const Configuration& configuration,
                                                                 const routing::OnProgress& progress) {
  const routing::RoutingOptions routing = routing::routing_options().read(configuration);
  Ranges found(routing.vcs);
  for (const ClassOfTraffic& one : classes_of_traffic(configuration)) {
    found.give(one.number, one.options.vcs, "traffic.vcs of " + one.options.name);
    if (one.reply_number)
      found.give(*one.reply_number, one.options.reply_vcs, "traffic.reply_vcs of " + one.options.name);
  }
  if (!found.any()) return routing::make_routing(topology, configuration, progress);
  check_family(configuration);
  std::vector<VirtualNetworks::Range> ranges;
  for (const auto& [first, count] : found.ranges) {
    Configuration alone = configuration;
    alone.set("router.vcs", count);
    auto algorithm = routing::make_routing(topology, alone, progress);
    if (algorithm->routes() != nullptr || algorithm->routes_streams() != nullptr) {
      throw InputError("traffic.vcs: source-routed packets have no virtual channels");
    }
    if (!routing.allow_deadlock) routing::check_deadlock_free(topology, *algorithm, count, progress);
    ranges.push_back({first, count, std::move(algorithm)});
  }
  if (const std::string overlap = found.overlap();
      !overlap.empty() && !needs_no_vcs(topology, configuration, ranges, progress)) {
    throw InputError("traffic.vcs: " + overlap +
                     ": expected the same ranges or ranges apart, or a routing of one way a packet that is free of "
                     "deadlock with one virtual channel");
  }
  return std::make_unique<VirtualNetworks>(routing.vcs, std::move(ranges), found.of_class);
}

}  // namespace braid::models
