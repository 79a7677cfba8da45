#include "models/experiment/results.h"

#include <fmt/format.h>

#include "models/experiment/energy.h"
#include "models/fabric/subnets.h"

namespace braid::models {
namespace {

const FigureTable<LinkFlow>& link_flow_figures() {
  static const FigureTable<LinkFlow> table =
      FigureTable<LinkFlow>()
          .add("source", "", "node", [](const LinkFlow& f) { return f.source.value; })
          .add("destination", "", "node", [](const LinkFlow& f) { return f.destination.value; })
          .add("class", "", "of traffic", &LinkFlow::traffic_class)
          .add("flits_per_cycle", "flits/cycle", "of packets whose head came over the link while measuring",
               &LinkFlow::flits_per_cycle);
  return table;
}

using ResultsLink = OnTopology<LinkResult>;
const FigureTable<ResultsLink>& link_figures() {
  static const FigureTable<ResultsLink> table =
      FigureTable<ResultsLink>()
          .add("router", "", "where the link begins",
               [](const ResultsLink& l) { return l.topology->router_names[l.item->from.value]; })
          .add("port", "", "its output port",
               [](const ResultsLink& l) { return l.topology->port(l.item->from, l.item->port).name; })
          .add("to", "", "the router where it ends",
               [](const ResultsLink& l) {
                 return l.topology->router_names[l.topology->port(l.item->from, l.item->port).peer_router.value];
               })
          .add("packet_flits_per_cycle", "flits/cycle", "of packets",
               [](const ResultsLink& l) { return l.item->packet_flits_per_cycle; })
          .add("circuit_flits_per_cycle", "flits/cycle", "of circuits",
               [](const ResultsLink& l) { return l.item->circuit_flits_per_cycle; })
          .add("stopped", "", "share of the cycles in which the far end's stop held a packet on it",
               [](const ResultsLink& l) { return l.item->stopped; })
          .exists_with("router.architecture = \"myrinet\"")
          .add("subnet", "", "the network that the link is of", [](const ResultsLink& l) { return l.item->subnet; })
          .exists_with(kWithSubnets)
          .parts(
              "flows", "", "who used the link, counted packet by packet; the largest flow comes first",
              [](const ResultsLink& l) -> const auto& { return l.item->flows; }, link_flow_figures())
          .exists_with("results.link_flows = true");
  return table;
}

using ResultsNodeLink = OnTopology<NodeLinkResult>;
const FigureTable<ResultsNodeLink>& node_link_figures() {
  static const FigureTable<ResultsNodeLink> table =
      FigureTable<ResultsNodeLink>()
          .add("node", "", "its number", [](const ResultsNodeLink& l) { return l.item->node.value; })
          .add("router", "", "to which it is connected",
               [](const ResultsNodeLink& l) {
                 return l.topology->router_names[l.topology->entry_router(l.item->node).value];
               })
          .add("ports", "", "local ports of the node: so many links each way",
               [](const ResultsNodeLink& l) { return std::uint64_t{l.item->ports}; })
          .add("injected_flits_per_cycle", "flits/cycle", "from the node into the network",
               [](const ResultsNodeLink& l) { return l.item->injected_flits_per_cycle; })
          .add("ejected_flits_per_cycle", "flits/cycle", "from the network to the node",
               [](const ResultsNodeLink& l) { return l.item->ejected_flits_per_cycle; });
  return table;
}

const FigureTable<SubnetResult>& subnet_figures() {
  static const FigureTable<SubnetResult> table =
      FigureTable<SubnetResult>()
          .add("subnet", "", "its number", &SubnetResult::number)
          .add("classes", "", "of traffic that it carries", &SubnetResult::classes)
          .add("accepted_flits_per_node_cycle", "flits/node/cycle", "that it delivered", &SubnetResult::accepted)
          .add("injected_flits_per_node_cycle", "flits/node/cycle", "that nodes sent into it", &SubnetResult::injected)
          .add("busiest_link_load", "", "of what its busiest link between routers takes",
               &SubnetResult::busiest_link_load)
          .add("busiest_link_router", "", "where that link begins", &SubnetResult::busiest_router)
          .add("busiest_link_port", "", "its output port", &SubnetResult::busiest_port)
          .add("mean_link_load", "", "mean over its links of what each takes", &SubnetResult::mean_link_load);
  return table;
}

using Run = OnTopology<Results>;

const FigureTable<Verdict>& verdict_figures() {
  static const FigureTable<Verdict> table =
      FigureTable<Verdict>()
          .add("what", "", "deadlock, livelock, stalled, starvation, …", &Verdict::what)
          .add("text", "", "the sentence", &Verdict::text)
          .add("waiting", "", "what waits for what, in the order of the cycle", &Verdict::waiting);
  return table;
}

const FigureTable<Warning>& warning_figures() {
  static const FigureTable<Warning> table =
      FigureTable<Warning>()
          .add("code", "",
               "saturated, unsteady, starved, fallen_back, unreliable, limit, rate_not_held (for which --strict "
               "fails), wide, queued, untimed",
               &Warning::code)
          .add("text", "", "a sentence", &Warning::text)
          .add("place", "", "a class of traffic, an actor, setup, run or a line of a program", &Warning::place);
  return table;
}

const FigureTable<Fabric::Engines>& engine_figures() {
  static const FigureTable<Fabric::Engines> table =
      FigureTable<Fabric::Engines>()
          .add("cycles_in_planes", "cycles", "of all cycles; the others were computed over lists",
               &Fabric::Engines::cycles_in_planes)
          .add("lists_because", "", "what planes cannot run; not there where they can", [](const Fabric::Engines& e) {
            return e.lists_because.empty() ? std::nullopt : std::optional<std::string>(e.lists_because);
          });
  return table;
}

/// What a run is: how long, and whether its figures can be trusted.
void add_run(FigureTable<Run>& table) {
  table.add("cycles", "cycles", "simulated in all", [](const Run& r) { return r.item->cycles; })
      .add("warmup_cycles", "cycles",
           "whole batches (simulation.batch_cycles); ends after at least min_warmup_cycles with two batches running "
           "that "
           "are calm: something was delivered (of a stream program: the sinks fired, too), and mean latency and flits "
           "delivered, over all classes, each differ from the batch before by no more than warmup_tolerance of the "
           "larger value; with simulation.warmup_rule = \"mser5\" as docs/statistics.md says",
           [](const Run& r) { return r.item->warmup_cycles; })
      .add("measured_cycles", "cycles", "after the warm-up", [](const Run& r) { return r.item->measured_cycles; })
      .add("steady", "", "the warm-up rule was met at max_warmup_cycles (rounded up to a batch) or before",
           [](const Run& r) { return r.item->steady; })
      .add("saturated", "",
           "a class of traffic is: classes[].saturation says why; only with [traffic], for a stream program waits for "
           "its network. Packets born while measuring are waited for in steps of 100 cycles, up to the drain limit",
           [](const Run& r) { return r.item->saturated; })
      .add("packet_hash", "",
           "hexadecimal; over source, destination, sequence, flits, created, injected, delivered and routers of every "
           "delivered packet (docs/testing.md); the same under every schedule and number of threads",
           [](const Run& r) { return fmt::format("{:016x}", r.item->packet_hash); })
      .add(
          "flit_hops", "",
          "flits that passed a router's switch, whole run; cut-through and PO2 routers count a packet's flits with its "
          "head",
          [](const Run& r) { return r.item->flit_hops; })
      .parts(
          "warnings", "", "against these figures; also on standard error",
          [](const Run& r) -> const auto& { return r.item->warnings; }, warning_figures())
      .only_in_json()
      .add("wall_seconds", "s", "of the computer", [](const Run& r) { return r.item->wall_seconds; })
      .part(
          "engines", "", "which of two engines computed the cycles (docs/planes.md): no other figure hangs on it",
          [](const Run& r) -> const auto& { return r.item->engines; }, engine_figures())
      .only_in_json()
      .part(
          "verdict", "", "why the watchdog ended the run; then the figures of the measured cycles are missing",
          [](const Run& r) -> const auto& { return r.item->verdict; }, verdict_figures())
      .part(
          "conservation", "", "whole run", [](const Run& r) -> const auto& { return r.item->conservation; },
          conservation_figures());
}

/// What its users met.
void add_workloads(FigureTable<Run>& table) {
  table.parts(
      "classes", "", "kinds of packets of which one was born while measuring",
      [](const Run& r) -> const auto& { return r.item->classes; }, class_figures());
  for (const auto& [section, entry] : WorkloadRegistry::instance().entries()) {
    table.among(entry.figures, "a section [" + section + "]",
                [](const Run& r) -> const auto& { return r.item->workloads; });
  }
}

/// What the policies say.
void add_policies(FigureTable<Run>& table) {
  table
      .policy<FabricRegistry>("router_per_cycle", "", "the router architecture's own, per measured cycle",
                              "router.architecture", [](const Run& r) -> const auto& { return r.item->router; })
      .policy<routing::RoutingRegistry>("routing", "", "the routing algorithm's own", "routing.algorithm",
                                        [](const Run& r) -> const auto& { return r.item->routing; })
      .policy<InjectionSchedulerRegistry>("scheduler", "", "the injection scheduler's own, over all ports",
                                          "interface.scheduler",
                                          [](const Run& r) -> const auto& { return r.item->scheduler; })
      .policy<InjectionGateRegistry>("fairness", "", "the fairness policy's own", "interface.fairness",
                                     [](const Run& r) -> const auto& { return r.item->fairness; })
      .reported("in_transit", "", "of in-transit buffers", in_transit_figures(), "routing.in_transit != \"none\"",
                [](const Run& r) -> const auto& { return r.item->in_transit; })
      .reported("failure", "", "of the link that went down", Reconfiguration::figures(), "a section [failure]",
                [](const Run& r) -> const auto& { return r.item->failure; });
}

}  // namespace

const FigureTable<OnTopology<Results>>& result_figures() {
  static const FigureTable<Run> table = [] {
    FigureTable<Run> all;
    add_run(all);
    add_workloads(all);
    add_policies(all);
    const auto setup = [](const Run& r) {
      return r.item->setup.attempted ? std::optional<OnTopology<SetupResults>>({&r.item->setup, r.topology})
                                     : std::nullopt;
    };
    all.part("setup", "", "of the circuits", setup, setup_figures());
    all.reported("reroutes", "", "of circuits that move while the program runs, whole run", reroute_figures().list(),
                 "setup.reroute != \"none\"", [](const Run& r) -> const auto& { return r.item->reroutes; });
    all.reported("energy", "pJ", "an estimate: events while measuring, times what each takes (docs/energy.md)",
                 energy_figures(), energy_condition(), [](const Run& r) -> const auto& { return r.item->energy; });
    all.reported("area", "um2", "an estimate of the network's routers (docs/energy.md)", area_figures(),
                 energy_condition(), [](const Run& r) -> const auto& { return r.item->area; });
    all.parts(
           "subnets", "", "the networks side by side, while measuring",
           [](const Run& r) -> const auto& { return r.item->subnets; }, subnet_figures())
        .exists_with(kWithSubnets);
    all.parts(
           "links", "flits/cycle",
           "over each link between routers while measuring; a flit counts in the cycle in which it crosses the "
           "switch to the link; cut-through and PO2 routers count a packet's flits with its head",
           [](const Run& r) { return on_topology(r.item->links, *r.topology); }, link_figures())
        .only_in_json();
    all.parts(
           "node_links", "flits/cycle",
           "over the injection and ejection links of each node while measuring, all classes, mean over its local "
           "ports; a packet counts with its tail",
           [](const Run& r) { return on_topology(r.item->node_links, *r.topology); }, node_link_figures())
        .only_in_json();
    return all;
  }();
  return table;
}

}  // namespace braid::models
