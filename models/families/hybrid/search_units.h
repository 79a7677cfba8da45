// Set-up units of routers for searches of all streams at once (setup.searches = "parallel"; paper: tentacle-routing,
// section 2.2, net-by-net routing in parallel, "rip-and-route"). Beside those of one search at a time (setup_unit.h)
// such a unit has an entry for each stream, places where its messages wait, and an arbiter: it takes one message a
// cycle and sends one at most. docs/setup.md has the rules and draws the cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_unit.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

/// In the order in which a unit takes those that wait: what gives links back goes first.
enum class SearchKind : std::uint8_t {
  kRipUp,        ///< along the path, which it releases; at its end, or where the search's own message is, it turns
  kRippedUp,     ///< ... and comes back to the source, releasing what is left
  kAcknowledge,  ///< as of one search at a time, like the next two
  kBacktrack,
  kProbe
};

struct SearchMessage {
  VcIndex lane = 0;  ///< of the receiving router's port: where it came in
  std::uint32_t stream = 0;
  std::uint32_t attempt = 0;  ///< of the stream's searches, from 1
  SearchKind kind = SearchKind::kProbe;
  bool entered = false;  ///< a probe that the unit has taken once; it waits for a link
};

/// What became of them, for results.
struct SearchCounts {
  std::uint64_t searches = 0;    ///< attempts that have begun
  std::uint64_t backtracks = 0;  ///< of all attempts
  std::uint64_t rip_ups = 0;     ///< of younger streams' searches and circuits, for a link that they held
  std::uint64_t waits = 0;       ///< for a link that an older search held
};

/// The interfaces of the nodes: what the units of the sources' routers tell them.
class SearchSources {
 public:
  virtual ~SearchSources() = default;
  virtual void found(std::uint64_t cycle, std::uint32_t stream) = 0;
  /// The attempt has come back: it holds no link.
  virtual void came_back(std::uint64_t cycle, std::uint32_t stream) = 0;
  virtual void ripped_up(std::uint64_t cycle, std::uint32_t stream) = 0;
};

class SearchUnits {
 public:
  /// `around` knows what is around a router (SetupUnits::straps).
  SearchUnits(const routing::Topology& topology, RouterBank& bank, SetupUnits& around, bool share_reserved_links,
              const std::vector<CircuitRequest>& circuits);

  /// [stream] 0: the oldest. Nothing is under way; all units forget.
  void begin_order(const std::vector<std::uint32_t>& ages);
  /// Requests of a source: a probe, or the rip-up of what its attempt has, at the unit of its router in cycle + 1.
  void search(std::uint64_t cycle, std::uint32_t stream, std::uint32_t attempt, VcIndex lane);
  void rip_up(std::uint64_t cycle, std::uint32_t stream, std::uint32_t attempt, VcIndex lane);
  /// All units' cycle.
  void step(std::uint64_t cycle, SearchSources& sources);

  /// No message is anywhere.
  bool quiet() const { return messages_ == 0; }
  /// A message of a rip-up of this stream is in the registers of some router.
  bool being_ripped_up(std::uint32_t stream) const { return rips_[stream] != 0; }
  /// Routers and ports, of a stream whose circuit stands.
  std::vector<CircuitResult::Step> path(VcIndex lane) const;
  const SearchCounts& counts() const { return counts_; }
  /// Dead ends that the stream's attempts have left again in this order.
  std::uint32_t backtracks(std::uint32_t stream) const { return backtracks_[stream]; }
  /// The most messages of one stream that have waited at a unit at once, for whoever sizes it.
  std::uint32_t most_waiting() const { return most_waiting_; }

  /// In channels, or from a node, for whoever looks.
  struct UnderWay {
    std::uint64_t cycle = 0;  ///< in which it is at the unit
    SearchMessage message;
  };
  const std::vector<UnderWay>& under_way() const { return under_way_; }

  void checkpoint(Checkpoint& c) {
    c.each(entries_);
    c.each(waiting_);
    c(ages_, under_way_, backtracks_, most_waiting_, counts_);
    if (c.restoring()) check_restored(c);
  }

 private:
  /// What a unit remembers of a stream's last attempt that came by.
  struct Entry {
    std::uint64_t tried = 0;          ///< output ports
    std::uint32_t attempt = 0;        ///< 0: none yet
    VcIndex in = kNone, out = kNone;  ///< lanes; out: it holds this one
    bool acknowledged = false;        ///< ... of a circuit that stands
    bool ripping = false;             ///< a rip-up has gone on from here and has not come back
  };
  enum class Way : std::uint8_t { kTake, kRipUp, kWait, kGoBack };
  struct Choice {
    Way way = Way::kGoBack;
    VcIndex lane = kNone;
  };

  Entry& entry(RouterId router, std::uint32_t stream) { return entries_[router.value * ages_.size() + stream]; }
  const Entry& entry(RouterId router, std::uint32_t stream) const {
    return entries_[router.value * ages_.size() + stream];
  }
  RouterId router_of(const SearchMessage& message) const { return bank_.router_of(bank_.port_of_vc(message.lane)); }
  void deliver(std::uint64_t cycle);
  std::size_t next_message(RouterId router) const;
  void take(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void take_probe(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void take_backtrack(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void take_acknowledge(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void take_rip_up(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void take_ripped_up(std::uint64_t cycle, RouterId router, const SearchMessage& message);
  void advance(std::uint64_t cycle, RouterId router, std::uint32_t stream);
  void go_on(std::uint64_t cycle, RouterId router, std::uint32_t stream, VcIndex out);
  void rip_up_holder(std::uint64_t cycle, RouterId router, VcIndex out);
  Choice choose(RouterId router, std::uint32_t stream) const;
  Choice choose_link(RouterId router, std::uint32_t stream, const SetupUnits::Straps& around) const;
  Choice choose_ejection(RouterId router, std::uint32_t stream, const SetupUnits::Straps& around) const;
  void wait(RouterId router, const SearchMessage& message);
  void drop_probe(RouterId router, const SearchMessage& rip_up, bool entered);
  void send(std::uint64_t cycle, VcIndex lane, SearchKind kind, std::uint32_t stream, std::uint32_t attempt);
  void reply(std::uint64_t cycle, VcIndex in, SearchKind kind, std::uint32_t stream, std::uint32_t attempt);
  void put_under_way(std::uint64_t cycle, const SearchMessage& message);
  void hold(RouterId router, std::uint32_t stream, VcIndex out);
  void release(RouterId router, std::uint32_t stream);
  bool is_local(VcIndex lane) const;
  void check_restored(const Checkpoint& c);
  void check_message(const Checkpoint& c, const SearchMessage& message);

  const routing::Topology& topology_;
  RouterBank& bank_;
  SetupUnits& around_;
  bool share_reserved_links_;
  std::vector<NodeId> destinations_;                 // [stream]
  std::vector<std::uint32_t> ages_;                  // [stream]
  std::vector<Entry> entries_;                       // [router][stream]
  std::vector<std::uint32_t> holders_;               // [output lane] stream, or kNone: read from the entries
  std::vector<std::vector<SearchMessage>> waiting_;  // [router]
  std::vector<UnderWay> under_way_;                  // in channels, or from a node
  std::vector<std::uint32_t> rips_;                  // [stream] messages of rip-ups
  std::vector<std::uint32_t> backtracks_;            // [stream]
  std::uint32_t messages_ = 0;
  std::uint32_t most_waiting_ = 0;
  SearchCounts counts_;
  SearchSources* sources_ = nullptr;  // during a step
};

}  // namespace braid::models::hybrid
