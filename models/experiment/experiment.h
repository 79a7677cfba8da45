// One experiment, fully resolved: what `braid run` builds from a TOML file, and what a library user fills in directly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/families/po2/options.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"
#include "traffic/streams/stream_graph.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::models {

struct RouterOptions {
  std::string architecture = "hybrid";    ///< the family (models/fabric/fabric.h)
  std::string implementation = "model";   ///< "model", "rtl" (hw/ in its place) or "lockstep" (both, compared)
  std::string rtl_routers = "all";        ///< which routers that is: "all" or names with blanks between
  std::uint32_t vcs = 4;                  ///< 1 .. 16
  std::uint32_t buffer_depth = 8;         ///< flits per VC, 1 .. 64
  std::uint32_t queue_packets = 4;        ///< virtual cut-through: packet buffers an input port
  std::uint32_t credit_delay_cycles = 2;  ///< from the cycle a flit leaves a buffer (ST) until the credit counts, >= 1
  std::string vc_allocator = "separable_input_first";
  std::string switch_allocator = "separable_input_first";
  std::string arbiter = "round_robin";
  std::uint32_t circuit_buffer_depth = 5;  ///< flits per port for the circuit that comes in there, 1 .. 64
  bool share_reserved_links = true;        ///< packets may use the idle cycles of a link that a circuit holds
  po2::Options po2;                        ///< architecture "po2"
};

enum class Transfer { kPush, kPull };        ///< how a stream moves: sections 1 and 3
enum class Switching { kPacket, kCircuit };  ///< what carries streams; kCircuit is tentacle routing

struct InterfaceOptions {
  Transfer transfer = Transfer::kPush;
  Switching switching = Switching::kPacket;
  std::string scheduler = "fifo";          ///< which waiting packet leaves next (models/injection/injection_point.h)
  std::string fairness = "none";           ///< when a node may send (models/injection/injection_point.h)
  std::uint32_t behind_gate_packets = 0;   ///< fairness: packets between gate and link; 0: straight onto the link
  std::uint32_t source_queue_packets = 0;  ///< per node, synthetic traffic; 0: unbounded
  std::uint32_t stream_queue_items = 64;   ///< per stream, at the source
  std::uint32_t receive_queue_items = 0;   ///< per stream, at the destination; 0: unbounded. Circuits: >= 1
  std::uint32_t packet_items = 8;          ///< most items in one stream packet (one item is one flit)
  std::uint32_t pull_block_items = 4;      ///< items per response packet
  std::uint32_t pull_outstanding = 4;      ///< requests a consumer keeps in flight per stream
};

/// The message layer (models/workload/message_book.h): synthetic traffic comes in messages of several packets.
struct MessageOptions {
  std::uint32_t packet_flits = 0;        ///< of every packet of a message; 0: no messages, each length is one packet's
  double priority_fraction = 0.0;        ///< of the messages go before all others at their source
  double alpha = 4.0;                    ///< scheduler "alpha": weight of a message's remaining packets against age
  std::uint32_t clock_limit = 1U << 20;  ///< scheduler "alpha": the clock is scaled back when it gets there
};

struct SetupOptions {
  std::uint32_t retries = 8;       ///< further orders tried after a stream found no path
  std::uint32_t token_cycles = 1;  ///< for the set-up token to move on by one stream
};

/// The SAT line of `interface.fairness = "sat"` (paper: sat-fairness, section II.A).
struct SatOptions {
  std::string carrier = "ring";  ///< how the signal travels (models/event_lines/event_line.h)
  std::uint32_t l = 16;          ///< packets a node must have sent, or have none, before it passes the signal on
  std::uint32_t k = 16;          ///< packets a node may send between two departures of the signal, >= l, >= 1
  std::uint64_t timeout_cycles = 1000000;  ///< a node that holds the signal longer starves; 0: off
  std::vector<std::uint32_t> dead_nodes;   ///< stations that never pass the signal on (to test the timeout)
};

struct SyntheticTraffic {
  traffic::PatternOptions pattern;
  traffic::InjectionOptions injection;  ///< process and burst lengths; the packet rate is derived
  traffic::LengthOptions length;
  double rate_flits_per_node_cycle = 0.1;
  bool request_reply = false;  ///< every packet is answered by one of reply_flits
  std::uint32_t reply_flits = 1;
};

struct StreamTraffic {
  std::string graph;                 ///< file
  double computation_scaling = 1.0;  ///< cycles per unit of work, > 0
  traffic::PlacementOptions placement;
};

enum class Schedule { kStatic, kProcessPerStage };

struct SimulationOptions {
  Schedule schedule = Schedule::kStatic;
  std::uint32_t threads = 1;          ///< > 1 only with the static schedule
  std::uint64_t batch_cycles = 1000;  ///< for warm-up and confidence
  std::uint64_t min_warmup_cycles = 1000;
  std::uint64_t max_warmup_cycles = 50000;
  double warmup_tolerance = 0.05;  ///< two batches running: mean latency and throughput change by no more
  std::uint64_t measure_cycles = 20000;
  std::uint64_t max_drain_cycles = 20000;   ///< for packets born while measuring; then the point counts as saturated
  std::uint64_t watchdog_cycles = 10000;    ///< with flits in the network and none moving: deadlock. 0: off
  std::uint64_t max_packet_age_cycles = 0;  ///< in the network: livelock. 0: off
};

struct TraceOptions {
  std::string file;             ///< .vcd or .fst; empty: no trace
  std::string routers = "all";  ///< "all" or router names with blanks between
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 2000;
};

/// The packet log (docs/packet-log.md).
struct LogOptions {
  std::string file;  ///< .csv or .parquet; empty: no log
};

struct Experiment {
  std::string name = "experiment";
  std::uint64_t seed = 1;
  routing::TopologyOptions topology;
  routing::RoutingOptions routing;  ///< routing.vcs is overwritten by router.vcs
  bool allow_deadlock = false;      ///< run even if the dependency graph is cyclic (to watch the watchdog)
  RouterOptions router;
  InterfaceOptions interface;
  MessageOptions message;
  SetupOptions setup;
  SatOptions sat;
  std::optional<SyntheticTraffic> synthetic;
  std::optional<StreamTraffic> stream;
  SimulationOptions simulation;
  TraceOptions trace;
  LogOptions log;
};

}  // namespace braid::models
