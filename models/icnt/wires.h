// What is on the wires of a subnet: flits and credits, by the cycle in which they are read. Every wire has latency 1,
// so what is written in cycle n is read in n + 2: a register at either end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/icnt/packets.h"

namespace braid::models::icnt {

struct Flit {
  std::uint32_t place = 0;  ///< where it goes: input channel of a router, or channel of a node
  PacketId packet = 0;
};

class Wires {
 public:
  explicit Wires(unsigned credit_delay) : credits_to_routers_(kSlots + credit_delay), credit_delay_(credit_delay) {}

  void flit_to_router(Flit flit) { flits_to_routers_[(now_ + 2) % kSlots].push_back(flit); }
  void flit_to_node(Flit flit) { flits_to_nodes_[(now_ + 2) % kSlots].push_back(flit); }
  /// To an output channel of a router; it takes credit_delay cycles more there.
  void credit_to_router(std::uint32_t channel) {
    credits_to_routers_[(now_ + 2 + credit_delay_) % credits_to_routers_.size()].push_back(channel);
  }
  void credit_to_node(std::uint32_t channel) { credits_to_nodes_[(now_ + 2) % kSlots].push_back(channel); }

  /// What this cycle reads.
  std::vector<Flit>& flits_at_routers() { return flits_to_routers_[now_ % kSlots]; }
  std::vector<Flit>& flits_at_nodes() { return flits_to_nodes_[now_ % kSlots]; }
  std::vector<std::uint32_t>& credits_at_routers() { return credits_to_routers_[now_ % credits_to_routers_.size()]; }
  std::vector<std::uint32_t>& credits_at_nodes() { return credits_to_nodes_[now_ % kSlots]; }

  std::uint64_t now() const { return now_; }
  void advance() { ++now_; }

 private:
  static constexpr std::uint64_t kSlots = 4;
  std::array<std::vector<Flit>, kSlots> flits_to_routers_, flits_to_nodes_;
  std::vector<std::vector<std::uint32_t>> credits_to_routers_;
  std::array<std::vector<std::uint32_t>, kSlots> credits_to_nodes_;
  unsigned credit_delay_;
  std::uint64_t now_ = 0;
};

}  // namespace braid::models::icnt
