// Fabric: the routers and links of a network, whatever their family. A family is one file that registers itself here
// (`router.architecture`); endpoints, schedules, statistics, traces and the watchdog know no other face of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/router_range.h"
#include "models/observe/clock.h"
#include "models/observe/signals.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/checkpoint.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// Where each node's local ports start in the numbering of the transport: node by node, in the topology's order.
struct LocalPortMap {
  explicit LocalPortMap(const routing::Topology& topology);
  std::vector<std::size_t> first;  ///< [node]
  std::vector<std::size_t> count;  ///< [node]

  /// The first port of some nodes, one at least, and how many there are to their last, those of others between
  /// included.
  std::pair<std::size_t, std::size_t> span(const std::vector<NodeId>& nodes) const;
};

/// The routers cut into runs, one a thread or process. A node belongs to the slice of its router.
struct Slicing {
  /// Into `slices` runs of equal length; so many routers as `together` says, counted from the first, are never parted.
  Slicing(std::size_t routers, std::size_t slices, std::size_t together = 1);
  std::vector<RouterRange> ranges;
  std::vector<std::uint32_t> slice_of_router;
  bool one_thread = false;  ///< runs them all: what is sent to a slice may lie together
};

/// What a family is built from; all of it outlives the fabric.
struct FabricContext {
  const Configuration& configuration;  ///< for the family's own options
  const routing::Topology& topology;
  const routing::RoutingAlgorithm& routing;
  PacketStore& store;
  const Slicing& slicing;
};

class Fabric {
 public:
  virtual ~Fabric() = default;

  /// The interfaces of a slice's nodes. Local ports are numbered as in LocalPortMap.
  virtual PacketTransport& transport(std::size_t slice) = 0;
  virtual void set_sink(std::size_t slice, PacketSink* sink) = 0;

  /// Before a cycle, by one thread. Has the cycle a first half? (Else compute() would do nothing.)
  virtual bool begin_cycle(std::uint64_t) { return true; }
  /// First half of a cycle: the stages compute from registers. Slices at once.
  virtual void compute(std::size_t slice, std::uint64_t cycle) = 0;
  /// Second half, the clock edge, after every slice has computed. Slices at once.
  virtual void commit(std::size_t slice, std::uint64_t cycle) = 0;
  /// What belongs to no slice. After every slice has committed.
  virtual void end_cycle(std::uint64_t) {}
  /// Between cycles: brings Packet::routers of packets under way up to date, for who looks at packets themselves.
  virtual void count_routers() {}

  struct Counters {
    std::uint64_t flit_hops = 0;  ///< flits that have crossed a router's switch
    std::uint64_t flits_injected = 0;
    std::uint64_t flits_delivered = 0;
    std::uint64_t flits_copied = 0;  ///< more that leave a router than came to it, where circuits or packets fork
    std::uint64_t flits_lost = 0;    ///< sent onto a link that was down, or cut off on it
  };
  virtual Counters counters() const = 0;
  /// Something is under way that ends by itself in a cycle to come, and counters() will not tell until then. So it is
  /// in families that count the flits of a packet at once: a long one may cross a link for tens of thousands of cycles.
  virtual bool transfers_under_way() const { return false; }
  /// Counted by walking every queue, buffer, register and link; packets count where their tail is.
  struct Census {
    std::uint64_t packets = 0;  ///< source queues included
    std::uint64_t flits = 0;    ///< injected, not delivered
  };
  virtual Census census() const = 0;
  /// Flits sent so far over the link of an output port.
  struct LinkUse {
    std::uint64_t packet_flits = 0;
    std::uint64_t circuit_flits = 0;
    std::optional<std::uint64_t> stopped_cycles = {};  ///< with stop and go: in which a packet was held on the link
  };
  virtual LinkUse link_use(RouterId router, PortId port) const = 0;

  /// Networks side by side that it is made of (models/fabric/subnets.h), and one of them. By default it is one itself.
  virtual std::size_t subnets() const { return 1; }
  virtual const Fabric& subnet(std::size_t) const { return *this; }

  /// Virtual channels of a port, for the two that follow (FabricFamily::shown_buffers()).
  virtual std::uint32_t shown_vcs() const { return 1; }
  /// What the buffer of a virtual channel at an input port holds.
  virtual std::uint32_t buffered(RouterId, PortId, std::uint32_t /*vc*/) const { return 0; }
  /// Room behind an output port, as its router knows it.
  virtual std::uint32_t credits(RouterId, PortId, std::uint32_t /*vc*/) const { return 0; }
  static constexpr std::uint32_t kUnlimitedCredits = 65535;  ///< of a link to a node that takes whatever comes

  /// Of simulated time.
  virtual std::uint64_t clock_period_ps() const { return kDefaultPeriodPs; }
  /// Is the period what the family's options say, so that no user may choose another?
  virtual bool fixes_clock() const { return false; }

  /// The family's own figures, as its registration declares them.
  virtual Report report() const { return {}; }

  /// How its cycles were computed, in a family that knows two ways with equal results.
  struct Engines {
    std::uint64_t cycles_in_planes = 0;  ///< of the whole run; the others over lists
    std::string lists_because = {};      ///< why none could be; empty: they could
  };
  /// None: it knows one way only, or was asked for one.
  virtual std::optional<Engines> engines() const { return std::nullopt; }

  /// Throws InputError if packets can wait for each other for ever. Default: a packet holds a channel while it waits
  /// for the next, so no cycle of channels may depend on each other (routing/analysis/channel_dependency.cpp).
  virtual void check_deadlock_free(const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                                   std::uint32_t vcs, const routing::OnProgress& progress) const;

  /// Before a run: throws InputError if memory has no room for tables of its own that a run may make on its way.
  virtual void check_room() const {}

  /// For the watchdog: who waits for whom, one channel a line, each line begun by '\n'.
  virtual std::string describe_waiting() const = 0;
  /// Visits packets at the front of a buffer, at least every packet that waits there for ever (livelock check).
  virtual void for_each_front(const std::function<void(PacketSlot)>& visit) const = 0;
  /// Slots of the packets' store that the family keeps for itself. Null: it keeps none.
  virtual const PacketStore::Pool* own_slots() const { return nullptr; }
  /// Declares the signals of the named routers. Null: nothing to see.
  virtual std::unique_ptr<SignalSource> signals(SignalTable&, const std::vector<RouterId>&) const { return nullptr; }

  /// Before the first cycle: packets will be sent by PacketTransport::send_copies(), of at most so many flits. Throws
  /// InputError, which begins with `user` (the option that asks for it), where packets that fork may wait for each
  /// other for ever, or the family has none; the default does.
  virtual void copy_packets(const std::string& user, std::uint32_t flits);
  /// Circuits, if the family has them; the default refuses. Set-up runs inside the cycles.
  virtual void set_up_circuits(CircuitUser& user);
  /// Would set_up_circuits() find all of these? Nothing is set up; where the default refuses, this does.
  virtual bool circuits_would_stand(const std::vector<CircuitRequest>& requests) const;
  /// Circuits that a local port has lanes for; 0: no circuits.
  virtual std::uint32_t circuit_lanes() const { return 0; }
  /// The fewest circuit lanes a local port, more than there are, with which it would find them; 0: none would do.
  virtual std::uint32_t lanes_that_would_do(const std::vector<CircuitRequest>&) const { return 0; }
  /// Of those that were asked for: to take them down and search others in mid-run. Throws InputError where that cannot
  /// be. Before the first cycle.
  virtual CircuitChanges& change_circuits();
  virtual bool setup_done() const { return true; }
  virtual SetupResults setup_results() const { return {}; }
  /// Of circuits that move while the program runs; empty: none ever does.
  virtual Report reroute_report() const { return {}; }

  /// All registers, between two cycles. Not what the packet store has.
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this router architecture has no checkpoint()"); }
};

/// What a family shows of the buffers at its ports (Fabric::buffered(), credits()).
struct ShownBuffers {
  bool occupancy = false;
  bool credits = false;
  const char* unit = "flits";  ///< that both count; "packets" where a buffer holds a whole one
};

/// What a family makes of links that take more than a flit a cycle (Topology::has_faster_links()).
enum class FasterLinks : std::uint8_t {
  kRefused,  ///< it moves a flit a cycle over each link
  kMoved,    ///< as many as the link takes
  kIgnored,  ///< packets go over no link of the topology
};

/// What registers under a name of `router.architecture`.
class FabricFamily {
 public:
  static const char* axis() { return "router architecture"; }
  virtual ~FabricFamily() = default;
  /// Into how many slices its networks are cut, if `wanted` are asked for; 1 to `routers`.
  virtual std::size_t slices(const Configuration&, std::size_t wanted, std::size_t routers) const {
    return std::clamp<std::size_t>(wanted, 1, routers);
  }
  /// The same for the threads of the static schedule, of which `wanted` is the most.
  struct Cut {
    std::size_t slices = 1;    ///< as many as `wanted`, or fewer where they would be no faster
    std::size_t together = 1;  ///< as Slicing has it
  };
  virtual Cut cut(const Configuration& c, const routing::Topology& topology, const routing::RoutingAlgorithm&,
                  std::size_t wanted) const {
    return {slices(c, wanted, topology.router_count())};
  }
  /// Is every slice to run on the thread that SystemC's processes have?
  virtual bool one_thread(const Configuration&) const { return false; }
  virtual ShownBuffers shown_buffers() const { return {}; }
  /// Networks with such links are refused, unless it says otherwise.
  virtual FasterLinks faster_links() const { return FasterLinks::kRefused; }
  /// Does it move packets where links go one way (routing::Topology::one_way())? Such networks are refused, unless it
  /// says so.
  virtual bool one_way_links() const { return false; }
  /// Can a link of its networks go down in mid-run ([failure])?
  virtual bool loses_links() const { return false; }
  /// What the fabric takes of the computer's memory, at least: registers and buffers, in bytes.
  virtual std::uint64_t fabric_bytes(const Configuration&, const routing::Topology& topology,
                                     const routing::RoutingAlgorithm&) const {
    return 64 * topology.router_count();
  }
  /// Throws InputError.
  virtual std::unique_ptr<Fabric> make(const FabricContext& context) const = 0;
};
using FabricRegistry = Registry<FabricFamily>;

struct FabricOptions {
  std::string architecture = "hybrid";
};
const OptionTable<FabricOptions>& fabric_options();

/// A family whose fabrics are of class `Kind`.
template <class Kind>
class FamilyOf : public FabricFamily {
 public:
  std::unique_ptr<Fabric> make(const FabricContext& context) const override { return std::make_unique<Kind>(context); }
};

}  // namespace braid::models
