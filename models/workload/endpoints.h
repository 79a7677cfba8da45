// The nodes of a slice as users of the network: synthetic sources on a timing wheel, stream actors, and what becomes of
// a packet that arrives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_transport.h"
#include "models/fabric/work_list.h"
#include "models/workload/message_book.h"
#include "models/workload/statistics.h"
#include "models/workload/stream_program.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::models {

struct SyntheticOptions {
  std::string pattern = "uniform", process = "bernoulli", length = "fixed";
  double rate_flits_per_node_cycle = 0.1;
  bool request_reply = false;  ///< every packet is answered by one of reply_flits
  std::uint32_t reply_flits = 1;
  std::uint32_t source_queue_packets = 0;  ///< per local port; 0: unbounded
  std::uint32_t packet_flits = 0;          ///< of every packet of a message; 0: each length is one packet's
  double priority_fraction = 0.0;          ///< of the messages go before all others at their source
};
/// Sections [traffic], [message], [interface].
const OptionTable<SyntheticOptions>& synthetic_options();

/// Synthetic traffic as all slices share it.
struct SyntheticPolicies {
  /// Throws InputError.
  SyntheticPolicies(const Configuration& configuration, const routing::Topology& topology);
  SyntheticOptions options;
  std::unique_ptr<traffic::TrafficPattern> pattern;
  std::unique_ptr<traffic::LengthDistribution> length;
};

class Endpoints final : public PacketSink {
 public:
  /// What all endpoints of a network share. `synthetic` and `program` are null where the experiment has none.
  struct Shared {
    const Configuration& configuration;
    const LocalPortMap& ports;
    PacketStore& store;
    const SyntheticPolicies* synthetic;
    StreamProgram* program;
    std::vector<std::uint32_t>& next_sequence;  ///< [node]
  };

  /// `messages` is null if the experiment has no message layer, `log` if packets are not logged.
  Endpoints(const Shared& shared, PacketStore::Pool& pool, PacketTransport& transport, Statistics& statistics,
            MessageBook* messages, PacketLog::Page* log, const std::vector<NodeId>& nodes);

  /// One cycle: sources and actors make packets. After the network's clock edge, so a packet can leave a cycle later.
  void generate(std::uint64_t cycle);

  /// Puts a packet of the user's own into the source queue of `from`, a node of this slice.
  void send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits);
  /// A message. Needs the message layer.
  void send_message(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets, bool priority);

  bool admit(PacketSlot message) override;
  void deliver(std::uint64_t cycle, PacketSlot packet) override;
  void sent(std::uint64_t cycle, PacketSlot packet) override;

  /// Stops making synthetic packets (benchmarks and tests that empty the network).
  void stop_sources() { sources_stopped_ = true; }

 private:
  struct Source {
    NodeId node;
    Random random;
    std::unique_ptr<traffic::InjectionProcess> process;
    std::uint64_t due = 0;
  };
  void schedule(std::uint32_t source, std::uint64_t due);
  void fire_or_stall(std::uint32_t source, std::uint64_t cycle);
  void fire_sources(std::uint64_t cycle);
  void send_replies(std::uint64_t cycle);
  bool fire(Source& source, std::uint64_t cycle);
  void step_streams(std::uint64_t cycle);
  void send_items(std::uint64_t cycle, std::uint32_t edge);
  void request_blocks(std::uint64_t cycle, std::uint32_t edge);
  PacketSlot make_packet(std::uint64_t cycle, PacketKind kind, NodeId from, NodeId to, std::uint32_t flits);
  PacketSlot make_stream_packet(std::uint64_t cycle, PacketKind kind, std::uint32_t edge, std::uint32_t items);
  void deliver_stream_packet(const Packet& packet);
  std::size_t local_port(NodeId node, std::uint32_t sequence) const {
    return shared_.ports.first[node.value] + sequence % shared_.ports.count[node.value];
  }

  static constexpr std::size_t kWheelSlots = 1024;
  Shared shared_;
  PacketStore::Pool& pool_;
  PacketTransport& transport_;
  Statistics& statistics_;
  MessageBook* messages_;
  PacketLog::Page* log_;
  std::uint64_t priority_bits_ = 0;  // share of priority messages
  std::vector<Source> sources_;
  std::vector<std::vector<std::uint32_t>> wheel_;   // [cycle % kWheelSlots] sources
  std::vector<std::uint32_t> stalled_;              // sources that found their queue full
  std::vector<std::uint32_t> due_;                  // scratch: the sources of this cycle
  std::vector<std::pair<NodeId, NodeId>> replies_;  // to be made in this cycle: from, to
  std::vector<std::uint32_t> actors_;               // of the program, on this slice's nodes
  std::vector<std::uint32_t> outgoing_, incoming_;  // edges that start (end) on this slice's nodes
  bool sources_stopped_ = false;
};

}  // namespace braid::models
