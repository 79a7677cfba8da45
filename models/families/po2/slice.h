// A run of PO2 routers with their nodes. A cycle has two halves:
//   compute (offers.cpp): every router that something happened to makes offers: a packet for each free port, oldest
//     packet first, each on the first port in its order of preference whose far end would take it;
//   commit (transfers.cpp): offers that clash (both ends of a link, more packets than free buffers) are settled the
//     same way at both ends: pools take what comes in; links begin transfers and end those that are over by the next
//     cycle; headers that are in are routed.
// Ends are events on a timing wheel, so that nothing is done in cycles in which nothing happens. Time diagram:
// docs/po2.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/packet_queue.h"
#include "models/fabric/timing_wheel.h"
#include "models/fabric/work_list.h"
#include "models/families/po2/options.h"
#include "models/families/po2/pool_policy.h"
#include "models/families/po2/router.h"

namespace braid::models::po2 {

class Slice final : public PacketTransport {
 public:
  /// What the slices of a network share: what the fabric is made from, and its parts. All routers are in one array; a
  /// slice writes only its own.
  struct Shared : FabricContext {
    const PoolPolicy& policy;
    const Options& options;
    std::vector<Router>& routers;
    std::vector<routing::Candidate>& candidates;       ///< [router][buffer][max_candidates + 1]
    const std::vector<std::size_t>& first_local_port;  ///< [node], in the transport's numbering
  };
  Slice(const Shared& shared, RouterRange range, std::size_t index);
  /// Whose wakes and offers this slice has to read. Once, when all slices exist.
  void build_neighbourhood(const std::vector<std::unique_ptr<Slice>>& slices);

  void set_sink(PacketSink* sink) { sink_ = sink; }
  void compute(std::uint64_t cycle);
  void commit(std::uint64_t cycle) {
    grant_buffers(cycle);
    begin_transfers(cycle);
    end_transfers(cycle);
    route_headers();
  }

  // What commit() is made of, for units that are modules by themselves (models/stages/po2), in steps. First the pools:
  // packets that come in take buffers;
  void grant_buffers(std::uint64_t cycle);
  // then the links: transfers begin, and those that are over by the next cycle end;
  void begin_transfers(std::uint64_t cycle);
  void end_transfers(std::uint64_t cycle);
  // then the route units: headers that are in by the next cycle, packets whose patience is over;
  void route_headers();
  // then the nodes.
  void begin_nodes(std::uint64_t cycle) { next_cycle_ = cycle + 1; }

  // Has a step anything to do? What a cycle has left in lists is there until the step has run again.
  bool any_offer() const;
  bool any_grant() const;
  bool any_transfer(std::uint64_t cycle) const {
    return !offering_.empty() || !taken_.empty() || !in_vain_.empty() || wheel_.any_at(cycle + 1);
  }
  bool any_header() const { return !headers_.empty(); }

  // The same for one router, for units that stand alone, and what is on its wires within a cycle.
  /// It makes offers in the next compute().
  void wake(std::uint32_t r) {
    awake_.insert(r - range_.first);
    any_awake_ = true;
  }
  /// What wants to come in by port `p`: the far end's packet unless this end goes first, or the node's own.
  const Offer* offer_into(std::uint32_t r, std::size_t p, std::uint64_t cycle) const;
  /// Bit p: what wants to come in by port p gets a buffer.
  std::uint64_t granted_ports(std::uint32_t r, std::uint64_t cycle) const;
  /// Bit p: what comes in by port p uses it in vain: no buffer, and the sender did not see it.
  std::uint64_t rejected_ports(std::uint32_t r, std::uint64_t cycle, std::uint64_t granted) const;
  /// Gives the packet a buffer, the free one of lowest number.
  std::uint8_t take_buffer(std::uint32_t r, std::size_t p, const Offer& offer);
  /// Of a packet that gets a buffer in the present cycle.
  std::uint8_t granted_buffer(std::uint32_t r, std::size_t p) const;
  void begin_leaving(std::uint32_t r, std::size_t p, const Offer& offer, std::uint64_t cycle);
  void begin_receiving(std::uint32_t r, std::size_t p, std::uint8_t buffer, std::uint64_t cycle);
  /// The first flit of the header comes in the cycle of the grant, or from a node after its overhead.
  void await_header(std::uint32_t r, std::size_t p, std::uint8_t buffer, std::uint64_t cycle);
  void begin_injection(std::uint32_t r, std::size_t p) { source_of(r, p).injecting = true; }
  void end_injection(std::uint32_t r, std::size_t p, std::uint64_t due);
  void release_buffer(std::uint32_t r, std::size_t buffer);
  /// Of those who ask for the same escape buffer, has the packet been in the network longest?
  bool is_eldest_asker(std::uint32_t r, std::uint8_t buffer) const;
  /// The front of a local port's source queue, while it asks for the port.
  struct Head {
    PacketSlot packet = 0;
    std::uint64_t since = 0;  ///< the cycle from which it asks
  };
  std::optional<Head> head(std::uint32_t r, std::size_t p) const;
  /// Puts it in the place of the whole queue.
  void set_head(std::uint32_t r, std::size_t p, const std::optional<Head>& head);
  const Shared& shared() const { return shared_; }
  Router& router(std::uint32_t r) { return shared_.routers[r]; }
  routing::Candidate* candidates(std::uint32_t r, std::size_t buffer) const;
  std::size_t candidates_each() const { return candidates_each_; }

  void send(std::size_t local_port, PacketSlot packet) override;
  void send_on_circuit(std::size_t local_port, std::uint32_t, PacketSlot packet) override { send(local_port, packet); }
  std::size_t queued(std::size_t local_port) const override { return source(local_port).packets.size(); }
  std::optional<PacketSlot> recall(std::size_t local_port) override;
  bool notify_when_empty(const std::function<void(std::size_t)>& listener) override {
    when_empty_ = listener;
    return true;
  }

  struct Counters {
    std::uint64_t flit_hops = 0, flits_injected = 0, flits_delivered = 0, deroutes = 0, escapes = 0;
    std::uint64_t rejections = 0, retransmissions = 0, switches = 0, misses = 0;
  };
  const Counters& counters() const { return counters_; }
  /// Packets in source queues of which no flit has left.
  std::uint64_t packets_queued() const;
  /// Counts of a port up to, not including, `cycle`.
  static Port counted(Port port, std::uint64_t cycle) {
    port.count_to(cycle);
    return port;
  }
  /// Transfers that have begun end in cycles to come, or packets are to be routed or to escape. A packet that is being
  /// rejected does not move.
  bool transfers_under_way() const;
  /// Lists of one cycle are left out, but for the wakes that the next one reads.
  void checkpoint(Checkpoint& c) {
    c.part("slice");
    c.each(sources_);
    c(awake_, any_awake_);
    c.each(wakes_);
    c(wheel_, next_cycle_, counters_);
    any_wakes_ = true;  // or none: the next cycle looks
  }
  /// When all routers have been restored: that registers name what there is. Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;

 private:
  enum class EventKind : std::uint8_t {
    kRouted,
    kPatience,
    kSent,
    kReceived,
    kEjected,
    kInjected,
    kResend,    // sent, and its receipt was not acknowledged
    kDamaged,   // received, and given up
    kRejected,  // the sender of a packet that was offered in vain knows it
    kRejecting  // ... its receiver is ready for another; a node's port is both
  };
  struct Event {
    std::uint64_t due = 0;
    std::uint32_t router = 0;
    EventKind kind = EventKind::kRouted;
    std::uint8_t port = 0;
    std::uint8_t buffer = 0;
    std::uint64_t since = 0;  // kPatience: of the packet that was to wait for so long
  };
  struct AtHand {  // a message whose state and body a node's interface has
    std::uint64_t slot, created;
  };
  struct Source {  // a local port's queue
    PacketQueue packets;
    std::uint64_t since = 0;  // the cycle from which the front asks for the port
    std::uint32_t router = 0;
    std::uint8_t port = 0;
    bool injecting = false;
    bool recalled = false;       // the packet that takes the place of a recalled one keeps its `since`
    std::vector<AtHand> cached;  // messages of the last packets, the last one first: po2.cached_messages
    std::uint32_t overhead = 0;  // in the cycle in which a packet goes in: beyond po2.inject_overhead_cycles
    void checkpoint(Checkpoint& c) { c(packets, since, injecting, recalled, cached); }
  };
  void check_router(const Checkpoint& c, std::uint32_t r) const;
  void check_events(const Checkpoint& c) const;

  using PortKind = routing::PortKind;

  bool mine(std::uint32_t r) const { return r >= range_.first && r < range_.last; }
  const routing::Port& wiring(std::uint32_t r, std::size_t p) const { return shared_.topology.routers[r][p]; }
  Source& source(std::size_t local_port) { return sources_[local_port - first_source_]; }
  const Source& source(std::size_t local_port) const { return sources_[local_port - first_source_]; }
  Source& source_of(std::uint32_t r, std::size_t p) { return sources_[router(r).ports[p].source]; }

  // compute
  void make_offers(std::uint32_t r, std::uint64_t cycle);
  /// A router's idle ports while its packets make their offers, a bit each.
  struct OpenPorts {
    std::uint64_t without_offer = 0;
    std::uint64_t unblocked = 0;  // no older packet was refused there that younger ones may not pass
    std::uint64_t to_regular() const { return without_offer & unblocked; }
  };
  bool offer_packet(std::uint32_t r, std::uint8_t buffer, std::uint64_t cycle, OpenPorts& open);
  bool strict_fifo() const { return shared_.options.port_discipline == PortDiscipline::kHeadOfLine; }
  void offer_injection(std::uint32_t r, std::size_t p, std::uint64_t cycle);
  bool injection_is_older(std::uint32_t r, std::size_t p, std::uint64_t since);
  bool would_inject(std::uint32_t r, std::size_t p);
  bool refuses(const Router& to, PoolClass pool_class, std::uint32_t message) const;
  bool tries(PortKind to) const {
    const Rejection rejection = shared_.options.rejection;
    return rejection == Rejection::kTried || (rejection == Rejection::kTriedOnLinks && to == PortKind::kNetwork);
  }

  // commit
  void apply_own_offers(std::uint32_t r, std::uint64_t cycle);
  void take_buffers(std::uint32_t r, std::uint64_t cycle);
  void begin_trying(std::uint32_t r, std::size_t p, const Offer& offer, std::uint64_t cycle);
  void begin_rejecting(std::uint32_t r, std::size_t p, std::uint64_t cycle);
  void end_trying(const Event& event);
  /// Is the packet that begins to come into router `r` by port `p` in this cycle damaged on the link?
  bool damaged(std::uint32_t r, std::size_t p, std::uint64_t cycle) const;
  void take_back(const Event& event);
  /// Cycles that a packet costs the node's port beyond the overhead of every packet.
  std::uint32_t turn_to(Source& from, const Packet& packet);
  void wait_in_turn(std::uint32_t r, std::uint8_t buffer);
  void wake_if_judged(std::uint32_t r);
  void end_transfer(const Event& event);
  void route_packet(const Event& event);
  void add_escape(const Event& event);
  void want_ports(std::uint32_t r, std::size_t buffer, int change, std::uint64_t cycle);
  void set_use(std::uint32_t r, std::size_t p, Port::Use use, std::uint64_t cycle);
  void wake_around(std::uint32_t r);
  void find_linked();
  /// visit(first of the node's local ports, all that it has)
  template <class Visit>
  void for_each_node(Visit visit) const;
  /// Of another router's slice in linked_.
  std::size_t place_of(std::uint32_t slice) const {
    std::size_t i = 0;
    while (linked_[i] != slice) ++i;
    return i;
  }

  Shared shared_;
  RouterRange range_;
  std::size_t index_;
  std::size_t first_source_ = 0;
  std::size_t candidates_each_;
  std::vector<Source> sources_;
  WakeSet awake_;
  bool any_awake_ = false;
  // Of the slices that this one has links to, itself first: with a slice a router, lists for all slices in each would
  // grow with the square of the routers.
  using Routers = std::vector<std::uint32_t>;
  std::vector<std::uint32_t> linked_;  // their numbers
  std::vector<Routers> wakes_;         // [place in linked_] its routers to wake, from the last commit
  bool any_wakes_ = false;
  std::vector<Routers> offered_to_;  // [place in linked_] its routers that got an offer in this cycle
  /// What another slice has for this one.
  struct Neighbour {
    const Routers& wakes;
    const Routers& offered;
  };
  std::vector<Neighbour> neighbours_;
  Routers offering_;   // own routers with offers in this cycle
  Routers held_back_;  // own routers with a packet that lets an elder one escape first
  Routers receiving_;  // scratch
  struct Grant {
    std::uint32_t router = 0;
    std::uint8_t port = 0, buffer = 0;
  };
  std::vector<Grant> taken_;       // buffers of this cycle whose transfers have not begun
  std::vector<Grant> in_vain_;     // ports of this cycle by which a packet comes that gets none
  std::uint64_t damage_bits_ = 0;  // po2.error_rate
  std::uint64_t damage_seed_ = 0;
  std::vector<Event> headers_;  // events of the next cycle that are the route units'
  TimingWheel<Event> wheel_;
  routing::CandidateList route_;
  PacketSink* sink_ = nullptr;
  std::function<void(std::size_t)> when_empty_;
  std::uint64_t next_cycle_ = 0;
  Counters counters_;
};

}  // namespace braid::models::po2
