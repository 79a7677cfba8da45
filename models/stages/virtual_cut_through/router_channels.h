// What passes between the stages of one cut-through router, as channels. The one place that knows how the bank's
// registers lie on ports. P ports, L local ports of the router's nodes; [a][b] is bit a * b's width and so on.
#pragma once

#include <memory>
#include <vector>

#include "models/families/virtual_cut_through/slice.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"

namespace braid::models::stages::virtual_cut_through {

using models::virtual_cut_through::Slice;

constexpr unsigned kFlitBits = 16;   ///< lengths of packets, in flits
constexpr unsigned kCountBits = 8;   ///< of packets in a queue, of free buffers
constexpr unsigned kNodeBits = 32;   ///< numbers of nodes
constexpr unsigned kSpaceBits = 32;  ///< flits downstream

class RouterChannels final : public stages::Bank {
 public:
  /// `slice` holds that router only. `cycle`: the present one. `store`: where packets that come in at ports are kept,
  /// with their pool; null: in a network, where nodes send.
  RouterChannels(Slice& slice, RouterId router, unsigned ports, const std::uint64_t& cycle,
                 PacketStore* store = nullptr);

  Slice& slice() const { return slice_; }
  /// The arbiter's step begins.
  void clear_grants() { grants_.clear(); }
  bool any_grant() const { return !grants_.empty(); }
  unsigned ports() const { return ports_; }
  unsigned local_ports() const { return static_cast<unsigned>(last_local_ - first_local_); }

 private:
  using Gather = RegisterChannel::Gather;
  using Scatter = RegisterChannel::Scatter;
  using Mask = models::virtual_cut_through::PortMask;
  struct Coming {
    NodeId source, destination;
    std::uint16_t flits = 1;
  };
  RegisterChannel& make(const char* name, unsigned width, Gather gather, Scatter scatter = nullptr);
  RegisterChannel& make_masks(const char* name, std::vector<Mask>& of_port);
  RegisterChannel& make_mask(const char* name, Mask models::virtual_cut_through::Router::* mask);
  /// A number a port: value(port) reads it, take(port, value) writes it.
  template <class Value, class Take>
  RegisterChannel& make_numbers(const char* name, unsigned ports, unsigned width, Value value, Take take);
  template <class Value>
  RegisterChannel& make_numbers(const char* name, unsigned ports, unsigned width, Value value);
  template <class Visit>
  void for_each_arrival(Visit visit) const;
  std::uint32_t port(unsigned p) const { return first_port_ + p; }
  void ask(unsigned p);
  void set_credits(unsigned p, std::uint8_t buffers);
  void send(unsigned local);

  Slice& slice_;
  models::virtual_cut_through::Bank& bank_;
  const RouterId router_;
  const unsigned ports_;
  const std::uint32_t first_port_;
  const std::size_t first_local_, last_local_;
  const std::uint64_t& cycle_;
  PacketStore* store_;
  std::unique_ptr<PacketStore::Pool> pool_;
  std::vector<Slice::Grant> grants_;
  std::vector<Coming> coming_;               // [port] what the next packet at the port is
  std::vector<std::uint16_t> credit_flits_;  // [port] ... the next credit
  std::vector<std::uint16_t> send_flits_;    // [local port] ... the next packet of the node
  ModuleList<RegisterChannel> channels_;

 public:
  // What the links bring in this cycle: heads by input port, credits by output port.
  RegisterChannel& link_source;       ///< [P][node bits]
  RegisterChannel& link_destination;  ///< [P][node bits]
  RegisterChannel& link_flits;        ///< [P][flit bits]
  RegisterChannel& link_valid;        ///< [P]
  RegisterChannel& credit_flits;      ///< [P][flit bits] of the packet that leaves the buffer
  RegisterChannel& credit_wait;       ///< [P][flit bits] cycles until the last of them counts; 0: no credit
  // Input queues.
  RegisterChannel& count;       ///< [P][count bits] packets, of which the head is here and the tail has not left
  RegisterChannel& head_flits;  ///< [P][flit bits] of the first
  RegisterChannel& through;     ///< [P][P] [output][input] the head asks for that output and has no choice
  RegisterChannel& entering;    ///< [P][P] ... and would enter a ring: it needs a bubble
  RegisterChannel& choosing;    ///< [P] the head has several ways on
  RegisterChannel& ways;        ///< [P][P] [input][output]
  // Output arbiter.
  RegisterChannel& grant;  ///< [P][P] [output][input] the head crosses in this cycle
  // Output units.
  RegisterChannel& free;       ///< [P] no packet crosses
  RegisterChannel& credits;    ///< [P][count bits] free buffers downstream
  RegisterChannel& occupancy;  ///< [P][space bits] flits downstream
  RegisterChannel& leaves;     ///< [P] by input port: the tail leaves the queue with this cycle
  // Interface.
  RegisterChannel& packet_flits;  ///< [L][flit bits] of the packet that waits
  RegisterChannel& packet_valid;  ///< [L] a packet waits
  RegisterChannel& buffer_back;   ///< [L] a buffer of the router's queue is free again with this cycle
  RegisterChannel& head;          ///< [L] a head is on the injection link in this cycle
  RegisterChannel& ready;         ///< [L] a packet's head would be on the link in the next cycle
  RegisterChannel& tail;          ///< [L] a packet's tail has left the interface with this cycle
};

}  // namespace braid::models::stages::virtual_cut_through
