// Circuits that fork on a mesh of hybrid routers (stream.multicast), and who sends and takes items on them by hand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/circuit_forks.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// A stream's nodes; those of one source with the same number carry copies of the same items.
struct ForkWay {
  std::size_t from, to;
  std::optional<std::uint32_t> copies = {};
};

class ForkRig final : public models::CircuitUser, public models::PacketSink {
 public:
  struct Shape {
    std::uint32_t width = 3, height = 3, local_ports = 4, lanes = 1;
  };

  explicit ForkRig(std::vector<ForkWay> ways, const Shape& shape, std::uint32_t retries = 0) : ways_(std::move(ways)) {
    experiment_.set("topology.width", shape.width);
    experiment_.set("topology.height", shape.height);
    experiment_.set("topology.local_ports", shape.local_ports);
    experiment_.open("stream");
    experiment_.set("interface.switching", "circuit");
    experiment_.set("stream.multicast", "routers");
    experiment_.set("router.circuit_lanes", shape.lanes);
    experiment_.set("setup.retries", retries);
    topology_ = routing::make_topology(experiment_);
    routing_ = routing::make_routing(topology_, experiment_);
    slicing_ = std::make_unique<models::Slicing>(topology_.router_count(), 1);
    fabric_ = std::make_unique<models::hybrid::Fabric>(
        models::FabricContext{experiment_, topology_, *routing_, store_, *slicing_});
    fabric_->set_sink(0, this);
    trees_.resize(ways_.size());
    starts_.resize(ways_.size());
    sent_.resize(ways_.size());
    fabric_->set_up_circuits(*this);
  }
  explicit ForkRig(std::vector<ForkWay> ways) : ForkRig(std::move(ways), Shape()) {}

  ForkRig& ready() {
    while (!fabric_->setup_done()) run(1);
    return *this;
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i, ++now_) {
      fabric_->compute(0, now_);
      fabric_->commit(0, now_);
      fabric_->end_cycle(now_);
      expect_one_flit_a_port();
    }
  }
  /// An item of a circuit, for all branches of its tree, made in the cycle that has just ended.
  void send(std::uint32_t circuit, std::uint32_t flits) {
    std::vector<models::PacketTransport::Copy> copies{{circuit, packet(circuit, flits)}};
    for (std::uint32_t c = 0; c < ways_.size(); ++c) {
      if (c != circuit && trees_[c] == circuit) copies.push_back({c, packet(c, flits)});
    }
    const auto [port, lane] = starts_[circuit];
    fabric_->transport(0).send_on_tree(port, lane, copies);
  }
  void send_packet(std::size_t from, std::size_t to) {
    const models::PacketSlot slot = packet(kPacket, 1);
    store_[slot].destination = NodeId{to};
    fabric_->transport(0).send(models::LocalPortMap(topology_).first[from], slot);
  }
  /// Cycles in which a circuit's items arrived.
  std::vector<std::uint64_t> arrivals(std::uint32_t circuit) const {
    const auto found = arrived.find(circuit);
    return found == arrived.end() ? std::vector<std::uint64_t>{} : found->second;
  }
  std::uint64_t made() const { return now_ - 1; }
  bool is_tree(std::uint32_t circuit) const { return trees_[circuit] == circuit; }
  std::uint32_t tree_of(std::uint32_t circuit) const { return trees_[circuit]; }

  std::vector<models::CircuitRequest> circuits() const override {
    std::vector<models::CircuitRequest> requests;
    for (std::size_t c = 0; c < ways_.size(); ++c) {
      requests.push_back({std::to_string(c), NodeId{ways_[c].from}, NodeId{ways_[c].to}, ways_[c].copies});
    }
    return requests;
  }
  void circuit_found(std::size_t c, std::size_t port, std::uint32_t lane) override {
    starts_[c] = {port, lane};
    trees_[c] = static_cast<std::uint32_t>(c);
  }
  void circuit_joined(std::size_t c, std::size_t tree) override { trees_[c] = static_cast<std::uint32_t>(tree); }
  void set_up(bool success) override { stands = success; }
  bool admit(models::PacketSlot slot) override { return shut.count(store_[slot].tag) == 0; }
  void deliver(std::uint64_t cycle, models::PacketSlot slot) override {
    arrived[store_[slot].tag].push_back(cycle);
    items[store_[slot].tag].push_back(store_[slot].tag_sequence);
    injected[store_[slot].tag].push_back(store_[slot].injected);
    pool_.give_back(slot);
  }
  void sent(std::uint64_t, models::PacketSlot) override { ++left; }

  models::hybrid::Fabric& fabric() { return *fabric_; }
  const routing::Topology& topology() const { return topology_; }
  const std::vector<ForkWay>& ways() const { return ways_; }

  static constexpr std::uint32_t kPacket = 999;
  std::map<std::uint32_t, std::vector<std::uint64_t>> arrived, injected;  // [circuit] cycles
  std::map<std::uint32_t, std::vector<std::uint32_t>> items;              // [circuit] numbers, as they arrived
  std::set<std::uint32_t> shut;                                           // circuits whose receiver has no room
  std::uint64_t left = 0;                                                 // packets, of their sources
  bool stands = false;

 private:
  /// Whatever crosses the switches next, no two flits cross to one port.
  void expect_one_flit_a_port() {
    std::set<models::hybrid::PortIndex> taken;
    const models::hybrid::Slice& slice = fabric_->slice(0);
    for (const auto* crossing : {&slice.switch_register(), &slice.copies()}) {
      for (const auto& t : *crossing) EXPECT_TRUE(taken.insert(t.out_port).second) << "in cycle " << now_;
    }
  }
  models::PacketSlot packet(std::uint32_t circuit, std::uint32_t flits) {
    const models::PacketSlot slot = pool_.take();
    store_[slot] = {};
    store_[slot].created = made();
    store_[slot].tag = circuit;
    store_[slot].length_flits = static_cast<std::uint16_t>(flits);
    if (circuit == kPacket) return slot;
    store_[slot].destination = NodeId{ways_[circuit].to};
    store_[slot].tag_sequence = sent_[circuit]++;
    return slot;
  }

  std::vector<ForkWay> ways_;
  models::Experiment experiment_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  std::unique_ptr<models::Slicing> slicing_;
  std::unique_ptr<models::hybrid::Fabric> fabric_;
  std::vector<std::uint32_t> trees_, sent_;                    // [circuit]
  std::vector<std::pair<std::size_t, std::uint32_t>> starts_;  // [circuit] local port, lane
  std::uint64_t now_ = 0;
};

}  // namespace braid::test
