// Experiment files: every key has a working default, every mistake one line with its place; no mutation crashes a
// reader.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/keys.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"

namespace braid::test {
namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// An experiment with no key at its default, written out as TOML from its echo, is read as the same experiment. (That
/// each key is in its own field is in keys_test.cpp.)
TEST(Reader, ReadsItsOwnEcho) {
  models::Experiment e, defaults;
  for (const char* section : {"traffic", "stream"}) {
    models::open_section(e, section);
    models::open_section(defaults, section);
  }
  for (const models::Key& key : models::experiment_keys()) {
    const boost::json::value value = key.get(defaults);
    toml::table other;
    if (value.is_bool()) other.insert("v", !value.as_bool());
    if (value.is_double()) other.insert("v", value.as_double() / 2 + (key.section == "traffic" ? 0.0 : 0.25));
    if (value.is_number() && !value.is_double()) other.insert("v", value.to_number<std::int64_t>() + 1);
    if (value.is_array()) other.insert("v", toml::array{7, 8});
    if (value.is_string()) {  // the last policy but the default; any text
      std::string name = "other";
      if (key.expected.rfind("one of: ", 0) == 0) {
        std::istringstream names(key.expected.substr(8));
        for (std::string next; std::getline(names >> std::ws, next, ',');) {
          if (next != std::string(value.as_string())) name = next;
        }
      }
      other.insert("v", name);
    }
    key.set(e, *other.get("v"));
    EXPECT_NE(key.get(e), value) << key.name;
  }
  std::string text, section;
  for (const models::Key& key : models::experiment_keys()) {
    if (key.section != section) text += "[" + (section = key.section) + "]\n";
    text += key.name + " = " + boost::json::serialize(key.get(e)) + "\n";
  }
  const models::Experiment again = models::parse_experiment(text, "echo.toml");
  for (const models::Key& key : models::experiment_keys()) EXPECT_EQ(key.get(again), key.get(e)) << key.name;
}

TEST(Reader, FilesAreRelativeToTheExperiment) {
  EXPECT_EQ(models::parse_experiment("[stream]\ngraph = \"g.toml\"", "some/where/e.toml").stream->graph,
            "some/where/g.toml");
  EXPECT_EQ(models::parse_experiment("[stream]\ngraph = \"/g.toml\"", "some/e.toml").stream->graph, "/g.toml");
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
        Mistake{"twice", "[router]\nvcs=1\nvcs=2", "e.toml:3:"},
        Mistake{"nothing", "", "e.toml: nothing to send: expected a [traffic] or a [stream] section"},
        Mistake{"section", "[ruoter]\nvcs=1", "e.toml:1:2: unknown section \"ruoter\" (did you mean \"router\"?)"},
        Mistake{"no_table", "router = 3", "e.toml:1:1: \"router\" must be a section"},
        Mistake{"key", "[router]\nvc=1", "e.toml:2:1: unknown key in [router] \"vc\" (did you mean \"vcs\"?)"},
        Mistake{"type", "[router]\nvcs=\"four\"", "e.toml:2:5: router.vcs = 'four': expected integer, 1 to 16"},
        Mistake{"real", "[router]\nvcs=4.0", "e.toml:2:5: router.vcs = 4.0: expected integer"},
        Mistake{"low", "[router]\nbuffer_depth=0", "e.toml:2:14: router.buffer_depth = 0: expected integer, 1 to 64"},
        Mistake{"high", "[router]\nbuffer_depth = 65", "e.toml:2:16: router.buffer_depth = 65"},
        Mistake{"credit", "[router]\ncredit_delay_cycles = 0", "e.toml:2:23: router.credit_delay_cycles = 0"},
        Mistake{"boolean", "[router]\nshare_reserved_links = 1",
                "e.toml:2:24: router.share_reserved_links = 1: expected true or false"},
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
        Mistake{"fraction", "[traffic]\nhot_fraction = 1.5",
                "e.toml:2:16: traffic.hot_fraction = 1.5: expected number, 0 to 1"},
        Mistake{"hot", "[traffic]\nhot_nodes = [1, \"a\"]", "e.toml:2:13: traffic.hot_nodes"},
        Mistake{"hot_scalar", "[traffic]\nhot_nodes = 3", "e.toml:2:13: traffic.hot_nodes = 3: expected list"},
        Mistake{"process", "[traffic]\nprocess = \"poisson\"", "e.toml:2:11: unknown injection process \"poisson\""},
        Mistake{"length", "[traffic]\nlength = \"long\"", "e.toml:2:10: unknown length distribution \"long\""},
        Mistake{"transfer", "[interface]\ntransfer = \"pul\"",
                "e.toml:2:12: unknown interface.transfer \"pul\" (did you mean \"pull\"?)"},
        Mistake{"switching", "[interface]\nswitching = 1",
                "e.toml:2:13: interface.switching = 1: expected one of: packet, circuit"},
        Mistake{"schedule", "[simulation]\nschedule = \"statik\"",
                "e.toml:2:12: unknown simulation.schedule \"statik\" (did you mean \"static\"?)"},
        Mistake{"threads", "[simulation]\nthreads = 0", "e.toml:2:11: simulation.threads = 0"},
        Mistake{"tolerance", "[simulation]\nwarmup_tolerance = 2", "e.toml:2:20: simulation.warmup_tolerance = 2"},
        Mistake{"graph", "[stream]\ngraph = 5", "e.toml:2:9: stream.graph = 5: expected file name"},
        Mistake{"no_graph", "[stream]\nmoves = 5", "e.toml: stream.graph is missing"},
        Mistake{"array_table", "[[router]]\nvcs=1", "e.toml:1:3: \"router\" must be a section"}),
    [](const auto& c) { return c.param.name; });

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
            "pushed packets have no way to wait"},
           {radio,
            {"simulation.threads=2", "simulation.schedule=process_per_stage"},
            "simulation.threads needs simulation.schedule = \"static\""},
           {radio, {"simulation.measure_cycles=1500"}, "expected a multiple of simulation.batch_cycles = 1000"},
           {radio, {"stream.graph=nothing.toml"}, "nothing.toml: cannot be read: expected a stream graph"},
           {mesh, {"traffic.rate_flits_per_node_cycle=1.5"}, "traffic.rate_flits_per_node_cycle = 1.5 is out of range"},
           {mesh, {"traffic.process=saturated"}, "expected interface.source_queue_packets >= 1"},
           {mesh, {"interface.switching=circuit"}, "needs a [stream] section"},
           {mesh, {"router.implementation=gates"}, "unknown router.implementation \"gates\""},
           {mesh, {"router.credit_delay_cycles=1"}, "router.credit_delay_cycles = 1 is out of range: expected 2 to 64"},
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
        routing::TopologyOptions options;
        options.kind = "graph";
        options.file = file;
        (void)routing::make_topology(options);
      } else if (original.parent_path().filename() == "graphs") {
        (void)traffic::read_stream_graph(file);
      } else {
        (void)models::read_experiment(file);
      }
    } catch (const InputError& e) {
      ++refused;
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(Reader, ASettingOpensTheSectionThatItBelongsTo) {
  const std::string file = source_file("tb/experiments/fm_radio.toml");
  EXPECT_FALSE(models::read_experiment(file).synthetic);
  const models::Experiment e = models::read_experiment(file, {"traffic.rate_flits_per_node_cycle=0.05"});
  ASSERT_TRUE(e.synthetic);
  EXPECT_EQ(e.synthetic->rate_flits_per_node_cycle, 0.05);
}

}  // namespace
}  // namespace braid::test
