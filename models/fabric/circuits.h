// Circuits as a family with circuits sees them: who wants which, and what becomes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/fabric/on_topology.h"
#include "routing/base/figures.h"
#include "routing/base/ids.h"

namespace braid::models {

struct CircuitRequest {
  std::string name;  ///< "from -> to"
  NodeId source, destination;
  /// Circuits of one source with the same number carry copies of the same items, and may be one tree.
  std::optional<std::uint32_t> copies{};
};

/// Whoever wants circuits (a stream program). Called while they are set up or moved, between cycles, by one thread.
class CircuitUser {
 public:
  virtual ~CircuitUser() = default;
  virtual std::vector<CircuitRequest> circuits() const = 0;
  /// A circuit, by its place in circuits(), starts on this lane of a local port of its source.
  virtual void circuit_found(std::size_t circuit, std::size_t local_port, std::uint32_t lane) = 0;
  /// A circuit is a branch of another one's tree: what that one carries comes to its destination, too.
  virtual void circuit_joined(std::size_t /*circuit*/, std::size_t /*tree*/) {
    throw std::logic_error("these circuits have nothing in common");
  }
  /// Every circuit stands, or none does: then packets carry everything.
  virtual void set_up(bool success) = 0;

  // Where circuits move while the program runs (setup.reroute):
  /// Do receivers take whatever comes, however long other circuits stand still?
  virtual bool takes_all() const { return false; }
  /// Hands the interface no further packet of this circuit ...
  virtual void stop(std::size_t) { throw std::logic_error("these circuits do not move"); }
  /// ... until it goes on, by the lane that circuit_found() has named last.
  virtual void go_on(std::size_t) { throw std::logic_error("these circuits do not move"); }
  /// Items that wait for the circuit at its source.
  virtual std::uint64_t waiting_items(std::size_t) const { return 0; }
};

struct CircuitResult {
  std::string stream;  ///< its request's name
  NodeId source, destination;
  /// An output port taken, at a router of the path.
  struct Step {
    RouterId router;
    PortId port;
  };
  std::vector<Step> path;  ///< from source to destination
  std::uint64_t setup_cycles = 0;
  std::uint32_t backtracks = 0;
  std::optional<std::uint64_t> shared_links{};  ///< of a branch: links of its path that its tree had already
};

/// Of a set-up in which all streams search at once (setup.searches = "parallel"), over all orders.
struct SearchesAtOnce {
  std::uint64_t searches = 0;    ///< attempts that have begun
  std::uint64_t backtracks = 0;  ///< of all of them
  std::uint64_t rip_ups = 0;     ///< of what a younger stream held, for a link or lane that an older one wanted
  std::uint64_t waits = 0;       ///< of a younger search for a link that an older one held
};

/// Circuits that their user takes down and has searched again, one at a time, while the program runs: between cycles,
/// by one thread, once set-up has ended. The user holds the set-up token meanwhile. Circuits go by their place in
/// CircuitUser::circuits().
class CircuitChanges {
 public:
  virtual ~CircuitChanges() = default;
  /// For the token from one source to the next.
  virtual std::uint64_t token_cycles() const = 0;
  /// Has the source's interface sent all that it was given for the circuit?
  virtual bool all_sent(std::size_t circuit) const = 0;
  /// Releases it behind its last flit. After all_sent(); nothing more may be given to it.
  virtual void tear_down(std::uint64_t cycle, std::size_t circuit) = 0;
  /// Has that come to its end, and has the destination taken the last flit?
  virtual bool torn_down(std::uint64_t cycle) = 0;
  /// The next search for a circuit that does not stand is for this one. One more than there are: it is new.
  virtual void change_ends(std::size_t circuit, const CircuitRequest& request) = 0;
  virtual void search(std::uint64_t cycle, std::size_t circuit) = 0;
  enum class Search : std::uint8_t { kUnderWay, kFound, kFailed };
  /// Of the last search; found: CircuitUser::circuit_found() has been told. Once in each cycle until it has ended.
  virtual Search step(std::uint64_t cycle) = 0;
  /// What the last search found.
  virtual const CircuitResult& found() const = 0;
};

struct SetupResults {
  bool attempted = false;
  bool fell_back_to_packets = false;
  std::uint32_t orders_tried = 0;
  std::string failed_stream;
  std::uint32_t lanes_that_would_do = 0;  ///< where it fell back: router.circuit_lanes that was found to help; 0: none
  std::uint64_t total_cycles = 0;
  std::optional<SearchesAtOnce> at_once;  ///< setup.searches = "parallel"
  std::vector<CircuitResult> circuits;
};
const FigureTable<OnTopology<SetupResults>>& setup_figures();

/// One stream that has got another circuit in mid-run.
struct Move {
  std::size_t circuit = 0;          ///< its request's place in circuits()
  std::string stream;               ///< ... and name
  std::uint64_t stopped_cycle = 0;  ///< from whose end on its source took no new packet into the circuit
  std::uint64_t empty_cycle = 0;    ///< ... and had sent the last flit: the tear-down follows it
  std::uint64_t torn_cycle = 0;     ///< at whose end the last flit was the destination's
  std::uint64_t resumed_cycle = 0;  ///< from whose end on it sends again
  std::uint64_t waiting_items = 0;  ///< that it then had at its source
  std::uint64_t links = 0;          ///< between the routers of its path
  std::uint64_t search_cycles = 0;  ///< of the search that found it
  bool moved = false;               ///< its path is another one
  bool avoids = true;               ///< its path has no link of setup.avoid_links

  std::uint64_t standstill_cycles() const { return resumed_cycle - empty_cycle; }
};

struct RerouteResults {
  std::uint64_t rounds = 0;  ///< that have ended
  std::vector<Move> moves;   ///< by the cycle in which they ended
};
const FigureTable<RerouteResults>& reroute_figures();

}  // namespace braid::models
