// What is on the wires of a subnet: flits and credits, by the cycle in which they are read. What is written in cycle n
// to a wire of latency 1, as all are that end at nodes, is read in n + 2: a register at either end.
#pragma once

#include <array>
#include <cstddef>
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
  /// `longest`: latency of a wire between routers.
  Wires(unsigned credit_delay, unsigned longest)
      : flits_to_routers_(slots_for(longest)),
        credits_to_routers_(slots_for(longest + credit_delay)),
        flits_mask_(flits_to_routers_.size() - 1),
        credits_mask_(credits_to_routers_.size() - 1),
        credit_delay_(credit_delay) {}

  void flit_to_router(Flit flit, unsigned latency = 1) {
    flits_to_routers_[(now_ + 1 + latency) & flits_mask_].push_back(flit);
  }
  void flit_to_node(Flit flit) { flits_to_nodes_[(now_ + 2) % kSlots].push_back(flit); }
  /// To an output channel of a router; it takes credit_delay cycles more there.
  void credit_to_router(std::uint32_t channel, unsigned latency = 1) {
    credits_to_routers_[(now_ + 1 + latency + credit_delay_) & credits_mask_].push_back(channel);
  }
  void credit_to_node(std::uint32_t channel) { credits_to_nodes_[(now_ + 2) % kSlots].push_back(channel); }

  /// What this cycle reads.
  std::vector<Flit>& flits_at_routers() { return flits_to_routers_[now_ & flits_mask_]; }
  std::vector<Flit>& flits_at_nodes() { return flits_to_nodes_[now_ % kSlots]; }
  std::vector<std::uint32_t>& credits_at_routers() { return credits_to_routers_[now_ & credits_mask_]; }
  std::vector<std::uint32_t>& credits_at_nodes() { return credits_to_nodes_[now_ % kSlots]; }

  std::uint64_t now() const { return now_; }
  void advance() { ++now_; }

 private:
  static constexpr std::uint64_t kSlots = 4;
  /// A power of two, more than the cycles ahead.
  static std::size_t slots_for(unsigned latency) {
    std::size_t slots = kSlots;
    while (slots < latency + 2) slots *= 2;
    return slots;
  }

  std::array<std::vector<Flit>, kSlots> flits_to_nodes_;
  std::vector<std::vector<Flit>> flits_to_routers_;
  std::vector<std::vector<std::uint32_t>> credits_to_routers_;
  std::array<std::vector<std::uint32_t>, kSlots> credits_to_nodes_;
  std::uint64_t flits_mask_, credits_mask_;
  unsigned credit_delay_;
  std::uint64_t now_ = 0;
};

}  // namespace braid::models::icnt
