#include "models/experiment/energy.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "models/fabric/fabric.h"
#include "models/fabric/router_storage.h"
#include "models/fabric/subnets.h"

namespace braid::models {
namespace {

/// As it is written: a name that nobody knows is refused where the key is read.
std::string architecture_of(const Configuration& configuration) {
  const Configuration::Given* given = configuration.find("router.architecture");
  const auto* name = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
  return name == nullptr ? FabricOptions{}.architecture : *name;
}

bool knows_buffers(const Configuration& configuration) {
  return RouterStorageRegistry::instance().entries().count(architecture_of(configuration)) != 0;
}

std::string condition_of(const std::string& family) { return fmt::format("router.architecture = \"{}\"", family); }

RouterBuild build_of(const RouterStorage& storage, const EnergyOptions& options, std::uint32_t ports) {
  RouterBuild router;
  router.ports = ports;
  router.vcs = storage.vcs;
  router.buffers = storage.packets_a_router > 0 ? 1 : ports;
  router.buffer_flits =
      storage.flits_a_port + (storage.packets_a_port + storage.packets_a_router) * options.packet_flits;
  router.circuit_flits = storage.circuit_flits_a_port;
  router.flit_bits = options.flit_bits;
  return router;
}

/// Where flits leave; as many come in, also where that is by ports of their own.
std::uint32_t connected_ports(const routing::Topology& topology, RouterId router) {
  std::uint32_t ports = 0;
  for (std::size_t p = 0; p < topology.port_count(router); ++p) {
    if (topology.port(router, PortId{p}).leads_out()) ++ports;
  }
  return ports;
}

/// Picojoules while measuring.
struct Spent {
  double buffers = 0, arbitration = 0, crossbars = 0, links = 0, lanes = 0, clock = 0, leakage = 0;
  std::uint64_t delivered = 0;
  double nanoseconds = 0;

  double events() const { return buffers + arbitration + crossbars + links + lanes; }
  double a_flit(double pj) const { return delivered == 0 ? kNoSample : pj / static_cast<double>(delivered); }
  double milliwatts() const { return nanoseconds == 0 ? kNoSample : (events() + clock + leakage) / nanoseconds; }
};

const FigureTable<Spent>& spent_figures() {
  static const FigureTable<Spent> table =
      FigureTable<Spent>()
          .add("pj_per_flit", "pJ/flit", "of events while measuring, all that follow, by flit delivered",
               [](const Spent& s) { return s.a_flit(s.events()); })
          .add("buffers_pj_per_flit", "pJ/flit", "writes and reads of buffers, one each for a packet's flit and router",
               [](const Spent& s) { return s.a_flit(s.buffers); })
          .add("arbitration_pj_per_flit", "pJ/flit", "for the switch, once for a packet's flit and router",
               [](const Spent& s) { return s.a_flit(s.arbitration); })
          .add("crossbars_pj_per_flit", "pJ/flit", "of all flits", [](const Spent& s) { return s.a_flit(s.crossbars); })
          .add("links_pj_per_flit", "pJ/flit", "between routers, energy.link_mm each",
               [](const Spent& s) { return s.a_flit(s.links); })
          .add("lanes_pj_per_flit", "pJ/flit", "of circuits' flits, in place of buffers and arbitration",
               [](const Spent& s) { return s.a_flit(s.lanes); })
          .add("clock_pj_per_flit", "pJ/flit", "of the routers' clock trees, which no gate stops",
               [](const Spent& s) { return s.a_flit(s.clock); })
          .add("leakage_pj_per_flit", "pJ/flit", "of the routers at energy.clock_ghz",
               [](const Spent& s) { return s.a_flit(s.leakage); })
          .add("power_mw", "mW", "of the network, clock and leakage included", &Spent::milliwatts);
  return table;
}

const FigureTable<RouterArea>& network_area_figures() {
  static const FigureTable<RouterArea> table =
      FigureTable<RouterArea>()
          .add("um2", "um2", "cells of all routers", &RouterArea::all)
          .add("buffers_um2", "um2", "of them in buffers", &RouterArea::buffers)
          .add("crossbars_um2", "um2", "... in crossbars and the registers behind", &RouterArea::crossbar)
          .add("allocators_um2", "um2", "... in allocators", &RouterArea::allocators)
          .add("circuits_um2", "um2", "... in set-up units, circuit tables and lanes", &RouterArea::circuits);
  return table;
}

}  // namespace

const OptionTable<EnergyOptions>& energy_options() {
  static const OptionTable<EnergyOptions> table =
      OptionTable<EnergyOptions>("energy")
          .choice<TechnologyNode>("node", &EnergyOptions::node,
                                  {{"45nm", TechnologyNode::k45nm}, {"22nm", TechnologyNode::k22nm}},
                                  "of the chip, for energy and area (docs/energy.md)")
          .after_warm_up()
          .integer("flit_bits", &EnergyOptions::flit_bits, 8, 1024, "of a flit and a link")
          .after_warm_up()
          .number("link_mm", &EnergyOptions::link_mm, 0.0, 100.0, "mm, of each link between routers")
          .after_warm_up()
          .number("clock_ghz", &EnergyOptions::clock_ghz, 0.01, 10.0,
                  "GHz, of all routers; leakage and power hang on it")
          .after_warm_up()
          .integer("packet_flits", &EnergyOptions::packet_flits, 1, 65535,
                   "for which a buffer of a whole packet has room, in families whose buffers count packets")
          .after_warm_up();
  return table;
}

std::vector<OptionBranch> energy_branches() {
  std::vector<OptionBranch> branches;
  for (const auto& [name, entry] : RouterStorageRegistry::instance().entries()) {
    branches.push_back(
        {condition_of(name),
         [family = name](const OptionValue&, const Configuration& c) { return architecture_of(c) == family; },
         std::make_shared<const OptionList>(energy_options().list())});
  }
  return branches;
}

std::string energy_condition() {
  std::vector<std::string> conditions;
  for (const auto& [name, entry] : RouterStorageRegistry::instance().entries())
    conditions.push_back(condition_of(name));
  return any_of(conditions);
}

std::vector<SwitchedFlits> switched_flits(const Network& network) {
  const routing::Topology& topology = network.topology();
  const std::size_t routers = topology.router_count();
  std::vector<SwitchedFlits> all(routers * network.subnets());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Fabric& fabric = network.fabric().subnet(i / routers);
    const RouterId r{i % routers};
    for (std::size_t p = 0; p < topology.port_count(r); ++p) {
      const routing::PortKind kind = topology.port(r, PortId{p}).kind;
      if (kind == routing::PortKind::kUnconnected) continue;
      const Fabric::LinkUse use = fabric.link_use(r, PortId{p});
      all[i].of_packets += use.packet_flits;
      all[i].of_circuits += use.circuit_flits;
      if (kind == routing::PortKind::kNetwork) all[i].to_links += use.packet_flits + use.circuit_flits;
    }
  }
  return all;
}

std::vector<RouterBuild> router_builds(const Configuration& configuration, const routing::Topology& topology) {
  std::vector<RouterBuild> routers;
  if (!knows_buffers(configuration)) return routers;
  const auto storage = RouterStorageRegistry::instance().make(architecture_of(configuration), configuration);
  if (!storage->fitted) return routers;
  const EnergyOptions options = energy_options().read(configuration);
  const std::size_t all = topology.router_count() * subnet_count(configuration);
  for (std::size_t i = 0; i < all; ++i) {
    routers.push_back(build_of(*storage, options, connected_ports(topology, RouterId{i % topology.router_count()})));
  }
  return routers;
}

Report energy_report(const Configuration& configuration, const routing::Topology& topology,
                     const std::vector<SwitchedFlits>& before, const std::vector<SwitchedFlits>& after,
                     std::uint64_t cycles) {
  const std::vector<RouterBuild> routers = router_builds(configuration, topology);
  if (routers.empty()) return {};
  const EnergyOptions options = energy_options().read(configuration);
  Spent spent;
  spent.nanoseconds = static_cast<double>(cycles) / options.clock_ghz;
  for (std::size_t r = 0; r < routers.size(); ++r) {
    const EventEnergy each = event_energy(routers[r], options.node);
    const auto packets = static_cast<double>(after[r].of_packets - before[r].of_packets);
    const auto circuits = static_cast<double>(after[r].of_circuits - before[r].of_circuits);
    const std::uint64_t onto_links = after[r].to_links - before[r].to_links;
    spent.buffers += packets * (each.buffer_write + each.buffer_read);
    spent.arbitration += packets * each.arbitration;
    spent.crossbars += (packets + circuits) * each.crossbar;
    spent.links += static_cast<double>(onto_links) * each.link_mm * options.link_mm;
    spent.lanes += circuits * each.lane;
    spent.clock += static_cast<double>(cycles) * each.clock;
    spent.leakage += spent.nanoseconds * each.leakage_mw;
    spent.delivered += after[r].of_packets + after[r].of_circuits - before[r].of_packets - before[r].of_circuits;
    spent.delivered -= onto_links;
  }
  return spent_figures().of(spent);
}

Report area_report(const Configuration& configuration, const routing::Topology& topology) {
  const std::vector<RouterBuild> routers = router_builds(configuration, topology);
  if (routers.empty()) return {};
  const TechnologyNode node = energy_options().read(configuration).node;
  RouterArea sum;
  for (const RouterBuild& router : routers) {
    const RouterArea area = router_area(router, node);
    sum.buffers += area.buffers;
    sum.crossbar += area.crossbar;
    sum.allocators += area.allocators;
    sum.circuits += area.circuits;
  }
  return network_area_figures().of(sum);
}

const FigureList& energy_figures() { return spent_figures().list(); }
const FigureList& area_figures() { return network_area_figures().list(); }

}  // namespace braid::models
