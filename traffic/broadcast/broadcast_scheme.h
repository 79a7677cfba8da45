// How an acknowledged broadcast passes from position to position (paper: diamond-rings). Position 0 is the root; which
// node stands at which position is not a scheme's business. One scheme a file, registered by name.
//
// Every scheme is told by two lists for each position. A broadcast starts at the root, which tells its `told_at_once`
// and then handles the event. With the first message any other position tells its `told_at_once` and handles the event.
// When a position has handled it and every message from `heard` is there, it tells its `told_when_done`; the root has
// nobody to tell then: everybody has handled the event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/configuration.h"
#include "routing/base/ids.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::traffic {

/// What a position does in each broadcast. A position that stands twice in a list is linked by parallel edges.
struct BroadcastPart {
  std::string role;                  ///< "root", "scatter", …
  std::vector<std::uint32_t> heard;  ///< ascending
  std::vector<std::uint32_t> told_at_once;
  std::vector<std::uint32_t> told_when_done;
  bool by_one_packet = false;  ///< those of told_at_once are told by one, which routers copy
};

/// What a scheme is made from; it keeps none of it.
struct SchemeContext {
  std::uint32_t positions;  ///< 1 or more
  const routing::Topology& topology;
  NodeId root;
  const Configuration& configuration;
};

class BroadcastScheme {
 public:
  static const char* axis() { return "broadcast scheme"; }
  virtual ~BroadcastScheme() = default;
  /// [position]
  const std::vector<BroadcastPart>& parts() const { return parts_; }
  /// [position], where the scheme itself says which node stands where; else that is a placement's business
  /// (traffic/broadcast/placement.h).
  virtual std::optional<std::vector<NodeId>> nodes() const { return std::nullopt; }

 protected:
  /// Fills `heard` from what the others tell.
  explicit BroadcastScheme(std::vector<BroadcastPart> parts);

 private:
  std::vector<BroadcastPart> parts_;
};
using BroadcastSchemeRegistry = Registry<BroadcastScheme, SchemeContext>;

/// What one broadcast costs: messages in all (one to several counts as one), and the longest way from the root through
/// a position back to the root, in messages.
std::uint64_t message_count(const std::vector<BroadcastPart>& parts);
std::uint32_t longest_path(const std::vector<BroadcastPart>& parts);

/// Does a position tell others by one packet that routers copy?
bool copies_packets(const std::vector<BroadcastPart>& parts);
/// Throws InputError if so: `what` sends every message by itself.
void refuse_copies(const std::vector<BroadcastPart>& parts, const char* what);

}  // namespace braid::traffic
