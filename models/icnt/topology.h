// Routers, their links and where each sends a packet next: k-ary n-flies (n = 1: the crossbars of GPU configurations),
// n-dimensional meshes and tori, and what a file lists, with the numbers of ports that intersim2 gives them, since
// allocators go by number.
#pragma once

#include <cstdint>
#include <vector>

#include "models/icnt/configuration.h"

namespace braid::models::icnt {

struct Wiring {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// The other end of an output port.
  struct End {
    bool node = false;            ///< a node, or an input port of a router
    std::uint32_t place = kNone;  ///< node, or router * ports + port
    std::uint16_t latency = 1;    ///< of the wire, either way
  };
  // Of a torus, beside the port in next_port: both ways round the ring are as long; packets that come into the ring
  // here have the upper half of the channels.
  static constexpr std::uint16_t kEitherWay = 1U << 14, kUpperHalf = 1U << 15, kPort = kEitherWay - 1;

  unsigned routers = 0, ports = 0, nodes = 0;  ///< ports: a router has as many inputs as outputs
  unsigned longest = 1;                        ///< latency of a wire
  bool torus = false;                          ///< a ring in each dimension
  std::vector<End> ends;                       ///< [router * ports + output]
  std::vector<End> starts;                     ///< [router * ports + input]: who sends there; an output port, or a node
  std::vector<std::uint32_t> injects_at;       ///< [node]: router * ports + input
  std::vector<std::uint32_t> ejects_at;        ///< [node]: router * ports + output
  std::vector<std::uint16_t> next_port;        ///< [router * nodes + destination]: output
};

Wiring make_wiring(const Configuration& configuration);

}  // namespace braid::models::icnt
