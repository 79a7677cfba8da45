// The host interface of source-routed networks (paper: in-transit-buffers, section 4.1; cycle by cycle in
// docs/in-transit-buffers.md): gives each packet the first leg of its path, takes in the packets whose leg ends here
// and whose path does not, and injects them again, before the node's own. It stands between whatever sends packets and
// the interfaces of any router family.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_queue.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/timing_wheel.h"
#include "models/fabric/work_list.h"
#include "models/injection/reconfiguration.h"
#include "models/injection/transit_buffer.h"
#include "models/observe/signals.h"
#include "routing/paths/route_table.h"

namespace braid::models {

enum class TransitDetection : std::uint8_t { kTimes, kBytes };

struct InTransitOptions {
  TransitDetection detection = TransitDetection::kTimes;
  double detect_ns = 275;             ///< until a packet is known to be in transit
  double program_ns = 200;            ///< ... and until the interface is set to send it on
  std::uint64_t pool_flits = 524288;  ///< of a node's buffer: 512 KB
};
/// In section [in_transit], where routing.in_transit is not "none".
const OptionTable<InTransitOptions>& in_transit_options();
OptionBranch in_transit_branch();
/// Do packets rest in in-transit buffers of such a network?
bool packets_rest(const Configuration& configuration);

struct InTransitContext {
  PacketTransport& below;
  const routing::RouteTable& routes;
  PacketStore& store;
  const LocalPortMap& ports;
  const Configuration& configuration;
  std::uint64_t clock_period_ps;
  Reconfiguration* reconfiguration = nullptr;  ///< where a link can go down
};

/// The nodes of one slice.
class InTransit final : public PacketTransport, public PacketSink {
 public:
  /// Throws InputError for times that are no whole number of cycles.
  InTransit(const InTransitContext& context, const std::vector<NodeId>& nodes);

  /// Who takes what has come to its destination.
  void set_sink(PacketSink* sink) { sink_ = sink; }
  /// One cycle, after whoever sends: hands down at most one packet for each local port.
  void step(std::uint64_t cycle);

  // What a cycle is made of, for hosts that are modules by themselves (models/stages/myrinet) and look at their own
  // buffer in every cycle. First what all hosts are told, then the hosts in any order.
  void begin_step(std::uint64_t cycle) {
    if (context_.reconfiguration != nullptr && context_.reconfiguration->step(cycle)) {
      for (std::size_t i = 0; i < stations_.size(); ++i) busy_.insert(i);
    }
    wakes_.take(cycle, [this, cycle](const Wake& wake) {
      busy_.insert(wake.station);
      if (times_.counts_bytes) count_bytes(wake.station, cycle);
    });
  }
  void step_host(std::size_t local_port, std::uint64_t cycle) { step_station(local_port - first_, cycle); }

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_on_circuit(std::size_t local_port, std::uint32_t lane, PacketSlot packet) override {
    context_.below.send_on_circuit(local_port, lane, packet);
  }
  void send_on_tree(std::size_t local_port, std::uint32_t lane, const std::vector<Copy>& copies) override {
    context_.below.send_on_tree(local_port, lane, copies);
  }
  std::size_t queued(std::size_t local_port) const override;
  bool ready(std::size_t local_port) const override;

  bool admit(PacketSlot packet) override { return sink_->admit(packet); }
  void head(std::uint64_t cycle, PacketSlot packet) override;
  void deliver(std::uint64_t cycle, PacketSlot packet) override;
  void sent(std::uint64_t cycle, PacketSlot packet) override;
  void lost(std::uint64_t cycle, PacketSlot packet) override;
  void cut(std::size_t local_port, PacketSlot whole, PacketSlot front) override;

  /// Packets that have not gone down, or not gone down again, and whose tail is here.
  std::uint64_t waiting() const;
  /// Do packets rest here, or are they held back?
  bool queues() const { return queues_; }
  const TransitTimes& times() const { return times_; }
  const TransitBuffer& buffer(std::size_t local_port) const { return station(local_port); }
  bool host_is_ready(std::size_t local_port) const { return context_.below.ready(local_port); }
  /// Does a packet of the host's own wait that may begin?
  bool own_waits(std::size_t local_port) const { return own_can_leave(station(local_port)); }
  /// That a buffer has overflown; empty: none has.
  const std::string& complaint() const { return complaint_; }
  /// Figures of all slices together, as in_transit_figures() declares them; empty if routing.in_transit is "none".
  static Report report(const std::vector<std::unique_ptr<InTransit>>& slices);
  /// Of the nodes of those routers. Null: nothing to see.
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers,
                                        const routing::Topology& topology) const;
  void checkpoint(Checkpoint& c) {
    c.each(stations_);
    c(busy_, wakes_, complaint_, reinjections_, most_flits_);
    if (c.restoring()) check_restored(c);
  }

 private:
  /// A local port.
  struct Station : TransitBuffer {
    NodeId node;
    PacketQueue own;
    std::uint64_t flits = 0;  ///< in the buffer
    void checkpoint(Checkpoint& c) { c(resting, leaving, own, flits); }
  };
  struct Wake {
    std::uint64_t due = 0;
    std::size_t station = 0;
  };
  class Signals;
  void check_restored(const Checkpoint& c) const;
  Station& station(std::size_t local_port) { return stations_[local_port - first_]; }
  const Station& station(std::size_t local_port) const { return stations_[local_port - first_]; }
  /// Such a packet goes where its circuit leads: it has no path of its own, and rests nowhere.
  bool on_circuit(PacketSlot slot) const { return context_.store[slot].route == routing::kNoRoute; }
  Station* end_of(const Packet& packet, routing::RouteId leg);
  Station* left_by(const Packet& packet, PacketSlot slot, bool tail_is_here);
  RestingPacket& take_in(std::uint64_t cycle, PacketSlot slot);
  bool own_can_leave(const Station& station) const;
  /// Is the station to be looked at again before anything happens?
  bool step_station(std::size_t i, std::uint64_t cycle) {
    const Station& s = stations_[i];
    const bool in_transit = s.can_leave(cycle, context_.below.cuts_through());
    if (!in_transit && !own_can_leave(s)) return false;
    if (!context_.below.ready(first_ + i)) return !notified_;
    if (in_transit) {
      send_on(i, cycle);
    } else {
      send_own(i);
    }
    return true;
  }
  void count_bytes(std::size_t i, std::uint64_t cycle);
  void send_on(std::size_t i, std::uint64_t cycle);
  void send_own(std::size_t i);

  const InTransitContext context_;
  const InTransitOptions options_;
  bool used_ = false;    // routing.in_transit is not "none"
  bool queues_ = false;  // ... or packets may have to be held back here
  std::size_t nodes_;
  TransitTimes times_;
  std::size_t first_ = 0;  // local port of stations_[0]
  std::vector<Station> stations_;
  WakeSet busy_;           // stations to look at
  bool notified_ = false;  // ... as the interface below says when it can take a packet
  TimingWheel<Wake> wakes_;
  PacketSink* sink_ = nullptr;
  std::string complaint_;
  std::uint64_t reinjections_ = 0, most_flits_ = 0;
};

/// What it counts.
const FigureList& in_transit_figures();

}  // namespace braid::models
