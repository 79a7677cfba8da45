// The options of synthetic traffic.
#include <fmt/format.h>

#include "models/workload/synthetic/synthetic_sources.h"

namespace braid::models {
namespace {

SyntheticOptions checked_options(const Configuration& configuration, const routing::Topology& topology) {
  const SyntheticOptions o = synthetic_options().read(configuration);
  const std::size_t local_ports = topology.nodes.front().size();
  if (o.rate_flits_per_node_cycle > static_cast<double>(local_ports)) {
    throw InputError(fmt::format("traffic.rate_flits_per_node_cycle = {} is out of range: expected 0 to {}",
                                 o.rate_flits_per_node_cycle, local_ports));
  }
  if (o.process == "saturated" && o.source_queue_packets == 0) {
    throw InputError(
        "traffic.process = \"saturated\" never stops making packets: expected interface.source_queue_packets >= 1");
  }
  return o;
}

}  // namespace

const OptionTable<SyntheticOptions>& synthetic_options() {
  using S = SyntheticOptions;
  static const OptionTable<S> reply =
      OptionTable<S>("traffic").integer("reply_flits", &S::reply_flits, 1, 65535, "length of the answer");
  static const OptionTable<S> messages = OptionTable<S>("message").number(
      "priority_fraction", &S::priority_fraction, 0.0, 1.0, "of the messages go before all others at their source");
  static const OptionTable<S> table =
      OptionTable<S>("traffic")
          .policy<traffic::PatternRegistry>("pattern", &S::pattern, "where packets go")
          .number("rate_flits_per_node_cycle", &S::rate_flits_per_node_cycle, 0.0, kAnyNumber, "offered load")
          .policy<traffic::InjectionRegistry>("process", &S::process, "when packets are made")
          .policy<traffic::LengthRegistry>("length", &S::length, "how long packets are")
          .boolean("request_reply", &S::request_reply, "every packet is answered")
          .with_it(reply)
          .section("message")
          .integer("packet_flits", &S::packet_flits, 0, 65535,
                   "of every packet of a message; then [traffic] lengths count packets. 0: no messages")
          .with_it(messages)
          .section("interface")
          .integer("source_queue_packets", &S::source_queue_packets, 0, 1000000000,
                   "per local port, synthetic traffic; 0: unbounded");
  return table;
}

SyntheticSources::SyntheticSources(const WorkloadContext& context)
    : window_(context.window),
      options_(checked_options(context.configuration, context.topology)),
      seed_(read_seed(context.configuration)),
      nodes_(context.topology.node_count()),
      pattern_(traffic::PatternRegistry::instance().make(options_.pattern, context.topology, context.configuration)),
      length_(traffic::LengthRegistry::instance().make(options_.length, context.configuration)),
      priority_bits_(Random::probability_bits(options_.priority_fraction)) {
  if (options_.packet_flits > 0) messages_ = std::make_unique<MessageStore>();
  const double packet_flits = messages_ ? options_.packet_flits : 1.0;
  const double rate = options_.rate_flits_per_node_cycle / (length_->mean_flits() * packet_flits);
  process_ = traffic::InjectionRegistry::instance().make(options_.process, {rate, context.configuration});
}

}  // namespace braid::models
