// A fabric of paper, which answers with whatever numbers a case gives it and moves no packet.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// Keeps what it is sent.
struct PaperInterfaces final : models::PacketTransport {
  std::vector<models::PacketSlot> packets;
  void send(std::size_t, models::PacketSlot packet) override { packets.push_back(packet); }
  std::size_t queued(std::size_t) const override { return packets.size(); }
};

struct Paper final : models::Fabric {
  explicit Paper(const models::FabricContext& context)
      : below(context.slicing.ranges.size()), pool(context.store), period_ps(context.topology.node_count() * 500) {
    made = this;
  }
  static inline Paper* made = nullptr;  // the last

  std::vector<PaperInterfaces> below;  // [slice]
  models::PacketStore::Pool pool;
  std::uint64_t period_ps;
  Counters counted;
  Census found;
  bool first_half = false, transfers = false, set_up = true;
  std::vector<models::PacketSlot> fronts;
  std::string told;
  mutable int asked_for_room = 0;

  models::PacketTransport& transport(std::size_t slice) override { return below[slice]; }
  void set_sink(std::size_t, models::PacketSink*) override {}
  bool begin_cycle(std::uint64_t cycle) override {
    told += "b" + std::to_string(cycle) + " ";
    return first_half;
  }
  void compute(std::size_t slice, std::uint64_t cycle) override {
    told += "x" + std::to_string(slice) + "@" + std::to_string(cycle) + " ";
  }
  void commit(std::size_t slice, std::uint64_t cycle) override {
    told += "y" + std::to_string(slice) + "@" + std::to_string(cycle) + " ";
  }
  void end_cycle(std::uint64_t cycle) override { told += "e" + std::to_string(cycle) + " "; }
  Counters counters() const override { return counted; }
  bool transfers_under_way() const override { return transfers; }
  bool setup_done() const override { return set_up; }
  Census census() const override { return found; }
  LinkUse link_use(RouterId, PortId) const override { return {}; }
  std::uint64_t clock_period_ps() const override { return period_ps; }
  bool fixes_clock() const override { return true; }
  void check_room() const override { ++asked_for_room; }
  std::string describe_waiting() const override { return "\nwho waits"; }
  void for_each_front(const std::function<void(models::PacketSlot)>& visit) const override {
    for (const models::PacketSlot slot : fronts) visit(slot);
  }
  const models::PacketStore::Pool* own_slots() const override { return &pool; }
};

/// Two nodes of a network over paper.
struct OnPaper {
  static models::Experiment experiment() {
    static const bool added = models::FabricRegistry::instance().add(
        "paper", "of the tests", [] { return std::make_unique<models::FamilyOf<Paper>>(); });
    EXPECT_TRUE(added);
    models::Experiment e = uniform_mesh(0.0, 2, 1);
    e.set("router.architecture", "paper");
    return e;
  }
  explicit OnPaper(std::size_t slices = 1) : OnPaper(experiment(), slices) {}
  OnPaper(const models::Experiment& e, std::size_t slices)
      : bench(e, slices), network(*bench.network), paper(*Paper::made) {}
  Bench bench;
  models::Network& network;
  Paper& paper;
};

}  // namespace braid::test
