// The PO2 fabric: routers with a centralized pool of packet buffers, joined by half-duplex links
// (po2-message-scheduling). Any topology, any routing algorithm; VCs only number states of routing (deroutes taken).
#pragma once

#include <memory>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/families/po2/router.h"
#include "models/families/po2/slice.h"

namespace braid::models::po2 {

class Fabric final : public models::Fabric {
 public:
  /// Throws InputError: values out of range.
  explicit Fabric(const FabricContext& context);

  PacketTransport& transport(std::size_t s) override { return *slices_[s]; }
  void set_sink(std::size_t s, PacketSink* sink) override { slices_[s]->set_sink(sink); }

  void compute(std::size_t s, std::uint64_t cycle) override { slices_[s]->compute(cycle); }
  void commit(std::size_t s, std::uint64_t cycle) override { slices_[s]->commit(cycle); }
  void end_cycle(std::uint64_t cycle) override { now_ = cycle + 1; }

  Counters counters() const override;
  bool transfers_under_way() const override;
  Census census() const override;
  LinkUse link_use(RouterId router, PortId port) const override;
  std::uint32_t buffered(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint32_t credits(RouterId router, PortId port, std::uint32_t vc) const override;
  Report report() const override;
  void check_deadlock_free(const routing::Topology&, const routing::RoutingAlgorithm&, std::uint32_t,
                           const routing::OnProgress&) const override;
  /// The cycle of full pools that wait for each other, a router a line; without one, the oldest packet of each router
  /// that waits.
  void check_room() const override { policy_->check_room(); }
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;
  void checkpoint(Checkpoint& c) override {
    c.each(routers_);
    c.array(candidates_.data(), candidates_.size());
    c.each(slices_);
    c(now_);
    if (!c.restoring()) return;
    for (const auto& slice : slices_) slice->check_restored(c);
  }

  std::size_t slice_count() const { return slices_.size(); }
  Slice& slice(std::size_t s) { return *slices_[s]; }
  const FabricContext& context() const { return context_; }
  const std::vector<Router>& routers() const { return routers_; }
  /// Ways on of the packet in a buffer.
  const routing::Candidate* candidates(std::size_t router, std::size_t buffer) const {
    return &candidates_[(router * options_.buffers + buffer) * candidates_each_];
  }
  /// The packet at the front of a local port's source queue, while it asks for the port.
  std::optional<Slice::Head> head(std::uint32_t router, std::size_t port) const {
    return slices_[context_.slicing.slice_of_router[router]]->head(router, port);
  }
  const PoolPolicy& policy() const { return *policy_; }
  const Options& router_options() const { return options_; }
  const PacketStore& store() const { return context_.store; }
  const routing::Topology& topology() const { return context_.topology; }

 private:
  FabricContext context_;
  Options options_;
  LocalPortMap local_ports_;
  std::unique_ptr<PoolPolicy> policy_;
  std::size_t candidates_each_;
  std::vector<Router> routers_;
  std::vector<routing::Candidate> candidates_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::uint64_t now_ = 0;
};

/// The registers of the named routers as signals.
std::unique_ptr<SignalSource> trace_po2(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers);

/// Throws std::bad_cast if it is none.
Fabric& of(models::Fabric& fabric);

}  // namespace braid::models::po2
