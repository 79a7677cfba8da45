// The registers and wires between the stages of one PO2 router, as channels. The one place that knows how the family's
// registers lie on ports. [a][b] is bit a * b's width and so on, the last index lowest; P ports, B buffers of the pool,
// C classes of packets (models/families/po2/pool_policy.h), W ways of a packet.
#pragma once

#include <string>

#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

class RouterChannels final : public Bank {
 public:
  /// Inside the router's module. `slice` holds that router only.
  RouterChannels(Slice& slice, const Site& site, StepClock& clock);

  Slice& slice() const { return slice_; }

 private:
  using Gather = RegisterChannel::Gather;
  RegisterChannel& make(const char* name, unsigned width, Gather gather);
  /// [B][width], of buffers for which value(buffer's number, buffer) is not none.
  template <class Value>
  RegisterChannel& make_of_buffers(const char* name, unsigned width, Value value);
  /// [P][width]
  template <class Value>
  RegisterChannel& make_of_ports(const char* name, unsigned width, Value value);
  /// [P][width], of the offers that the router makes, or of those that come to it: by far ends and its own nodes.
  template <class Value>
  RegisterChannel& make_of_own_offers(const char* name, unsigned width, Value value);
  template <class Value>
  RegisterChannel& make_of_offers_in(const char* name, unsigned width, Value value);
  void gather_ways(Bits& ways, Bits* vcs) const;
  void gather_far_pools(Bits* room, Bits* blocking, Bits* message) const;
  const Registers& here() const { return slice_.router(router_); }
  const Registers* far(std::size_t p) const;
  const Offer* own_offer(std::size_t p) const;
  const Offer* offer_in(std::size_t p) const;
  std::uint64_t granted() const { return slice_.granted_ports(router_, clock_.cycle()); }
  bool far_grants(std::size_t p) const;

  Slice& slice_;
  const routing::Topology& topology_;
  const std::uint32_t router_;
  const RouterShape shape_;
  StepClock& clock_;
  ModuleList<RegisterChannel> channels_;

 public:
  // The pool.
  RegisterChannel& free;          ///< [C] room for one more packet
  RegisterChannel& held;          ///< buffers taken
  RegisterChannel& blocking;      ///< [B] holds a packet that has not begun to leave: of its message none may come in
  RegisterChannel& message;       ///< [B][message bits]
  RegisterChannel& grant;         ///< [P] what comes in gets a buffer
  RegisterChannel& grant_buffer;  ///< [P][buffer bits] that one
  RegisterChannel& refused;       ///< [P] what comes in gets none
  // The route unit.
  RegisterChannel& waiting;       ///< [B] routed, not leaving
  RegisterChannel& since;         ///< [B][cycle bits] from which it waits
  RegisterChannel& in_port;       ///< [B][way bits]
  RegisterChannel& ways;          ///< [B][W][way bits] in order of preference: port + 1, 0 for none
  RegisterChannel& ways_vc;       ///< [B][W][VC bits] at the next router
  RegisterChannel& escape;        ///< [B] the last way is the escape
  RegisterChannel& escape_class;  ///< [B][class bits] at the next router
  // Offers.
  RegisterChannel& offer;          ///< [P] a packet is offered to the far end, or to the node
  RegisterChannel& inject;         ///< [P] the node's packet is offered to the pool
  RegisterChannel& offer_buffer;   ///< [P][buffer bits] of a packet offered
  RegisterChannel& offer_since;    ///< [P][cycle bits]
  RegisterChannel& offer_message;  ///< [P][message bits]
  RegisterChannel& offer_class;    ///< [P][class bits]
  RegisterChannel& offer_vc;       ///< [P][VC bits]
  RegisterChannel& offer_flits;    ///< [P][flits bits]
  RegisterChannel& held_off;  ///< [B] an idle port of its ways was offered to nobody: refused, or behind one that is
  // Links.
  RegisterChannel& idle;       ///< [P] connected, and nothing is on it
  RegisterChannel& sending;    ///< [P] a network port sends, a local port ejects
  RegisterChannel& receiving;  ///< [P] a network port receives, a local port injects
  RegisterChannel& sent_last;  ///< [P]
  RegisterChannel& leaving;    ///< [B] is being sent; until receipt is acknowledged
  RegisterChannel& incoming;   ///< [P] what is offered into the pool goes: the link turns that way
  // What is on the links: the far ends' side.
  RegisterChannel& far_offer;       ///< [P]
  RegisterChannel& far_sent_last;   ///< [P]
  RegisterChannel& far_grant;       ///< [P] the far pool takes what is offered to it
  RegisterChannel& far_free;        ///< [P][C]
  RegisterChannel& far_blocking;    ///< [P][B]
  RegisterChannel& far_message;     ///< [P][B][message bits]
  RegisterChannel& kept;            ///< [B] the escape buffer that it asks for is kept for an elder
  RegisterChannel& in_since;        ///< [P][cycle bits] of what is offered into the pool, as all that follow
  RegisterChannel& in_message;      ///< [P][message bits]
  RegisterChannel& in_class;        ///< [P][class bits]
  RegisterChannel& in_vc;           ///< [P][VC bits]
  RegisterChannel& in_flits;        ///< [P][flits bits]
  RegisterChannel& in_source;       ///< [P][node bits]
  RegisterChannel& in_destination;  ///< [P][node bits]
  // The nodes' source queues.
  RegisterChannel& queued;        ///< [P] a head asks for the port
  RegisterChannel& head_since;    ///< [P][cycle bits]
  RegisterChannel& head_message;  ///< [P][message bits]
};

}  // namespace braid::models::stages::po2
