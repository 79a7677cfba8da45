// The routers of a subnet, all of them in one set of arrays: input-queued, wormhole, credits, an allocator of virtual
// channels and one of the switch. They are stepped as intersim2 steps its routers, internal_speedup times a cycle, and
// give what those give in every cycle. What waits is in sets that change when something happens: a packet that is
// blocked, for want of a channel, of credits or of a turn, costs nothing until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/port_sets.h"
#include "models/icnt/topology.h"
#include "models/icnt/wires.h"

namespace braid::models::icnt {

class Routers {
 public:
  Routers(const Configuration& configuration, const Wiring& wiring, PacketPool& packets, Wires& wires);

  /// Flits and credits from the wires.
  void take();
  /// What queues at outputs goes onto the wires: one flit an output, one credit an input.
  void send_queued();
  /// One step of every router's pipeline. What it sends goes onto the wires in this cycle if nothing has before.
  void step();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// A virtual channel at an input; [(router * ports + input) << shift | vc].
  struct Input {
    PacketList packets;
    std::uint32_t flits = 0;        ///< in the buffer
    std::uint32_t left = 0;         ///< of the first packet, not sent yet
    std::uint32_t coming = 0;       ///< of the last packet, not come yet
    std::uint32_t channel = kNone;  ///< output channel that the first packet holds
    // Of the first packet: its output, and the expanded output, a port of the crossbar (output_speedup an output).
    std::uint32_t output = 0, to = 0;
    std::uint32_t waits_at = 0;  ///< the first packet's set of waiting_
    std::uint32_t from = 0;      ///< expanded input, a port of the crossbar (input_speedup an input, by the channel)
    std::uint32_t place = 0;     ///< number of the channel within its router
    std::uint32_t way = 0;       ///< where outputs_to_ begins for its router
  };
  /// A virtual channel at an output; [(router * ports + output) << shift | vc].
  struct Output {
    std::uint32_t credits = 0;
    std::uint32_t owner = kNone;  ///< input channel
  };
  struct Grant {
    std::uint32_t input = 0;   ///< input channel
    std::uint32_t output = 0;  ///< output channel; of the switch: expanded output
  };
  struct Crossing {
    std::uint32_t channel = 0;  ///< output channel
    PacketId packet = 0;
  };
  /// In order of arrival; seldom used, and short.
  template <class Item>
  struct Queue {
    static constexpr std::size_t kKept = 64;  ///< taken items at most
    std::vector<Item> items;
    std::size_t first = 0;
    bool empty() const { return first == items.size(); }
    Item take() {
      const Item item = items[first++];
      if (first == kKept || empty()) {
        items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
      }
      return item;
    }
  };
  /// Of an output for flits, or of an input for credits: what it sends to, and what waits for its wire.
  template <class Item>
  struct Sender {
    std::uint32_t destination = 0;  ///< the first channel at the other end
    bool to_node = false;
    std::uint16_t latency = 1;
    std::uint64_t sent = 0;  ///< cycle + 1 of the last
    Queue<Item> queue;
  };

  // routers.cpp
  void lay_out(const Wiring& wiring);
  void take_flit(const Flit& flit);
  void take_credit(std::uint32_t channel);
  void begin_packet(std::uint32_t input);
  void begin_on_torus(Input& at, Packet& packet);
  unsigned coin();
  void wait_for_channel(std::uint32_t input);
  void cross();
  void put_out(const Sender<Crossing>& sender, const Crossing& flit);
  void give_credit(std::uint32_t input_port, std::uint64_t vcs);
  void give_credits();
  void put_out(const Sender<std::uint64_t>& sender, std::uint64_t vcs);
  void free_channel(std::uint32_t channel);

  // vc_allocation.cpp
  void allocate_channels();
  void allocate_only_channel(std::uint32_t output);
  bool allocate_lone(std::uint32_t output);
  void allocate_islip(std::uint32_t output);
  unsigned next_channel(std::uint32_t output, std::uint32_t input, std::uint64_t open) const;
  void grant(std::uint32_t output, std::uint32_t input, unsigned vc);
  void allocate_input_first(std::uint32_t output);
  const std::uint64_t* wanting(std::uint32_t output, unsigned vc, std::size_t since);
  unsigned accept(std::uint32_t output, std::uint64_t& granting, bool turns);
  void take_channels();

  // switch_allocation.cpp
  void request(std::uint32_t input);
  void withdraw(std::uint32_t input);
  void allocate_switch();
  void switch_one_request_an_input();
  void switch_islip();
  void switch_input_first();
  void grant_switch(std::uint32_t to);
  /// Of the candidates that meet at an input or output, the nearest to its turn stays. `own`: their numbers in the
  /// router.
  void choose_nearest(std::uint32_t at, std::uint32_t candidate, const std::vector<std::uint32_t>& own, unsigned turn,
                      unsigned places);
  std::uint32_t next_output(std::uint32_t from) const;
  void accept_switch(std::uint32_t from, std::uint32_t to);
  void cross_switch();
  void send(std::uint32_t input);

  // Of a channel: its port, and itself among the port's.
  std::uint32_t port_of(std::uint32_t channel) const { return channel >> shift_; }
  unsigned vc_of(std::uint32_t channel) const { return channel & ((1U << shift_) - 1); }
  std::uint64_t bit_of(std::uint32_t channel) const { return std::uint64_t{1} << vc_of(channel); }
  static unsigned after(unsigned place, unsigned places) { return place + 1 == places ? 0 : place + 1; }
  /// Sends now if the wire is free in this cycle, and nothing waits.
  template <class Item>
  void send_or_queue(Sender<Item>& sender, Item item, WorkSet& queued, std::size_t port) {
    if (sender.sent == wires_.now() + 1 || !sender.queue.empty()) {
      sender.queue.items.push_back(item);
      queued.insert(port);
    } else {
      sender.sent = wires_.now() + 1;
      put_out(sender, item);
    }
  }
  template <class Item>
  void send_queued(std::vector<Sender<Item>>& senders, WorkSet& queued) {
    queued.each([&](std::size_t port) {
      Sender<Item>& sender = senders[port];
      sender.sent = wires_.now() + 1;
      put_out(sender, sender.queue.take());
      if (sender.queue.empty()) queued.erase(port);
    });
  }

  const Configuration& configuration_;
  PacketPool& packets_;
  Wires& wires_;
  unsigned vcs_, shift_;  ///< channels of a port
  unsigned channels_;     ///< of a router, as they are numbered
  unsigned ranges_, expanded_inputs_, expanded_outputs_;
  bool one_vc_;
  bool torus_;

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::uint32_t> outputs_to_;           ///< [router * nodes + destination]: output port
  std::vector<std::uint16_t> torus_ways_;           ///< the same on a torus, as Wiring::next_port
  unsigned kinds_;                                  ///< ranges of a kind of packets; ranges_: and halves of them
  std::uint64_t coins_ = 0;                         ///< drawn, where both ways round a ring are as long
  std::vector<std::uint64_t> free_;                 ///< [output port]: channels that no packet holds
  std::vector<std::uint32_t> first_channel_;        ///< [port]: of its router
  std::vector<Sender<Crossing>> flits_out_;         ///< [output port]
  std::vector<Sender<std::uint64_t>> credits_out_;  ///< [input port]; an item: channels
  WorkSet queued_flits_, queued_credits_;
  std::vector<std::uint32_t> credit_ports_;  ///< input ports with credits of this step
  std::vector<std::uint64_t> credit_vcs_;    ///< [input port]

  std::vector<std::uint32_t> routing_, routed_;  ///< input channels whose first packet is being routed
  std::vector<Crossing> crossing_;               ///< flits in the crossbar

  PortSets waiting_;     ///< [output port * ranges + range]: input channels (of the router) that wait for a channel
  WorkSet to_allocate_;  ///< output ports where some wait
  std::vector<std::uint32_t> vc_output_turn_, vc_input_turn_;  ///< round robin of output and input channels
  std::vector<Grant> vc_grants_;
  std::vector<std::uint64_t> range_masks_;  ///< channels of each range; on a torus then their lower and upper halves
  std::vector<std::uint64_t> scratch_;
  std::vector<std::uint32_t> chosen_;

  PortSets requests_;                                  ///< [expanded output]: expanded inputs (of the router)
  WorkSet to_switch_, to_cross_;                       ///< expanded outputs, expanded inputs with requests
  std::vector<std::uint64_t> ready_;                   ///< [expanded input]: virtual channels that request
  std::vector<std::uint32_t> first_input_;             ///< [expanded output]: first expanded input of its router
  std::vector<std::uint32_t> own_input_, own_output_;  ///< [expanded]: number within the router
  std::vector<std::uint32_t> switch_output_turn_, switch_input_turn_, switch_vc_turn_;
  std::vector<std::uint32_t> switch_choice_, switch_touched_;
  std::vector<std::uint8_t> matched_input_, matched_output_;  ///< in an earlier round of the step
  std::vector<Grant> switch_grants_;
};

}  // namespace braid::models::icnt
