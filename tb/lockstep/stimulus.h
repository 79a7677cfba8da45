// Constrained-random traffic for one router in lockstep: this testbench plays all of its neighbours and its nodes'
// consumers. Everything it does is legal on the wires; within that it bursts, stalls, and sets circuits up and tears
// them down without pause.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"
#include "models/rtl/pinned_router.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/random.h"

namespace braid::lockstep {

/// How often each thing happened: the functional cover points.
using Cover = std::map<std::string, std::uint64_t>;

/// One run of one router between two resets: a random network around it, random rates.
class Episode final : public models::PacketSink {
 public:
  /// `rtl` may hold anything: it is reset. `stream`: of random numbers, one a point. `wave_file`: of a difference.
  Episode(const models::hybrid::RouterShape& shape, std::uint64_t seed, const std::string& stream,
          std::unique_ptr<models::hybrid::PinRouter> rtl, const std::string& wave_file, Cover& cover);
  /// Throws models::hybrid::LockstepError.
  void run(std::uint64_t cycles);
  std::unique_ptr<models::hybrid::PinRouter> release() { return pinned_->release(); }
  std::string describe() const;
  /// The last cycles, model and RTL, as a waveform; returns the names of the files.
  std::string save_waves() const { return pinned_->lockstep().save_waves(); }

  // The nodes' side of the network interfaces.
  bool admit(models::PacketSlot) override { return random_.below(100) < consumer_percent_; }
  void deliver(std::uint64_t, models::PacketSlot packet) override { pool_.give_back(packet); }
  void sent(std::uint64_t cycle, models::PacketSlot packet) override;

 private:
  /// Where a packet is from, where it goes. The RTL does not see its source; some routing of the model does.
  struct Way {
    NodeId source, destination;
  };
  /// The neighbour at a network port.
  struct Neighbour {
    std::uint32_t port = 0;
    models::hybrid::Channel* to_router = nullptr;
    models::hybrid::Channel* from_router = nullptr;
    unsigned load_percent = 0, credit_percent = 0;
    std::vector<std::uint32_t> credits;       // [lane] buffers of the router that are free
    std::vector<models::PacketSlot> sending;  // [lane] the packet under way, or kNone
    std::vector<std::uint32_t> sent, length;  // [lane] its flits
    std::vector<std::uint32_t> owed;          // [lane] flits received, credit not yet returned
    std::vector<Way> reachable;               // of packets that may come over this link
  };
  enum class Phase { kIdle, kSearching, kTearingDown };
  /// Where a circuit comes in: input port, and which of that port's circuits.
  using Start = std::pair<std::uint32_t, std::uint32_t>;

  void build_topology();
  void build_graph();
  std::uint32_t grid_origin(std::uint32_t own);
  void return_credits(std::uint64_t cycle, Neighbour& n);
  bool forget_searches(std::uint64_t cycle);
  void new_search_number();
  void build_router(std::unique_ptr<models::hybrid::PinRouter> rtl, const std::string& wave_file);
  void build_neighbours();
  void find_reachable(Neighbour& n) const;
  void find_ways_by_source();
  void follow(const Way& way);
  void drive(std::uint64_t cycle);
  void send_flit(std::uint64_t cycle, Neighbour& n);
  void send_from_nodes();
  void drive_setup(std::uint64_t cycle);
  void start_setup(std::uint64_t cycle);
  void answer_probe(std::uint64_t cycle);
  void message(std::uint64_t cycle, Start from, models::hybrid::ControlKind kind, NodeId destination);
  bool stands(Start circuit) const;
  void receive(std::uint64_t cycle);
  void receive_control(std::uint64_t cycle, std::uint32_t port, const models::hybrid::ControlMessage& m);
  void end_setup(std::uint64_t cycle, bool success);
  void watch_local_outcome(std::uint64_t cycle);
  void watch_shared_ports();
  models::PacketSlot new_packet(const Way& way, std::uint32_t flits);
  NodeId node_at(std::uint32_t port) const { return topology_.port(router_, PortId{port}).node; }
  bool local(std::uint32_t port) const;
  models::hybrid::PortIndex index(std::uint32_t port) const { return bank_->port_index(router_, PortId{port}); }
  bool wired(std::uint32_t port) const { return bank_->links[index(port)].target != models::hybrid::kNone; }

  models::hybrid::RouterShape shape_;
  Random random_;
  Cover& cover_;
  models::hybrid::Options options_;
  std::uint32_t link_latency_ = 1;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  RouterId router_;
  models::PacketStore store_;
  models::PacketStore::Pool pool_{store_};
  std::unique_ptr<models::hybrid::RouterBank> bank_;
  std::unique_ptr<models::hybrid::SetupUnits> setup_;
  std::vector<std::uint32_t> slice_of_router_;
  std::vector<std::unique_ptr<models::hybrid::Slice>> slices_;
  std::unique_ptr<models::hybrid::PinnedRouter> pinned_;
  std::vector<Neighbour> neighbours_;

  bool one_credit_ = true;  // comes over a link in a cycle, as from Braid's own routers
  unsigned consumer_percent_ = 100, node_percent_ = 50, max_flits_ = 4, setup_gap_ = 0, yes_percent_ = 50,
           loop_percent_ = 10;
  std::uint64_t now_ = 0;
  std::uint64_t burst_until_ = 0;
  bool quiet_ = false;
  // Set-up: one search or tear-down at a time.
  Phase phase_ = Phase::kIdle;
  bool failed_ = false;  // the last search
  bool forgot_ = false;  // units were told to, and no search has begun since
  std::uint64_t act_at_ = 0;
  std::uint32_t search_ = 0;
  Start in_;
  NodeId destination_;
  int probe_at_ = -1;                           // port over which the router's probe went, to be answered
  int loop_at_ = -1;                            // port over which the same search came back into the router
  std::vector<Start> circuits_;                 // that stand
  std::map<Start, std::uint64_t> quiet_since_;  // no flit of the circuit from then on
  std::map<Start, std::uint32_t> unsent_;       // of a node's circuit: messages not fully injected
  std::map<models::PacketSlot, Start> circuit_of_;
};

}  // namespace braid::lockstep
