#include "models/icnt/configuration.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "models/icnt/grammar.h"
#include "models/icnt/icnt.h"
#include "models/icnt/keys.h"

namespace braid::models::icnt {

namespace {

constexpr unsigned kMostNodes = 4096;  // a router knows the way to each
constexpr unsigned kMostVcs = 64;      // one word

/// A file's values, and defaults where it has none.
class Values {
 public:
  Values(const std::string& text, const std::string& name) : name_(name) {
    for (Statement& statement : read_statements(text, name)) {
      const Key* const key = find_key(statement.name);
      if (key == nullptr)
        throw Error(statement.name_at + ": no key \"" + statement.name + "\"; the nearest is \"" +
                    nearest_key(statement.name) + "\"");
      if (key->use == Key::Use::kOnly && statement.value != key->value)
        throw Error(statement.value_at + ": " + statement.name + " = " + statement.value + ", and this library has " +
                    statement.name + " = " + key->value + " only");
      given_[statement.name] = std::move(statement);
    }
  }

  std::string text(const std::string& key) const {
    const auto found = given_.find(key);
    return found == given_.end() ? find_key(key)->value : found->second.value;
  }
  /// Where the value stands: in the file, or among the defaults.
  std::string at(const std::string& key) const {
    const auto found = given_.find(key);
    return found == given_.end() ? name_ + " (default)" : found->second.value_at;
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw Error(at(key) + ": " + key + " = " + text(key) + ", expected " + expected);
  }

  int integer(const std::string& key, int least, int greatest) const {
    const std::string value = text(key);
    char* end = nullptr;
    errno = 0;
    const long number = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || errno != 0 || number < least || number > greatest)
      refuse(key, "an integer from " + std::to_string(least) + " to " + std::to_string(greatest));
    return static_cast<int>(number);
  }
  unsigned number(const std::string& key, int least, int greatest) const {
    return static_cast<unsigned>(integer(key, least, greatest));
  }
  double real(const std::string& key, double least, double greatest) const {
    const std::string value = text(key);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !(number >= least && number <= greatest))
      refuse(key, "a number from " + std::to_string(static_cast<int>(least)) + " to " +
                      std::to_string(static_cast<int>(greatest)));
    return number;
  }

 private:
  std::string name_;
  std::map<std::string, Statement> given_;
};

struct TopologyKind {
  const char* name;
  Topology topology;
  const char *routing, *other_name;  ///< of its routing function
};
constexpr TopologyKind kTopologies[] = {{"fly", Topology::kFly, "dest_tag", "dest_tag"},
                                        {"mesh", Topology::kMesh, "dor", "dim_order"},
                                        {"torus", Topology::kTorus, "dim_order", "dim_order"},
                                        {"anynet", Topology::kAnynet, "min", "min"}};

/// As intersim2 names it, from where the program runs; else from where the configuration lies.
Listing read_network_file(const Values& values, const std::string& configuration) {
  const std::string name = values.text("network_file");
  if (name.empty()) values.refuse("network_file", "the file that lists routers and nodes, which anynet needs");
  std::ifstream file(name, std::ios::binary);
  const std::string beside = configuration.substr(0, configuration.find_last_of('/') + 1) + name;
  if (!file) file = std::ifstream(beside, std::ios::binary);
  if (!file) values.refuse("network_file", "a file that can be read");
  return read_listing({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}, name);
}

void read_topology(const Values& values, Configuration& found) {
  const std::string topology = values.text("topology");
  const TopologyKind* const kind = std::find_if(std::begin(kTopologies), std::end(kTopologies),
                                                [&](const TopologyKind& each) { return topology == each.name; });
  if (kind == std::end(kTopologies)) values.refuse("topology", "fly, mesh, torus or anynet");
  found.topology = kind->topology;
  const std::string routing = values.text("routing_function"), own = kind->routing, other = kind->other_name;
  if (routing != own && routing != other)
    values.refuse("routing_function",
                  own + (own == other ? ", which " : ", or its other name " + other + ", which ") + topology + " has");
  if (kind->topology == Topology::kAnynet) {
    found.listing = read_network_file(values, found.name);
    found.network = "network_file = " + values.text("network_file");
    return;
  }
  found.k = values.number("k", 1, kMostNodes);
  found.n = values.number("n", 1, 12);
  found.network = "k = " + std::to_string(found.k) + ", n = " + std::to_string(found.n);
  found.folded = values.integer("use_noc_latency", 0, 1) == 1;
  const double nodes = std::pow(found.k, found.n);
  if (nodes > kMostNodes)
    values.refuse("k", "k to the power of n to be at most " + std::to_string(kMostNodes) + " nodes");
}

/// "{2,7,10}"
void read_node_map(const Values& values, Configuration& found) {
  const std::string text = values.text("memory_node_map");
  found.memory_node_map_at = values.at("memory_node_map");
  std::string digits;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9' && digits.size() < 7) {
      digits += letter;
    } else if (letter != '{' && (digits.empty() || (letter != ',' && letter != '}'))) {
      values.refuse("memory_node_map", "nodes in braces, as {2,7,10}");
    } else if (letter != '{') {
      found.memory_node_map.push_back(static_cast<unsigned>(std::stoul(digits)));
      digits.clear();
    }
  }
  if (!digits.empty()) values.refuse("memory_node_map", "nodes in braces, as {2,7,10}");
}

void read_buffers(const Values& values, Configuration& found) {
  constexpr int kMost = 1 << 20;
  found.flit_size = values.number("flit_size", 1, kMost);
  found.vcs = values.number("num_vcs", 1, kMostVcs);
  found.vc_buffer = values.number("vc_buf_size", 1, kMost);
  const unsigned input = values.number("input_buffer_size", 0, kMost);
  found.input_buffer = input != 0 ? input : 9;
  const unsigned ejection = values.number("ejection_buffer_size", 0, kMost);
  if (ejection != 0 && ejection < found.vc_buffer)
    values.refuse("ejection_buffer_size", "0 or at least vc_buf_size = " + std::to_string(found.vc_buffer) +
                                              ", which is what the last router may send");
  found.boundary_buffer = values.number("boundary_buffer_size", 1, kMost);
}

unsigned read_vc(const Values& values, const std::string& key, unsigned if_negative, unsigned vcs) {
  const int vc = values.integer(key, -1, 1 << 20);
  if (vc >= static_cast<int>(vcs))
    values.refuse(key, "a channel of num_vcs = " + std::to_string(vcs) + ", 0 to " + std::to_string(vcs - 1) +
                           "; a file with other than 16 channels names all eight *_begin_vc and *_end_vc");
  return vc < 0 ? if_negative : static_cast<unsigned>(vc);
}

void read_ranges(const Values& values, Configuration& found) {
  const char* const kinds[] = {"read_request", "write_request", "read_reply", "write_reply"};  // in the order of Kind
  const unsigned half = found.vcs / 2;
  for (unsigned kind = 0; kind < 4; ++kind) {
    const bool request = kind < 2;
    const std::string begin = std::string(kinds[kind]) + "_begin_vc";
    const std::string end = std::string(kinds[kind]) + "_end_vc";
    const VcRange range{read_vc(values, begin, request ? 0 : half, found.vcs),
                        read_vc(values, end, request ? std::max(half, 1U) - 1 : found.vcs - 1, found.vcs)};
    if (range.begin > range.end) values.refuse(begin, "at most " + end + " = " + std::to_string(range.end));
    if (found.topology == Topology::kTorus && range.begin == range.end)
      values.refuse(end, "another channel than " + begin + ": on a torus a kind has two at least");
    const auto same = std::find(found.ranges.begin(), found.ranges.end(), range);
    found.range_of_kind[kind] = static_cast<unsigned>(same - found.ranges.begin());
    if (same == found.ranges.end()) found.ranges.push_back(range);
  }
}

/// "islip", "islip(2)", "separable_input_first"
Allocator read_allocator(const Values& values, const std::string& key) {
  const std::string text = values.text(key);
  Allocator found;
  if (text == "islip") return found;
  if (text == "separable_input_first" || text == "separable_input_first(round_robin)") {
    found.kind = AllocatorKind::kSeparableInputFirst;
    return found;
  }
  char* end = nullptr;
  const bool rounds = text.compare(0, 6, "islip(") == 0;
  const long iterations = rounds ? std::strtol(text.c_str() + 6, &end, 10) : 0;
  if (!rounds || std::string(end) != ")" || iterations < 1 || iterations > 16)
    values.refuse(key, "islip, islip(ROUNDS) with 1 to 16 rounds, or separable_input_first");
  found.iterations = static_cast<unsigned>(iterations);
  return found;
}

}  // namespace

Configuration read_configuration(const std::string& text, const std::string& name) {
  const Values values(text, name);
  Configuration found;
  found.name = name;
  if (values.text("sim_type") != "gpgpusim") values.refuse("sim_type", "gpgpusim");
  read_topology(values, found);
  found.subnets = values.number("subnets", 1, 2);
  found.use_map = values.integer("use_map", 0, 1) != 0;
  read_node_map(values, found);
  read_buffers(values, found);
  read_ranges(values, found);
  found.vc_allocator = read_allocator(values, "vc_allocator");
  found.switch_allocator = read_allocator(values, "sw_allocator");
  found.routing_delay = values.number("routing_delay", 0, 1);
  found.credit_delay = values.number("credit_delay", 0, 1000);
  // A channel is tied to one of its input's crossbar ports: more of them than channels are never used.
  found.input_speedup = std::min(values.number("input_speedup", 1, 1 << 20), found.vcs);
  found.output_speedup = values.number("output_speedup", 1, 16);
  found.internal_speedup = values.real("internal_speedup", 1, 16);
  found.wait_for_tail_credit = values.integer("wait_for_tail_credit", 0, 1) != 0;
  return found;
}

}  // namespace braid::models::icnt
