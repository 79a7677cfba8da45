// Strong identifiers shared by every folder: a port is not a virtual channel, and the compiler knows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace braid {

template <class Tag, class Rep>
struct Id {
  Rep value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<Rep>(v)) {}

  friend constexpr bool operator==(Id a, Id b) { return a.value == b.value; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend constexpr bool operator<(Id a, Id b) { return a.value < b.value; }
};

/// A router (switch): 0 .. Topology::router_count() - 1.
using RouterId = Id<struct RouterTag, std::uint32_t>;
/// A node (terminal, tile) with a network interface: 0 .. Topology::node_count() - 1.
using NodeId = Id<struct NodeTag, std::uint32_t>;
/// A port of one router: 0 .. Topology::port_count(router) - 1.
using PortId = Id<struct PortTag, std::uint16_t>;
/// A virtual channel of one port: 0 .. vcs - 1.
using VcId = Id<struct VcTag, std::uint8_t>;

/// Bit v set: virtual channel v is meant. At most 16 virtual channels (routing::kMaxVcs).
using VcMask = std::uint32_t;

}  // namespace braid

namespace std {
template <class Tag, class Rep>
struct hash<braid::Id<Tag, Rep>> {
  size_t operator()(braid::Id<Tag, Rep> id) const noexcept { return hash<Rep>{}(id.value); }
};
}  // namespace std
