// The options of synthetic traffic.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "models/fabric/subnets.h"
#include "models/workload/synthetic/class_options.h"

namespace braid::models {
namespace {

/// Those of other workloads are theirs, and a name is a word of --set and of files.
void check_name(const std::string& name) {
  const bool word = std::all_of(name.begin(), name.end(),
                                [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  if (!word) throw InputError("traffic.name = \"" + one_line(name) + "\": expected letters, digits, _ and -");
  for (const char* taken : {"packets", "circuits", "broadcasts", "all-reduces", "sat_signal"}) {
    if (name == taken)
      throw InputError("traffic.name = \"" + name + "\" is the name of other packets: expected another");
  }
}

void check_class(const SyntheticOptions& o, const Configuration& configuration, std::size_t nodes) {
  for (const std::uint32_t node : o.senders) {
    if (node >= nodes) throw InputError(fmt::format("traffic.senders: node {}: expected 0 to {}", node, nodes - 1));
  }
  if (has_exchanges(o) && o.packet_flits > 0) {
    throw InputError(
        "message.packet_flits: packets of messages are answered one by one: expected 0, or no traffic.outstanding, "
        "traffic.service_cycles and traffic.name");
  }
  if (has_exchanges(o) && configuration.has_section("failure")) {
    throw InputError("traffic.outstanding: a lost request is never answered: expected no section [failure]");
  }
}

void check_list(const char* key, const std::vector<std::uint32_t>& subnets, std::uint32_t count) {
  for (std::size_t i = 0; i < subnets.size(); ++i) {
    if (subnets[i] >= count) {
      throw InputError(
          fmt::format("{}: subnet {}: expected 0 to {} (network.subnets = {})", key, subnets[i], count - 1, count));
    }
    if (std::find(subnets.begin(), subnets.begin() + static_cast<std::ptrdiff_t>(i), subnets[i]) !=
        subnets.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw InputError(fmt::format("{}: subnet {} stands there twice: expected each once", key, subnets[i]));
    }
  }
}

void check_subnets_of(const SyntheticOptions& o, std::uint32_t count) {
  check_list("traffic.subnets", o.subnets, count);
  check_list("traffic.reply_subnets", o.reply_subnets, count);
  if (!o.reply_subnets.empty() && (!o.request_reply || o.name.empty())) {
    throw InputError(
        "traffic.reply_subnets: only replies of a class with a name are a class of their own: expected "
        "traffic.request_reply = true and traffic.name");
  }
  if (o.subnets.size() > 1 && o.packet_flits > 0) {
    throw InputError(
        "traffic.subnets: packets of a message leave one after the other by one port: expected one subnet, or "
        "message.packet_flits = 0");
  }
}

SyntheticOptions checked_options(const Configuration& configuration, const routing::Topology& topology) {
  const SyntheticOptions o = synthetic_options().read(configuration);
  const std::size_t local_ports = topology.nodes.front().size();
  if (o.rate_flits_per_node_cycle > static_cast<double>(local_ports)) {
    throw InputError(fmt::format("traffic.rate_flits_per_node_cycle = {} is out of range: expected 0 to {}",
                                 o.rate_flits_per_node_cycle, local_ports));
  }
  if (o.process == "saturated" && o.source_queue_packets == 0 && o.outstanding == 0) {
    throw InputError(
        "traffic.process = \"saturated\" never stops making packets: expected interface.source_queue_packets >= 1, or "
        "traffic.outstanding");
  }
  check_name(o.name);
  check_class(o, configuration, topology.node_count());
  check_subnets_of(o, subnet_count(configuration));
  return o;
}

/// Of a class with a name.
const OptionTable<SyntheticOptions>& class_table() {
  using S = SyntheticOptions;
  constexpr std::int64_t kLastCycle = 1'000'000'000'000;
  static const OptionTable<S> table =
      OptionTable<S>("traffic")
          .integer("priority", &S::priority, 0, 255, "with interface.scheduler = \"classes\": higher ones leave first")
          .integers("vcs", &S::vcs, "[FIRST, LAST] virtual channels of the class; []: all (hybrid routers)")
          .integers("reply_vcs", &S::reply_vcs, "... of its replies")
          .integers("senders", &S::senders, "nodes that send; []: all")
          .integer("start_cycle", &S::start_cycle, 0, kLastCycle, "sources begin there, counted from cycle 0")
          .integer("stop_cycle", &S::stop_cycle, 0, kLastCycle,
                   "sources make nothing from there on; 0: they never stop");
  return table;
}

/// Of a class where networks lie side by side.
const OptionTable<SyntheticOptions>& subnet_table() {
  using S = SyntheticOptions;
  static const OptionTable<S> table =
      OptionTable<S>("traffic")
          .integers("subnets", &S::subnets,
                    "that carry the class; of several, each packet takes one by chance. []: subnet 0")
          .integers("reply_subnets", &S::reply_subnets, "... its replies; []: those of the requests");
  return table;
}

const OptionTable<SyntheticOptions>& reply_table() {
  using S = SyntheticOptions;
  constexpr std::int64_t kLongestService = 1'000'000'000;
  static const OptionTable<S> table =
      OptionTable<S>("traffic")
          .integer("reply_flits", &S::reply_flits, 1, 65535, "length of the answer")
          .integer("outstanding", &S::outstanding, 0, 1000000,
                   "requests of a node under way at once; more wait at the node, offered all the same. 0: any number")
          .integer("service_cycles", &S::service_cycles, 0, kLongestService,
                   "from a request's turn at its destination to its reply")
          .integer("servers", &S::servers, 1, 1000000, "requests in service at a node at once; the others wait");
  return table;
}

}  // namespace

const OptionTable<SyntheticOptions>& synthetic_options() {
  using S = SyntheticOptions;
  static const OptionTable<S> messages = OptionTable<S>("message").number(
      "priority_fraction", &S::priority_fraction, 0.0, 1.0, "of the messages go before all others at their source");
  static const OptionTable<S> table =
      OptionTable<S>("traffic")
          .text("name", &S::name, "of the class in the results; several sections [[traffic]] have one each")
          .with_it(class_table())
          .when(kWithSubnets, has_subnets, subnet_table())
          .policy<traffic::PatternRegistry>("pattern", &S::pattern, "where packets go")
          .number("rate_flits_per_node_cycle", &S::rate_flits_per_node_cycle, 0.0, kAnyNumber,
                  "offered load: of requests, whether or not they are answered")
          .policy<traffic::InjectionRegistry>("process", &S::process, "when packets are made")
          .policy<traffic::LengthRegistry>("length", &S::length, "how long packets are")
          .boolean("request_reply", &S::request_reply, "every packet is answered")
          .with_it(reply_table())
          .section("message")
          .integer("packet_flits", &S::packet_flits, 0, 65535,
                   "of every packet of a message; then [traffic] lengths count packets. 0: no messages")
          .with_it(messages)
          .section("interface")
          .integer("source_queue_packets", &S::source_queue_packets, 0, 1000000000,
                   "per local port, synthetic traffic; 0: unbounded");
  return table;
}

bool has_exchanges(const SyntheticOptions& o) {
  return o.request_reply && (o.outstanding > 0 || o.service_cycles > 0 || !o.name.empty());
}

std::vector<std::string> SyntheticSources::classes() const { return class_names(options_); }
std::optional<ClassSubnets> SyntheticSources::class_subnets() const {
  const auto or_else = [](const std::vector<std::uint32_t>& given, const std::vector<std::uint32_t>& usual) {
    return given.empty() ? usual : given;
  };
  ClassSubnets all{or_else(options_.subnets, {0})};
  if (classes().size() > 1) all.push_back(or_else(options_.reply_subnets, all.front()));
  return all;
}
std::vector<std::string> SyntheticSources::kinds() const {
  if (options_.name.empty()) return {"synthetic", "reply"};
  return {options_.name, options_.name + " reply"};
}

SyntheticSources::SyntheticSources(const WorkloadContext& context)
    : window_(context.window),
      options_(checked_options(context.configuration, context.topology)),
      seed_(read_seed(context.configuration)),
      nodes_(context.topology.node_count()),
      pattern_(traffic::PatternRegistry::instance().make(options_.pattern, context.topology, context.configuration)),
      length_(traffic::LengthRegistry::instance().make(options_.length, context.configuration)),
      priority_bits_(Random::probability_bits(options_.priority_fraction)),
      number_(context.number),
      closed_(options_.outstanding > 0 && options_.process == "saturated"),
      configuration_(context.configuration) {
  if (options_.packet_flits > 0) messages_ = std::make_unique<MessageStore>();
  const double rate = options_.rate_flits_per_node_cycle / mean_packet_flits();
  process_ = traffic::InjectionRegistry::instance().make(options_.process, {rate, context.configuration});
}

}  // namespace braid::models
