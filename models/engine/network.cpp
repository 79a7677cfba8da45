#include "models/engine/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/engine/schedule.h"
#include "models/engine/subnet_rules.h"
#include "models/fabric/subnets.h"
#include "models/fabric/trace_options.h"
#include "models/workload/line_packets.h"
#include "models/workload/routing_by_class.h"
#include "routing/algorithm/disjoint_paths.h"
#include "routing/topology/failure.h"

namespace braid::models {
namespace {

Slicing cut(const FabricFamily& family, const Configuration& configuration, std::size_t slices,
            const routing::Topology& topology, const routing::RoutingAlgorithm& routing) {
  const ScheduleOptions schedule = schedule_options().read(configuration);
  const std::size_t routers = topology.router_count();
  const FabricFamily::Cut cut = schedule.threads > 1 ? family.cut(configuration, topology, routing, slices)
                                                     : FabricFamily::Cut{family.slices(configuration, slices, routers)};
  Slicing slicing(routers, cut.slices, cut.together);
  slicing.one_thread =
      schedule.schedule == Schedule::kProcessPerStage || (schedule.threads == 1 && slicing.ranges.size() > slices);
  return slicing;
}

/// The fairness policy's line goes through the network itself: its packets are a workload, the last. Null: it does not.
LinePackets* add_line_packets(InjectionGate* gate, bool loses_packets, std::size_t nodes,
                              const MeasurementWindow& window, std::vector<std::unique_ptr<Workload>>& workloads) {
  auto* const runs = dynamic_cast<RunsPacketLine*>(gate);
  PacketLine* const line = runs == nullptr ? nullptr : runs->packet_line();
  if (line == nullptr) return nullptr;
  if (loses_packets) {
    throw InputError(
        "sat.carrier: if a link lost the packet that is the signal, the signal would be gone; expected a carrier of "
        "wires, or no section [failure]");
  }
  auto packets = std::make_unique<LinePackets>(*line, nodes, window);
  LinePackets* const added = packets.get();
  workloads.push_back(std::move(packets));
  return added;
}

/// Throws InputError where links are faster than the routers.
void check_link_speeds(const FabricFamily& family, const Configuration& configuration,
                       const routing::Topology& topology) {
  if (family.faster_links() != FasterLinks::kRefused || !topology.has_faster_links()) return;
  const FabricRegistry& families = FabricRegistry::instance();
  std::vector<std::string> movers = families.names();
  movers.erase(std::remove_if(
                   movers.begin(), movers.end(),
                   [&](const std::string& name) { return families.make(name)->faster_links() != FasterLinks::kMoved; }),
               movers.end());
  throw InputError(
      fmt::format("router.architecture = \"{}\" moves a flit a cycle over a link, and {} has links of more; expected "
                  "\"{}\", or links of one",
                  fabric_options().read(configuration).architecture, topology.name, fmt::join(movers, "\", \"")));
}

/// Throws InputError where links go one way and somebody needs the way back.
void check_one_way(const FabricFamily& family, const Configuration& configuration, const routing::Topology& topology) {
  if (!topology.one_way()) return;
  if (!family.one_way_links()) {
    topology.refuse_one_way("router.architecture = \"" + fabric_options().read(configuration).architecture + "\"");
  }
  if (routing::has_failure(configuration)) topology.refuse_one_way("a section [failure]");
  const std::string fairness = injection_options().read(configuration).fairness;
  if (fairness != "none") topology.refuse_one_way("interface.fairness = \"" + fairness + "\"");
  for (const std::string& section : WorkloadRegistry::instance().names()) {
    if (!configuration.has_section(section) || section == "traffic" || section == "replay") continue;
    topology.refuse_one_way("a section [" + section + "]");
  }
}

std::unique_ptr<FabricFamily> checked_family(const Configuration& configuration, const routing::Topology& topology) {
  auto family = FabricRegistry::instance().make(fabric_options().read(configuration).architecture);
  check_one_way(*family, configuration, topology);
  return family;
}

}  // namespace

Network::Network(const Configuration& configuration, const routing::Topology& topology,
                 const routing::RoutingAlgorithm& routing, std::size_t slices, const routing::OnProgress& progress)
    : configuration_(configuration),
      topology_(topology),
      routing_(routing),
      family_(checked_family(configuration, topology)),
      slicing_(cut(*family_, configuration, slices, topology, routing)),
      local_ports_(topology),
      fabric_(make_fabric(progress)),
      subnets_(fabric_->subnets()),
      clock_period_ps_(fabric_->clock_period_ps()),
      next_sequence_(topology.node_count() * subnets_),
      workloads_(make_workloads({configuration_, topology, local_ports_, *fabric_, window_, progress})),
      arrivals_(topology.node_count(), slicing_.ranges.size()) {
  check_link_speeds(*family_, configuration_, topology_);
  if (routing::has_failure(configuration_)) prepare_failure();
  build_endpoints();
  find_stream_paths(progress);
  for (const auto& workload : workloads_) {
    if (workload->acts_between_cycles()) between_cycles_.push_back(workload.get());
  }
}

Network::~Network() = default;

/// One of the family, or several side by side.
std::unique_ptr<Fabric> Network::make_fabric(const routing::OnProgress& progress) {
  const std::uint32_t subnets = subnet_count(configuration_);
  if (subnets == 1) return family_->make({configuration_, topology_, routing_, store_, slicing_});
  check_subnets(configuration_, routing_);
  std::vector<std::unique_ptr<Fabric>> all;
  for (std::uint32_t s = 0; s < subnets; ++s) {
    const routing::RoutingAlgorithm* routing = &routing_;
    if (s > 0 && holds_queues(routing_)) {
      routing_of_subnets_.push_back(make_routing_by_class(topology_, configuration_, progress));
      routing = routing_of_subnets_.back().get();
    }
    all.push_back(family_->make({configuration_, topology_, *routing, store_, slicing_}));
  }
  return std::make_unique<Subnets>(std::move(all), slicing_.ranges.size(), ports_of_subnet(local_ports_));
}

/// A slice's injection points above its interfaces, one in each subnet: what sends finds there.
PacketTransport& Network::injection_below(std::size_t slice, PacketTransport& interfaces,
                                          const std::vector<NodeId>& nodes) {
  const auto add = [&](PacketTransport& below) -> InjectionPoint& {
    injection_points_.push_back(
        std::make_unique<InjectionPoint>(below, gate_.get(), nodes, local_ports_, configuration_, store_));
    return *injection_points_.back();
  };
  auto* const all = dynamic_cast<Subnets*>(fabric_.get());
  if (all == nullptr) return add(interfaces);
  for (std::size_t s = 0; s < all->subnets(); ++s) {
    all->transport(slice).put_above(s, add(all->subnet(s).transport(slice)));
  }
  return interfaces;
}

/// Where streams have paths of their own. Throws InputError for packets that would have none.
void Network::find_stream_paths(const routing::OnProgress& progress) {
  const auto* const routes = routing_.routes_streams();
  if (routes == nullptr) return;
  std::vector<routing::StreamEnds> streams;
  for (const auto& workload : workloads_) {
    if (!workload->sends_packets()) continue;
    const std::vector<routing::StreamEnds> named = workload->name_streams();
    if (!named.empty() && streams.empty()) {
      streams = named;
      continue;
    }
    throw InputError(
        "routing.algorithm: this one has paths for the streams of a program alone; expected one section [stream] with "
        "interface.transfer = \"push\" and interface.switching = \"packet\", and nobody else who sends");
  }
  if (!streams.empty()) routes->find_paths(streams, progress);
}

/// Throws InputError where a lost link, or a lost packet, is more than what was chosen can bear.
void Network::prepare_failure() {
  if (!family_->loses_links() || routing_.routes() == nullptr) {
    throw InputError(fmt::format(
        "failure.router: router.architecture = \"{}\" cannot lose a link; expected \"myrinet\" or no section [failure]",
        fabric_options().read(configuration_).architecture));
  }
  for (const auto& workload : workloads_) {
    if (workload->bears_losses()) continue;
    throw InputError("failure.router: a stream program waits for every packet; expected a section [traffic] alone");
  }
  reconfiguration_ = std::make_unique<Reconfiguration>(configuration_, fabric_->clock_period_ps());
}

void Network::build_endpoints() {
  const InjectionOptions injection = injection_options().read(configuration_);
  if (injection.fairness != "none") {
    gate_ = InjectionGateRegistry::instance().make(injection.fairness, {topology_, configuration_});
  }
  LinePackets* const line_packets =
      add_line_packets(gate_.get(), reconfiguration_ != nullptr, topology_.node_count(), window_, workloads_);
  record_packets();
  const ResultsOptions keep = results_options().read(configuration_);
  const TrafficClasses classes(workloads_);
  traffic_classes_ = classes.names;
  class_subnets_ = classes.subnets;
  if (subnets() > 1) check_classes(workloads_, static_cast<std::uint32_t>(subnets()));
  std::vector<std::vector<NodeId>> nodes_of_slice(slicing_.ranges.size());
  for (std::size_t n = 0; n < topology_.node_count(); ++n) nodes_of_slice[slice_of(NodeId{n})].push_back(NodeId{n});
  for (std::size_t s = 0; s < nodes_of_slice.size(); ++s) {
    PacketTransport* transport = &fabric_->transport(s);
    if (routing_.routes() != nullptr) {
      in_transit_.push_back(std::make_unique<InTransit>(
          InTransitContext{*transport, *routing_.routes(), store_, local_ports_, configuration_,
                           fabric_->clock_period_ps(), reconfiguration_.get()},
          nodes_of_slice[s]));
      stepped_in_transit_.push_back(in_transit_.back().get());
      transport = in_transit_.back().get();
    }
    PacketTransport* const below = transport;
    if (gate_ || injection.scheduler != "fifo") {
      transport = &injection_below(s, *transport, nodes_of_slice[s]);
    }
    pools_.push_back(std::make_unique<PacketStore::Pool>(store_, s, slicing_.ranges.size()));
    if (statistics_.empty() || !slicing_.one_thread) {
      statistics_.push_back(std::make_unique<Statistics>(window_, topology_.node_count(), traffic_classes_, keep));
    }
    PacketLog::Page* page = packet_log_ ? &packet_log_->page(s) : nullptr;
    const auto outlets = [&](PacketTransport& to) {
      return OutletContext{store_,
                           *pools_[s],
                           to,
                           *statistics_.back(),
                           page,
                           local_ports_,
                           next_sequence_,
                           Random(read_seed(configuration_), "packets"),
                           static_cast<std::uint32_t>(subnets()),
                           ports_of_subnet(local_ports_),
                           Random(read_seed(configuration_), "subnets")};
    };
    endpoints_.push_back(
        std::make_unique<Endpoints>(outlets(*transport), workloads_, classes, s, nodes_of_slice[s], arrivals_));
    if (line_packets != nullptr) {
      const auto number = static_cast<std::uint8_t>(workloads_.size() - 1);
      line_packets->open_below(std::make_unique<Outlet>(outlets(*below), number, classes.of_workload.back()));
    }
    PacketSink* sink = endpoints_[s].get();
    if (!in_transit_.empty()) {
      in_transit_[s]->set_sink(sink);
      sink = in_transit_[s].get();
    }
    fabric_->set_sink(s, sink);
  }
}

/// Every packet for a log, a trace or the links' flows, else those that are watched.
void Network::record_packets() {
  const std::string watched = watch_options().read(configuration_).what;
  if (!watched.empty()) watch_ = std::make_unique<PacketWatch>(topology_, watched);
  const PacketLog::Fates fates{reconfiguration_ != nullptr, packets_rest(configuration_)};
  if (!log_options().read(configuration_).file.empty() || records_trace(configuration_) ||
      results_options().read(configuration_).link_flows) {
    packet_log_ = std::make_unique<PacketLog>(fates);
  } else if (watch_) {
    packet_log_ = std::make_unique<PacketLog>(fates, [this](const Packet& packet) { return watch_->wants(packet); });
  }
}

void Network::run_nodes(std::size_t s) {
  endpoints_[s]->generate(now_);
  for (std::size_t i = s * subnets(); i < std::min(injection_points_.size(), (s + 1) * subnets()); ++i) {
    injection_points_[i]->step();
  }
  if (!stepped_in_transit_.empty()) stepped_in_transit_[s]->step(now_);
}

void Network::run_all_nodes() {
  for (const auto& workload : workloads_) workload->generate_all(slice_count(), now_);
  for (const auto& point : injection_points_) point->step();
  for (InTransit* in_transit : stepped_in_transit_) in_transit->step(now_);
}

void Network::end_cycle() {
  fabric_->end_cycle(now_);
  for (Workload* workload : between_cycles_) workload->end_cycle(now_);
  if (gate_ && !modules_run_gate_) gate_->end_cycle(now_, [this](NodeId node) { return waiting(node); });
  if (packet_log_) packet_log_->end_cycle(now_);
  ++now_;
  if (!window_.open || (now_ - window_.first_cycle) % window_.batch_cycles != 0) return;
  for (const auto& workload : workloads_) workload->end_batch();
}

std::vector<InTransit*> Network::in_transit() const {
  std::vector<InTransit*> all;
  for (const auto& slice : in_transit_) all.push_back(slice.get());
  return all;
}

std::vector<BroadcastLine*> Network::event_lines() const {
  std::vector<BroadcastLine*> all;
  for (const auto& workload : workloads_) {
    if (BroadcastLine* line = workload->event_line()) all.push_back(line);
  }
  return all;
}

std::size_t Network::waiting(NodeId node) const {
  if (injection_points_.empty()) return 0;
  const InjectionPoint& point = *injection_points_[slice_of(node)];
  std::size_t packets = 0;
  for (std::size_t i = 0; i < local_ports_.count[node.value]; ++i) {
    packets += point.waiting(local_ports_.first[node.value] + i);
  }
  return packets;
}

std::string Network::complaint() const {
  for (const auto& in_transit : in_transit_) {
    if (!in_transit->complaint().empty()) return in_transit->complaint();
  }
  return gate_ ? gate_->complaint(now_, [this](NodeId node) { return waiting(node); }) : std::string{};
}

std::vector<std::unique_ptr<SignalSource>> Network::signals(SignalTable& table,
                                                            const std::vector<RouterId>& routers) const {
  std::vector<std::unique_ptr<SignalSource>> sources;
  sources.push_back(fabric_->signals(table, routers));
  for (const auto& in_transit : in_transit_) sources.push_back(in_transit->signals(table, routers, topology_));
  if (reconfiguration_) sources.push_back(reconfiguration_->signals(table));
  if (gate_) sources.push_back(gate_->signals(table));
  for (const auto& workload : workloads_) sources.push_back(workload->signals(table));
  if (watch_) sources.push_back(watch_->signals(table, *packet_log_));
  sources.erase(std::remove(sources.begin(), sources.end(), nullptr), sources.end());
  return sources;
}

void Network::begin_window(std::uint64_t batch_cycles) {
  window_ = {true, now(), batch_cycles};
  for (const auto& s : statistics_) s->begin_window();
  if (gate_) gate_->begin_window();
  for (const auto& workload : workloads_) workload->begin_window();
}

std::string Network::kind_of(const Packet& packet) const {
  return packet.workload == kNoWorkload ? "own" : workloads_[packet.workload]->kinds()[packet.kind];
}

void Network::stop_sources() {
  for (const auto& workload : workloads_) workload->stop();
}

bool Network::sends_by_itself() const {
  return std::any_of(workloads_.begin(), workloads_.end(), [](const auto& w) { return w->sends_by_itself(); });
}

void Network::check_deadlock_free(const routing::OnProgress& progress) const {
  const routing::RoutingOptions routes = routing::routing_options().read(configuration_);
  if (routes.allow_deadlock) return;
  fabric_->check_deadlock_free(topology_, routing_, routes.vcs, progress);
}

void Network::set_clock_period_ps(std::uint64_t period_ps) {
  const bool fixed = fabric_->fixes_clock() || !in_transit_.empty();
  if (fixed && period_ps != fabric_->clock_period_ps()) {
    throw InputError(fmt::format("a clock period of {} ps: this network's is {} ps, as delays in it are in nanoseconds",
                                 period_ps, fabric_->clock_period_ps()));
  }
  if (period_ps < 2) throw InputError(fmt::format("a clock period of {} ps: expected at least 2", period_ps));
  clock_period_ps_ = period_ps;
}

void Network::send_packet(NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag, std::uint8_t traffic_class) {
  const std::uint64_t created = now_ == 0 ? 0 : now_ - 1;
  endpoints_[slice_of(from)]->send(created, from, to, flits, tag, traffic_class);
}

std::uint32_t Network::free_ports(NodeId node) const { return endpoints_[slice_of(node)]->free_ports(node); }

}  // namespace braid::models
