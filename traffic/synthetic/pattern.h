// Where synthetic packets go.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/random.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::traffic {

/// A node, or nobody (std::nullopt). One word, which a function returns in a register: a std::optional's two parts,
/// written one by one and read as one, make the processor wait for everything before them.
class Destination {
 public:
  Destination(std::nullopt_t = std::nullopt) {}  // NOLINT(google-explicit-constructor)
  Destination(NodeId node) : node_(node) {}      // NOLINT(google-explicit-constructor)
  bool has_value() const { return node_ != kNobody; }
  explicit operator bool() const { return has_value(); }
  const NodeId& operator*() const { return node_; }
  const NodeId* operator->() const { return &node_; }
  friend bool operator==(const Destination& a, const Destination& b) { return a.node_ == b.node_; }

 private:
  static constexpr NodeId kNobody{~std::uint32_t{0}};
  NodeId node_ = kNobody;
};

class TrafficPattern {
 public:
  static const char* axis() { return "traffic pattern"; }
  virtual ~TrafficPattern() = default;

  /// The destination of the source's next packet; nobody: this source is silent (a fixed point of a permutation
  /// that leaves fixed points out). Draws only from `random`, the source's own stream. Thread-safe.
  virtual Destination destination(NodeId source, Random& random) const = 0;
  /// Of patterns that say how much a node sends; nullopt: as much as every other.
  virtual std::optional<double> rate_flits_per_cycle(NodeId) const { return std::nullopt; }
  /// [destination] share of packets.
  using Shares = std::map<NodeId, double>;
  /// Adds `weight` times the share that each destination has of the source's packets; what is missing from 1 it does
  /// not send. False: who goes where is known by drawing only, and `to` holds nothing of use.
  virtual bool add_shares(NodeId /*source*/, double /*weight*/, Shares& /*to*/) const { return false; }
};

/// A node sends to the same one always, or to none.
class FixedPattern : public TrafficPattern {
 public:
  virtual Destination only_destination(NodeId source) const = 0;
  Destination destination(NodeId source, Random&) const final { return only_destination(source); }
  bool add_shares(NodeId source, double weight, Shares& to) const final {
    if (const auto only = only_destination(source)) to[*only] += weight;
    return true;
  }
};

/// Factories receive (topology, configuration) and throw InputError where the pattern does not fit the topology
/// ("transpose needs a square grid; topology is 8x4").
using PatternRegistry = Registry<TrafficPattern, routing::Topology, Configuration>;

}  // namespace braid::traffic
