// Experiment files: every key has a working default, every mistake one line with its place; no mutation crashes a
// reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/declared_keys.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::reader_test {
namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Any policy; of keys that bring no others a value that is not the default.
std::string other_value(const Option& option, Random& random) {
  std::vector<std::string> good = values_of(option).good;
  if (option.branches) return good[random.below(good.size())];
  return good.back() == to_text(option.initial) ? good.front() : good.back();
}

/// Policies chosen by chance, every key given that exists with them.
models::Experiment no_defaults(Random& random) {
  Sheet sheet{{"traffic", "stream", "failure", "broadcast", "disjoint", "replay", "tlm", "change", "network"}, {}};
  for (std::size_t i = 0; i < declared().size(); ++i) {
    const models::Experiment e = models::parse_experiment(sheet.toml(), "e.toml");
    std::vector<Option> missing;
    for_each_option(models::experiment_options(), e, [&](const Option& option, const OptionValue&) {
      if (e.find(option.key()) == nullptr) missing.push_back(option);
    });
    if (missing.empty()) return e;
    const auto axis = std::find_if(missing.begin(), missing.end(), [](const Option& o) { return bool(o.branches); });
    if (axis != missing.end()) missing = {*axis};  // first: the others may go with it
    for (const Option& option : missing) sheet.values[option.key()] = other_value(option, random);
  }
  ADD_FAILURE() << "what is given is not kept";
  return {};
}

std::string as_toml(const boost::json::object& echo) {
  std::string text;
  for (const auto& [section, keys] : echo) {
    text.append("[").append(section).append("]\n");
    for (const auto& [name, value] : keys.as_object()) {
      text.append(name).append(" = ").append(boost::json::serialize(value)).append("\n");
    }
  }
  return text;
}

/// An experiment with no key at its default, written out as TOML from its echo, is read as the same experiment: once
/// more until every key has been there. (That each key is in its own field is in key_fields_test.cpp.)
TEST(Reader, ReadsItsOwnEcho) {
  Random random(6, "echo");
  std::set<std::string> seen, all;
  for (const Declared& d : declared()) all.insert(d.option.key());
  for (std::uint64_t i = 0; i < (kBrief ? 20U : 900U) && seen != all && !HasFailure(); ++i) {
    const models::Experiment e = no_defaults(random);
    const boost::json::object echo = models::configuration_json(e);
    const models::Experiment again = models::parse_experiment(as_toml(echo), "echo.toml");
    EXPECT_EQ(models::configuration_json(again), echo);
    for (const auto& [key, given] : e.given()) {
      ASSERT_NE(again.find(key), nullptr) << key;
      EXPECT_EQ(again.value(key), given.value) << key;
      seen.insert(key);
    }
    EXPECT_EQ(again.given().size(), e.given().size());
  }
  for (const std::string& key : all) EXPECT_TRUE(kBrief || seen.count(key) == 1) << key;
}

/// Those that are read; traces and logs are written where braid runs. An absolute name stays, and so does none at all.
TEST(Reader, FilesAreRelativeToTheExperiment) {
  const std::map<std::string, bool> files{
      {"topology.file", true},     {"routing.table_file", true}, {"traffic.file", true},  {"stream.graph", true},
      {"router.rtl_folder", true}, {"trace.file", false},        {"log.file", false},     {"checkpoint.file", false},
      {"checkpoint.from", false},  {"replay.file", true},        {"record.trace", false}, {"disjoint.file", true}};
  for (const Declared& d : declared()) {
    const std::string key = d.option.key();
    EXPECT_EQ(d.option.is_file, files.count(key) != 0 && files.at(key)) << key;
    if (files.count(key) == 0) continue;
    Sheet sheet = sheet_for(d.condition);
    const auto name = [&](const char* given) {
      sheet.values[key] = std::string("\"") + given + "\"";
      return models::parse_experiment(sheet.toml(), "some/where/e.toml").get<std::string>(key);
    };
    EXPECT_EQ(name("g.x"), files.at(key) ? "some/where/g.x" : "g.x");
    EXPECT_EQ(name("../g.x"), files.at(key) ? "some/g.x" : "../g.x");
    EXPECT_EQ(name("/g.x"), "/g.x");
    EXPECT_EQ(name(""), "");
    EXPECT_EQ(models::parse_experiment(sheet.toml(), "some/where/e.toml", {key + "=s.x"}).get<std::string>(key),
              files.at(key) ? "some/where/s.x" : "s.x");
  }
}

struct Mistake {
  const char* name;
  const char* text;
  const char* message;
};
class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, GetOneLineWithTheirPlace) {
  try {
    (void)models::parse_experiment(GetParam().text, "e.toml");
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).rfind(GetParam().message, 0), 0U) << e.what();
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
  }
}
INSTANTIATE_TEST_SUITE_P(
    Corpus, Mistakes,
    testing::Values(
        Mistake{"toml", "[router\nvcs=1", "e.toml:1:8: not well-formed TOML"},
        Mistake{"deep", "[router]\na.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=1", "e.toml:2: a key of more than 16 parts"},
        Mistake{"escape", "[experiment]\nname = \"a\\u001b[31m\"",
                "e.toml:2:8: experiment.name = \"a\\u001B[31m\": expected no control characters"},
        Mistake{"escape_in_name", "[routing]\nalgorithm = \"a\\u0007\"",
                "e.toml:2:13: routing.algorithm = \"a\\u0007\""},
        Mistake{"escape_in_key", "[routing]\n\"a\\u001b\" = 1", "e.toml:2:1: unknown key in [routing] \"a\\x1b\""},
        Mistake{"inf", "[traffic]\nrate_flits_per_node_cycle = inf",
                "e.toml:2:29: traffic.rate_flits_per_node_cycle = inf: expected number, at least 0"},
        Mistake{"twice", "[router]\nvcs=1\nvcs=2", "e.toml:3:"},
        Mistake{
            "nothing", "",
            "e.toml: nothing to send: expected a section [broadcast] or [replay] or [stream] or [tlm] or [traffic]"},
        Mistake{"section", "[ruoter]\nvcs=1", "e.toml:1:2: unknown section \"ruoter\" (did you mean \"router\"?)"},
        Mistake{"no_table", "router = 3", "e.toml:1:1: \"router\" must be a section"},
        Mistake{"key", "[router]\nvc=1", "e.toml:2:1: unknown key in [router] \"vc\" (did you mean \"vcs\"?)"},
        Mistake{"type", "[router]\nvcs=\"four\"", "e.toml:2:5: router.vcs = \"four\": expected integer, 1 to 16"},
        Mistake{"real", "[router]\nvcs=4.0", "e.toml:2:5: router.vcs = 4.0: expected integer"},
        Mistake{"low", "[router]\nbuffer_depth=0", "e.toml:2:14: router.buffer_depth = 0: expected integer, 1 to 256"},
        Mistake{"high", "[router]\nbuffer_depth = 257", "e.toml:2:16: router.buffer_depth = 257"},
        Mistake{"credit", "[router]\ncredit_delay_cycles = 0", "e.toml:2:23: router.credit_delay_cycles = 0"},
        Mistake{"boolean", "[routing]\nallow_deadlock = 1",
                "e.toml:2:18: routing.allow_deadlock = 1: expected true or false"},
        Mistake{"allocator", "[router]\nvc_allocator = \"isilp\"",
                "e.toml:2:16: unknown VC allocator \"isilp\" (did you mean \"islip\"?)"},
        Mistake{"arbiter", "[router]\narbiter = \"coin\"", "e.toml:2:11: unknown arbiter \"coin\""},
        Mistake{"routing", "[routing]\nalgorithm = \"xfirst\"",
                "e.toml:2:13: unknown routing algorithm \"xfirst\" (did you mean \"x_first\"?)"},
        Mistake{"topology", "[topology]\nkind = \"ring\"", "e.toml:2:8: unknown topology \"ring\""},
        Mistake{"width", "[topology]\nwidth = -8", "e.toml:2:9: topology.width = -8"},
        Mistake{"huge", "[topology]\nwidth = 99999999999999999999", "e.toml:2:"},
        Mistake{"pattern", "[traffic]\npattern = \"unifrom\"",
                "e.toml:2:11: unknown traffic pattern \"unifrom\" (did you mean \"uniform\"?)"},
        Mistake{"rate", "[traffic]\nrate_flits_per_node_cycle = -0.1",
                "e.toml:2:29: traffic.rate_flits_per_node_cycle = -0.1"},
        Mistake{"nan", "[traffic]\nrate_flits_per_node_cycle = nan",
                "e.toml:2:29: traffic.rate_flits_per_node_cycle = nan"},
        Mistake{"fraction", "[traffic]\npattern = \"hot_spot\"\nhot_fraction = 1.5",
                "e.toml:3:16: traffic.hot_fraction = 1.5: expected number, 0 to 1"},
        Mistake{"hot", "[traffic]\npattern = \"hot_spot\"\nhot_nodes = [1, \"a\"]", "e.toml:3:13: traffic.hot_nodes"},
        Mistake{"hot_scalar", "[traffic]\npattern = \"hot_spot\"\nhot_nodes = 3",
                "e.toml:3:13: traffic.hot_nodes = 3: expected list"},
        Mistake{"foreign", "[traffic]\nhot_fraction = 0.5",
                "e.toml:2:16: traffic.hot_fraction belongs to traffic.pattern = \"combined\", \"hot_region\", "
                "\"hot_spot\"; this "
                "experiment has \"uniform\""},
        Mistake{"process", "[traffic]\nprocess = \"poisson\"", "e.toml:2:11: unknown injection process \"poisson\""},
        Mistake{"length", "[traffic]\nlength = \"long\"", "e.toml:2:10: unknown length distribution \"long\""},
        Mistake{"transfer", "[stream]\n[interface]\ntransfer = \"pul\"",
                "e.toml:3:12: unknown interface.transfer \"pul\" (did you mean \"pull\"?)"},
        Mistake{"switching", "[stream]\n[interface]\nswitching = 1",
                "e.toml:3:13: interface.switching = 1: expected one of: packet, circuit"},
        Mistake{"schedule", "[simulation]\nschedule = \"statik\"",
                "e.toml:2:12: unknown simulation.schedule \"statik\" (did you mean \"static\"?)"},
        Mistake{"threads", "[simulation]\nthreads = 0", "e.toml:2:11: simulation.threads = 0"},
        Mistake{"tolerance", "[simulation]\nwarmup_tolerance = 2", "e.toml:2:20: simulation.warmup_tolerance = 2"},
        Mistake{"graph", "[stream]\ngraph = 5", "e.toml:2:9: stream.graph = 5: expected file name"},
        Mistake{"no_stream", "[traffic]\n[interface]\ntransfer = \"pull\"",
                "e.toml:3:12: interface.transfer belongs to a section [stream]"},
        Mistake{"no_stream_for_pull", "[traffic]\n[interface]\npull_outstanding = 2",
                "e.toml:3:20: interface.pull_outstanding belongs to a section [stream]"},
        Mistake{"array_table", "[[router]]\nvcs=1", "e.toml:1:3: \"router\" must be a section"}),
    [](const auto& c) { return c.param.name; });

/// Whatever stands in a file: a table for a value, a list that would be wrapped, lines in a text or in a name.
TEST(Reader, RefusesInOneLine) {
  std::string list = "[-1";
  for (int i = 0; i < 40; ++i) list += ", 1000000000";
  for (const std::string& text :
       {std::string("[router.vcs]\na = 1\nb = 2\n"), "[traffic]\npattern = \"hot_spot\"\nhot_nodes = " + list + "]\n",
        std::string("[router]\nvcs = \"a\\nb\"\n"), std::string("[routing]\nalgorithm = \"a\\nb\"\n"),
        std::string("[routing]\n\"a\\nb\" = 1\n"), std::string("[\"a\\nb\"]\n")}) {
    const std::string what = complaint([&] { (void)models::parse_experiment(text, "e.toml"); });
    EXPECT_EQ(what.rfind("e.toml:", 0), 0U) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

/// Nested as deep as a line is long: toml++ counts what stands in values, braid the parts of keys.
TEST(Reader, RefusesWhatIsNestedWithoutEnd) {
  const auto times = [](const char* text) {
    std::string all;
    for (int i = 0; i < 200000; ++i) all += text;
    return all;
  };
  for (const std::string& value : {times("["), times("{a="), times("{a.b="), times("[{a.b.c.d=")}) {
    for (const std::string& text : {"[router]\nvcs = " + value, "vcs = " + value}) {
      const std::string what = complaint([&] { (void)models::parse_experiment(text, "e.toml"); });
      EXPECT_EQ(what.rfind("e.toml:", 0), 0U) << what;
      EXPECT_LT(what.size(), 300U) << what;
    }
    const std::string what =
        complaint([&] { (void)models::parse_experiment("[traffic]", "e", {"router.vcs=" + value}); });
    EXPECT_EQ(what.rfind("--set router.vcs=", 0), 0U) << what;
    EXPECT_LT(what.size(), 300U) << what;
  }
  for (const std::string& text : {"[" + times("a.") + "a]\n", times("a.") + "a=1", times("k") + "=1"}) {
    const std::string what = complaint([&] { (void)models::parse_experiment(text, "e.toml"); });
    EXPECT_EQ(what.rfind("e.toml:1", 0), 0U) << what;
    EXPECT_LT(what.size(), 500U) << what;
  }
}

TEST(Reader, TakesOneLineAfterSet) {
  for (const char* setting :
       {"router.vcs=2\n[routing]\nvcs=3", "experiment.name=\"a\"\nb=1", "experiment.name=a\x1b"}) {
    const std::string what = complaint([&] { (void)models::parse_experiment("[traffic]", "e.toml", {setting}); });
    EXPECT_NE(what.find(": expected one line without control characters"), std::string::npos) << what;
    EXPECT_EQ(printable(what), what);
  }
}

TEST(Elaboration, RefusesWhatCannotWork) {
  const auto error = [](const std::vector<std::string>& settings, const char* base) -> std::string {
    try {
      const models::Simulation simulation(
          models::read_experiment(source_file(std::string("tb/experiments/") + base), settings));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const char *radio = "fm_radio.toml", *mesh = "mesh_uniform.toml";
  EXPECT_EQ(error({}, radio), "");
  EXPECT_EQ(error({}, mesh), "");
  struct Refusal {
    const char* base;
    std::vector<std::string> settings;
    const char* says;
  };
  for (const Refusal& r : std::vector<Refusal>{
           {radio, {"interface.transfer=pull"}, "expected interface.transfer = \"push\""},
           {radio,
            {"router.architecture=ideal"},
            "needs router.architecture = \"hybrid\": other routers have no circuits"},
           {radio, {"stream.computation_scaling=0"}, "stream.computation_scaling = 0: expected more than 0"},
           {radio, {"topology.width=2"}, "the graph has 14 actors, the network only 8 nodes"},
           {radio, {"interface.stream_queue_items=2"}, "interface.stream_queue_items = 2 is too small for edge "},
           {radio, {"interface.receive_queue_items=4"}, "interface.receive_queue_items = 4 is too small for edge "},
           {radio,
            {"interface.switching=packet", "interface.receive_queue_items=100"},
            "expected 0 (unbounded), or interface.ejection_queue_items"},
           {radio,
            {"simulation.threads=2", "simulation.schedule=process_per_stage"},
            "simulation.threads needs simulation.schedule = \"static\""},
           {radio, {"simulation.measure_cycles=1500"}, "expected a multiple of simulation.batch_cycles = 1000"},
           {radio, {"stream.graph=nothing.toml"}, "nothing.toml: cannot be read: expected a stream graph"},
           {mesh, {"traffic.rate_flits_per_node_cycle=1.5"}, "traffic.rate_flits_per_node_cycle = 1.5 is out of range"},
           {mesh, {"traffic.process=saturated"}, "expected interface.source_queue_packets >= 1"},
           {mesh, {"interface.switching=circuit"}, "interface.switching belongs to a section [stream]"},
           {mesh, {"stream.anneal=false"}, "stream.graph is missing: expected the file of a stream graph"},
           {mesh, {"router.implementation=gates"}, "unknown router.implementation \"gates\""},
           {mesh, {"router.credit_delay_cycles=1"}, "router.credit_delay_cycles = 1: expected integer, 2 to 64"},
           {"torus_tornado.toml", {"router.vcs=1"}, "needs router.vcs >= 2; it is 1"},
           {mesh, {"routing.algorithm=minimal_adaptive", "router.vcs=1"}, "needs router.vcs >= 2; it is 1"}}) {
    const std::string message = error(r.settings, r.base);
    EXPECT_NE(message.find(r.says), std::string::npos) << r.settings[0] << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

/// Seeded mutations of every experiment, stream graph and network file: each is read or refused with one line.
TEST(Readers, SurviveMutation) {
  std::vector<std::filesystem::path> corpus;
  for (const char* folder : {"tb/experiments", "traffic/graphs"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_file(folder))) corpus.push_back(entry.path());
  }
  std::sort(corpus.begin(), corpus.end());
  Random random(2026, "mutation");
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::filesystem::path& original = corpus[random.below(corpus.size())];
    std::string text = read(original);
    for (std::uint64_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
      const std::size_t at = random.below(text.size());
      switch (random.below(4)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(8));
          break;
        case 2:
          text.insert(at, text.substr(random.below(text.size()), random.below(12)));
          break;
        default:
          text.resize(at);
      }
    }
    const std::string file = temporary_file("mutant") + original.extension().string();
    std::ofstream(file, std::ios::binary) << text;
    try {
      if (original.extension() == ".graphml") {
        Configuration options;
        options.set("topology.kind", "graph");
        options.set("topology.file", file);
        (void)routing::make_topology(options);
      } else if (original.parent_path().filename() == "graphs") {
        (void)traffic::read_stream_graph(file);
      } else {
        (void)models::read_experiment(file);
      }
    } catch (const InputError& e) {
      ++refused;
      EXPECT_EQ(printable(e.what()), e.what());
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(Reader, ASettingOpensTheSectionThatItBelongsTo) {
  const std::string file = source_file("tb/experiments/fm_radio.toml");
  EXPECT_FALSE(models::read_experiment(file).has_section("traffic"));
  const models::Experiment e = models::read_experiment(file, {"traffic.rate_flits_per_node_cycle=0.05"});
  ASSERT_TRUE(e.has_section("traffic"));
  EXPECT_EQ(e.get<double>("traffic.rate_flits_per_node_cycle"), 0.05);
  EXPECT_TRUE(e.has_section("stream"));
}

}  // namespace
}  // namespace braid::test::reader_test
