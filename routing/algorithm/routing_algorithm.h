// Where a packet may go next. A routing algorithm sees names of places, never a router.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "routing/base/ids.h"
#include "routing/base/progress.h"
#include "routing/base/registry.h"
#include "routing/paths/route_table.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// One way on. The VC allocator takes, among candidates with a free VC, the one of highest priority,
/// and among equals the one with most free buffer space downstream. Ties go round: the first port after the one that
/// the input VC's last packet took.
struct Candidate {
  PortId port;
  std::uint16_t priority = 0;
  VcMask vcs = 0;
};

/// Candidates in the order in which they were added, in storage of its own or in a router's registers.
class CandidateList {
 public:
  CandidateList() : own_(std::make_unique<Candidate[]>(kMaxPorts + 1)), items_(own_.get()) {}
  /// `storage` holds RoutingAlgorithm::max_candidates() entries.
  explicit CandidateList(Candidate* storage) : items_(storage) {}

  void clear() { size_ = 0; }
  void add(PortId port, VcMask vcs, std::uint16_t priority = 0) { items_[size_++] = {port, priority, vcs}; }
  /// All VCs that it names, higher by so many.
  void shift_vcs(std::uint32_t by) {
    for (std::size_t i = 0; i < size_; ++i) items_[i].vcs <<= by;
  }
  std::size_t size() const { return size_; }
  const Candidate& operator[](std::size_t i) const { return items_[i]; }
  const Candidate* begin() const { return items_; }
  const Candidate* end() const { return items_ + size_; }

 private:
  std::unique_ptr<Candidate[]> own_;
  Candidate* items_;
  std::size_t size_ = 0;
};

/// A head flit that asks for its route.
struct RouteQuery {
  RouterId router;
  PortId in_port;  ///< a local port if the packet was just injected
  VcId in_vc;
  NodeId source;
  NodeId destination;
  RouteId route = kNoRoute;  ///< of source routing: the leg of its path that the packet is on, or its stream
  std::uint8_t draw = 0;  ///< what the packet drew when it was made, the same at every router: 0 to 255, each as likely
  std::uint8_t traffic_class = 0;
};

class RoutesStreams;

class RoutingAlgorithm {
 public:
  static const char* axis() { return "routing algorithm"; }
  virtual ~RoutingAlgorithm() = default;

  /// Fills `out` (cleared by the callee) with at least one candidate; at the destination's router these are the
  /// node's local ports. Thread-safe: called at once from several threads.
  virtual void route(const RouteQuery& query, CandidateList& out) const = 0;

  /// The VCs that a freshly injected packet may take on the injection link. Default: all.
  virtual VcMask injection_vcs() const { return all_vcs_; }

  /// Do they differ by class of traffic (virtual networks)? Then these are a class's.
  virtual bool injection_by_class() const { return false; }
  virtual VcMask injection_vcs_of(std::uint8_t /*traffic_class*/) const { return injection_vcs(); }

  /// VCs whose channels alone must be free of cycles (Duato's escape); 0: all channels together must be.
  virtual VcMask escape_vcs() const { return 0; }

  /// Does route() look at RouteQuery::source? (The deadlock check then follows every pair of nodes.)
  virtual bool depends_on_source() const { return false; }

  /// So many kinds of packets it tells apart by RouteQuery::draw, that modulo this: 1, 2, 4 ... 256. (What is worked
  /// out for all packets goes through them.)
  virtual std::uint32_t draws() const { return 1; }

  /// Does the algorithm leave deadlock in rings to the router, which lets a packet into a ring (same output port number
  /// at every router) only where two packet buffers are free? (Carrion, Beivide, Gregorio, Vallejo: bubble flow
  /// control.)
  virtual bool relies_on_bubble() const { return false; }

  /// Is it a theorem that the algorithm cannot deadlock on this topology, whatever its size? Then nobody walks every
  /// route to see. Whoever says so names the theorem; tb/tests/routing/analysis/theorems_test.cpp walks the routes of
  /// small networks of all who do.
  virtual bool acyclic_by_construction() const { return false; }

  /// Does it find its way where links go one way, and nodes' packets leave elsewhere than they enter
  /// (Topology::one_way())? Others are refused there.
  virtual bool follows_one_way_links() const { return false; }

  /// The most candidates that route() ever gives: sizes the router's candidate registers.
  virtual std::size_t max_candidates() const = 0;

  /// Before a run: throws InputError if memory has no room for the tables that it may make on its way.
  virtual void check_room() const {}

  /// The tables of source-routed hosts, if packets follow paths that hosts have chosen: those who inject packets give
  /// each its leg. Null: routers choose.
  virtual const RouteTable* routes() const { return nullptr; }

  /// Whom to tell between whom the streams lead, where each has a path of its own and its packets name it
  /// (routing/algorithm/disjoint_paths.h). Null: packets name no stream.
  virtual const RoutesStreams* routes_streams() const { return nullptr; }

  /// Its own figures, as its registration declares them; between cycles.
  virtual Report report() const { return {}; }

 protected:
  explicit RoutingAlgorithm(std::uint32_t vcs) : all_vcs_((VcMask{1} << vcs) - 1) {}
  VcMask all_vcs_;
};

struct RoutingOptions {
  std::string algorithm = "x_first";
  std::uint32_t vcs = 4;        ///< virtual channels, or states of routing where packets wait in a shared pool
  bool allow_deadlock = false;  ///< run even if the dependency graph is cyclic (to watch the watchdog)
};
const OptionTable<RoutingOptions>& routing_options();

/// What an algorithm is made from.
struct RoutingContext {
  std::uint32_t vcs = 4;
  Configuration configuration;  ///< for its own options
  OnProgress progress = {};     ///< told while it is made, where that takes long
};

/// The factory receives (topology, context); the topology outlives the algorithm. A factory throws InputError where it
/// cannot work ("x_first needs a mesh or torus; topology is graph").
using RoutingRegistry = Registry<RoutingAlgorithm, Topology, RoutingContext>;

/// The algorithm that `routing.algorithm` names. Throws InputError.
std::unique_ptr<RoutingAlgorithm> make_routing(const Topology& topology, const Configuration& configuration,
                                               const OnProgress& progress = {});

/// Throws InputError with a sentence that says which channels form the cycle when the algorithm can deadlock on the
/// topology: without escape, a cycle in the channel-dependency graph; with escape, a cycle in the extended dependency
/// graph of the escape channels (Duato), or a state in which no escape channel is offered. An algorithm that is acyclic
/// by construction is taken at its word; of others every route is followed. Of source routing, the legs of its paths
/// are (routing/analysis/path_check.h).
void check_deadlock_free(const Topology& topology, const RoutingAlgorithm& algorithm, std::uint32_t vcs,
                         const OnProgress& progress = {});

}  // namespace braid::routing
