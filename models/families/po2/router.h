// The registers of a PO2 router (po2-message-scheduling, section 2): the centralized pool of packet buffers and the
// ports around it. Stages read them in the first half of a cycle and write them in the second
// (models/families/po2/slice.h); only offers are written in the first and read in the second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/packet_queue.h"
#include "models/families/po2/pool_policy.h"
#include "routing/base/checkpoint.h"
#include "routing/base/ids.h"
#include "routing/topology/topology.h"

namespace braid::models::po2 {

constexpr std::size_t kMaxPoolBuffers = 64;

/// One buffer of the pool: it holds one packet.
struct Buffer {
  enum class State : std::uint8_t {
    kFree,
    kArriving,  ///< reserved; the header is on its way in
    kWaiting,   ///< routed, asks for the ports of its candidates
    kLeaving,   ///< is being sent on or ejected
  };
  State state = State::kFree;
  PoolClass pool_class = kRegular;
  std::uint8_t vc = 0;  ///< as routing algorithms count: deroutes taken, say
  std::uint8_t candidates = 0;
  bool escaping = false;  ///< the last candidate is the pool policy's escape
  bool trying = false;    ///< waits, and is being rejected at a far end
  PoolClass escape_class = kRegular;
  PortId in_port;
  PacketSlot packet = 0;
  std::uint32_t message = kNoMessage;
  std::uint64_t since = 0;  ///< cycle from which it waits: its age in this router
  std::uint64_t wants = 0;  ///< bit p: port p is among its candidates'
};

/// A port of the router: one end of a half-duplex link, or the port of a node, which is half-duplex too.
struct Port {
  enum class Use : std::uint8_t {
    kIdle,
    kSending,    ///< a network port sends; a local port ejects
    kReceiving,  ///< a network port receives; a local port injects
    kRejected,  ///< a packet is offered in vain, until its rejection is signalled: to the far end if this end sent last
  };
  Use use = Use::kIdle;
  bool sent_last = false;    ///< when both ends ask, the one that did not send last goes first
  std::uint8_t buffer = 0;   ///< of the packet that is on the way
  std::uint32_t source = 0;  ///< local port: its queue, as the slice numbers them
  std::uint16_t wanted = 0;  ///< by how many waiting packets (local port: and the source queue)
  std::uint64_t since = 0;   ///< the counts below are of all cycles before this one
  std::uint64_t busy_cycles = 0;
  std::uint64_t waiting_cycles = 0;                   ///< idle although wanted: refused at the far end
  std::uint64_t coming_cycles = 0, going_cycles = 0;  ///< of a packet into the pool, and out of it
  std::uint64_t flits_sent = 0;

  /// A packet of the pool is on its way out by here, taken or not.
  bool goes_out() const { return use == Use::kSending || (use == Use::kRejected && sent_last); }
  /// Counts the cycles before `cycle`.
  void count_to(std::uint64_t cycle) {
    if (cycle <= since) return;
    if (use != Use::kIdle) busy_cycles += cycle - since;
    if (use == Use::kReceiving) coming_cycles += cycle - since;
    if (goes_out()) going_cycles += cycle - since;
    if (use == Use::kIdle && wanted > 0) waiting_cycles += cycle - since;
    since = cycle;
  }
  void checkpoint(Checkpoint& c) {
    c(use, sent_last, buffer, wanted, since, busy_cycles, waiting_cycles, coming_cycles, going_cycles, flits_sent);
  }
};

/// What a port asks for in the present cycle: to send a buffer's packet on, to eject it, or to inject.
struct Offer {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::uint64_t cycle = kNever;  ///< in which it was made; of no effect in any other
  std::uint64_t since = 0;       ///< the packet's age decides among offers
  PacketSlot packet = 0;
  std::uint32_t message = kNoMessage;
  std::uint8_t buffer = 0;
  std::uint8_t vc = 0;              ///< at the next router
  PoolClass pool_class = kRegular;  ///< at the next router
  bool inject = false;
  bool sent_last = false;
  bool refused = false;  ///< the pool that it goes to takes it not, and its sender cannot see that
};

struct Router {
  std::vector<Buffer> buffers;
  std::vector<Port> ports;
  std::vector<Offer> offers;             ///< [port]
  std::vector<std::uint8_t> waiting;     ///< buffers in state kWaiting, oldest first
  PoolUse use{};                         ///< buffers taken, by class
  PoolUse use_when_offered{};            ///< `use` as it was in the first half of the present cycle
  std::uint8_t coming_when_offered = 0;  ///< coming(), then
  std::uint64_t free = 0;                ///< bit b: buffer b is free
  std::uint64_t idle = 0;                ///< bit p: port p is connected and idle
  std::uint64_t local = 0;               ///< bit p: port p is a node's

  /// Is a packet of the message in here that has not begun to leave?
  bool holds_waiting(std::uint32_t message) const {
    for (const Buffer& b : buffers) {
      if (b.message == message && (b.state == Buffer::State::kWaiting || b.state == Buffer::State::kArriving)) {
        return true;
      }
    }
    return false;
  }
  /// Once the offers of `cycle` are made: waiting packets, by buffer, that were offered to nobody although a port of
  /// theirs is idle and open. The far ends of such ports refuse them, or older ones that they may not pass.
  std::uint64_t held_off(std::uint64_t cycle) const {
    std::uint64_t open = idle, offered = 0, refused = 0;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (offers[p].cycle != cycle) continue;
      open &= ~(std::uint64_t{1} << p);
      if (!offers[p].inject) offered |= std::uint64_t{1} << offers[p].buffer;
    }
    for (const std::uint8_t b : waiting) {
      if (!buffers[b].trying && (buffers[b].wants & open) != 0) refused |= std::uint64_t{1} << b;
    }
    return refused & ~offered;
  }
  /// Packets on their way into the pool, and out of it: ports of the two crossbars in use.
  std::size_t coming() const {
    return static_cast<std::size_t>(
        std::count_if(ports.begin(), ports.end(), [](const Port& port) { return port.use == Port::Use::kReceiving; }));
  }
  std::size_t going() const {
    return static_cast<std::size_t>(
        std::count_if(ports.begin(), ports.end(), [](const Port& port) { return port.goes_out(); }));
  }
  std::size_t held() const { return buffers.size() - static_cast<std::size_t>(__builtin_popcountll(free)); }
  /// Offers are of the cycle that made them.
  void checkpoint(Checkpoint& c) {
    c.each(buffers);
    c.each(ports);
    c(waiting, use, use_when_offered, coming_when_offered, free, idle);
  }
};

}  // namespace braid::models::po2
