// What the PO2 router leaves open to an experiment (po2-message-scheduling, section 2). One cycle is one time unit: a
// port moves one flit (a byte of the paper) in it.
#pragma once

#include <cstdint>
#include <string>

#include "routing/base/options.h"

namespace braid::models::po2 {

/// What a free port does when the far end refuses the oldest packet that waits for it.
enum class PortDiscipline : std::uint8_t {
  kPassRefused,  ///< serves the oldest that would be taken
  kHeadOfLine,   ///< stays idle: strict FIFO
};

struct Options {
  std::uint32_t buffers = 20;                 ///< packets that a router's pool holds, 1 .. 64
  std::uint32_t header_cycles = 12;           ///< from a header's first flit until its packet can ask for a port
  std::uint32_t inject_overhead_cycles = 80;  ///< of a node's port before the first flit, into the network
  std::uint32_t eject_overhead_cycles = 20;   ///< ... and out of it
  std::uint32_t acknowledge_cycles = 20;      ///< link and buffer are held after the tail until receipt is signalled
  bool reject_same_message = true;            ///< a router refuses a packet while one of that message waits in it
  PortDiscipline port_discipline = PortDiscipline::kPassRefused;
  std::string avoidance = "none";  ///< of deadlocks: PoolPolicy
};
const OptionTable<Options>& options();

}  // namespace braid::models::po2
