// Who may take a buffer of a router's shared pool, and the way out that keeps a full network moving (PO2). One policy,
// one file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::models::po2 {

constexpr std::size_t kPoolClasses = 3;
using PoolClass = std::uint8_t;
constexpr PoolClass kRegular = 0;  ///< packets on the routes of the routing algorithm

/// Buffers of one pool that are taken, by class of packet.
using PoolUse = std::array<std::uint8_t, kPoolClasses>;

class PoolPolicy {
 public:
  static const char* axis() { return "deadlock avoidance"; }
  virtual ~PoolPolicy() = default;

  /// Is there a buffer for one more packet of the class?
  virtual bool admits(const PoolUse& use, PoolClass pool_class) const = 0;

  /// A way on that never becomes part of a cycle, for a packet that has waited patience_cycles() in vain; from then on
  /// the packet stays on such ways.
  struct Escape {
    PortId port;
    PoolClass pool_class;  ///< at the next router
  };
  virtual std::optional<Escape> escape(RouterId router, PoolClass pool_class, NodeId destination) const = 0;
  /// 0: there is no escape.
  virtual std::uint64_t patience_cycles() const { return 0; }
  /// As RoutingAlgorithm::check_room().
  virtual void check_room() const {}
};

/// What a policy is made from.
struct PoolContext {
  std::uint32_t buffers = 0;
  Configuration configuration;  ///< for its own options
};

/// The factory throws InputError where the pool is too small for the policy.
using PoolPolicyRegistry = Registry<PoolPolicy, routing::Topology, PoolContext>;

}  // namespace braid::models::po2
