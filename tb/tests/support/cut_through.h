// What tests of virtual cut-through routers look at.
#pragma once

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

}  // namespace braid::test
