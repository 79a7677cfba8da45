// Braid's stream graph format: TOML with one [[actor]] table an actor and one [[edge]] table an edge.
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "routing/base/input_error.h"
#include "routing/base/text_file.h"
#include "traffic/streams/queue_room.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {
namespace {

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  StreamGraph read() {
    const std::string text = read_text(file_, "a stream graph");
    check_toml_depth(text, file_);
    toml::table root;
    try {
      root = toml::parse(text);
    } catch (const toml::parse_error& e) {
      throw InputError(position(e.source()),
                       "not well-formed TOML: " + one_line(std::string(e.description()), kLongestSentence));
    }
    check_keys(root, "the top level", {"name", "plan", "actor", "edge"});
    graph_.file = file_;
    graph_.name = text_value(root, "name");
    for (const toml::table* actor : tables(root, "actor")) read_actor(*actor);
    for (const toml::table* edge : tables(root, "edge")) read_edge(*edge);
    if (const toml::node* plan = root.get("plan")) read_plan(*plan);
    check_graph(root);
    return graph_;
  }

 private:
  SourcePosition position(const toml::source_region& region) const {
    return {file_, region.begin.line, region.begin.column};
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    throw InputError(position(node.source()), message);
  }

  void check_keys(const toml::table& table, const char* where, const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw InputError(position(key.source()), unknown_name("key in " + std::string(where), name, known));
    }
  }

  std::vector<const toml::table*> tables(const toml::table& root, const char* key) const {
    const toml::node* node = root.get(key);
    if (node == nullptr) fail(root, "expected at least one [[" + std::string(key) + "]]");
    const toml::array* array = node->as_array();
    if (array == nullptr) fail(*node, "expected [[" + std::string(key) + "]] tables");
    std::vector<const toml::table*> result;
    for (const toml::node& item : *array) {
      if (item.as_table() == nullptr) fail(item, "expected a table");
      result.push_back(item.as_table());
    }
    return result;
  }

  std::string text_value(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, "\"" + std::string(key) + "\" is missing");
    const auto text = node->value_exact<std::string>();
    if (!text || text->empty()) fail(*node, "\"" + std::string(key) + "\": expected a text that is not empty");
    if (printable(*text) != *text) fail(*node, "\"" + std::string(key) + "\": expected no control characters");
    return *text;
  }

  std::uint64_t integer(const toml::table& table, const char* key, std::uint64_t least, std::uint64_t most,
                        std::optional<std::uint64_t> otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr && otherwise) return *otherwise;
    if (node == nullptr) fail(table, "\"" + std::string(key) + "\" is missing");
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < least ||
        static_cast<std::uint64_t>(*value) > most) {
      fail(*node, "\"" + std::string(key) + "\": expected an integer from " + std::to_string(least) + " to " +
                      std::to_string(most));
    }
    return static_cast<std::uint64_t>(*value);
  }

  void read_actor(const toml::table& table) {
    check_keys(table, "[[actor]]", {"name", "work", "tile"});
    Actor actor;
    actor.name = text_value(table, "name");
    if (!actor_of_.emplace(actor.name, static_cast<std::uint32_t>(graph_.actors.size())).second) {
      fail(*table.get("name"), "actor \"" + one_line(actor.name) + "\" is there twice");
    }
    actor.work_cycles = integer(table, "work", 0, 1000000000000, std::nullopt);
    if (table.get("tile") != nullptr) {
      actor.placement = RouterId{integer(table, "tile", 0, 65535, std::nullopt)};
      for (const Actor& other : graph_.actors) {
        if (other.placement == actor.placement) {
          fail(*table.get("tile"), "actor \"" + other.name + "\" is on this tile already");
        }
      }
    }
    graph_.actors.push_back(actor);
    names_.push_back(actor.name);
  }

  /// More than 0 and finite.
  double number(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, "\"" + std::string(key) + "\" is missing");
    const auto value = node->value<double>();
    if (!value || !node->is_number() || !(*value > 0.0) || !std::isfinite(*value)) {
      fail(*node, "\"" + std::string(key) + "\": expected a number above 0");
    }
    return *value;
  }

  void read_plan(const toml::node& node) {
    if (node.as_table() == nullptr) fail(node, "expected a table [plan]");
    const toml::table& table = *node.as_table();
    check_keys(table, "[plan]",
               {"taken", "why", "packets", "steady_states", "degree", "tiles", "layout", "tried", "least_cycles",
                "least_cycles_as_asked", "packets_least_cycles"});
    StreamGraphPlan& plan = graph_.plan.emplace();
    StreamRemedy& remedy = plan.remedy;
    remedy.taken = text_value(table, "taken");
    if (const toml::node* why = table.get("why"); why != nullptr && why->value_exact<std::string>() != "") {
      remedy.why = text_value(table, "why");
    }
    if (const toml::node* packets = table.get("packets")) {
      if (!packets->is_boolean()) fail(*packets, "\"packets\": expected true or false");
      plan.packets = packets->value_or(false);
    }
    if (table.get("steady_states") != nullptr) plan.steady_states = number(table, "steady_states");
    remedy.degree = static_cast<std::uint32_t>(integer(table, "degree", 0, kMostRate, 0));
    remedy.tiles = integer(table, "tiles", 0, kMostRate, 0);
    remedy.layout = static_cast<std::uint32_t>(integer(table, "layout", 0, kMostRate, 0));
    remedy.tried = static_cast<std::uint32_t>(integer(table, "tried", 0, kMostPeek, 0));
    remedy.least_cycles = number(table, "least_cycles");
    remedy.least_cycles_asked = number(table, "least_cycles_as_asked");
    if (table.get("packets_least_cycles") != nullptr) {
      remedy.packets_least_cycles = number(table, "packets_least_cycles");
    }
    for (const Actor& a : graph_.actors) {
      if (!a.placement) fail(node, "[plan]: expected a tile for each actor; \"" + one_line(a.name) + "\" has none");
    }
  }

  std::uint32_t actor(const toml::table& table, const char* key) const {
    const std::string name = text_value(table, key);
    const auto found = actor_of_.find(name);
    if (found == actor_of_.end())
      fail(*table.get(key), "unknown actor \"" + one_line(name) + "\"" + did_you_mean(name, names_));
    return found->second;
  }

  void read_edge(const toml::table& table) {
    check_keys(table, "[[edge]]", {"from", "to", "push", "pop", "peek", "initial", "group"});
    StreamEdge edge;
    edge.from = actor(table, "from");
    edge.to = actor(table, "to");
    if (edge.from == edge.to) fail(table, "an edge joins actor \"" + names_[edge.from] + "\" to itself");
    edge.push = static_cast<std::uint32_t>(integer(table, "push", 1, kMostRate, 1));
    edge.pop = static_cast<std::uint32_t>(integer(table, "pop", 1, kMostRate, 1));
    edge.peek = static_cast<std::uint32_t>(integer(table, "peek", edge.pop, kMostPeek, edge.pop));
    edge.initial = static_cast<std::uint32_t>(integer(table, "initial", 0, kMostPeek, 0));
    if (table.get("group") != nullptr) {
      edge.group = static_cast<std::uint32_t>(integer(table, "group", 0, kMostPeek, std::nullopt));
      check_copy(table, edge);
    }
    graph_.edges.push_back(edge);
  }

  /// Copies of the same items have one source and one rate there.
  void check_copy(const toml::table& table, const StreamEdge& edge) const {
    for (const StreamEdge& other : graph_.edges) {
      if (other.group != edge.group || other.from != edge.from || other.push == edge.push) continue;
      fail(*table.get("group"), "\"group\": edges of group " + std::to_string(*edge.group) +
                                    " carry copies of the same items: expected push = " + std::to_string(other.push));
    }
  }

  void check_graph(const toml::table& root) const {
    std::vector<std::size_t> edges_of(graph_.actors.size());
    for (const StreamEdge& e : graph_.edges) {
      ++edges_of[e.from];
      ++edges_of[e.to];
    }
    for (std::size_t a = 0; a < graph_.actors.size(); ++a) {
      if (edges_of[a] == 0) fail(root, "actor \"" + names_[a] + "\" has no edge");
    }
    (void)graph_.repetitions();  // throws if the rates are inconsistent
    if (const auto stuck = deadlock(graph_, {})) {
      fail(root, "the edges form a cycle through actor \"" + names_[stuck->actor] +
                     "\": expected `initial` items on it that suffice to fire all its actors");
    }
  }

  std::string file_;
  StreamGraph graph_;
  std::unordered_map<std::string, std::uint32_t> actor_of_;
  std::vector<std::string> names_;
};

}  // namespace

StreamGraph read_stream_graph(const std::string& file) { return Reader(file).read(); }

}  // namespace braid::traffic
