// braid list: what each axis offers.
#include <fmt/format.h>

#include "models/event_lines/event_line.h"
#include "models/experiment/keys.h"
#include "models/families/hybrid/stand_in.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/po2/pool_policy.h"
#include "models/injection/injection_point.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"
#include "tb/braid/commands.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::tb {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // name, summary

template <class RegistryType>
Lines entries() {
  Lines lines;
  for (const auto& [name, entry] : RegistryType::instance().entries()) lines.emplace_back(name, entry.summary);
  return lines;
}

Lines keys() {
  Lines lines;
  for (const models::Key& key : models::experiment_keys()) {
    lines.emplace_back(key.section + "." + key.name, key.doc + " (" + key.expected + ")");
  }
  return lines;
}

const std::vector<std::pair<std::string, std::function<Lines()>>>& axes() {
  static const std::vector<std::pair<std::string, std::function<Lines()>>> all{
      {"topologies", entries<routing::TopologyRegistry>},
      {"routing", entries<routing::RoutingRegistry>},
      {"patterns", entries<traffic::PatternRegistry>},
      {"injections", entries<traffic::InjectionRegistry>},
      {"lengths", entries<traffic::LengthRegistry>},
      {"architectures", entries<models::FabricRegistry>},
      {"schedulers", entries<models::InjectionSchedulerRegistry>},
      {"fairness", entries<models::InjectionGateRegistry>},
      {"deadlock_avoidance", entries<models::po2::PoolPolicyRegistry>},
      {"sat_carriers", entries<models::EventLineRegistry>},
      {"implementations", entries<models::hybrid::StandInRegistry>},
      {"vc_allocators", entries<models::hybrid::VcAllocatorRegistry>},
      {"switch_allocators", entries<models::hybrid::SwitchAllocatorRegistry>},
      {"arbiters", [] { return Lines{{"matrix", "least recently served first"}, {"round_robin", "in turn"}}; }},
      {"keys", keys},
  };
  return all;
}

}  // namespace

int list_axis(const std::string& axis) {
  if (axis == "configuration") {
    fmt::print("{}", models::configuration_reference());
    return kSuccess;
  }
  std::vector<std::string> known;
  bool found = false;
  for (const auto& [name, lines] : axes()) {
    known.push_back(name);
    if (!axis.empty() ? axis != name : name == "keys") continue;
    found = true;
    fmt::print("{}\n", name);
    for (const auto& [entry, summary] : lines()) fmt::print("  {:24} {}\n", entry, summary);
  }
  if (!found) throw InputError(unknown_name("axis", axis, known));
  return kSuccess;
}

}  // namespace braid::tb
