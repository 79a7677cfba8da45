// Routers, their links and where each sends a packet next: k-ary n-flies (n = 1: the crossbars of GPU configurations)
// and n-dimensional meshes, with the numbers of ports that intersim2 gives them, since allocators go by number.
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
  };

  unsigned routers = 0, ports = 0, nodes = 0;  ///< ports: a router has as many inputs as outputs
  std::vector<End> ends;                       ///< [router * ports + output]
  std::vector<End> starts;                     ///< [router * ports + input]: who sends there; an output port, or a node
  std::vector<std::uint32_t> injects_at;       ///< [node]: router * ports + input
  std::vector<std::uint32_t> ejects_at;        ///< [node]: router * ports + output
  std::vector<std::uint16_t> next_port;        ///< [router * nodes + destination]: output
};

Wiring make_wiring(const Configuration& configuration);

}  // namespace braid::models::icnt
