// braid list: what each axis offers.
#include <fmt/format.h>

#include "models/fairness/sat_carrier.h"
#include "models/hybrid/stand_in.h"
#include "models/hybrid/switch_allocator.h"
#include "models/hybrid/vc_allocator.h"
#include "models/injection_point.h"
#include "models/po2/pool_policy.h"
#include "routing/routing_algorithm.h"
#include "routing/topology.h"
#include "tb/braid/commands.h"
#include "tb/braid/keys.h"
#include "traffic/injection.h"
#include "traffic/pattern.h"

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
  for (const Key& key : experiment_keys()) {
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
      {"deadlock_avoidance", entries<models::PoolPolicyRegistry>},
      {"sat_carriers", entries<models::SatCarrierRegistry>},
      {"implementations", entries<models::StandInRegistry>},
      {"vc_allocators", entries<models::VcAllocatorRegistry>},
      {"switch_allocators", entries<models::SwitchAllocatorRegistry>},
      {"arbiters", [] { return Lines{{"matrix", "least recently served first"}, {"round_robin", "in turn"}}; }},
      {"keys", keys},
  };
  return all;
}

}  // namespace

int list_axis(const std::string& axis) {
  if (axis == "configuration") {
    fmt::print("{}", configuration_reference());
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
