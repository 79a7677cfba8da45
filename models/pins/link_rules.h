// The rules of a link's wires, kept for all links of one module: a flit needs room, a credit a flit that is out, a
// packet a head and a tail. Whoever breaks one hears which pin it was.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/pins/lone_router.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

class LinkRules {
 public:
  /// Ports as the router numbers them.
  /// `on_circuits`: packets on circuits have a head and a tail, too; to a router that is all one.
  LinkRules(const RouterPlace& place, bool on_circuits) : place_(place), on_circuits_(on_circuits) { reset(); }
  void reset();

  /// A flit comes in, a credit comes back. Throw WireError.
  void flit_in(std::uint32_t port, const hybrid::FlitWires& flit);
  void credits_in(std::uint32_t port, std::uint32_t lanes);
  /// A flit leaves, a credit goes back.
  void flit_out(std::uint32_t port, std::uint32_t lane) { ++lanes_[port][lane].away; }
  void credits_out(std::uint32_t port, std::uint32_t lanes) {
    for (std::uint32_t l = 0; (lanes >> l) != 0; ++l) lanes_[port][l].room += lanes >> l & 1;
  }

 private:
  struct Lane {
    std::uint32_t room = 0;       ///< free buffers here
    std::uint32_t away = 0;       ///< flits sent, credit not yet back
    bool packet_is_open = false;  ///< a head has come, its tail has not
  };

  const RouterPlace& place_;
  bool on_circuits_;
  std::array<std::vector<Lane>, hybrid::kMaxPinPorts> lanes_;
};

}  // namespace braid::models::pins
