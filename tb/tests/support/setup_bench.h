// The set-up unit of a router alone (port_bench.h): ports 0 to 2 lead to other routers, port 3 to the node.
#pragma once

#include "models/stages/hybrid/setup_unit.h"
#include "tb/tests/support/port_bench.h"

namespace braid::test::setup_bench {

/// One circuit a port, so a row is a port of 2 bits.
inline models::stages::hybrid::RouterShape four_ports() {
  models::stages::hybrid::RouterShape shape;
  shape.ports = 4;
  shape.circuit_lanes = 1;
  return shape;
}

enum Kind : std::uint64_t { kProbe, kBacktrack, kAcknowledge, kTearDown };

struct SetupBench : PortBench<models::stages::hybrid::SetupUnit> {
  SetupBench() : PortBench(four_ports()) {
    set("network_ports_i", 4, 0b0111);
    set("local_ports_i", 4, 0b1000);
    set("avoid_ports_i", 4);
    set("valid_i", 1);
    set("row_i", 2);
    set("kind_i", 2);
    set("search_i", 16);
    set("destination_i", 16, 5);
    set("directions_i", 4);
    set("circuit_out_i", 8);
    set("held_i", 4);
    set("circuit_in_i", 8);
    set("holds_flits_i", 4);
  }
  void message(Kind kind, std::uint64_t row, std::uint64_t search, std::uint64_t directions) {
    set("valid_i", 1, 1);
    set("kind_i", 2, kind);
    set("row_i", 2, row);
    set("search_i", 16, search);
    set("directions_i", 4, directions);
    edge();
    set("valid_i", 1, 0);
  }
};

}  // namespace braid::test::setup_bench
