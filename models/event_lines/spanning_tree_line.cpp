// The SAT signal over a spanning tree (paper: sat-fairness, section IV.D, "SS"): the root sends it to all below, every
// switch on to all below it, and a switch acknowledges upwards when all below have: switches concentrate. A cycle a
// link and a cycle at the nodes: 2n + 1 on a k-ary n-tree when nobody holds it.
#include <algorithm>

#include "models/event_lines/event_line.h"
#include "routing/topology/spanning_tree.h"

namespace braid::models {
namespace {

class SpanningTreeLine final : public EventLine {
 public:
  explicit SpanningTreeLine(const routing::Topology& topology)
      : names_(topology.router_names), tree_(routing::spanning_tree(topology)) {
    // Places: the switches of the tree, then the nodes.
    for (const auto& v : tree_.vertices) {
      places_.push_back(
          {v.parent, v.link_cycles, 0, static_cast<std::uint32_t>(v.children.size() + v.nodes.size()), {}});
      places_.back().below = v.children;
    }
    for (std::uint32_t v = 0; v < tree_.vertices.size(); ++v) {
      for (const NodeId node : tree_.vertices[v].nodes) {
        places_[v].below.push_back(static_cast<std::uint32_t>(places_.size()));
        places_.push_back({v, tree_.node_link_cycles, 0, 0, {}});
        node_of_.push_back(node);
      }
    }
    moves_.resize(1 + longest_wire());
  }

  std::uint64_t unheld_interval_cycles() const override {
    std::vector<std::uint64_t> depth(places_.size());
    for (std::size_t i = 1; i < places_.size(); ++i) depth[i] = depth[places_[i].parent] + places_[i].wire_cycles;
    return 2 * *std::max_element(depth.begin() + static_cast<std::ptrdiff_t>(switch_count()), depth.end()) + 1;
  }

  void step(std::uint64_t cycle, Stops& stations) override {
    if (start_) {
      start_ = false;
      descend(0, cycle, stations);
    }
    holding_.insert(holding_.end(), arrived_.begin(), arrived_.end());
    arrived_.clear();
    release(cycle, stations);
    // Wires that end with this cycle.
    std::vector<Move>& ending = moves_[cycle % moves_.size()];
    for (std::size_t i = 0; i < ending.size(); ++i) {
      const Move move = ending[i];
      if (move.up) {
        places_[move.place].wires_up = false;
        acknowledge(places_[move.place].parent, cycle, stations);
      } else {
        places_[move.place].wires_down = false;
        arrive(move.place, cycle, stations);
      }
    }
    ending.clear();
  }

  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  void checkpoint(Checkpoint& c) override {
    c.each(places_);
    c.each(moves_);
    c(holding_, arrived_, start_);
    for (const auto* nodes : {&holding_, &arrived_}) {
      for (const std::uint32_t place : *nodes) {
        c.index(place, places_.size(), "place of a line");
        c.expect(is_node(place), "a switch that holds the signal");
      }
    }
    for (const std::vector<Move>& moves : moves_) {
      for (const Move& move : moves) {
        c.index(move.place, places_.size(), "place of a line");
        c.expect(move.place != 0, "a signal above the root");
      }
    }
  }

 private:
  friend class SpanningTreeLineSignals;
  struct Place {
    std::uint32_t parent = 0;
    std::uint32_t wire_cycles = 0;  // to the parent
    std::uint32_t acknowledged = 0;
    std::uint32_t expected = 0;  // acknowledgements
    std::vector<std::uint32_t> below;
    bool wires_down = false, wires_up = false;  // the wire from (to) the parent carries the signal
    void checkpoint(Checkpoint& c) { c(acknowledged, wires_down, wires_up); }
  };
  struct Move {
    std::uint32_t place = 0;
    bool up = false;
  };
  std::size_t switch_count() const { return tree_.vertices.size(); }
  bool is_node(std::uint32_t place) const { return place >= switch_count(); }
  NodeId node(std::uint32_t place) const { return node_of_[place - switch_count()]; }
  std::size_t longest_wire() const {
    std::uint32_t longest = 1;
    for (const Place& p : places_) longest = std::max(longest, p.wire_cycles);
    return longest;
  }

  /// The signal is at a place from `cycle` + 1 on.
  void arrive(std::uint32_t place, std::uint64_t cycle, Stops& stations) {
    if (!is_node(place)) return descend(place, cycle + 1, stations);
    stations.receive(node(place), cycle + 1);
    arrived_.push_back(place);
  }
  /// A switch sends it on: on the wires from `first_cycle` on.
  void descend(std::uint32_t place, std::uint64_t first_cycle, Stops& stations) {
    for (const std::uint32_t below : places_[place].below) {
      if (places_[below].wire_cycles == 0) {
        stations.receive(node(below), first_cycle);
        arrived_.push_back(below);
      } else {
        send({below, false}, first_cycle);
      }
    }
  }
  void send(Move move, std::uint64_t first_cycle) {
    Place& place = places_[move.place];
    (move.up ? place.wires_up : place.wires_down) = true;
    moves_[(first_cycle + place.wire_cycles - 1) % moves_.size()].push_back(move);
  }
  /// Stations that had the signal in this cycle.
  void release(std::uint64_t cycle, Stops& stations) {
    std::size_t kept = 0;
    for (const std::uint32_t place : holding_) {
      if (!stations.try_release(node(place), cycle)) {
        holding_[kept++] = place;
      } else if (places_[place].wire_cycles == 0) {
        acknowledge(places_[place].parent, cycle, stations);
      } else {
        send({place, true}, cycle + 1);
      }
    }
    holding_.resize(kept);
  }
  /// One more of a switch's acknowledgements has come in this cycle.
  void acknowledge(std::uint32_t place, std::uint64_t cycle, Stops& stations) {
    Place& p = places_[place];
    if (++p.acknowledged < p.expected) return;
    p.acknowledged = 0;
    if (place == 0) {
      descend(0, cycle + 1, stations);
    } else {
      send({place, true}, cycle + 1);
    }
  }

  std::vector<std::string> names_;
  routing::SpanningTree tree_;
  std::vector<Place> places_;
  std::vector<NodeId> node_of_;
  std::vector<std::vector<Move>> moves_;  // [cycle modulo] wires that end with it
  std::vector<std::uint32_t> holding_;    // nodes' places that have the signal
  std::vector<std::uint32_t> arrived_;    // … from the next cycle on
  bool start_ = true;
};

class SpanningTreeLineSignals final : public SignalSource {
 public:
  SpanningTreeLineSignals(const SpanningTreeLine& tree, SignalTable& table) : tree_(tree) {
    for (std::uint32_t i = 0; i < tree.places_.size(); ++i) {
      if (tree.places_[i].wire_cycles == 0) continue;  // the root, and nodes that are one tile with their router
      const std::string below = name(i), above = name(tree.places_[i].parent);
      wires_.push_back({i, table.add_shown("sat.line", identifier(above + "_to_" + below), 1),
                        table.add_shown("sat.line", identifier(below + "_to_" + above), 1)});
    }
  }
  void sample(std::uint64_t) override {
    for (const Wire& wire : wires_) {
      wire.down->value = tree_.places_[wire.place].wires_down ? 1 : 0;
      wire.up->value = tree_.places_[wire.place].wires_up ? 1 : 0;
    }
  }

 private:
  struct Wire {
    std::uint32_t place;
    Signal *down, *up;
  };
  std::string name(std::uint32_t place) const {
    if (tree_.is_node(place)) return "node" + std::to_string(tree_.node(place).value);
    return tree_.names_[tree_.tree_.vertices[place].router.value];
  }
  const SpanningTreeLine& tree_;
  std::vector<Wire> wires_;
};

std::unique_ptr<SignalSource> SpanningTreeLine::signals(SignalTable& table) const {
  return std::make_unique<SpanningTreeLineSignals>(*this, table);
}

const bool spanning_tree_line_registered = EventLineRegistry::instance().add(
    "spanning_tree", "from the root to all nodes at once; switches gather the acknowledgements",
    [](const routing::Topology& topology, const Configuration&) {
      return std::make_unique<SpanningTreeLine>(topology);
    });

}  // namespace
}  // namespace braid::models
