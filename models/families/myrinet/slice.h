// Myrinet-like switches and their hosts' interfaces (paper: in-transit-buffers, section 4.1; cycle by cycle in
// docs/in-transit-buffers.md): source-routed wormhole, stop and go.
//
// Event driven: what happens in a cycle is decided in five steps, each for the things that an event has named. Steps
// read what stands at the start of the cycle and what the steps before have decided, as the hardware's logic within a
// clock period does; what passes to another switch takes a link's latency. A look too many at a thing changes nothing,
// a look too few is what the per-cycle reference (tb/python/itb) is there to find.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/fabric/packet_log.h"
#include "models/fabric/packet_queue.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/timing_wheel.h"
#include "models/families/myrinet/channel.h"
#include "models/families/myrinet/options.h"
#include "routing/paths/route_table.h"

namespace braid::models::myrinet {

/// The packet at the front of a switch's slack buffer.
struct Input {
  enum class State : std::uint8_t {
    kIdle,     ///< no header has been looked at
    kWaits,    ///< its header asks for an output port
    kRouting,  ///< it has the port, its flits follow in a while
    kOpen      ///< its flits leave as they can
  };
  State state = State::kIdle;
  PortIndex output = kNone;  ///< that it asks for or has
  std::uint64_t taken = 0;   ///< cycle in which the last header was taken out of the buffer; 0: none was
};

struct Output {
  std::uint64_t asked = 0;  ///< inputs of the router that wait for it, a bit each
  PortIndex input = kNone;  ///< that has it
  std::uint32_t last = 0;   ///< port of the input granted last, + 1: where the turn goes on

  /// Round robin: the port of the first input that asks, behind the one granted last; it asks no more.
  std::uint32_t grant() {
    const std::uint64_t behind = last == 64 ? 0 : asked >> last << last;
    const auto port = static_cast<std::uint32_t>(__builtin_ctzll(behind != 0 ? behind : asked));
    asked &= ~(std::uint64_t{1} << port);
    last = port + 1;
    return port;
  }
};

/// A host's way into the network.
struct Interface {
  PacketQueue packets;  ///< the first one may be leaving
  void checkpoint(Checkpoint& c) { c(packets); }
};

class Slice final : public PacketTransport {
 public:
  Slice(const FabricContext& context, const Options& options);
  /// What it will take: an empty queue of packets takes memory, too.
  static std::uint64_t bytes(const routing::Topology& topology);

  void set_sink(PacketSink* sink) { sink_ = sink; }
  void cycle(std::uint64_t cycle);

  // What a cycle is made of, for units that are modules by themselves (models/stages/myrinet) and look at their own
  // thing in every cycle; what is done to one thing in a step may come in any order. First what cables bring, and what
  // is due inside,
  void begin_cycle(std::uint64_t cycle) {
    forget_what_to_do();
    take_events(cycle);
  }
  // then senders whose tail has left: an output port, or a host's injection link,
  void end_if_sent(PortIndex channel);
  // then the link of [failure], in its cycle,
  void cut_link_if_due() {
    if (now_ == failure_cycle_) cut_link();
  }
  // then headers at the front of a switch's slack buffer,
  void take_header(PortIndex channel);
  // then grants of output ports, and packets that hosts begin,
  void arbitrate(PortIndex output);
  void begin_at_host(std::size_t local_port);
  // then flits,
  void decide(PortIndex channel);
  // and stop and go of a switch's slack buffer.
  void signal(PortIndex channel);

  void send(std::size_t local_port, PacketSlot packet) override;
  std::size_t queued(std::size_t local_port) const override { return interfaces_[local_port].packets.size(); }
  bool ready(std::size_t local_port) const override { return interfaces_[local_port].packets.empty(); }
  bool notify_when_empty(const std::function<void(std::size_t)>& listener) override {
    listener_ = listener;
    return true;
  }
  bool cuts_through() const override { return true; }
  std::uint64_t missing(std::size_t local_port, PacketSlot packet, std::uint64_t flits) const override;
  /// Flits that are here of a packet that comes in.
  std::uint64_t here_of(std::size_t local_port, PacketSlot packet) const;

  const Wiring& wiring() const { return wiring_; }
  const std::vector<Channel>& channels() const { return channels_; }  ///< [output port], injection links behind
  const std::vector<Input>& inputs() const { return inputs_; }        ///< [channel]: behind it
  const std::vector<Output>& outputs() const { return outputs_; }     ///< [output port of a router]
  const std::vector<Interface>& interfaces() const { return interfaces_; }
  /// The channel that leads to an input port of a router, or from a router to a node.
  PortIndex channel_into(PortIndex input_port) const { return wiring_.upstream[input_port]; }
  /// The channel from which a packet comes in that a host is to send, if its tail is not there yet; else kNone.
  PortIndex incoming(std::size_t local_port, PacketSlot packet) const;
  const Timing& timing() const { return timing_; }
  const Options& options() const { return options_; }
  /// Is a flit there that an open sender could send?
  bool flit_is_there(PortIndex channel) const { return channels_[channel].open && available(channels_[channel]) > 0; }
  /// The port that the packet at the front of a switch's slack buffer is to leave by.
  PortId named_port(PortIndex channel) const;
  /// A host's first packet, as it begins on its leg.
  Passing first_of(std::size_t local_port) const;
  /// Is a header at the front of a switch's slack buffer that nobody has looked at?
  bool has_header(PortIndex channel) const {
    const Channel& c = channels_[channel];
    return inputs_[channel].state == Input::State::kIdle && !c.passing.empty() &&
           c.arrived.at(now_) > c.passing.front().first;
  }
  /// Flits in a buffer at the start of the cycle that comes next.
  std::uint64_t buffered(PortIndex channel) const;
  /// The cycle at whose start everything stands.
  std::uint64_t now() const { return now_; }
  /// Is it the link of [failure]?
  bool can_go_down(PortIndex channel) const { return channel == failing_[0] || channel == failing_[1]; }
  /// Packets of which both pieces are under way: each is there twice.
  std::uint64_t in_two_pieces() const;
  /// Slots for pieces of packets that a link cut.
  const PacketStore::Pool& pieces() const { return pieces_; }
  /// Between two cycles there is nothing to do.
  void checkpoint(Checkpoint& c) {
    c.each(channels_);
    c.each(inputs_);
    c.each(outputs_);
    c.each(interfaces_);
    c(events_, now_, pieces_, cuts_);
    if (c.restoring()) check_restored(c);
  }

 private:
  struct Event {
    enum class Kind : std::uint8_t {
      kArrivalsBegin,
      kArrivalsEnd,
      kStop,
      kGo,
      kLook,
      kOccupancy,
      kRouted,
      kHead,
      kTail,
      kBegin,
      kEndSign
    };
    std::uint64_t due = 0;
    PortIndex channel = kNone;
    Kind kind = Kind::kLook;
  };
  /// Things to look at in this cycle, each once.
  class ToDo {
   public:
    void resize(std::size_t things) { marked_.resize(things); }
    void add(std::uint32_t thing) {
      if (marked_[thing]) return;
      marked_[thing] = true;
      list_.push_back(thing);
    }
    bool empty() const { return list_.empty(); }
    template <class Visit>
    void for_each(Visit visit) const {
      for (std::size_t i = 0; i < list_.size(); ++i) visit(list_[i]);
    }
    void clear() {
      for (const std::uint32_t thing : list_) marked_[thing] = false;
      list_.clear();
    }

   private:
    std::vector<std::uint32_t> list_;
    std::vector<bool> marked_;
  };

  void check_restored(const Checkpoint& c) const;
  void check_passing(const Checkpoint& c, const Passing& packet, bool gone) const;
  /// The packet at the front of what passes over a channel. Throws CheckpointError where none is: registers that were
  /// restored from a checkpoint, and that no network has, come to that in the end.
  const Passing& front(PortIndex channel) const {
    Checkpoint::expect(channel != kNone && !channels_[channel].passing.empty(), "a channel with nothing to pass on");
    return channels_[channel].passing.front();
  }

  void file(std::uint64_t due, PortIndex channel, Event::Kind kind) { events_.add({due, channel, kind}); }
  void take_events(std::uint64_t cycle) {
    now_ = cycle;
    events_.take(cycle, [this](const Event& event) { apply(event); });
  }
  bool anything_to_do() const {
    return !senders_.empty() || !buffers_.empty() || !outputs_to_do_.empty() || !hosts_.empty();
  }
  void forget_what_to_do() {
    senders_.clear();
    buffers_.clear();
    outputs_to_do_.clear();
    hosts_.clear();
  }
  void apply(const Event& event);
  void look_at_buffer(PortIndex channel);

  // switches.cpp
  void begin_behind_router(PortIndex output);

  // senders.cpp
  void start(PortIndex channel);
  void pause(PortIndex channel);
  void look_ahead(PortIndex channel);
  void note_tail(PortIndex channel);
  std::uint64_t available(const Channel& channel) const;
  void deliver(PortIndex channel);

  // failure.cpp
  /// A packet that a link has cut: its front goes by a slot of the slice's own, unless it is all that is left.
  struct Cut {
    PacketSlot whole = 0, front = 0;
    std::uint32_t missing = 0;  ///< flits that its front is shorter by, the end sign counted
    bool front_gone = false, back_gone = false;
  };
  void find_link(const FabricContext& context);
  void cut_link();
  void cut_channel(PortIndex channel);
  void cut_packet(PortIndex channel, Passing& packet, std::uint64_t came);
  void shorten(PortIndex channel, const Cut& cut);
  PortIndex onward(PortIndex channel, const Cut& cut);
  const Cut* front_of(PacketSlot slot) const;
  void gone(PacketSlot slot);

  const FabricContext context_;
  const Options options_;
  const Timing timing_;
  const routing::RouteTable& routes_;
  Wiring wiring_;
  std::vector<Channel> channels_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Interface> interfaces_;
  TimingWheel<Event> events_;
  ToDo senders_, buffers_, outputs_to_do_, hosts_;
  PacketSink* sink_ = nullptr;
  std::function<void(std::size_t)> listener_;
  std::uint64_t now_ = 0;
  std::uint64_t failure_cycle_ = UINT64_MAX;  // none
  PortIndex failing_[2] = {kNone, kNone};     // the link's two channels
  PacketStore::Pool pieces_;
  std::vector<Cut> cuts_;  // with a piece under way
};

}  // namespace braid::models::myrinet
