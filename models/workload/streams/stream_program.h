// A stream program while it runs (paper: tentacle-routing, section 3): each actor waits for its inputs, computes for
// its work times the computation scaling factor, and emits; each edge is a queue at the producer's node, whatever
// carries the items, and a queue at the consumer's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/fabric/flit.h"
#include "models/fabric/packet_transport.h"
#include "models/workload/streams/item_latency.h"
#include "models/workload/streams/source_rate.h"
#include "models/workload/streams/stream_change_options.h"
#include "models/workload/streams/stream_change_results.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/stream_graph.h"

namespace braid::models {

/// Items of an edge at the consumer, in the order of the stream. Packets may arrive out of order (adaptive routing);
/// reassembly is free, as section 3 assumes, but an item counts only when all before it are there.
class ReceiveQueue {
 public:
  explicit ReceiveQueue(std::uint64_t initial_items = 0) : items_(initial_items) {}
  void arrive(std::uint32_t edge_sequence, std::uint32_t items);
  /// The head of a packet is here: is there a place for all of it among `room` items? If so it is taken, until
  /// arrive(). Packets before it that are not here keep places of `longest` items each, or those that overtake them
  /// could shut them out for ever.
  bool admit(std::uint32_t edge_sequence, std::uint32_t items, std::uint32_t longest, std::uint64_t room);
  std::uint64_t items() const { return items_; }
  void consume(std::uint64_t items) { items_ -= items; }
  /// Is every packet before this one here? Then none is under way.
  bool complete(std::uint32_t next_sequence) const { return expected_ == next_sequence; }
  /// They are somebody else's.
  std::uint64_t take_all() { return std::exchange(items_, 0); }
  /// Of packets that have overtaken others.
  std::uint64_t early_items() const;
  /// At once, since forget_most(). Of a cycle what has arrived before anything is taken.
  std::uint64_t most_items() const { return most_items_; }
  void forget_most() { most_items_ = items_; }
  void checkpoint(Checkpoint& c) { c(items_, most_items_, expected_, early_, coming_); }

 private:
  std::uint64_t items_;
  std::uint64_t most_items_ = items_;
  std::uint32_t expected_ = 0;
  std::map<std::uint32_t, std::uint32_t> early_, coming_;  // sequence, items; coming_: admitted, the tail is not here
};

/// From making to arrival, of packets.
struct Latencies {
  std::uint64_t packets = 0, cycles = 0;
  void add(std::uint64_t latency) {
    ++packets;
    cycles += latency;
  }
  double mean() const { return packets == 0 ? 0.0 : static_cast<double>(cycles) / static_cast<double>(packets); }
  void checkpoint(Checkpoint& c) { c(packets, cycles); }
};

enum class Transfer { kPush, kPull };                           ///< how a stream moves: sections 1 and 3
enum class Switching { kPacket, kCircuit };                     ///< what carries streams; kCircuit is tentacle routing
enum class Multicast : std::uint8_t { kAtSource, kInRouters };  ///< who copies the items of a group of streams

struct StreamOptions : traffic::PlacementOptions, traffic::PartitionOptions, StreamChangeOptions {
  std::string graph;         ///< file: a stream graph, or a program to partition
  std::uint32_t degree = 0;  ///< most streams into or out of an actor; 0: any number (traffic::bound_degree)
  bool relays = true;        ///< with degree, or with remedies
  bool remedies = false;     ///< circuits: other graphs and layouts, where they do not stand (stream_remedies.h)
  bool or_packets = false;   ///< with remedies: packets where they are predicted to be faster
  double computation_scaling = 1.0;  ///< cycles per unit of work, > 0
  std::string rates;                 ///< of sources (source_rate.h); empty: as fast as they can
  bool latency = false;              ///< of items, from source to sink (item_latency.h)
  Multicast multicast = Multicast::kAtSource;
  Transfer transfer = Transfer::kPush;
  Switching switching = Switching::kPacket;
  std::uint32_t stream_queue_items = 64;   ///< per stream, at the source; 0: as a firing needs, kUsualQueue or more
  std::uint32_t receive_queue_items = 0;   ///< per stream, at the destination; 0: unbounded. Circuits: >= 1
  std::uint32_t ejection_queue_items = 0;  ///< NodeBandwidth's, which the family declares
  std::uint32_t packet_items = 8;          ///< most items in one stream packet (one item is one flit)
  std::uint32_t pull_block_items = 4;      ///< items per response packet
  std::uint32_t pull_outstanding = 4;      ///< requests a consumer keeps in flight per stream
};
constexpr std::uint32_t kUsualQueue = 64;
/// By its name: a StreamIt program, not a stream graph.
bool is_stream_program(const std::string& file);
/// Sections [stream] and [interface]. Throws InputError where options exclude each other.
const OptionTable<StreamOptions>& stream_options();
StreamOptions read_stream_options(const Configuration& configuration);

struct StreamEdgeResult {
  std::string name;
  NodeId source, destination;
  double items_per_kilocycle = 0;
  std::uint64_t most_at_producer = 0, most_at_consumer = 0;  ///< items
};

struct StreamActorResult {
  std::string name;
  NodeId node;
};

/// What holds a program's throughput: of all that bounds it, what it comes nearest to.
struct StreamBound {
  std::string kind;   ///< compute, link, injection, ejection, round_trip
  std::string place;  ///< in words
  double iterations_per_kilocycle = 0;
  double reached = 0;  ///< throughput over bound
};

struct StreamResults {
  std::string graph;
  std::optional<std::string> untimed_messages;  ///< where the program names its first portal
  std::optional<double> steady_states;  ///< of the program in an iteration; of a graph without a plan: nobody knows
  std::optional<traffic::StreamRemedy> remedy;
  std::optional<Estimate> program_steady_states_per_kilocycle;  ///< of a StreamIt program
  Estimate iterations_per_kilocycle;
  std::optional<StreamBound> bound;  ///< none: no iteration came to an end
  std::vector<StreamActorResult> actors;
  std::vector<StreamEdgeResult> edges;
  std::optional<Distribution> latency;                 ///< cycles; with stream.latency
  std::optional<std::vector<StreamRateResult>> rates;  ///< with stream.rates
  std::optional<StreamChangeResults> changes;          ///< with a section [change]
};
/// What they mean.
const FigureTable<StreamResults>& stream_figures();

class StreamProgram final : public CircuitUser {
 public:
  struct Edge {
    traffic::StreamEdge rates;
    NodeId source, destination;
    std::size_t source_port = 0;       ///< local port that its packets (or its circuit) start from
    std::uint32_t source_lane = 0;     ///< ... its circuit on this lane of it
    std::size_t destination_port = 0;  ///< local port that pull requests leave from
    // Touched only by the source's slice:
    std::uint64_t queued_items = 0;  ///< emitted, not yet in a packet
    std::uint64_t most_queued = 0;   ///< at once, since the window began
    std::uint64_t requested_blocks = 0;
    std::uint32_t next_sequence = 0;
    std::uint32_t unsent_packets = 0;        ///< made, tail not yet on the injection link
    bool stopped = false;                    ///< its circuit moves: no packet is made
    std::optional<std::size_t> packet_port;  ///< source_port before a search found it a circuit
    std::optional<std::uint32_t> tree;       ///< its items leave with those of this edge, and fork off in routers
    std::vector<std::uint32_t> branches;     ///< edges of which it is the tree
    bool on_packets = false;                 ///< a change of the program has left it without a circuit
    bool absent = false;                     ///< of a filter that is added later
    std::uint64_t packed_items = 0;
    // Touched only by the destination's slice:
    ReceiveQueue received;
    std::uint64_t promised_items = 0;  ///< room taken by admitted packets and requested blocks
    bool refused = false;              ///< a pushed packet, since the consumer has taken items: until it asks again
    std::uint32_t outstanding_requests = 0;
    std::uint64_t delivered_items = 0;
    std::int64_t handed_over = 0;  ///< items that came on another stream, or on this one before it led elsewhere
    // While measuring, of what is pulled:
    Latencies requests;   ///< touched only by the source's slice
    Latencies responses;  ///< ... by the destination's
    void checkpoint(Checkpoint& c) {
      c(source_port, source_lane, queued_items, most_queued, requested_blocks, next_sequence, unsent_packets, stopped,
        received, promised_items, outstanding_requests, delivered_items, requests, responses);
    }
  };
  struct Actor {
    enum class State : std::uint8_t { kWaiting, kComputing, kEmitting };
    NodeId node;
    State state = State::kWaiting;
    bool held = false;                ///< begins no firing: it moves, or is not there yet
    std::uint64_t firing_cycles = 1;  ///< work x computation scaling, rounded, at least 1
    std::uint64_t ready_cycle = 0;    ///< kComputing: when it emits
    std::uint64_t firings = 0;
    std::uint64_t repetitions = 1;               ///< firings per steady state
    std::optional<std::size_t> rate;             ///< which of rates()
    std::vector<std::uint32_t> inputs, outputs;  ///< edges
    void checkpoint(Checkpoint& c) { c(state, ready_cycle, firings); }
  };

  /// Throws InputError if a queue is too small for the rates.
  StreamProgram(const traffic::StreamGraph& graph, const std::vector<NodeId>& placement, const StreamOptions& options);

  /// What edges travel on, once set-up has ended. Nothing moves before.
  void start(Switching switching) {
    switching_ = switching;
    started_ = true;
  }
  std::vector<CircuitRequest> circuits() const override;  // one an edge that is there
  void circuit_found(std::size_t circuit, std::size_t local_port, std::uint32_t lane) override {
    Edge& edge = edges_[circuit];
    if (!edge.packet_port) edge.packet_port = edge.source_port;
    edge.source_port = local_port;
    edge.source_lane = lane;
    edge.tree.reset();
  }
  void circuit_joined(std::size_t circuit, std::size_t tree) override {
    edges_[circuit].tree = static_cast<std::uint32_t>(tree);
  }
  void set_up(bool success) override;
  /// Before start(): items of a group leave as one packet, which routers copy. Are there any?
  bool join_packets();
  bool takes_all() const override { return options_.receive_queue_items == 0; }
  void stop(std::size_t circuit) override { edges_[circuit].stopped = true; }
  void go_on(std::size_t circuit) override { edges_[circuit].stopped = false; }
  std::uint64_t waiting_items(std::size_t circuit) const override { return edges_[circuit].queued_items; }
  bool started() const { return started_; }
  Switching switching() const { return switching_; }
  const StreamOptions& options() const { return options_; }

  /// One cycle of an actor.
  void step(Actor& actor, std::uint64_t cycle);
  bool admit(Edge& edge, std::uint32_t items);
  /// The same of a packet that is pushed (interface.ejection_queue_items).
  bool admit_pushed(Edge& edge, std::uint32_t sequence, std::uint32_t items);
  /// Why packets wait for room for ever, in a line; empty: none does.
  std::string blocked() const;

  std::vector<Actor>& actors() { return actors_; }
  const std::vector<Actor>& actors() const { return actors_; }
  std::vector<Edge>& edges() { return edges_; }
  const std::vector<Edge>& edges() const { return edges_; }
  std::vector<SourceRate>& rates() { return rates_; }
  const std::vector<SourceRate>& rates() const { return rates_; }
  /// With stream.latency.
  std::optional<ItemLatency>& latency() { return latency_; }
  const std::optional<ItemLatency>& latency() const { return latency_; }
  const traffic::StreamGraph& graph() const { return graph_; }
  /// "producer -> consumer"
  std::string edge_name(std::size_t edge) const;
  /// Does an actor compute, or wait for the clock of its rate?
  bool computing() const;
  /// Has an edge what a firing of its consumer sees? Has it room for what a firing of its producer emits?
  bool has_items(std::uint32_t edge) const;
  bool has_room(std::uint32_t edge) const;
  /// Steady states that the sinks have completed, mean over sinks, in 1/1000 (an integer, so exact).
  std::uint64_t milli_iterations() const;
  /// Iterations by the items that the sinks have taken, or that wait there for their next firing: mean over sinks, of
  /// each over its streams. Comes on with every item, where a firing may last for longer than a window.
  double sink_progress() const;
  void checkpoint(Checkpoint& c) {
    c.each(actors_);
    c.each(edges_);
    c.each(rates_);
    if (latency_) latency_->checkpoint(c);
    c(switching_, started_);
    if (options_.multicast == Multicast::kInRouters) checkpoint_trees(c);
  }

 private:
  void check_rooms();
  void check_ejection_queues() const;
  void checkpoint_trees(Checkpoint& c);
  std::size_t index_of(const Actor& actor) const { return static_cast<std::size_t>(&actor - actors_.data()); }
  bool inputs_ready(const Actor& actor) const;
  bool outputs_free(const Actor& actor) const;
  std::uint64_t fullest_queue(const Actor& actor) const;

  traffic::StreamGraph graph_;
  StreamOptions options_;
  std::vector<Actor> actors_;
  std::vector<Edge> edges_;
  std::vector<SourceRate> rates_;  // each touched only by its actor's slice
  std::optional<ItemLatency> latency_;
  Switching switching_ = Switching::kPacket;
  bool started_ = false;
};

}  // namespace braid::models
