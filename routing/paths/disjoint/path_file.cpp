#include "routing/paths/disjoint/path_file.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <unordered_map>

#include "routing/base/text_file.h"

namespace braid::routing {
namespace {

class PathReader {
 public:
  PathReader(const std::string& file, const Topology& topology, const Channels& channels,
             const std::vector<Demand>& demands)
      : file_(file),
        topology_(topology),
        channels_(channels),
        demands_(demands),
        paths_(demands.size()),
        line_of_channel_(channels.count()),
        line_of_demand_(demands.size()) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) routers_.emplace(topology.router_names[r], RouterId{r});
  }

  std::vector<std::vector<std::uint32_t>> read() {
    std::istringstream in(read_text(file_, "paths, see disjoint.file"));
    std::string line;
    while (std::getline(in, line)) {
      ++line_;
      read_line(line.substr(0, line.find('#')));
    }
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      if (line_of_demand_[d] != 0) continue;
      throw InputError({file_, 0, 0}, "has no path from router " + name(demands_[d].from) + " to router " +
                                          name(demands_[d].to) + ": expected a line for each of " +
                                          std::to_string(demands_.size()) + " streams");
    }
    return paths_;
  }

 private:
  struct Word {
    RouterId router;
    std::size_t column;
  };
  const std::string& name(RouterId router) const { return topology_.router_names[router.value]; }
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    throw InputError({file_, line_, column}, message);
  }

  void read_line(const std::string& line) {
    const std::vector<Word> words = words_of(line);
    if (words.empty()) return;
    check_routers(words);
    const std::size_t demand = demand_of(words);
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::uint32_t channel = free_channel(words[i - 1].router, words[i]);
      line_of_channel_[channel] = line_;
      paths_[demand].push_back(channel);
    }
    line_of_demand_[demand] = line_;
  }

  std::vector<Word> words_of(const std::string& line) const {
    constexpr const char* kBlanks = " \t\r";
    std::vector<Word> words;
    for (std::size_t end = 0;;) {
      const std::size_t begin = line.find_first_not_of(kBlanks, end);
      if (begin == std::string::npos) return words;
      end = std::min(line.find_first_of(kBlanks, begin), line.size());
      const std::string word = line.substr(begin, end - begin);
      const auto found = routers_.find(word);
      if (found == routers_.end()) {
        fail(begin + 1, "unknown router \"" + one_line(word) + "\"" + did_you_mean(word, topology_.router_names));
      }
      words.push_back({found->second, begin + 1});
    }
  }

  void check_routers(const std::vector<Word>& words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (words[k].router == words[i].router) {
          fail(words[i].column, "the path comes to router " + name(words[i].router) + " twice");
        }
      }
    }
  }

  /// The first of those between these ends that has no path yet.
  std::size_t demand_of(const std::vector<Word>& words) const {
    const RouterId from = words.front().router, to = words.back().router;
    std::size_t above = 0;
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      if (demands_[d].from != from || demands_[d].to != to) continue;
      if (line_of_demand_[d] == 0) return d;
      above = line_of_demand_[d];
    }
    fail(words.front().column,
         (above == 0 ? "no stream leads" : "no further stream leads") + (" from router " + name(from)) + " to router " +
             name(to) + (above == 0 ? "" : ": line " + std::to_string(above) + " has the path of the last one"));
  }

  std::uint32_t free_channel(RouterId from, const Word& to) const {
    std::size_t above = 0;
    for (std::size_t p = 0; p < topology_.port_count(from); ++p) {
      const Port& port = topology_.port(from, PortId{p});
      if (port.kind != PortKind::kNetwork || port.peer_router != to.router) continue;
      const std::uint32_t channel = channels_.at(from, PortId{p});
      if (line_of_channel_[channel] == 0) return channel;
      above = line_of_channel_[channel];
    }
    const std::string link = " from router " + name(from) + " to router " + name(to.router);
    if (above == 0) fail(to.column, "no link leads" + link);
    fail(to.column, "the link" + link + " is on the path of line " + std::to_string(above) + " already");
  }

  const std::string& file_;
  const Topology& topology_;
  const Channels& channels_;
  const std::vector<Demand>& demands_;
  std::unordered_map<std::string, RouterId> routers_;
  std::vector<std::vector<std::uint32_t>> paths_;  // [demand]
  std::vector<std::size_t> line_of_channel_;       // [channel] that takes it; 0: none
  std::vector<std::size_t> line_of_demand_;        // [demand] with its path; 0: none
  std::size_t line_ = 0;
};

struct PathFileOptions {
  std::string file;
};
const OptionTable<PathFileOptions> kPathFileTable =
    OptionTable<PathFileOptions>("disjoint")
        .file("file", &PathFileOptions::file, "paths of routers, one a line (docs/disjoint-paths.md)");

class PathFile final : public DisjointFinder {
 public:
  explicit PathFile(const Configuration& c) : options_(kPathFileTable.read(c)) {}

  bool knows_any() const override { return !options_.file.empty(); }
  DisjointPaths find(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                     const OnProgress&) const override {
    if (!knows_any()) throw InputError("disjoint.file is missing: expected a file of paths");
    DisjointPaths found;
    found.paths = read_paths(options_.file, topology, channels, demands);
    found.answer = DisjointAnswer::kFound;
    return found;
  }

 private:
  PathFileOptions options_;
};

const bool path_file_registered = DisjointRegistry::instance().add(
    "listed", "no search: they stand in a file", kPathFileTable.list(),
    [](const DisjointContext& c) { return std::make_unique<PathFile>(c.configuration); });

}  // namespace

std::vector<std::vector<std::uint32_t>> read_paths(const std::string& file, const Topology& topology,
                                                   const Channels& channels, const std::vector<Demand>& demands) {
  return PathReader(file, topology, channels, demands).read();
}

std::string path_line(const Topology& topology, const Channels& channels, const Demand& demand,
                      const std::vector<std::uint32_t>& path) {
  std::string line = topology.router_names[demand.from.value];
  for (const std::uint32_t channel : path) line += " " + topology.router_names[channels[channel].to.value];
  return line;
}

}  // namespace braid::routing
