// Every key of an experiment: its value reaches its own field and no other; one step out of range, and any other type,
// is refused with file, line and column.
#include "models/experiment/keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/results_json.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test {
namespace {

using models::Experiment;

/// Line 2 is `KEY = VALUE` in its section; both optional sections are there.
std::string text_with(const std::string& section, const std::string& key, const std::string& value) {
  std::string text = "[" + section + "]\n" + key + " = " + value + "\n";
  if (section == "stream") return text + (key == "graph" ? "" : "graph = \"g.toml\"\n") + "[traffic]\n";
  return text + (section == "traffic" ? "" : "[traffic]\n") + "[stream]\ngraph = \"g.toml\"\n";
}

struct Field {
  std::string key, value;
  std::function<bool(const Experiment&)> holds;
};
#define FIELD(key, value, field) {key, #value, [](const Experiment& e) { return e.field == (value); }}

/// By models/experiment/experiment.h: which member each key is. Values differ from every default.
const std::vector<Field>& fields() {
  using Nodes = std::vector<std::uint32_t>;
  static const std::vector<Field> all{
      FIELD("experiment.name", "other", name),
      FIELD("experiment.seed", 77, seed),
      FIELD("topology.kind", "torus", topology.kind),
      FIELD("topology.width", 11, topology.width),
      FIELD("topology.height", 12, topology.height),
      FIELD("topology.edge", 13, topology.edge),
      FIELD("topology.local_ports", 14, topology.local_ports),
      FIELD("topology.link_latency_cycles", 15, topology.link_latency_cycles),
      FIELD("topology.arity", 16, topology.arity),
      FIELD("topology.levels", 17, topology.levels),
      FIELD("topology.file", "net.graphml", topology.file),
      FIELD("router.architecture", "po2", router.architecture),
      FIELD("router.implementation", "rtl", router.implementation),
      FIELD("router.rtl_routers", "a b", router.rtl_routers),
      FIELD("router.vcs", 5, router.vcs),
      FIELD("router.buffer_depth", 21, router.buffer_depth),
      FIELD("router.queue_packets", 22, router.queue_packets),
      FIELD("router.credit_delay_cycles", 23, router.credit_delay_cycles),
      FIELD("router.vc_allocator", "islip", router.vc_allocator),
      FIELD("router.switch_allocator", "islip", router.switch_allocator),
      FIELD("router.arbiter", "matrix", router.arbiter),
      FIELD("router.circuit_buffer_depth", 24, router.circuit_buffer_depth),
      FIELD("router.share_reserved_links", false, router.share_reserved_links),
      FIELD("routing.algorithm", "odd_even", routing.algorithm),
      FIELD("routing.table_file", "table.txt", routing.table_file),
      FIELD("routing.max_deroutes", 3, routing.max_deroutes),
      FIELD("routing.bubble", true, routing.bubble),
      FIELD("routing.sticky_escape", false, routing.sticky_escape),
      FIELD("routing.allow_deadlock", true, allow_deadlock),
      FIELD("po2.buffers", 31, router.po2.buffers),
      FIELD("po2.header_cycles", 32, router.po2.header_cycles),
      FIELD("po2.inject_overhead_cycles", 33, router.po2.inject_overhead_cycles),
      FIELD("po2.eject_overhead_cycles", 34, router.po2.eject_overhead_cycles),
      FIELD("po2.acknowledge_cycles", 35, router.po2.acknowledge_cycles),
      FIELD("po2.reject_same_message", false, router.po2.reject_same_message),
      FIELD("po2.avoidance", "up_down_escape", router.po2.avoidance),
      FIELD("po2.escape_patience_cycles", 36, router.po2.escape_patience_cycles),
      {"interface.transfer", "\"pull\"",
       [](const Experiment& e) { return e.interface.transfer == models::Transfer::kPull; }},
      {"interface.switching", "\"circuit\"",
       [](const Experiment& e) { return e.interface.switching == models::Switching::kCircuit; }},
      FIELD("interface.scheduler", "alpha", interface.scheduler),
      FIELD("interface.fairness", "sat", interface.fairness),
      FIELD("interface.behind_gate_packets", 41, interface.behind_gate_packets),
      FIELD("interface.source_queue_packets", 42, interface.source_queue_packets),
      FIELD("interface.stream_queue_items", 43, interface.stream_queue_items),
      FIELD("interface.receive_queue_items", 44, interface.receive_queue_items),
      FIELD("interface.packet_items", 45, interface.packet_items),
      FIELD("interface.pull_block_items", 46, interface.pull_block_items),
      FIELD("interface.pull_outstanding", 47, interface.pull_outstanding),
      FIELD("message.packet_flits", 51, message.packet_flits),
      FIELD("message.priority_fraction", 0.125, message.priority_fraction),
      FIELD("message.alpha", 52.5, message.alpha),
      FIELD("message.clock_limit", 53, message.clock_limit),
      FIELD("sat.carrier", "spanning_tree", sat.carrier),
      FIELD("sat.l", 54, sat.l),
      FIELD("sat.k", 55, sat.k),
      FIELD("sat.timeout_cycles", 56, sat.timeout_cycles),
      {"sat.dead_nodes", "[5, 3]", [](const Experiment& e) { return e.sat.dead_nodes == Nodes{5, 3}; }},
      FIELD("setup.retries", 57, setup.retries),
      FIELD("setup.token_cycles", 58, setup.token_cycles),
      FIELD("traffic.pattern", "shuffle", synthetic->pattern.pattern),
      FIELD("traffic.rate_flits_per_node_cycle", 0.625, synthetic->rate_flits_per_node_cycle),
      FIELD("traffic.file", "pairs.txt", synthetic->pattern.file),
      {"traffic.hot_nodes", "[9, 4]",
       [](const Experiment& e) { return e.synthetic->pattern.hot_nodes == Nodes{9, 4}; }},
      FIELD("traffic.hot_fraction", 0.375, synthetic->pattern.hot_fraction),
      FIELD("traffic.hot_region_nodes", 61, synthetic->pattern.hot_region_nodes),
      FIELD("traffic.silent_fixed_points", true, synthetic->pattern.silent_fixed_points),
      FIELD("traffic.process", "on_off", synthetic->injection.process),
      FIELD("traffic.on_cycles", 62.5, synthetic->injection.on_cycles),
      FIELD("traffic.off_cycles", 63.5, synthetic->injection.off_cycles),
      FIELD("traffic.length", "bimodal", synthetic->length.distribution),
      FIELD("traffic.flits", 64, synthetic->length.flits),
      FIELD("traffic.short_flits", 65, synthetic->length.short_flits),
      FIELD("traffic.long_flits", 66, synthetic->length.long_flits),
      FIELD("traffic.long_fraction", 0.75, synthetic->length.long_fraction),
      FIELD("traffic.min_flits", 67, synthetic->length.min_flits),
      FIELD("traffic.max_flits", 68, synthetic->length.max_flits),
      FIELD("traffic.request_reply", true, synthetic->request_reply),
      FIELD("traffic.reply_flits", 69, synthetic->reply_flits),
      FIELD("stream.graph", "other.toml", stream->graph),
      FIELD("stream.computation_scaling", 2.5, stream->computation_scaling),
      FIELD("stream.distance_weight", 3.5, stream->placement.distance_weight),
      FIELD("stream.sharing_weight", 4.5, stream->placement.sharing_weight),
      FIELD("stream.disjoint_weight", 5.5, stream->placement.disjoint_weight),
      FIELD("stream.moves", 71, stream->placement.moves),
      FIELD("stream.anneal", false, stream->placement.anneal),
      {"simulation.schedule", "\"process_per_stage\"",
       [](const Experiment& e) { return e.simulation.schedule == models::Schedule::kProcessPerStage; }},
      FIELD("simulation.threads", 81, simulation.threads),
      FIELD("simulation.batch_cycles", 82, simulation.batch_cycles),
      FIELD("simulation.min_warmup_cycles", 83, simulation.min_warmup_cycles),
      FIELD("simulation.max_warmup_cycles", 84, simulation.max_warmup_cycles),
      FIELD("simulation.warmup_tolerance", 0.5, simulation.warmup_tolerance),
      FIELD("simulation.measure_cycles", 85, simulation.measure_cycles),
      FIELD("simulation.max_drain_cycles", 86, simulation.max_drain_cycles),
      FIELD("simulation.watchdog_cycles", 87, simulation.watchdog_cycles),
      FIELD("simulation.max_packet_age_cycles", 88, simulation.max_packet_age_cycles),
      FIELD("trace.file", "t.vcd", trace.file),
      FIELD("log.file", "t.csv", log.file),
      FIELD("trace.routers", "0,0", trace.routers),
      FIELD("trace.from_cycle", 91, trace.from_cycle),
      FIELD("trace.to_cycle", 92, trace.to_cycle),
  };
  return all;
}

TEST(Keys, EachReachesItsOwnField) {
  std::set<std::string> tested;
  for (const Field& f : fields()) {
    const std::size_t dot = f.key.find('.');
    const Experiment none = models::parse_experiment("[traffic]\n[stream]\ngraph = \"g.toml\"", "e.toml");
    EXPECT_FALSE(f.holds(none)) << f.key << ": the default would do";
    const Experiment e =
        models::parse_experiment(text_with(f.key.substr(0, dot), f.key.substr(dot + 1), f.value), "e.toml");
    EXPECT_TRUE(f.holds(e)) << f.key;
    tested.insert(f.key);
  }
  for (const models::Key& key : models::experiment_keys()) {
    EXPECT_EQ(tested.count(key.section + "." + key.name), 1U) << key.name << " has no line in fields()";
  }
}

/// Values of one key: good ones (but the default), and wrong ones that a message must answer.
struct Values {
  std::vector<std::string> good, bad;
};

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  const std::string digits = text.str();
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// From the key's own description: "integer, 1 to 16", "number, at least 0", "one of: a, b", ...
Values values_of(const models::Key& key) {
  const std::string& expected = key.expected;
  std::istringstream words(expected.substr(expected.find(' ') + 1));
  if (expected.rfind("integer, ", 0) == 0) {
    long long low = 0, high = 0;
    std::string word;
    if (expected.find("at least") != std::string::npos) {
      words >> word >> word >> low;
      return {{std::to_string(low), std::to_string(low + 5), "9223372036854775807"},
              {std::to_string(low - 1), "-5", "9223372036854775808", "2.0", "\"2\"", "true", "[2]"}};
    }
    words >> low >> word >> high;
    return {{std::to_string(low), std::to_string(low + 1), std::to_string(high - 1), std::to_string(high)},
            {std::to_string(low - 1), std::to_string(high + 1), "2.0", "\"2\"", "true", "[2]"}};
  }
  if (expected.rfind("number, ", 0) == 0) {
    double low = 0, high = 0;
    std::string word;
    if (expected.find("at least") != std::string::npos) {
      words >> word >> word >> low;
      return {{number(low), number(low + 1000.25)}, {number(low - 0.001), "nan", "\"2\"", "true", "[2.0]"}};
    }
    words >> low >> word >> high;
    return {{number(low), number((low + high) / 4), number(high)},
            {number(low - 0.001), number(high + 0.001), "nan", "inf", "\"2\"", "true", "[2.0]"}};
  }
  if (expected == "true or false") return {{"true", "false"}, {"1", "0", "\"true\"", "1.0", "[true]"}};
  if (expected.rfind("one of: ", 0) == 0) {
    Values v{{}, {"\"nonesuch\"", "\"\"", "1", "true", "[\"x\"]"}};
    words.str(expected.substr(8));
    for (std::string name; std::getline(words >> std::ws, name, ',');) v.good.push_back("\"" + name + "\"");
    return v;
  }
  if (expected == "text" || expected == "file name") return {{"\"else where\""}, {"5", "true", "1.5", "[\"a\"]"}};
  if (expected == "list of integers, at least 0") {
    return {{"[3, 1]", "[4294967295]"}, {"3", "\"3\"", "[-1]", "[4294967296]", "[1.0]", "[1, \"a\"]", "true"}};
  }
  return {};
}

bool same(const boost::json::value& echo, const boost::json::value& set) {
  if (echo.is_number() && set.is_number()) return echo.to_number<double>() == set.to_number<double>();
  return echo == set;
}

/// What configuration_json() says of the key is what was set; every other key has kept its default.
TEST(Keys, EachIsEchoedAndTouchesNoOther) {
  const Experiment none = models::parse_experiment("[traffic]\n[stream]\ngraph = \"g.toml\"", "e.toml");
  const boost::json::object defaults = models::configuration_json(none);
  for (const models::Key& key : models::experiment_keys()) {
    const Values values = values_of(key);
    ASSERT_FALSE(values.good.empty()) << key.name << ": " << key.expected;
    int other_than_default = 0;
    for (const std::string& value : values.good) {
      SCOPED_TRACE(key.section + "." + key.name + " = " + value);
      boost::json::object echo =
          models::configuration_json(models::parse_experiment(text_with(key.section, key.name, value), "e.toml"));
      boost::json::value& mine = echo.at(key.section).as_object().at(key.name);
      EXPECT_TRUE(same(mine, boost::json::parse(value))) << mine;
      const boost::json::value& before = defaults.at(key.section).as_object().at(key.name);
      other_than_default += mine == before ? 0 : 1;
      mine = before;
      EXPECT_EQ(echo, defaults);
    }
    EXPECT_GT(other_than_default, 0) << key.name;
  }
}

/// The message starts with the place of the value: line 2, behind `KEY = `. A number too long for TOML is refused by
/// its reader, somewhere in the value.
TEST(Keys, EachRefusesWhatIsOutOfRangeOrOfAnotherType) {
  for (const models::Key& key : models::experiment_keys()) {
    for (const std::string& value : values_of(key).bad) {
      SCOPED_TRACE(key.section + "." + key.name + " = " + value);
      const std::string what =
          complaint([&] { (void)models::parse_experiment(text_with(key.section, key.name, value), "e.toml"); });
      if (value == "9223372036854775808") {
        EXPECT_EQ(what.rfind("e.toml:2:", 0), 0U) << what;
        continue;
      }
      EXPECT_EQ(what.rfind("e.toml:2:" + std::to_string(key.name.size() + 4) + ": ", 0), 0U) << what;
      const bool unknown = key.expected.rfind("one of: ", 0) == 0 && value[0] == '"';
      EXPECT_NE(what.find(unknown ? "unknown " : ": expected " + key.expected), std::string::npos) << what;
      EXPECT_NE(what.find(unknown ? key.expected.substr(8) : key.section + "." + key.name + " = "), std::string::npos)
          << what;
      EXPECT_EQ(what.find('\n'), std::string::npos);
    }
  }
}

/// --set reaches the same fields: text with and without quotes, and the section is made if it is not there.
TEST(Keys, SettingsReachTheirFieldsAndComeLast) {
  const auto with = [](const std::vector<std::string>& settings) {
    return models::parse_experiment("[traffic]\nflits = 3\nhot_nodes = [1]\n", "dir/e.toml", settings);
  };
  EXPECT_EQ(with({}).synthetic->length.flits, 3U);
  EXPECT_EQ(with({"traffic.flits=9"}).synthetic->length.flits, 9U);
  EXPECT_EQ(with({"traffic.flits=9", "traffic.flits=8"}).synthetic->length.flits, 8U);
  EXPECT_EQ(with({"traffic.pattern=shuffle"}).synthetic->pattern.pattern, "shuffle");
  EXPECT_EQ(with({"traffic.pattern=\"shuffle\""}).synthetic->pattern.pattern, "shuffle");
  EXPECT_EQ(with({"traffic.hot_nodes=[2, 5]"}).synthetic->pattern.hot_nodes, (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(with({"stream.graph=g.toml"}).stream->graph, "dir/g.toml");
  EXPECT_EQ(with({"experiment.name=a=b"}).name, "a=b");
  EXPECT_FALSE(with({}).stream);
  EXPECT_EQ(complaint([&] { with({"traffic.flits=0"}); }),
            "--set traffic.flits=0: traffic.flits = 0: expected integer, 1 to 65535");
  EXPECT_EQ(complaint([&] { with({"traffic.flit=1"}); }).rfind("--set traffic.flit=1: unknown key in [traffic]", 0),
            0U);
  for (const char* none : {"traffic.flits", "flits=3", "traffic=a.b"}) {
    EXPECT_EQ(complaint([&] { with({none}); }), "--set " + std::string(none) + ": expected section.key=value");
  }
}

/// A section that is not there is not in the echo.
TEST(Keys, TheEchoHasOnlyTheSectionsThatAreThere) {
  const auto sections = [](const char* text) {
    return models::configuration_json(models::parse_experiment(text, "e.toml"));
  };
  EXPECT_TRUE(sections("[traffic]").contains("traffic"));
  EXPECT_FALSE(sections("[traffic]").contains("stream"));
  EXPECT_TRUE(sections("[stream]\ngraph = \"g\"").contains("stream"));
  EXPECT_FALSE(sections("[stream]\ngraph = \"g\"").contains("traffic"));
}

}  // namespace
}  // namespace braid::test
