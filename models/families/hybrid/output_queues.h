// How full the ways out of routers are, for routing algorithms that choose by that: the credits that are out.
#pragma once

#include <cstdint>
#include <vector>

#include "models/families/hybrid/router_bank.h"
#include "routing/algorithm/output_queues.h"

namespace braid::models::hybrid {

class OutputQueues final : public routing::OutputQueues {
 public:
  /// `keeps_all`: what waited_flits() says is asked for.
  OutputQueues(const RouterBank& bank, std::uint32_t buffer_depth, bool keeps_all);

  std::uint32_t waiting_flits(RouterId router, PortId port) const override {
    return waiting(bank_.port_index(router, port));
  }
  std::uint32_t waited_flits(RouterId router, PortId port) const override {
    return before_[bank_.port_index(router, port)];
  }
  /// At the end of a cycle, when no router is at work: what the next one is told of others.
  void end_cycle();

 private:
  std::uint32_t waiting(PortIndex port) const;

  const RouterBank& bank_;
  std::uint32_t credits_;              // of a port, when nothing is out
  std::vector<std::uint32_t> before_;  // [port], flits; empty: nobody asks
};

}  // namespace braid::models::hybrid
