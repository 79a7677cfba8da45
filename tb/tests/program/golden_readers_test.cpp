// What the readers of Braid's files say of every small change of a file: each line of an example goes, stands twice,
// loses a character, gets another number. tb/golden/readers has of each line how many of its changes are read, and a
// checksum of what was read or why not. BRAID_UPDATE_GOLDEN=1 in the environment writes it anew, BRAID_SHOW_READ=1
// prints each change with what came of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "routing/algorithm/routing_algorithm.h"
#include "tb/braid/graph_files.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/summary.h"
#include "tb/tests/support/told_routes.h"
#include "traffic/replay/ordered_trace.h"
#include "traffic/streams/lift.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/stream_graph.h"
#include "traffic/streams/streamit/streamit.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::golden_readers_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 60;  // of a file

// What was read, as text. Each may throw InputError.

std::string streamit(const std::string& file) {
  const traffic::Structure program = traffic::read_streamit({file}), lifted = traffic::lifted(program);
  std::string text;
  for (const traffic::Structure* one : {&program, &lifted}) {
    const traffic::FlatGraph graph = traffic::flatten(*one, "program.str");
    const tb::GraphCounts counts = tb::counts_of(graph);
    const std::vector<std::uint64_t> repetitions = graph.repetitions();
    text += models::pretty(tb::graph_json(graph, repetitions, counts, counts)) + tb::graph_graphml(graph, repetitions) +
            tb::graph_dot(graph, repetitions);
  }
  traffic::PartitionOptions options;
  for (const std::size_t tiles : {2, 3, 5}) {
    options.partition = tiles == 2 ? "greedy" : "dynamic_programming";
    options.joiners = tiles == 3 ? traffic::Joiners::kFolded : traffic::Joiners::kActors;
    options.item_width = tiles == 5 ? traffic::ItemWidth::kByType : traffic::ItemWidth::kOneFlit;
    try {
      text += to_toml(traffic::partition_program(program, "program.str", options, tiles).graph);
    } catch (const InputError& error) {
      text += error.what();
    }
  }
  return text;
}

std::string stream_graph(const std::string& file) {
  const traffic::StreamGraph graph = traffic::read_stream_graph(file);
  std::string text = to_toml(graph);
  for (const std::uint64_t firings : graph.repetitions()) text += ' ' + std::to_string(firings);
  return text;
}

std::string graphml(const std::string& file) {
  Configuration configuration;
  configuration.set("topology.kind", "graph");
  configuration.set("topology.file", file);
  return told(routing::make_topology(configuration));
}

std::string table(const std::string& file) {
  Configuration configuration;
  configuration.set("topology.kind", "graph");
  configuration.set("topology.file", source_file("tb/experiments/ring.graphml"));
  configuration.set("routing.algorithm", "table");
  configuration.set("routing.table_file", file);
  const routing::Topology ring = routing::make_topology(configuration);
  return told_routes(ring, *routing::make_routing(ring, configuration));
}

std::string permutation(const std::string& file) {
  Configuration configuration;
  configuration.set("topology.width", 4);
  configuration.set("topology.height", 4);
  configuration.set("traffic.file", file);
  const routing::Topology mesh = routing::make_topology(configuration);
  const auto pattern = traffic::PatternRegistry::instance().make("permutation", mesh, configuration);
  std::string text;
  Random random(1, "golden_readers");
  for (std::size_t n = 0; n < mesh.node_count(); ++n) {
    const traffic::Destination to = pattern->destination(NodeId{n}, random);
    text += to ? std::to_string(to->value) + ' ' : "none ";
  }
  return text;
}

std::string trace(const std::string& file) {
  traffic::OrderedTrace trace({file, 16, 64, false});
  std::ostringstream text;
  for (traffic::OrderedTrace::Next next; trace.next(next);) {
    const traffic::TraceRecord& r = next.record;
    text << r.id << ' ' << r.cycle.value_or(0) << ' ' << r.source << ' ' << r.destination << ' ' << r.flits << ' '
         << r.traffic_class << ' ' << r.delay << ' ' << next.position << ' ' << next.local;
    for (const std::uint64_t position : next.after) text << ' ' << position;
    text << '\n';
  }
  return text.str();
}

std::string experiment(const std::string& file) {
  const models::Experiment e = models::read_experiment(file);
  std::string text;
  for_each_option(models::experiment_options(), e, [&](const Option& option, const OptionValue& value) {
    text +=
        option.key() + " = " + (option.is_file ? fs::path(to_text(value)).filename().string() : to_text(value)) + '\n';
  });
  return text;
}

struct Reader {
  friend std::ostream& operator<<(std::ostream& out, const Reader& reader) { return out << reader.name; }
  std::string name;
  std::function<std::string(const std::string& file)> read;
  std::vector<std::string> examples;  // files, or folders of them
};

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all{
      {"streamit", streamit, {"tb/python/streamit/programs"}},
      {"stream_graph", stream_graph, {"traffic/graphs/pipeline.toml", "traffic/graphs/split_join.toml"}},
      {"graphml", graphml, {"tb/experiments/ring.graphml", "tb/experiments/fat_tree.graphml"}},
      {"table", table, {"tb/experiments/ring_clockwise.txt"}},
      {"permutation", permutation, {"tb/golden/permutation.txt"}},
      {"trace", trace, {"tb/experiments/reads.trace"}},
      {"experiment", experiment, {"tb/experiments"}},
  };
  return all;
}

/// A line in other forms.
std::vector<std::string> changes(const std::string& line) {
  std::vector<std::string> all{"", line + '\n' + line};
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool digit = std::isdigit(static_cast<unsigned char>(line[at])) != 0;
    const bool last = at + 1 == line.size() || std::isalnum(static_cast<unsigned char>(line[at + 1])) == 0;
    if (digit && last) {
      all.push_back(line.substr(0, at) + static_cast<char>(line[at] == '9' ? '0' : line[at] + 1) + line.substr(at + 1));
      all.push_back(line.substr(0, at + 1) + '0' + line.substr(at + 1));
      all.push_back(line.substr(0, at) + '-' + line.substr(at));
    }
    if (line[at] != ' ' && (digit || last || std::ispunct(static_cast<unsigned char>(line[at])) != 0)) {
      all.push_back(line.substr(0, at) + line.substr(at + 1));
    }
  }
  return all;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// An example with its neighbours, which it may include, in a folder of its own, where it is changed.
class Changed {
 public:
  Changed(const Reader& reader, const fs::path& example)
      : reader_(reader), file_(temporary_file("golden_readers/") + example.filename().string()) {
    const fs::path folder = file_.parent_path();
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const auto& entry : fs::directory_iterator(example.parent_path())) {
      if (entry.is_regular_file()) fs::copy(entry.path(), folder);
    }
    lines_ = lines_of(file_);
  }
  ~Changed() { fs::remove_all(file_.parent_path()); }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;

  std::string all_lines() {
    std::ostringstream text;
    for (std::size_t i = 0; i < std::min(lines_.size(), kMostLines); ++i) {
      std::string all;
      std::size_t read = 0, tried = 0;
      for (const std::string& change : changes(lines_[i])) {
        const auto [good, said] = outcome(i, change);
        if (std::getenv("BRAID_SHOW_READ") != nullptr) std::cout << i + 1 << ": " << change << " -> " << said << '\n';
        read += good ? 1 : 0;
        ++tried;
        // How deep is too deep is bytes of the stack, which each compiler has its own of.
        const std::size_t deep = said.find("nested too deep");
        all += deep == std::string::npos ? said : said.substr(deep);
      }
      text << file_.filename().string() << ':' << i + 1 << ": " << read << " of " << tried << " read, " << checksum(all)
           << '\n';
    }
    return text.str();
  }

 private:
  std::pair<bool, std::string> outcome(std::size_t line, const std::string& change) const {
    {
      std::ofstream out(file_);
      for (std::size_t i = 0; i < lines_.size(); ++i) out << (i == line ? change : lines_[i]) << '\n';
    }
    try {
      return {true, without_folder(reader_.read(file_.string()))};
    } catch (const InputError& error) {
      return {false, without_folder(error.what())};
    }
  }
  std::string without_folder(const std::string& text) const {
    return without(without(text, file_.parent_path().string() + "/"), source_file(""));
  }

  const Reader& reader_;
  const fs::path file_;
  std::vector<std::string> lines_;
};

std::vector<fs::path> files_of(const Reader& reader) {
  std::vector<fs::path> files;
  for (const std::string& example : reader.examples) {
    const fs::path place = source_file(example);
    if (fs::is_regular_file(place)) files.push_back(place);
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      const fs::path& file = entry.path();
      const bool endless = file.filename().string().rfind("endless", 0) == 0;  // a second for each change
      const bool other = file.extension() != ".str" && file.extension() != ".toml";
      if (entry.is_regular_file() && !other && !endless) files.push_back(file);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Example {
  friend std::ostream& operator<<(std::ostream& out, const Example& e) { return out << e.name; }
  std::string name;
  std::size_t reader = 0;
  fs::path file;
};

std::vector<Example> examples() {
  std::vector<Example> all;
  for (std::size_t r = 0; r < readers().size(); ++r) {
    for (const fs::path& file : files_of(readers()[r])) {
      const std::string within = file.parent_path().filename().string();
      const bool deeper = within == "wrong" || within == "portals";
      all.push_back({readers()[r].name + "_" + (deeper ? within + "_" : "") + file.stem().string(), r, file});
    }
  }
  return all;
}

class EveryLine : public testing::TestWithParam<Example> {};

TEST_P(EveryLine, ChangedIsReadAsItWas) {
  const Example& example = GetParam();
  Changed changed(readers()[example.reader], example.file);
  expect_golden(changed.all_lines(), "readers/" + example.name + ".txt");
}
INSTANTIATE_TEST_SUITE_P(Golden, EveryLine, testing::ValuesIn(examples()), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::golden_readers_test
