// What tests of virtual cut-through routers look at.
#pragma once

#include <cstdint>
#include <string>

#include "models/families/virtual_cut_through/fabric.h"
#include "tb/tests/support/trees.h"

namespace braid::test {

inline const models::virtual_cut_through::Bank& bank(const Bench& bench) {
  return dynamic_cast<const models::virtual_cut_through::Fabric&>(std::as_const(*bench.network).fabric()).bank();
}

/// Flits of the packets that an output port was granted to.
inline std::uint64_t sent(const Bench& bench, std::size_t router, std::size_t port) {
  return bench.network->fabric().link_use(RouterId{router}, PortId{port}).packet_flits;
}

/// An event of a slice as it is saved: members that its kind has no use for are 0.
inline std::string event(std::uint64_t due, models::virtual_cut_through::Slice::EventKind kind, std::uint16_t flits,
                         std::uint32_t out, std::uint32_t in) {
  std::string bytes;
  const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  append(due);
  append(kind);
  append(flits);
  append(out);
  append(in);
  return bytes;
}

}  // namespace braid::test
