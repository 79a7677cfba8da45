// Subnets: several physical networks side by side ([network] subnets), as BookSim 2's `subnets`. Each is a whole copy
// of the network that the experiment describes: routers, links and network interfaces of its own. Every node hangs on
// each of them, and the subnet of a packet is that of its class of traffic (traffic.subnets, Outlet). Nothing passes
// between two of them but what nodes send, so each runs as if the others were not there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "routing/base/options.h"

namespace braid::models {

constexpr std::uint32_t kMostSubnets = 8;

struct SubnetOptions {
  std::uint32_t subnets = 1;
};
/// In section [network], which exists only where it is opened.
const OptionTable<SubnetOptions>& subnet_options();
OptionBranch subnet_branch();
/// Is there a section [network]?
bool has_subnets(const Configuration& configuration);
/// 1 without that section.
std::uint32_t subnet_count(const Configuration& configuration);
/// The condition of keys and figures of such networks.
constexpr const char* kWithSubnets = "a section [network]";

/// The interfaces of a slice's nodes in all subnets. Local ports are numbered subnet by subnet: port p of subnet s is
/// p + s * (ports of one subnet).
class SubnetTransport final : public PacketTransport {
 public:
  /// `ports`: local ports of one subnet.
  SubnetTransport(std::size_t ports, std::vector<PacketTransport*> below) : ports_(ports), below_(std::move(below)) {}

  /// What takes packets for a subnet from now on: an injection point above its interfaces.
  void put_above(std::size_t subnet, PacketTransport& transport) { below_[subnet] = &transport; }

  void send(std::size_t local_port, PacketSlot packet) override { of(local_port).send(local_port % ports_, packet); }
  std::size_t queued(std::size_t local_port) const override { return of(local_port).queued(local_port % ports_); }
  bool ready(std::size_t local_port) const override { return of(local_port).ready(local_port % ports_); }
  bool ready_for(std::size_t local_port, PacketSlot packet) const override {
    return of(local_port).ready_for(local_port % ports_, packet);
  }
  std::optional<PacketSlot> recall(std::size_t local_port) override {
    return of(local_port).recall(local_port % ports_);
  }

 private:
  PacketTransport& of(std::size_t local_port) const { return *below_[local_port / ports_]; }

  std::size_t ports_;
  std::vector<PacketTransport*> below_;  // [subnet]
};

class Subnets final : public Fabric {
 public:
  /// Two or more, of one family and topology; `slices` as they are cut, `ports` local ports each.
  Subnets(std::vector<std::unique_ptr<Fabric>> subnets, std::size_t slices, std::size_t ports);

  std::size_t subnets() const override { return subnets_.size(); }
  const Fabric& subnet(std::size_t subnet) const override { return *subnets_[subnet]; }
  Fabric& subnet(std::size_t subnet) { return *subnets_[subnet]; }

  SubnetTransport& transport(std::size_t slice) override { return transports_[slice]; }
  void set_sink(std::size_t slice, PacketSink* sink) override;
  bool begin_cycle(std::uint64_t cycle) override;
  void compute(std::size_t slice, std::uint64_t cycle) override;
  void commit(std::size_t slice, std::uint64_t cycle) override;
  void end_cycle(std::uint64_t cycle) override;
  void count_routers() override {
    for (const auto& subnet : subnets_) subnet->count_routers();
  }
  Counters counters() const override;
  bool transfers_under_way() const override;
  Census census() const override;
  /// Over the links of all subnets.
  LinkUse link_use(RouterId router, PortId port) const override;
  /// Virtual channels subnet by subnet.
  std::uint32_t shown_vcs() const override;
  std::uint32_t buffered(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint32_t credits(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint64_t clock_period_ps() const override { return subnets_.front()->clock_period_ps(); }
  bool fixes_clock() const override { return subnets_.front()->fixes_clock(); }
  Report report() const override;
  /// Of the subnet that had the fewest in planes.
  std::optional<Engines> engines() const override;
  void check_deadlock_free(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                           std::uint32_t vcs, const routing::OnProgress& progress) const override;
  void check_room() const override;
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  /// In scopes subnet_0, subnet_1, … of the waveform.
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;
  void checkpoint(Checkpoint& c) override;

 private:
  std::vector<std::unique_ptr<Fabric>> subnets_;
  std::vector<SubnetTransport> transports_;  // [slice]
};

}  // namespace braid::models
