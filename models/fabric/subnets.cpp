#include "models/fabric/subnets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace braid::models {
namespace {

/// The signals of all subnets.
class SubnetSignals final : public SignalSource {
 public:
  explicit SubnetSignals(std::vector<std::unique_ptr<SignalSource>> sources) : sources_(std::move(sources)) {}
  void sample(std::uint64_t cycle) override {
    for (const auto& source : sources_) source->sample(cycle);
  }

 private:
  std::vector<std::unique_ptr<SignalSource>> sources_;
};

}  // namespace

const OptionTable<SubnetOptions>& subnet_options() {
  static const OptionTable<SubnetOptions> table = OptionTable<SubnetOptions>("network").integer(
      "subnets", &SubnetOptions::subnets, 1, kMostSubnets,
      "physical networks side by side, each a whole copy with routers, links and interfaces of its own; "
      "a class of traffic says which carry it");
  return table;
}

bool has_subnets(const Configuration& configuration) { return configuration.has_section("network"); }

OptionBranch subnet_branch() {
  return {kWithSubnets, [](const OptionValue&, const Configuration& c) { return has_subnets(c); },
          std::make_shared<const OptionList>(subnet_options().list())};
}

std::uint32_t subnet_count(const Configuration& configuration) {
  return has_subnets(configuration) ? subnet_options().read(configuration).subnets : 1;
}

Subnets::Subnets(std::vector<std::unique_ptr<Fabric>> subnets, std::size_t slices, std::size_t ports)
    : subnets_(std::move(subnets)) {
  for (std::size_t s = 0; s < slices; ++s) {
    std::vector<PacketTransport*> below;
    for (const auto& subnet : subnets_) below.push_back(&subnet->transport(s));
    transports_.emplace_back(ports, std::move(below));
  }
}

void Subnets::set_sink(std::size_t slice, PacketSink* sink) {
  for (const auto& subnet : subnets_) subnet->set_sink(slice, sink);
}

bool Subnets::begin_cycle(std::uint64_t cycle) {
  bool first_half = false;
  for (const auto& subnet : subnets_) first_half = subnet->begin_cycle(cycle) || first_half;
  return first_half;
}

void Subnets::compute(std::size_t slice, std::uint64_t cycle) {
  for (const auto& subnet : subnets_) subnet->compute(slice, cycle);
}

void Subnets::commit(std::size_t slice, std::uint64_t cycle) {
  for (const auto& subnet : subnets_) subnet->commit(slice, cycle);
}

void Subnets::end_cycle(std::uint64_t cycle) {
  for (const auto& subnet : subnets_) subnet->end_cycle(cycle);
}

Fabric::Counters Subnets::counters() const {
  Counters all;
  for (const auto& subnet : subnets_) {
    const Counters one = subnet->counters();
    all.flit_hops += one.flit_hops;
    all.flits_injected += one.flits_injected;
    all.flits_delivered += one.flits_delivered;
    all.flits_copied += one.flits_copied;
    all.flits_lost += one.flits_lost;
  }
  return all;
}

bool Subnets::transfers_under_way() const {
  return std::any_of(subnets_.begin(), subnets_.end(), [](const auto& one) { return one->transfers_under_way(); });
}

Fabric::Census Subnets::census() const {
  Census all;
  for (const auto& subnet : subnets_) {
    const Census one = subnet->census();
    all.packets += one.packets;
    all.flits += one.flits;
  }
  return all;
}

Fabric::LinkUse Subnets::link_use(RouterId router, PortId port) const {
  LinkUse all;
  for (const auto& subnet : subnets_) {
    const LinkUse one = subnet->link_use(router, port);
    all.packet_flits += one.packet_flits;
    all.circuit_flits += one.circuit_flits;
    if (one.stopped_cycles) all.stopped_cycles = all.stopped_cycles.value_or(0) + *one.stopped_cycles;
  }
  return all;
}

std::uint32_t Subnets::shown_vcs() const {
  return static_cast<std::uint32_t>(subnets_.size()) * subnets_.front()->shown_vcs();
}

std::uint32_t Subnets::buffered(RouterId router, PortId port, std::uint32_t vc) const {
  const std::uint32_t each = subnets_.front()->shown_vcs();
  return subnets_[vc / each]->buffered(router, port, vc % each);
}

std::uint32_t Subnets::credits(RouterId router, PortId port, std::uint32_t vc) const {
  const std::uint32_t each = subnets_.front()->shown_vcs();
  return subnets_[vc / each]->credits(router, port, vc % each);
}

Report Subnets::report() const {
  std::vector<Report> reports;
  for (const auto& subnet : subnets_) reports.push_back(subnet->report());
  return added_up(reports);
}

std::optional<Fabric::Engines> Subnets::engines() const {
  std::optional<Engines> fewest = subnets_.front()->engines();
  for (const auto& subnet : subnets_) {
    const std::optional<Engines> one = subnet->engines();
    if (one && fewest && one->cycles_in_planes < fewest->cycles_in_planes) fewest = one;
  }
  return fewest;
}

/// They are alike.
void Subnets::check_deadlock_free(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                                  std::uint32_t vcs, const routing::OnProgress& progress) const {
  subnets_.front()->check_deadlock_free(topology, routing, vcs, progress);
}

void Subnets::check_room() const {
  for (const auto& subnet : subnets_) subnet->check_room();
}

std::string Subnets::describe_waiting() const {
  std::string all;
  for (std::size_t s = 0; s < subnets_.size(); ++s) {
    const std::string one = subnets_[s]->describe_waiting();
    if (!one.empty()) all += fmt::format("\nsubnet {}:", s) + one;
  }
  return all;
}

void Subnets::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (const auto& subnet : subnets_) subnet->for_each_front(visit);
}

std::unique_ptr<SignalSource> Subnets::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  std::vector<std::unique_ptr<SignalSource>> sources;
  for (std::size_t s = 0; s < subnets_.size(); ++s) {
    const SignalTable::Within within(table, fmt::format("subnet_{}", s));
    sources.push_back(subnets_[s]->signals(table, routers));
    if (sources.back() == nullptr) return nullptr;
  }
  return std::make_unique<SubnetSignals>(std::move(sources));
}

void Subnets::checkpoint(Checkpoint& c) {
  for (const auto& subnet : subnets_) subnet->checkpoint(c);
}

}  // namespace braid::models
