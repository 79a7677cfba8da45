#include "models/fabric/fabric.h"

#include <algorithm>

namespace braid::models {

LocalPortMap::LocalPortMap(const routing::Topology& topology) {
  std::size_t next = 0;
  for (const auto& attachments : topology.nodes) {
    first.push_back(next);
    count.push_back(attachments.size());
    next += attachments.size();
  }
}

std::pair<std::size_t, std::size_t> LocalPortMap::span(const std::vector<NodeId>& nodes) const {
  const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end());
  return {first[low->value], first[high->value] + count[high->value] - first[low->value]};
}

void Fabric::check_deadlock_free(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                                 std::uint32_t vcs, const routing::OnProgress& progress) const {
  routing::check_deadlock_free(topology, routing, vcs, progress);
}

const OptionTable<FabricOptions>& fabric_options() {
  static const OptionTable<FabricOptions> table = OptionTable<FabricOptions>("router").policy<FabricRegistry>(
      "architecture", &FabricOptions::architecture, "the family of routers");
  return table;
}

Slicing::Slicing(std::size_t routers, std::size_t slices, std::size_t together) : slice_of_router(routers) {
  const std::size_t parts = (routers + together - 1) / together;
  const auto border = [&](std::size_t s) {
    return static_cast<std::uint32_t>(std::min(routers, parts * s / slices * together));
  };
  for (std::size_t s = 0; s < slices; ++s) {
    const RouterRange range{border(s), border(s + 1)};
    std::fill(slice_of_router.begin() + range.first, slice_of_router.begin() + range.last,
              static_cast<std::uint32_t>(s));
    ranges.push_back(range);
  }
}

namespace {

[[noreturn]] void refuse_circuits() {
  throw InputError(
      "interface.switching = \"circuit\" needs router.architecture = \"hybrid\": other routers have no "
      "circuits");
}

}  // namespace

void Fabric::copy_packets(const std::string& user, std::uint32_t) {
  throw InputError(user +
                   ": routers of this architecture give a packet one way on; expected router.architecture = "
                   "\"hybrid\"");
}

void Fabric::set_up_circuits(CircuitUser&) { refuse_circuits(); }
CircuitChanges& Fabric::change_circuits() { refuse_circuits(); }
bool Fabric::circuits_would_stand(const std::vector<CircuitRequest>&) const { refuse_circuits(); }

}  // namespace braid::models
