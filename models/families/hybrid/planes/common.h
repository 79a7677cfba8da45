// What all blocks of a network's planes share, whichever threads they are on.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/fabric/bits.h"
#include "models/families/hybrid/planes/history.h"
#include "models/families/hybrid/planes/links.h"
#include "models/families/hybrid/planes/orders.h"
#include "models/families/hybrid/planes/packets.h"
#include "models/families/hybrid/planes/registers.h"
#include "models/families/hybrid/planes/shapes.h"
#include "models/families/hybrid/planes/state.h"
#include "models/families/hybrid/planes/ways.h"

namespace braid::models::hybrid::planes {

/// From SA's grant until the flit is at its node: ST, the link, and the interface takes it.
constexpr unsigned kEjectionCycles = 3;
/// From the interface's decision until BW.
constexpr unsigned kInjectionCycles = 2;
/// Cycles whose flits over links are counted together; history goes further back.
constexpr unsigned kCountedAtOnce = 4;

/// Rings that nobody has, between those of input VCs and those of packets that go to nodes. Of eight lines of memory
/// for a router's records the usual one has five in use: so the nearest memory has the others for those of nodes.
constexpr std::uint32_t kUnusedRings = 12;
/// The ring of packets that go to a node by an output VC.
inline std::uint32_t ejection_ring(const RouterBank& bank, VcIndex out_vc) {
  return static_cast<std::uint32_t>(bank.input_vc_count()) + kUnusedRings + out_vc;
}
inline std::size_t ring_count(const RouterBank& bank) { return 2 * bank.input_vc_count() + kUnusedRings; }

template <class B>
struct Common {
  using Shape = typename B::Shape;

  explicit Common(const Parts& parts);

  std::vector<B> blocks;
  std::vector<Orders<B>> orders;  // of blocks, if arbiters are matrices
  std::size_t words = 0;          // of a plane of the whole network
  unsigned ports = 0;             // of a router
  std::vector<Shift> shifts;
  bool scatters = false;  // links are no shifts
  // Flits granted the switch, by output VC and by input VC; flits that interfaces have sent, by VC of the router's
  // port.
  History<B> crossed, left, injected;
  History<B> arriving, returning;  // flits and credits by the cycle in which they come, where links are no shifts
  Voyages voyages;
  PacketRings rings;
  std::vector<std::uint32_t> ring_behind;        // [output port] of VC 0; the others' follow
  std::vector<std::vector<Word>> local_routers;  // [port] a plane: routers where it is a node's
  std::uint32_t local_ports = 0;                 // as Extent has them
  bool several_locals = false;
  Ways ways;

 private:
  void find_local_ports(const RouterBank& bank);
  void lay_out_history(const Parts& parts);
  std::size_t words_before(std::size_t margin, const Parts& parts) const;

  static constexpr std::size_t kLineWords = 8;  // of the nearest memory
  std::vector<Word> history_;
};

template <class B>
Common<B>::Common(const Parts& parts) : ports(used_ports(parts.bank)), voyages(parts.slices.size() > 1) {
  const RouterBank& bank = parts.bank;
  blocks.resize((bank.router_count() + B::kRouters - 1) / B::kRouters);
  words = blocks.size() * Shape::kWords;
  if (Registers::ranks(*parts.slices.front())) orders.resize(blocks.size());
  find_local_ports(bank);
  shifts = shifts_of(bank, words, local_ports);
  scatters = are_too_many(shifts.size(), ports);
  if (scatters) shifts.clear();
  lay_out_history(parts);
  rings.resize(ring_count(bank));
  ring_behind.assign(bank.router_port_count(), 0);
  for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
    const Link& link = bank.links[p];
    if (link.target == kNone) continue;
    ring_behind[p] = link.to_node ? ejection_ring(bank, bank.vc_index(p, 0)) : bank.vc_index(link.target, 0);
  }
  ways.learn(parts.slices.front()->routing(), bank, bank.wiring().local_ports.size());
}

template <class B>
void Common<B>::find_local_ports(const RouterBank& bank) {
  local_routers.assign(B::kPorts, std::vector<Word>(words));
  const auto& all = bank.wiring().local_ports;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t router = bank.router_of(all[i].router_port).value, port = bank.port_of(all[i].router_port);
    local_routers[port][router / kWordBits] |= bit_of(router % kWordBits);
    local_ports |= 1U << port;
    several_locals = several_locals || (i > 0 && all[i - 1].node == all[i].node);
  }
}

template <class B>
void Common<B>::lay_out_history(const Parts& parts) {
  const std::uint32_t latency = parts.bank.wiring().max_link_latency_cycles;
  const unsigned cycles =
      1U << bits_for(
          std::max(std::max(latency, kEjectionCycles) + parts.options.credit_delay_cycles + 3, kCountedAtOnce + 2));
  std::size_t margin = 0;
  for (const Shift& s : shifts) margin = std::max<std::size_t>(margin, std::abs(s.shift) / kWordBits + 2);
  if (scatters || Shape::kWords == 1) margin = 0;
  std::size_t before = margin, stride = words + 2 * margin;
  if (parts.slices.size() > 1) {
    before = words_before(margin, parts);
    stride = (before + words + margin + kLineWords - 1) / kLineWords * kLineWords;
  }
  for (History<B>* history : {&crossed, &left, &injected}) history->resize(cycles, before, stride);
  std::size_t all = 3 * crossed.size();
  if (scatters) {
    for (History<B>* history : {&arriving, &returning}) history->resize(cycles, 0, words);
    all += 2 * arriving.size();
  }
  history_.assign(all + kLineWords, 0);
  Word* next = history_.data();
  while (reinterpret_cast<std::uintptr_t>(next) % (kLineWords * sizeof(Word)) != 0) ++next;
  for (History<B>* history : {&crossed, &left, &injected, &arriving, &returning}) {
    if (history == &arriving && !scatters) break;
    history->lay_out(next);
    next += history->size();
  }
}

/// On threads: so that the first border between two is one between lines of the nearest memory, too. Else both would
/// write to one line in every cycle, for every port and VC.
template <class B>
std::size_t Common<B>::words_before(std::size_t margin, const Parts& parts) const {
  const std::size_t border = Registers::range(*parts.slices.front()).last / kWordBits;
  while ((margin + border) % kLineWords != 0) ++margin;
  return margin;
}

}  // namespace braid::models::hybrid::planes
