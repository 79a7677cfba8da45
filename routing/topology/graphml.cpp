#include "routing/topology/graphml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "routing/base/input_error.h"
#include "routing/base/text_file.h"
#include "routing/topology/topology.h"
#include "routing/topology/xml.h"

namespace braid::routing {
namespace {

using Names = std::vector<std::string>;

/// Attributes of what a <key> is for.
const Names kNotRead{"Description", "description", "url"};  // yEd declares them in every file
const std::map<std::string, Names> kGraphMlAttributes{{"node", {"name", "nodes", "x", "y"}},
                                                      {"edge", {"flits_per_cycle", "latency", "name"}},
                                                      {"graph", {"name"}},
                                                      {"graphml", {}}};
const Names kGraphMlTypes{"boolean", "int", "long", "float", "double", "string"};

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "7", and what networkx makes of it where a column has fractions: "7.0".
std::optional<std::int64_t> whole_number(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc() && read.ptr == end) {
    return integer;
  }
  constexpr double kMost = 1e15;  // exact
  double real = 0.0;
  const auto read = std::from_chars(text.data(), end, real);
  if (read.ec != std::errc() || read.ptr != end || !(std::fabs(real) <= kMost) || real != std::floor(real)) return {};
  return static_cast<std::int64_t>(real);
}

/// yEd's <y:Geometry x="..." y="..."> among an element's descendants; null: there is none.
const XmlElement* geometry_in(const XmlElement& element) {
  if (element.name == "Geometry") return &element;
  for (const XmlElement& child : element.children) {
    if (const XmlElement* found = geometry_in(child)) return found;
  }
  return nullptr;
}

class GraphMlReader {
 public:
  explicit GraphMlReader(const std::string& file) : file_(file) {}

  GraphMl network() {
    const XmlElement root = read_xml(read_text(file_, "a GraphML file"), file_);
    if (root.name != "graphml")
      fail(root, "not a GraphML network: expected <graphml>, not <" + one_line(root.name) + ">");
    check_children(root, {"key", "graph", "data", "desc"});
    const XmlElement* graph = nullptr;
    for (const XmlElement& child : root.children) {
      if (child.name == "key") add_key(child);
      if (child.name != "graph") continue;
      if (graph != nullptr) fail(child, "a second <graph>: expected one, as in line " + std::to_string(graph->line));
      graph = &child;
    }
    if (graph == nullptr) fail(root, "not a GraphML network: expected <graph> in <graphml>");
    (void)values_of(root, "graphml");
    read_graph(*graph);
    return std::move(network_);
  }

 private:
  struct Key {
    std::string attribute;
    std::string kind;  // "node", "edge", "graph", "graphml" or "all"
    std::optional<std::string> initial;
    std::size_t line = 0;
    bool is_for(const std::string& element) const { return kind == "all" || kind == element; }
  };
  using Values = std::map<std::string, std::string>;  // by attribute

  [[noreturn]] void fail(const XmlElement& at, const std::string& what) const {
    throw InputError({file_, at.line, 0}, what);
  }

  std::string required(const XmlElement& element, const std::string& attribute) const {
    const std::string* value = element.attribute(attribute);
    if (value == nullptr) fail(element, "<" + element.name + "> without " + attribute + " = \"...\"");
    return *value;
  }
  void check_children(const XmlElement& element, const Names& known) const {
    for (const XmlElement& child : element.children) {
      if (contains(known, child.name)) continue;
      fail(child, "<" + one_line(child.name) + "> in <" + element.name + "> is not read" +
                      did_you_mean(child.name, known) + "; known:" + list_of(known));
    }
  }
  /// GraphML's own, written in the tag; a network's attributes stand in <data>.
  void check_tag(const XmlElement& element, const Names& known) const {
    for (const auto& [key, value] : element.attributes) {
      if (contains(known, key)) continue;
      fail(element, "<" + element.name + "> has " + one_line(key) + " = \"...\" in its tag; known there:" +
                        list_of(known) + "; attributes of a network stand in <data>");
    }
  }
  static std::string list_of(const Names& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? " " : ", ") + name;
    return text;
  }

  void add_key(const XmlElement& element) {
    const std::string id = required(element, "id");
    if (element.attribute("yfiles.type") != nullptr) {  // of yEd's own: what it draws
      of_yed_.insert(id);
      return;
    }
    check_children(element, {"default", "desc"});
    Key key{required(element, "attr.name"), "all", {}, element.line};
    if (const std::string* kind = element.attribute("for")) key.kind = *kind;
    const std::string* type = element.attribute("attr.type");
    if (type != nullptr && !contains(kGraphMlTypes, *type)) {
      fail(element, unknown_name("attr.type", *type, kGraphMlTypes));
    }
    check_known(element, key);
    for (const XmlElement& child : element.children) {
      if (child.name == "default") key.initial = child.text;
    }
    const auto [other, is_new] = keys_.emplace(id, key);
    if (!is_new) {
      fail(element,
           "key \"" + one_line(id) + "\" is declared in line " + std::to_string(other->second.line) + " already");
    }
  }
  void check_known(const XmlElement& element, const Key& key) const {
    Names known, kinds{"all"};
    for (const auto& [kind, attributes] : kGraphMlAttributes) {
      kinds.push_back(kind);
      if (key.is_for(kind)) known.insert(known.end(), attributes.begin(), attributes.end());
    }
    if (!contains(kinds, key.kind)) fail(element, unknown_name("for", key.kind, kinds));
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    if (!contains(known, key.attribute) && !contains(kNotRead, key.attribute)) {
      fail(element, unknown_name("attribute for " + key.kind, key.attribute, known));
    }
  }

  /// What <data> and the keys' defaults say of an element.
  Values values_of(const XmlElement& element, const std::string& kind) const {
    const Names& known = kGraphMlAttributes.at(kind);
    Values values, given;
    for (const auto& [id, key] : keys_) {
      if (key.initial && key.is_for(kind) && contains(known, key.attribute)) values[key.attribute] = *key.initial;
    }
    for (const XmlElement& data : element.children) {
      if (data.name != "data") continue;
      const std::string id = required(data, "key");
      if (of_yed_.count(id) != 0) continue;
      check_children(data, {});
      const auto key = keys_.find(id);
      if (key == keys_.end()) fail(data, "data of key \"" + one_line(id) + "\", which no <key> declares");
      const std::string& attribute = key->second.attribute;
      if (contains(kNotRead, attribute)) continue;
      if (!key->second.is_for(kind) || !contains(known, attribute)) {
        fail(data, "key \"" + one_line(id) + "\" is for " + key->second.kind + ", attribute \"" + attribute +
                       "\": not for a " + kind);
      }
      if (!given.emplace(attribute, data.text).second) fail(data, "attribute \"" + attribute + "\" is given twice");
      values[attribute] = data.text;
    }
    return values;
  }

  std::uint32_t number(const XmlElement& at, const std::string& whose, const Values& values,
                       const std::string& attribute, std::uint32_t least, std::uint32_t most,
                       std::uint32_t otherwise) const {
    const auto found = values.find(attribute);
    if (found == values.end()) return otherwise;
    const std::optional<std::int64_t> value = whole_number(found->second);
    if (!value || *value < least || *value > most) {
      fail(at, whose + ": " + attribute + " = " + one_line(found->second) + ": expected integer, " +
                   std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<std::uint32_t>(*value);
  }

  double coordinate(const XmlElement& at, const std::string& whose, const std::string& attribute,
                    const std::string& text) const {
    constexpr double kMost = 1e9;
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end && std::fabs(value) <= kMost) return value;
    fail(at, whose + ": " + attribute + " = " + one_line(text) + ": expected number, -1e9 to 1e9");
  }

  /// Of attributes x and y, else of yEd's geometry, whose y grows downwards.
  std::optional<Position> position_of(const XmlElement& node, const std::string& whose, const Values& values) const {
    const auto x = values.find("x"), y = values.find("y");
    if ((x == values.end()) != (y == values.end())) {
      fail(node, whose + " has " + (x == values.end() ? "y and no x" : "x and no y") + ": expected both or none");
    }
    if (x != values.end())
      return Position{coordinate(node, whose, "x", x->second), coordinate(node, whose, "y", y->second)};
    const XmlElement* geometry = geometry_in(node);
    if (geometry == nullptr) return std::nullopt;
    return Position{coordinate(*geometry, whose, "x", required(*geometry, "x")),
                    -coordinate(*geometry, whose, "y", required(*geometry, "y"))};
  }

  void read_graph(const XmlElement& graph) {
    check_children(graph, {"node", "edge", "data", "desc"});
    (void)values_of(graph, "graph");
    const std::string* direction = graph.attribute("edgedefault");
    if (direction != nullptr && *direction != "undirected") {
      fail(graph, "edgedefault = \"" + one_line(*direction) +
                      "\": expected \"undirected\", for every link leads both ways (networkx: to_undirected())");
    }
    for (const XmlElement& child : graph.children) {
      if (child.name == "node") add_node(child);
    }
    for (const XmlElement& child : graph.children) {
      if (child.name == "edge") add_edge(child);
    }
  }

  void add_node(const XmlElement& element) {
    check_children(element, {"data", "desc"});
    check_tag(element, {"id"});
    const std::string id = required(element, "id");
    const Values values = values_of(element, "node");
    const auto name = values.find("name");
    GraphMl::Node node;
    node.line = element.line;
    node.name = name == values.end() || name->second.empty() ? id : name->second;
    if (node.name.empty()) fail(element, "node without a name: expected an id or a name that is not empty");
    const std::string whose = "node \"" + one_line(id) + "\"";
    node.nodes = number(element, whose, values, "nodes", 0, kMaxPorts, 1);
    node.position = position_of(element, whose, values);
    add_once(element, index_, id, "node id");
    add_once(element, names_, node.name, "router name");
    network_.nodes.push_back(std::move(node));
  }
  void add_once(const XmlElement& element, std::unordered_map<std::string, std::size_t>& all, const std::string& word,
                const char* what) const {
    const auto [other, is_new] = all.emplace(word, network_.nodes.size());
    if (is_new) return;
    fail(element, std::string(what) + " \"" + one_line(word) + "\" is taken by the node in line " +
                      std::to_string(network_.nodes[other->second].line));
  }

  void add_edge(const XmlElement& element) {
    check_children(element, {"data", "desc"});
    check_tag(element, {"id", "source", "target", "directed"});
    const std::string source = required(element, "source"), target = required(element, "target");
    const std::string whose = "edge \"" + one_line(source) + "\" - \"" + one_line(target) + "\"";
    const std::string* directed = element.attribute("directed");
    if (directed != nullptr && *directed != "false") {
      fail(element,
           whose + ": directed = \"" + one_line(*directed) + "\": expected \"false\", for every link leads both ways");
    }
    GraphMl::Edge edge;
    edge.line = element.line;
    edge.from = end_of(element, whose, source);
    edge.to = end_of(element, whose, target);
    if (edge.from == edge.to) fail(element, whose + " joins a router to itself");
    const Values values = values_of(element, "edge");
    if (const auto name = values.find("name"); name != values.end()) edge.name = name->second;
    edge.latency_cycles = number(element, whose, values, "latency", 1, kMostLinkLatency, 0);
    edge.flits_per_cycle = number(element, whose, values, "flits_per_cycle", 1, kMostLinkSpeed, 0);
    network_.edges.push_back(std::move(edge));
  }
  std::size_t end_of(const XmlElement& edge, const std::string& whose, const std::string& id) const {
    const auto found = index_.find(id);
    if (found != index_.end()) return found->second;
    Names ids;
    for (const auto& [known, index] : index_) ids.push_back(known);
    std::sort(ids.begin(), ids.end());
    fail(edge, whose + ": \"" + one_line(id) + "\" is an id that no <node> declares" + did_you_mean(id, ids));
  }

  const std::string& file_;
  std::map<std::string, Key> keys_;                     // by id
  std::set<std::string> of_yed_;                        // ids of keys that are yEd's own
  std::unordered_map<std::string, std::size_t> index_;  // of a node, by id
  std::unordered_map<std::string, std::size_t> names_;  // of a node, by name
  GraphMl network_;
};

}  // namespace

GraphMl read_graphml(const std::string& file) { return GraphMlReader(file).network(); }

}  // namespace braid::routing
