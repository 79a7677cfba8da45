// Synthetic traffic: a source at each node, on a timing wheel, whose packets or messages go where a pattern says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/timing_wheel.h"
#include "models/workload/messages/message_book.h"
#include "models/workload/synthetic/exchanges.h"
#include "models/workload/workload.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::models {

struct SyntheticOptions {
  std::string name;  ///< of the class in figures; empty: packets
  std::string pattern = "uniform", process = "bernoulli", length = "fixed";
  double rate_flits_per_node_cycle = 0.1;
  bool request_reply = false;  ///< every packet is answered by one of reply_flits
  std::uint32_t reply_flits = 1;
  std::uint32_t outstanding = 0;              ///< requests of a node under way; 0: any number
  std::uint64_t service_cycles = 0;           ///< that a request takes at its destination
  std::uint32_t servers = 1;                  ///< requests in service at a node at once
  std::uint32_t priority = 0;                 ///< of a class, for interface.scheduler = "classes"
  std::vector<std::uint32_t> vcs, reply_vcs;  ///< [first, last]; empty: all
  std::vector<std::uint32_t> subnets;         ///< that carry it, a packet one of them; empty: subnet 0
  std::vector<std::uint32_t> reply_subnets;   ///< empty: as requests
  std::vector<std::uint32_t> senders;         ///< nodes; empty: all
  std::uint64_t start_cycle = 0, stop_cycle = 0;
  std::uint32_t source_queue_packets = 0;  ///< per local port; 0: unbounded
  std::uint32_t packet_flits = 0;          ///< of every packet of a message; 0: each length is one packet's
  double priority_fraction = 0.0;          ///< of the messages go before all others at their source
};
/// Sections [traffic], [message], [interface].
const OptionTable<SyntheticOptions>& synthetic_options();
/// Are requests and replies told apart, and counted as exchanges?
bool has_exchanges(const SyntheticOptions& options);

class SyntheticSources final : public Workload {
 public:
  /// Throws InputError.
  explicit SyntheticSources(const WorkloadContext& context);

  std::vector<std::string> classes() const override;
  std::vector<std::string> kinds() const override;
  std::optional<ClassSubnets> class_subnets() const override;
  unsigned order() const override { return 0; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override { generate(slices_[slice], cycle); }
  void generate_all(std::size_t, std::uint64_t cycle) override {
    for (std::size_t s = 0; s < slices_.size(); ++s) {
      if (cycle < quiet_until_[s]) continue;
      generate(slices_[s], cycle);
      const Slice& slice = slices_[s];
      const bool again = slice.exchanges || !slice.stalled.empty() || !slice.replies.empty();
      quiet_until_[s] = again ? cycle + 1 : slice.wheel.next_after(cycle);
    }
  }
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  void lost(std::size_t slice, const Packet& packet) override;
  bool bears_losses() const override { return true; }
  void stop() override { stopped_ = true; }
  void begin_window() override;
  /// Not where a node asks whenever a request is answered: then it never wants more than it gets.
  bool open_loop() const override { return !closed_; }
  std::uint64_t held_packets() const override;
  std::vector<std::uint64_t> stalled_source_cycles(std::size_t traffic_class) const override;
  /// At the rate asked for, and the replies to that.
  std::vector<routing::Flow> flows(std::uint64_t) const override;
  /// Flows if every node made `rate` flits/cycle: exactly, or a sample of its destinations, 4 to 4096 a node, at most
  /// about 2^18.
  std::vector<routing::Flow> pattern_flows(double rate) const;
  /// Exactly? Not of more than 512 nodes, and not where the pattern knows its destinations by drawing only.
  bool knows_flows() const;
  Report report(std::uint64_t) const override;
  bool knows(const Packet& packet) const override {
    return packet.message == kNoMessage || (messages_ && packet.message < messages_->slots());
  }
  void checkpoint(Checkpoint& c) override;
  static const FigureTable<SyntheticSources>& figures();
  /// Of the request that a packet of this workload answers: its destination sent that, with this sequence.
  static std::optional<std::uint32_t> answered_request(const Packet& packet) {
    return packet.kind == kReply ? std::optional<std::uint32_t>(packet.tag_sequence) : std::nullopt;
  }
  bool has_replies() const { return options_.request_reply; }

  /// A packet of the user's own, treated as one of a source (answered, that is). Between cycles.
  void send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits);
  /// A message of the user's own. Needs message.packet_flits > 0.
  void send_message(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets, bool priority = false);
  /// None without a message layer.
  std::optional<MessageResults> message_results() const;
  /// One of a class that bounds its requests, serves them or has a name; else none.
  std::optional<std::vector<ExchangeResults>> exchange_results() const;

 private:
  enum Kind : std::uint8_t { kRequest, kReply };
  struct Source {
    NodeId node;
    Random random;
    std::unique_ptr<traffic::InjectionProcess> process;
    void checkpoint(Checkpoint& c) { c(random, *process); }
  };
  /// A source's next packet.
  struct Firing {
    std::uint64_t due = 0;
    std::uint32_t source = 0;
  };
  /// A reply that a node will send.
  struct Answer {
    std::uint64_t due = 0;
    NodeId from, to;
    std::uint32_t sequence = 0;  // of the request
  };
  /// Of a class with exchanges: those of a slice's nodes.
  struct Exchanges {
    std::vector<ExchangeEnds> ends;  // [source]
    TimingWheel<Answer> in_service;
    std::vector<Answer> answers;          // to be made in this cycle
    std::vector<std::uint32_t> released;  // sources that hold requests and have room for one
    ExchangeCounts counts;
  };
  /// The sources of a slice's nodes.
  struct Slice {
    explicit Slice(Outlet* to) : outlet(to) {}
    Outlet* outlet;
    std::unique_ptr<MessageBook> messages;  // null without a message layer
    std::vector<Source> sources;
    TimingWheel<Firing> wheel;
    std::vector<std::uint32_t> stalled, retried;  // sources that found their queue full, before and in this cycle
    std::vector<std::uint64_t> stalled_cycles;    // [batch] of the window, over the sources
    std::vector<Answer> replies;                  // to be made in this cycle
    std::unique_ptr<Exchanges> exchanges;         // null: replies come at once and nobody waits for them
  };
  void generate(Slice& slice, std::uint64_t cycle) const {
    if (!slice.replies.empty()) send_replies(slice, cycle);
    if (slice.exchanges) exchange(slice, cycle);
    if (!stopped_ && (!slice.stalled.empty() || slice.wheel.any_at(cycle))) fire_sources(slice, cycle);
  }
  void send_replies(Slice& slice, std::uint64_t cycle) const;
  void fire_sources(Slice& slice, std::uint64_t cycle) const;
  void fire_or_stall(Slice& slice, std::uint32_t source, std::uint64_t cycle) const;
  bool fire(Slice& slice, Source& source, std::uint64_t cycle) const;
  void send(const Slice& slice, std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits) const;
  void send_message(Slice& slice, std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t packets,
                    bool priority) const;
  std::size_t wheel_slots(std::size_t nodes) const;
  std::unique_ptr<traffic::InjectionProcess> process_of(NodeId node) const;
  void exchange(Slice& slice, std::uint64_t cycle) const;
  void ask(const Slice& slice, std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits) const;
  void go(const Slice& slice, ExchangeEnds& ends, PacketSlot request) const;
  void serve(Slice& slice, std::uint64_t cycle, const Packet& request) const;
  void answer(const Slice& slice, std::uint64_t cycle, const Answer& answer) const;
  void answered(Slice& slice, std::uint64_t cycle, const Packet& reply) const;
  void checkpoint_exchanges(Checkpoint& c, Slice& slice) const;
  double mean_packet_flits() const;
  Slice& slice_of(NodeId node);

  const MeasurementWindow& window_;
  SyntheticOptions options_;
  std::uint64_t seed_;
  std::size_t nodes_;
  std::unique_ptr<traffic::TrafficPattern> pattern_;
  std::unique_ptr<traffic::LengthDistribution> length_;
  std::unique_ptr<traffic::InjectionProcess> process_;  // each source has a copy
  std::uint64_t priority_bits_;                         // share of priority messages
  std::unique_ptr<MessageStore> messages_;              // null without a message layer
  std::vector<Slice> slices_;
  std::vector<std::uint64_t> quiet_until_;  // [slice] for generate_all(): before this cycle it has nothing to do
  std::vector<std::uint32_t> slice_of_node_, source_of_node_;  // [node] slice, and place there
  std::size_t number_;                                         // among the classes of traffic
  bool closed_ = false;                                        // a node asks whenever there is room for a request
  Configuration configuration_;                                // for processes of nodes that have rates of their own
  bool stopped_ = false;
  mutable std::uint64_t reported_cycles_ = 1;  // of the report that is being made
};

}  // namespace braid::models
