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

  /// A virtual channel at an input; [(router * ports + input) * vcs + vc].
  struct Input {
    PacketList packets;
    std::uint32_t flits = 0;        ///< in the buffer
    std::uint32_t left = 0;         ///< of the first packet, not sent yet
    std::uint32_t coming = 0;       ///< of the last packet, not come yet
    std::uint32_t output = 0;       ///< router * ports + output, of the first packet
    std::uint32_t channel = kNone;  ///< output channel that the first packet holds
  };
  /// A virtual channel at an output; [(router * ports + output) * vcs + vc].
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
  /// In order of arrival, at a port; seldom used, and short.
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

  // routers.cpp
  void take_flit(const Flit& flit);
  void take_credit(std::uint32_t channel);
  void begin_packet(std::uint32_t input);
  void wait_for_channel(std::uint32_t input);
  void cross();
  void put_out(std::uint32_t channel, PacketId packet);
  void give_credit(std::uint32_t input_port, std::uint64_t vcs);
  void give_credits();
  void send_credit(std::uint32_t input_port, std::uint64_t vcs);
  void free_channel(std::uint32_t channel);

  // vc_allocation.cpp
  void allocate_channels();
  void allocate_islip(std::uint32_t output);
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
  std::uint32_t next_output(std::uint32_t from) const;
  void accept_switch(std::uint32_t from, std::uint32_t to);
  void cross_switch();
  void send(std::uint32_t input);

  // Of an input or output channel: its port, and the port's number in its router.
  std::uint32_t port_of(std::uint32_t channel) const { return channel / vcs_; }
  std::uint32_t router_of(std::uint32_t channel) const { return channel / channels_; }
  std::uint32_t place_of(std::uint32_t channel) const { return channel % channels_; }
  // Several crossbar ports for an input, by its virtual channels, and for an output, by the inputs.
  std::uint32_t expanded_input(std::uint32_t input) const;
  std::uint32_t expanded_output(std::uint32_t input) const;

  const Configuration& configuration_;
  const Wiring& wiring_;
  PacketPool& packets_;
  Wires& wires_;
  unsigned vcs_, ports_, channels_;  ///< of a router: ports, and its input (or output) channels
  unsigned ranges_, expanded_inputs_, expanded_outputs_;
  bool one_vc_;

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::uint64_t> free_;         ///< [output port]: channels that no packet holds
  std::vector<std::uint32_t> destination_;  ///< [output port]: the first channel at the other end
  std::vector<bool> to_node_;               ///< [output port]
  std::vector<std::uint32_t> credit_to_;    ///< [input port]: the first channel that its credits go to
  std::vector<bool> credit_to_node_;        ///< [input port]

  std::vector<std::uint32_t> routing_, routed_;  ///< input channels whose first packet is being routed

  PortSets waiting_;     ///< [output port * ranges + range]: input channels (of the router) that wait for a channel
  WorkSet to_allocate_;  ///< output ports where some wait
  std::vector<std::uint32_t> vc_output_turn_, vc_input_turn_;  ///< round robin of output and input channels
  std::vector<Grant> vc_grants_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::uint32_t> chosen_;

  PortSets requests_;                 ///< [expanded output]: expanded inputs (of the router)
  WorkSet to_switch_, to_cross_;      ///< expanded outputs, expanded inputs with requests
  std::vector<std::uint64_t> ready_;  ///< [expanded input]: virtual channels that request
  std::vector<std::uint32_t> switch_output_turn_, switch_input_turn_, switch_vc_turn_;
  std::vector<std::uint32_t> switch_choice_, switch_touched_;
  std::vector<std::uint8_t> matched_input_, matched_output_;
  std::vector<Grant> switch_grants_;

  std::vector<Crossing> crossing_, crossed_;  ///< flits in the crossbar
  std::vector<Queue<Crossing>> output_queues_;
  std::vector<Queue<std::uint64_t>> credit_queues_;
  std::vector<std::uint64_t> sent_at_, credited_at_;  ///< [port]: cycle + 1 of the last flit, credit
  WorkSet queued_outputs_, queued_credits_;
  std::vector<std::uint32_t> credit_ports_;  ///< input ports with credits of this step
  std::vector<std::uint64_t> credit_vcs_;
};

}  // namespace braid::models::icnt
