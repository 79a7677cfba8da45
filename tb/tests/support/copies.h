// Packets that routers copy on hybrid routers (PacketTransport::send_copies()), and who sends and takes them by hand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

class CopyRig final : public models::PacketSink {
 public:
  /// `announced`: flits of the longest packet that forks, as whoever sends them says; 0: none will.
  explicit CopyRig(models::Experiment e, std::uint32_t announced = 1) : experiment_(std::move(e)) {
    topology_ = routing::make_topology(experiment_);
    routing_ = routing::make_routing(topology_, experiment_);
    ports_ = std::make_unique<models::LocalPortMap>(topology_);
    slicing_ = std::make_unique<models::Slicing>(topology_.router_count(), 1);
    fabric_ = std::make_unique<models::hybrid::Fabric>(
        models::FabricContext{experiment_, topology_, *routing_, store_, *slicing_});
    fabric_->set_sink(0, this);
    if (announced != 0) fabric_->copy_packets("a test", announced);
  }

  /// A mesh with so many VCs of so many flits.
  static models::Experiment mesh(std::uint32_t width, std::uint32_t height, std::uint32_t vcs = 2,
                                 std::uint32_t depth = 4) {
    models::Experiment e;
    e.set("topology.width", width);
    e.set("topology.height", height);
    e.set("router.vcs", vcs);
    e.set("router.buffer_depth", depth);
    return e;
  }

  /// In every cycle no two flits cross to one port, no flit is lost or made of nothing, and no packet is.
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i, ++now_) {
      fabric_->compute(0, now_);
      fabric_->commit(0, now_);
      fabric_->end_cycle(now_);
      check();
    }
  }
  /// Until nothing is in the network, or nothing has moved for `patience` cycles; is it empty?
  bool drain(std::uint64_t patience = 200) {
    for (std::uint64_t still = 0, moved = 0; taken() < made_ && still < patience; ++still) {
      run(1);
      const auto c = fabric_->counters();
      if (c.flit_hops + c.flits_injected + c.flits_delivered != moved) still = 0;
      moved = c.flit_hops + c.flits_injected + c.flits_delivered;
    }
    return taken() == made_;
  }
  /// One packet to several nodes, made in the cycle that has just ended; the number of the message.
  std::uint32_t send(std::size_t from, const std::vector<std::size_t>& to, std::uint32_t flits) {
    std::vector<models::PacketSlot> packets;
    for (const std::size_t each : to) packets.push_back(packet(from, each, flits));
    fabric_->transport(0).send_copies(ports_->first[from], packets);
    return messages_++;
  }
  /// A packet to one, by itself.
  std::uint32_t send_one(std::size_t from, std::size_t to, std::uint32_t flits) {
    fabric_->transport(0).send(ports_->first[from], packet(from, to, flits));
    return messages_++;
  }
  std::vector<std::size_t> all_but(std::size_t node) const {
    std::vector<std::size_t> all;
    for (std::size_t n = 0; n < topology_.node_count(); ++n) {
      if (n != node) all.push_back(n);
    }
    return all;
  }
  /// Routers from node to node.
  std::uint64_t routers(std::size_t from, std::size_t to) const {
    return topology_.distances_to(topology_.router_of(NodeId{to}))[topology_.router_of(NodeId{from}).value] + 1;
  }
  std::uint64_t made() const { return now_ - 1; }
  std::uint64_t taken() const { return delivered_; }
  std::uint64_t packets_made() const { return made_; }
  models::hybrid::Fabric& fabric() { return *fabric_; }
  const routing::Topology& topology() const { return topology_; }

  bool admit(models::PacketSlot) override { return true; }
  void deliver(std::uint64_t cycle, models::PacketSlot slot) override {
    const models::Packet& p = store_[slot];
    arrived[p.tag][p.destination.value].push_back(cycle);
    injected[p.tag].insert(p.injected);
    hops[p.tag][p.destination.value] = p.routers;
    ++delivered_;
    pool_.give_back(slot);
  }
  void sent(std::uint64_t, models::PacketSlot) override { ++left; }

  std::map<std::uint32_t, std::map<std::size_t, std::vector<std::uint64_t>>> arrived;  // [message][node] cycles
  std::map<std::uint32_t, std::map<std::size_t, std::uint64_t>> hops;                  // [message][node] routers
  std::map<std::uint32_t, std::set<std::uint64_t>> injected;                           // [message] cycles
  std::uint64_t left = 0;                                                              // packets, of their sources

 private:
  void check() {
    std::set<models::hybrid::PortIndex> taken_ports;
    const models::hybrid::Slice& slice = fabric_->slice(0);
    for (const auto* crossing : {&slice.switch_register(), &slice.copies()}) {
      for (const auto& t : *crossing) EXPECT_TRUE(taken_ports.insert(t.out_port).second) << "in cycle " << now_;
    }
    const auto c = fabric_->counters();
    const auto census = fabric_->census();
    ASSERT_EQ(c.flits_injected + c.flits_copied, c.flits_delivered + census.flits) << "in cycle " << now_;
    ASSERT_EQ(made_, delivered_ + census.packets) << "in cycle " << now_;
  }
  models::PacketSlot packet(std::size_t from, std::size_t to, std::uint32_t flits) {
    const models::PacketSlot slot = pool_.take();
    store_[slot] = {};
    store_[slot].created = made();
    store_[slot].source = NodeId{from};
    store_[slot].destination = NodeId{to};
    store_[slot].sequence = static_cast<std::uint32_t>(made_++);
    store_[slot].tag = messages_;
    store_[slot].length_flits = static_cast<std::uint16_t>(flits);
    return slot;
  }

  models::Experiment experiment_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  std::unique_ptr<models::LocalPortMap> ports_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  std::unique_ptr<models::Slicing> slicing_;
  std::unique_ptr<models::hybrid::Fabric> fabric_;
  std::uint32_t messages_ = 0;
  std::uint64_t made_ = 0, delivered_ = 0, now_ = 1;
};

}  // namespace braid::test
