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

/// What it costs a sender that the far end refuses a packet.
enum class Rejection : std::uint8_t {
  kSeen,          ///< nothing: a sender sees the far end's pool, and does not try
  kTriedOnLinks,  ///< the link, until the rejection is signalled; nodes see their own router's pool
  kTried,         ///< ... and a node's port, too
};

struct Options {
  std::uint32_t buffers = 20;                 ///< packets that a router's pool holds, 1 .. 64
  std::uint32_t header_cycles = 12;           ///< from a header's first flit until its packet can ask for a port
  std::uint32_t inject_overhead_cycles = 80;  ///< of a node's port before the first flit, into the network
  std::uint32_t eject_overhead_cycles = 20;   ///< ... and out of it
  std::uint32_t acknowledge_cycles = 20;      ///< link and buffer are held after the tail until receipt is signalled
  bool reject_same_message = true;            ///< a router refuses a packet while one of that message waits in it
  PortDiscipline port_discipline = PortDiscipline::kPassRefused;
  Rejection rejection = Rejection::kSeen;
  double error_rate = 0.0;              ///< of transfers over links, whose packet is damaged and sent again
  std::uint32_t crossbar_in_ports = 0;  ///< packets that come into a pool at once; 0: from every port
  std::uint32_t crossbar_out_ports = 0;
  std::uint32_t switch_cycles = 0;    ///< of a node's port before a packet of another message than the one before
  std::uint32_t miss_cycles = 0;      ///< ... before a packet whose message is not in the interface's cache
  std::uint32_t cached_messages = 1;  ///< ... which holds those of the last packets
  std::string avoidance = "none";     ///< of deadlocks: PoolPolicy
};
const OptionTable<Options>& options();
/// The key of a mechanism that is on and for which no avoidance of deadlocks is proved; empty: none.
std::string beyond_avoidance(const Options& options);

}  // namespace braid::models::po2
