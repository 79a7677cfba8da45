#include "models/experiment/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "models/event_lines/event_line.h"
#include "models/families/hybrid/stand_in.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/po2/pool_policy.h"
#include "models/injection/injection_point.h"

namespace braid::models {
namespace {

using models::Experiment;
using Names = std::function<std::vector<std::string>()>;

std::string quoted(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

[[noreturn]] void wrong(const Key& key, const toml::node& node) {
  throw ValueError(fmt::format("{}.{} = {}: expected {}", key.section, key.name, quoted(node), key.expected));
}

/// Collects keys; each `field` is a callable from Experiment& to the field.
class KeyTable {
 public:
  std::vector<Key> keys;

  void section(const char* name) { section_ = name; }

  template <class Field>
  void integer(const char* name, std::int64_t low, std::int64_t high, Field field, const char* doc) {
    const bool open = high == std::numeric_limits<std::int64_t>::max();
    Key key =
        make(name, open ? fmt::format("integer, at least {}", low) : fmt::format("integer, {} to {}", low, high), doc);
    key.set = [key, low, high, field](Experiment& e, const toml::node& node) {
      const auto value = node.value_exact<std::int64_t>();
      if (!value || *value < low || *value > high) wrong(key, node);
      using Type = std::remove_reference_t<decltype(field(e))>;
      field(e) = static_cast<Type>(*value);
    };
    add(std::move(key), field);
  }
  template <class Field>
  void number(const char* name, double low, double high, Field field, const char* doc) {
    Key key = make(
        name, std::isinf(high) ? fmt::format("number, at least {}", low) : fmt::format("number, {} to {}", low, high),
        doc);
    key.set = [key, low, high, field](Experiment& e, const toml::node& node) {
      const auto value = node.value<double>();
      if (!node.is_number() || !std::isfinite(*value) || !(*value >= low && *value <= high)) wrong(key, node);
      field(e) = *value;
    };
    add(std::move(key), field);
  }
  template <class Field>
  void boolean(const char* name, Field field, const char* doc) {
    Key key = make(name, "true or false", doc);
    key.set = [key, field](Experiment& e, const toml::node& node) {
      const auto value = node.value_exact<bool>();
      if (!value) wrong(key, node);
      field(e) = *value;
    };
    add(std::move(key), field);
  }
  template <class Field>
  void text(const char* name, bool is_file, Field field, const char* doc) {
    Key key = make(name, is_file ? "file name" : "text", doc);
    key.is_file = is_file;
    key.set = [key, field](Experiment& e, const toml::node& node) {
      const auto value = node.value_exact<std::string>();
      if (!value) wrong(key, node);
      field(e) = *value;
    };
    add(std::move(key), field);
  }
  /// A policy by name. The registry is asked late: it fills while the program starts.
  template <class Field>
  void policy(const char* name, const char* axis, const Names& names, Field field, const char* doc) {
    Key key = make(name, fmt::format("one of: {}", fmt::join(names(), ", ")), doc);
    key.set = [key, axis, names, field](Experiment& e, const toml::node& node) {
      const auto value = node.value_exact<std::string>();
      if (!value) wrong(key, node);
      const std::vector<std::string> known = names();
      if (std::find(known.begin(), known.end(), *value) == known.end())
        throw ValueError(unknown_name(axis, *value, known));
      field(e) = *value;
    };
    add(std::move(key), field);
  }
  template <class Enum, class Field>
  void choice(const char* name, const std::vector<std::pair<std::string, Enum>>& values, Field field, const char* doc) {
    std::vector<std::string> names;
    for (const auto& [text, value] : values) names.push_back(text);
    Key key = make(name, fmt::format("one of: {}", fmt::join(names, ", ")), doc);
    key.set = [key, values, names, field](Experiment& e, const toml::node& node) {
      const auto text = node.value_exact<std::string>();
      if (!text) wrong(key, node);
      const auto found = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == *text; });
      if (found == values.end()) throw ValueError(unknown_name(key.section + "." + key.name, *text, names));
      field(e) = found->second;
    };
    key.get = [values, field](const Experiment& e) -> boost::json::value {
      for (const auto& [text, value] : values) {
        if (field(const_cast<Experiment&>(e)) == value) return boost::json::string(text);
      }
      return nullptr;
    };
    keys.push_back(std::move(key));
  }
  template <class Field>
  void integers(const char* name, Field field, const char* doc) {
    Key key = make(name, "list of integers, at least 0", doc);
    key.set = [key, field](Experiment& e, const toml::node& node) {
      if (!node.is_array()) wrong(key, node);
      auto& list = field(e);
      list.clear();
      for (const toml::node& item : *node.as_array()) {
        const auto value = item.value_exact<std::int64_t>();
        if (!value || *value < 0 || *value > std::numeric_limits<std::uint32_t>::max()) wrong(key, node);
        list.push_back(static_cast<std::uint32_t>(*value));
      }
    };
    add(std::move(key), field);
  }

 private:
  Key make(const char* name, std::string expected, const char* doc) const {
    Key key;
    key.section = section_;
    key.name = name;
    key.expected = std::move(expected);
    key.doc = doc;
    return key;
  }
  template <class Field>
  void add(Key key, Field field) {
    key.get = [field](const Experiment& e) { return boost::json::value_from(field(const_cast<Experiment&>(e))); };
    keys.push_back(std::move(key));
  }
  std::string section_;
};

template <class RegistryType>
std::vector<std::string> names_of() {
  return RegistryType::instance().names();
}

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

#define FIELD(path) [](Experiment& e) -> auto& { return e.path; }

void network_keys(KeyTable& t) {
  t.section("experiment");
  t.text("name", false, FIELD(name), "names the run in its results");
  t.integer("seed", 0, kAny, FIELD(seed), "of every random stream");
  t.section("topology");
  t.policy("kind", "topology", names_of<routing::TopologyRegistry>, FIELD(topology.kind), "what is wired to what");
  t.integer("width", 1, 1024, FIELD(topology.width), "routers in x");
  t.integer("height", 1, 1024, FIELD(topology.height), "routers in y");
  t.integer("edge", 2, 200, FIELD(topology.edge), "kind \"hexagonal\": routers on each edge of the hexagon");
  t.integer("local_ports", 1, 60, FIELD(topology.local_ports),
            "injection and ejection links of each node: its bandwidth in flits/cycle each way");
  t.integer("link_latency_cycles", 1, 64, FIELD(topology.link_latency_cycles), "LT, in cycles");
  t.integer("arity", 2, 32, FIELD(topology.arity), "kind \"k_ary_n_tree\": k, links up and links down of a switch");
  t.integer("levels", 1, 20, FIELD(topology.levels), "kind \"k_ary_n_tree\": n, levels of switches; k^n nodes");
  t.text("file", true, FIELD(topology.file), "kind \"graph\": GraphML");
  t.section("router");
  t.policy("architecture", "router architecture", names_of<models::FabricRegistry>, FIELD(router.architecture),
           "the family of routers");
  t.policy("implementation", "router.implementation", names_of<hybrid::StandInRegistry>, FIELD(router.implementation),
           "\"rtl\": the Verilated hw/ in the model's place; \"lockstep\": both, compared every cycle");
  t.text("rtl_routers", false, FIELD(router.rtl_routers),
         "which routers are RTL: \"all\", or names with blanks between");
  t.integer("vcs", 1, 16, FIELD(router.vcs), "virtual channels a port");
  t.integer("buffer_depth", 1, 64, FIELD(router.buffer_depth), "flits a VC");
  t.integer("queue_packets", 1, 255, FIELD(router.queue_packets), "virtual_cut_through: packet buffers an input port");
  t.integer("credit_delay_cycles", 1, 64, FIELD(router.credit_delay_cycles),
            "from ST of the flit that leaves a buffer until its credit counts upstream; hybrid: at least 2");
  t.policy("vc_allocator", "VC allocator", names_of<hybrid::VcAllocatorRegistry>, FIELD(router.vc_allocator), "VA");
  t.policy("switch_allocator", "switch allocator", names_of<hybrid::SwitchAllocatorRegistry>,
           FIELD(router.switch_allocator), "SA");
  t.policy("arbiter", "arbiter", hybrid::arbiter_names, FIELD(router.arbiter), "what both allocators are made of");
  t.integer("circuit_buffer_depth", 1, 64, FIELD(router.circuit_buffer_depth),
            "flits a port for the circuit that comes in there; 5 keep a circuit at one flit a cycle");
  t.boolean("share_reserved_links", FIELD(router.share_reserved_links),
            "packets may use idle cycles of a link that a circuit holds");
  t.section("routing");
  t.policy("algorithm", "routing algorithm", names_of<routing::RoutingRegistry>, FIELD(routing.algorithm), "RC");
  t.text("table_file", true, FIELD(routing.table_file),
         "algorithm \"table\": lines ROUTER NODE PORT; empty: up*/down*");
  t.integer("max_deroutes", 0, 15, FIELD(routing.max_deroutes),
            "algorithm \"derouting\": steps of a packet that need not come nearer");
  t.boolean(
      "bubble", FIELD(routing.bubble),
      "dimension order on a torus of virtual cut-through routers: packets enter a ring where two buffers are free");
  t.boolean("sticky_escape", FIELD(routing.sticky_escape), "minimal_adaptive: once on an escape VC, always");
  t.boolean("allow_deadlock", FIELD(allow_deadlock), "run even if the channel-dependency graph has a cycle");
}

void po2_keys(KeyTable& t) {
  t.section("po2");
  t.integer("buffers", 1, 64, FIELD(router.po2.buffers), "packets that a router's pool holds");
  t.integer("header_cycles", 1, 10000, FIELD(router.po2.header_cycles),
            "from a header's first flit until its packet can ask for a port");
  t.integer("inject_overhead_cycles", 0, 10000, FIELD(router.po2.inject_overhead_cycles),
            "of a node's port before the first flit, into the network");
  t.integer("eject_overhead_cycles", 0, 10000, FIELD(router.po2.eject_overhead_cycles), "... and out of it");
  t.integer("acknowledge_cycles", 0, 10000, FIELD(router.po2.acknowledge_cycles),
            "link and buffer are held after the tail until receipt is signalled");
  t.boolean("reject_same_message", FIELD(router.po2.reject_same_message),
            "a router refuses a packet while one of that message waits in it");
  t.policy("avoidance", "deadlock avoidance", names_of<po2::PoolPolicyRegistry>, FIELD(router.po2.avoidance),
           "who may take a buffer, and the way out");
  t.integer("escape_patience_cycles", 1, kAny, FIELD(router.po2.escape_patience_cycles),
            "avoidance \"up_down_escape\": a packet's wait before it escapes");
}

void interface_keys(KeyTable& t) {
  using models::Switching;
  using models::Transfer;
  t.section("interface");
  t.choice<Transfer>("transfer", {{"push", Transfer::kPush}, {"pull", Transfer::kPull}}, FIELD(interface.transfer),
                     "streams: producer writes into the network, or consumer asks for blocks");
  t.choice<Switching>("switching", {{"packet", Switching::kPacket}, {"circuit", Switching::kCircuit}},
                      FIELD(interface.switching), "what carries streams; circuit is tentacle routing");
  t.policy("scheduler", "injection scheduler", names_of<models::InjectionSchedulerRegistry>, FIELD(interface.scheduler),
           "which of a node's waiting packets leaves next");
  t.policy("fairness", "fairness policy", models::fairness_names, FIELD(interface.fairness), "when a node may send");
  t.integer(
      "behind_gate_packets", 0, 1000000000, FIELD(interface.behind_gate_packets),
      "fairness: packets that have passed and wait for the link, per local port; 0: the head goes straight onto it");
  t.integer("source_queue_packets", 0, 1000000000, FIELD(interface.source_queue_packets),
            "per local port, synthetic traffic; 0: unbounded");
  t.integer("stream_queue_items", 1, 1000000000, FIELD(interface.stream_queue_items), "per stream, at the producer");
  t.integer("receive_queue_items", 0, 1000000000, FIELD(interface.receive_queue_items),
            "per stream, at the consumer; 0: unbounded");
  t.integer("packet_items", 1, 65535, FIELD(interface.packet_items), "most items (flits) of one stream packet");
  t.integer("pull_block_items", 1, 65535, FIELD(interface.pull_block_items), "items (flits) of one response");
  t.integer("pull_outstanding", 1, 65535, FIELD(interface.pull_outstanding), "requests in flight per stream");
  t.section("message");
  t.integer("packet_flits", 0, 65535, FIELD(message.packet_flits),
            "of every packet of a message; then [traffic] lengths count packets. 0: no messages");
  t.number("priority_fraction", 0.0, 1.0, FIELD(message.priority_fraction),
           "of the messages go before all others at their source");
  t.number("alpha", 0.0, 1e6, FIELD(message.alpha),
           "scheduler \"alpha\": packets of waiting that a packet left counts");
  t.integer("clock_limit", 4, 1 << 30, FIELD(message.clock_limit),
            "scheduler \"alpha\": packets sent after which the clock is scaled back");
  t.section("sat");
  t.policy("carrier", "SAT carrier", names_of<models::EventLineRegistry>, FIELD(sat.carrier),
           "fairness \"sat\": how the signal travels");
  t.integer("l", 0, 1000000000, FIELD(sat.l),
            "packets a node sends, or has none, before it passes the signal on; at most k");
  t.integer("k", 0, 1000000000, FIELD(sat.k),
            "packets a node may send between two departures of the signal; at least 1");
  t.integer(
      "timeout_cycles", 0, kAny, FIELD(sat.timeout_cycles),
      "a node that holds the signal longer starves, one that is satisfied and holds it for ten rounds is dead: the "
      "run ends; 0: off");
  t.integers("dead_nodes", FIELD(sat.dead_nodes), "stations that never pass the signal on, to see the timeout");
  t.section("setup");
  t.integer("retries", 0, 1000000, FIELD(setup.retries), "further orders tried after a stream found no path");
  t.integer("token_cycles", 1, 1000000, FIELD(setup.token_cycles), "for the set-up token to move on by one stream");
}

void traffic_keys(KeyTable& t) {
  t.section("traffic");
  t.policy("pattern", "traffic pattern", names_of<traffic::PatternRegistry>, FIELD(synthetic->pattern.pattern),
           "where packets go");
  t.number("rate_flits_per_node_cycle", 0.0, kInfinity, FIELD(synthetic->rate_flits_per_node_cycle), "offered load");
  t.text("file", true, FIELD(synthetic->pattern.file), "pattern \"permutation\": lines SOURCE DESTINATION");
  t.integers("hot_nodes", FIELD(synthetic->pattern.hot_nodes), "pattern \"hot_spot\"");
  t.number("hot_fraction", 0.0, 1.0, FIELD(synthetic->pattern.hot_fraction),
           "patterns \"hot_spot\", \"hot_region\": share of all packets");
  t.integer("hot_region_nodes", 0, 1000000000, FIELD(synthetic->pattern.hot_region_nodes),
            "pattern \"hot_region\": nodes 0 to n - 1; 0: an eighth of all");
  t.boolean("silent_fixed_points", FIELD(synthetic->pattern.silent_fixed_points),
            "bit permutations: a node that would send to itself sends nothing");
  t.policy("process", "injection process", names_of<traffic::InjectionRegistry>, FIELD(synthetic->injection.process),
           "when packets are made");
  t.number("on_cycles", 1.0, kInfinity, FIELD(synthetic->injection.on_cycles), "process \"on_off\": mean burst");
  t.number("off_cycles", 1.0, kInfinity, FIELD(synthetic->injection.off_cycles), "process \"on_off\": mean pause");
  t.policy("length", "length distribution", names_of<traffic::LengthRegistry>, FIELD(synthetic->length.distribution),
           "how long packets are");
  t.integer("flits", 1, 65535, FIELD(synthetic->length.flits), "length \"fixed\"");
  t.integer("short_flits", 1, 65535, FIELD(synthetic->length.short_flits), "length \"bimodal\"");
  t.integer("long_flits", 1, 65535, FIELD(synthetic->length.long_flits), "length \"bimodal\", \"bursty\"");
  t.number("long_fraction", 0.0, 1.0, FIELD(synthetic->length.long_fraction), "length \"bimodal\", \"bursty\"");
  t.integer("min_flits", 1, 65535, FIELD(synthetic->length.min_flits), "length \"uniform\", \"bursty\"");
  t.integer("max_flits", 1, 65535, FIELD(synthetic->length.max_flits), "length \"uniform\", \"bursty\"");
  t.boolean("request_reply", FIELD(synthetic->request_reply), "every packet is answered");
  t.integer("reply_flits", 1, 65535, FIELD(synthetic->reply_flits), "length of the answer");
  t.section("stream");
  t.text("graph", true, FIELD(stream->graph), "stream graph (docs/stream-graphs.md)");
  t.number("computation_scaling", 0.0, kInfinity, FIELD(stream->computation_scaling), "cycles per unit of work, > 0");
  t.number("distance_weight", 0.0, kInfinity, FIELD(stream->placement.distance_weight), "layout: an item over a link");
  t.number("sharing_weight", 0.0, kInfinity, FIELD(stream->placement.sharing_weight),
           "layout: a stream on a link that another takes under X-first");
  t.number("disjoint_weight", 0.0, kInfinity, FIELD(stream->placement.disjoint_weight),
           "layout: a stream for which no link-disjoint path is left");
  t.integer("moves", 0, 1000000000, FIELD(stream->placement.moves), "layout: steps of simulated annealing");
  t.boolean("anneal", FIELD(stream->placement.anneal), "layout: false places actors in order");
}

void simulation_keys(KeyTable& t) {
  using models::Schedule;
  t.section("simulation");
  t.choice<Schedule>("schedule", {{"static", Schedule::kStatic}, {"process_per_stage", Schedule::kProcessPerStage}},
                     FIELD(simulation.schedule), "same results; static is fast, process_per_stage is SystemC modules");
  t.integer("threads", 1, 256, FIELD(simulation.threads), "static schedule only; same results");
  t.integer("batch_cycles", 1, 1000000000, FIELD(simulation.batch_cycles), "for warm-up and confidence intervals");
  t.integer("min_warmup_cycles", 0, kAny, FIELD(simulation.min_warmup_cycles), "cycles");
  t.integer("max_warmup_cycles", 0, kAny, FIELD(simulation.max_warmup_cycles),
            "cycles, rounded up to a batch; then the run counts as unsteady");
  t.number("warmup_tolerance", 0.0, 1.0, FIELD(simulation.warmup_tolerance),
           "warm-up ends when latency and throughput change by no more than this share, two batches running");
  t.integer("measure_cycles", 1, kAny, FIELD(simulation.measure_cycles), "a multiple of batch_cycles");
  t.integer("max_drain_cycles", 0, kAny, FIELD(simulation.max_drain_cycles),
            "for packets born while measuring; then the run counts as saturated");
  t.integer("watchdog_cycles", 0, kAny, FIELD(simulation.watchdog_cycles), "without any movement: deadlock; 0: off");
  t.integer("max_packet_age_cycles", 0, kAny, FIELD(simulation.max_packet_age_cycles),
            "in the network: livelock; 0: off");
  t.section("trace");
  t.text("file", false, FIELD(trace.file), "waveform, .vcd or .fst, relative to where braid runs; empty: none");
  t.text("routers", false, FIELD(trace.routers), "\"all\", or router names with blanks between");
  t.integer("from_cycle", 0, kAny, FIELD(trace.from_cycle), "first cycle of the waveform");
  t.integer("to_cycle", 0, kAny, FIELD(trace.to_cycle), "last cycle of the waveform");
  t.section("log");
  t.text("file", false, FIELD(log.file), "packet log, .csv or .parquet, relative to where braid runs; empty: none");
}

#undef FIELD

std::vector<Key> make_keys() {
  KeyTable table;
  network_keys(table);
  po2_keys(table);
  interface_keys(table);
  traffic_keys(table);
  simulation_keys(table);
  return table.keys;
}

}  // namespace

const std::vector<Key>& experiment_keys() {
  static const std::vector<Key> keys = make_keys();
  return keys;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Key& key : experiment_keys()) {
    if (std::find(names.begin(), names.end(), key.section) == names.end()) names.push_back(key.section);
  }
  return names;
}

void open_section(models::Experiment& e, const std::string& section) {
  if (section == "traffic" && !e.synthetic) e.synthetic.emplace();
  if (section == "stream" && !e.stream) e.stream.emplace();
}

bool has_section(const models::Experiment& e, const std::string& section) {
  return (section != "traffic" || e.synthetic) && (section != "stream" || e.stream);
}

std::string configuration_reference() {
  std::string text =
      "# Configuration reference\n\nEvery key of an experiment file (TOML). Made by `braid list configuration`; the "
      "tests "
      "keep it current.\nThe sections `[traffic]` (synthetic packets) and `[stream]` (a stream program) are optional; "
      "at "
      "least one must be there.\nFile names are relative to the experiment file.\n";
  models::Experiment defaults;
  open_section(defaults, "traffic");
  open_section(defaults, "stream");
  std::string section;
  for (const Key& key : experiment_keys()) {
    if (key.section != section) {
      section = key.section;
      text += fmt::format("\n## [{}]\n\n| key | expected | default | meaning |\n|---|---|---|---|\n", section);
    }
    text += fmt::format("| `{}` | {} | `{}` | {} |\n", key.name, key.expected,
                        boost::json::serialize(key.get(defaults)), key.doc);
  }
  return text;
}

}  // namespace braid::models
