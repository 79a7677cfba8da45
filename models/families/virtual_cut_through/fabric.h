// The fabric of virtual cut-through routers (models/families/virtual_cut_through/slice.h says how they work).
#pragma once

#include <memory>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/families/virtual_cut_through/bank.h"
#include "models/families/virtual_cut_through/slice.h"

namespace braid::models::virtual_cut_through {

struct Options {
  std::uint32_t queue_packets = 4;        ///< packet buffers an input port
  std::uint32_t credit_delay_cycles = 2;  ///< from the flit that leaves a buffer until its credit counts, 1 or 2
};

class Fabric final : public models::Fabric {
 public:
  explicit Fabric(const FabricContext& context);

  PacketTransport& transport(std::size_t s) override { return *slices_[s]; }
  void set_sink(std::size_t s, PacketSink* sink) override { slices_[s]->set_sink(sink); }

  void compute(std::size_t s, std::uint64_t cycle) override { slices_[s]->arbitrate(cycle); }
  void commit(std::size_t s, std::uint64_t cycle) override { slices_[s]->commit(cycle); }

  /// A packet's flits count as injected when its head is, and as delivered when its tail is.
  Counters counters() const override;
  bool transfers_under_way() const override;
  Census census() const override;
  LinkUse link_use(RouterId router, PortId port) const override;
  /// Packets of which the head has come and the tail has not left.
  std::uint32_t buffered(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint32_t credits(RouterId router, PortId port, std::uint32_t vc) const override;
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;
  void checkpoint(Checkpoint& c) override {
    c(bank_);
    c.each(slices_);
    if (!c.restoring()) return;
    for (const auto& slice : slices_) slice->check_restored(c);
  }

  const Bank& bank() const { return bank_; }
  Slice& slice(std::size_t s) { return *slices_[s]; }
  std::size_t slice_count() const { return slices_.size(); }
  const PacketStore& store() const { return context_.store; }
  const routing::Topology& topology() const { return context_.topology; }

 private:
  FabricContext context_;
  Options options_;
  Bank bank_;
  std::vector<std::unique_ptr<Slice>> slices_;
};

}  // namespace braid::models::virtual_cut_through
