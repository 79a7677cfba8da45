// The fabric of Myrinet-like switches (models/families/myrinet/slice.h says how they work).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/families/myrinet/slice.h"

namespace braid::models::myrinet {

class Fabric final : public models::Fabric {
 public:
  explicit Fabric(const FabricContext& context);

  PacketTransport& transport(std::size_t) override { return slice_; }
  void set_sink(std::size_t, PacketSink* sink) override { slice_.set_sink(sink); }

  void compute(std::size_t, std::uint64_t) override {}
  void commit(std::size_t, std::uint64_t cycle) override { slice_.cycle(cycle); }

  /// Flits of payload; hops count those of headers, too.
  Counters counters() const override;
  Census census() const override;
  LinkUse link_use(RouterId router, PortId port) const override;
  /// In the slack buffer, flits of the header and end signs included.
  std::uint32_t buffered(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint64_t clock_period_ps() const override { return slice_.timing().cycle_ps; }
  bool fixes_clock() const override { return true; }
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  const PacketStore::Pool* own_slots() const override { return &slice_.pieces(); }
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;
  void checkpoint(Checkpoint& c) override { c(slice_); }

  const Slice& slice() const { return slice_; }
  Slice& slice() { return slice_; }
  const PacketStore& store() const { return context_.store; }
  const routing::Topology& topology() const { return context_.topology; }

 private:
  /// The end of the cycle that ran last.
  std::uint64_t now() const { return slice_.now() + 1; }

  const FabricContext context_;
  const Options options_;
  Slice slice_;
};

/// The Myrinet fabric of a network that has one.
Fabric& of(models::Fabric& fabric);

}  // namespace braid::models::myrinet
