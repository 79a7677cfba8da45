#include "models/engine/subnet_rules.h"

#include <fmt/format.h>

#include <string>

#include "models/engine/schedule.h"
#include "models/fabric/subnets.h"
#include "models/injection/injection_point.h"
#include "routing/algorithm/output_queues.h"

namespace braid::models {
namespace {

[[noreturn]] void refuse(std::uint32_t subnets, const std::string& why) {
  throw InputError(fmt::format("network.subnets = {}: {}", subnets, why));
}
[[noreturn]] void refuse_sender(std::uint32_t subnets, const std::string& expected) {
  refuse(subnets,
         "only synthetic traffic and replayed traces say which subnet carries a packet; expected no " + expected);
}

/// Of a key that only some families have.
bool is_given_other(const Configuration& configuration, const std::string& key, const std::string& usual) {
  const Configuration::Given* given = configuration.find(key);
  return given != nullptr && given->value != OptionValue(usual);
}

}  // namespace

void check_subnets(const Configuration& configuration, const routing::RoutingAlgorithm& routing) {
  const std::uint32_t subnets = subnet_count(configuration);
  // These two ask for circuits and for copies before anybody asks which subnet carries their packets.
  for (const char* sender : {"stream", "broadcast"}) {
    if (configuration.has_section(sender)) refuse_sender(subnets, fmt::format("section [{}]", sender));
  }
  if (schedule_options().read(configuration).schedule == Schedule::kProcessPerStage) {
    refuse(subnets, "modules show one network; expected simulation.schedule = \"static\"");
  }
  if (is_given_other(configuration, "router.implementation", "model") || configuration.has_section("stage")) {
    refuse(
        subnets,
        "routers in RTL or behind pins are of one network; expected router.implementation = \"model\" and no section "
        "[stage]");
  }
  if (injection_options().read(configuration).fairness != "none") {
    refuse(subnets, "a fairness policy's line runs through one network; expected interface.fairness = \"none\"");
  }
  if (configuration.has_section("failure")) {
    refuse(subnets, "a link that goes down is of one network; expected no section [failure]");
  }
  if (routing.routes() != nullptr || routing.routes_streams() != nullptr) {
    refuse(subnets, "hosts choose paths in one network; expected a routing.algorithm of routers");
  }
}

void check_classes(const std::vector<std::unique_ptr<Workload>>& workloads, std::uint32_t subnets) {
  std::vector<bool> used(subnets);
  for (const auto& workload : workloads) {
    const std::optional<ClassSubnets> all = workload->class_subnets();
    if (!all) refuse_sender(subnets, "other section that sends");
    for (const auto& of_class : *all) {
      for (const std::uint32_t subnet : of_class) used[subnet] = true;
    }
  }
  for (std::uint32_t s = 0; s < subnets && !workloads.empty(); ++s) {
    if (used[s]) continue;
    refuse(subnets, fmt::format("no class of traffic goes by subnet {}; expected a class whose traffic.subnets, "
                                "reply_subnets or replay.subnets name it, or fewer subnets",
                                s));
  }
}

bool holds_queues(const routing::RoutingAlgorithm& routing) {
  const auto* reader = dynamic_cast<const routing::ReadsOutputQueues*>(&routing);
  return reader != nullptr && reader->reads_queues();
}

std::size_t ports_of_subnet(const LocalPortMap& ports) { return ports.first.back() + ports.count.back(); }

}  // namespace braid::models
