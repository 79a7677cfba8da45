// Experiments drawn at random: every axis of policies that is declared, a few numbers, small networks.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/engine/network.h"
#include "models/experiment/experiment.h"
#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test {

class DrawnExperiment {
 public:
  /// Of that router architecture; the same for the same number. Those that are refused are drawn again.
  DrawnExperiment(const std::string& architecture, std::uint64_t number) : random_(number, "drawn." + architecture) {
    for (bool good = false; !good;) {
      try {
        draw(architecture);
        Bench bench(experiment_);
        good = true;
      } catch (const InputError&) {
        ++refused_;
      }
    }
  }
  const models::Experiment& experiment() const { return experiment_; }
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  unsigned refused() const { return refused_; }  ///< before this one
  /// As --set would have it, for a failure's report.
  const std::string& text() const { return text_; }

 private:
  template <class T>
  void set(const std::string& key, const T& value) {
    experiment_.set(key, value);
    if constexpr (std::is_same_v<T, std::string>) {
      text_ += " " + key + "=" + value;
    } else {
      text_ += " " + key + "=" + std::to_string(value);
    }
  }
  void choose(const std::string& key, const std::vector<std::uint32_t>& values) {
    if (experiment_.existing().count(key) != 0) set(key, values[below(values.size())]);
  }

  void draw(const std::string& architecture) {
    experiment_ = models::Experiment();
    text_.clear();
    set("router.architecture", architecture);
    set("routing.allow_deadlock", true);
    if (architecture == "myrinet") set("routing.algorithm", std::string("source_routed"));
    add_traffic(experiment_, 0.05 * static_cast<double>(1 + below(14)));
    set("traffic.rate_flits_per_node_cycle", experiment_.get<double>("traffic.rate_flits_per_node_cycle"));
    if (below(3) == 0) set("message.packet_flits", 1U + static_cast<std::uint32_t>(below(20)));
    if (below(3) == 0) set("log.file", std::string("packets.csv"));
    draw_axes({"router.architecture", "router.implementation", "routing.allow_deadlock", "stage.vc_allocator",
               "stage.switch_allocator", "stage.setup_unit", "stage.circuit_unit", "router.lookahead",
               "router.speculative"});  // no module does (lookahead_test.cpp, speculation_test.cpp)
    draw_numbers();
  }

  /// The policies of an axis. Computations of paths that solve integer programs are left to the nightly: they are most
  /// of a drawn experiment's time, and other tables of paths are all that comes of them.
  static std::vector<std::string> drawn_from(const Option& axis) {
    static const std::set<std::string> dear{"balanced_lp", "smart", "smart_feedback", "minimum", "fewest"};
    std::vector<std::string> names;
    for (const auto& policy : axis.policies()) {
      if (shortened() == 1 || dear.count(policy.first) == 0) names.push_back(policy.first);
    }
    return names;
  }

  /// Policies and switches, also those that come with what is drawn.
  void draw_axes(std::set<std::string> drawn) {
    if (experiment_.get<std::string>("router.architecture") == "myrinet") drawn.insert("routing.algorithm");
    for (bool more = true; more;) {
      std::vector<Option> open;
      for_each_option(models::experiment_options(), experiment_, [&](const Option& option, const OptionValue& value) {
        const bool choice = option.policies || std::holds_alternative<bool>(value);
        if (choice && drawn.insert(option.key()).second) open.push_back(option);
      });
      more = !open.empty();
      for (const Option& option : open) {
        if (experiment_.existing().count(option.key()) == 0) continue;
        if (!option.policies) {
          set(option.key(), below(2) == 0);
        } else if (below(2) == 0 || option.section == "topology" || option.section == "routing") {
          const std::vector<std::string> policies = drawn_from(option);
          set(option.key(), policies[below(policies.size())]);
        }
      }
    }
  }

  void draw_numbers() {
    if (experiment_.get<std::string>("topology.kind") == "graph") {
      set("topology.file", source_file("tb/experiments/ring.graphml"));
    }
    if (experiment_.existing().count("topology.sizes") != 0) draw_sizes();
    for (const auto& [key, values] :
         std::vector<std::pair<std::string, std::vector<std::uint32_t>>>{{"topology.width", {3, 4}},
                                                                         {"topology.height", {3, 4}},
                                                                         {"topology.edge", {2, 3}},
                                                                         {"topology.switches", {4, 8}},
                                                                         {"topology.hosts", {1, 2}},
                                                                         {"topology.arity", {2}},
                                                                         {"topology.levels", {2, 3}},
                                                                         {"topology.concentration", {1, 2}},
                                                                         {"topology.routers_per_group", {2, 3}},
                                                                         {"topology.global_ports", {1}},
                                                                         {"topology.nodes_per_router", {1, 2}},
                                                                         {"topology.global_latency_cycles", {1, 5}},
                                                                         {"topology.chiplets", {1, 3}},
                                                                         {"topology.joint_latency_cycles", {1, 6}},
                                                                         {"topology.link_latency_cycles", {1, 1, 3, 8}},
                                                                         {"topology.local_ports", {1, 1, 2}},
                                                                         {"router.buffer_depth", {1, 3, 8}},
                                                                         {"router.credit_delay_cycles", {2, 2, 5}},
                                                                         {"router.islip_iterations", {1, 2}},
                                                                         {"router.pim_iterations", {1, 3}},
                                                                         {"router.age_bits", {4, 16}},
                                                                         {"router.queue_packets", {1, 2, 4}},
                                                                         {"po2.buffers", {1, 5, 20}},
                                                                         {"po2.header_cycles", {1, 12}},
                                                                         {"po2.inject_overhead_cycles", {0, 80}},
                                                                         {"po2.acknowledge_cycles", {0, 20}},
                                                                         {"po2.escape_patience_cycles", {1, 50}},
                                                                         {"routing.max_deroutes", {0, 2}},
                                                                         {"interface.behind_gate_packets", {0, 2}},
                                                                         {"interface.source_queue_packets", {1, 8}},
                                                                         {"sat.l", {2}},
                                                                         {"sat.k", {4}},
                                                                         {"sat.moves", {50}},
                                                                         {"traffic.flits", {1, 4, 40, 400}},
                                                                         {"traffic.long_flits", {5, 100}}}) {
      if (below(2) == 0 || key.rfind("topology.", 0) == 0 || key.rfind("sat.", 0) == 0) choose(key, values);
    }
    const std::string architecture = experiment_.get<std::string>("router.architecture");
    const bool one = architecture == "virtual_cut_through" || architecture == "myrinet";
    set("router.vcs", one ? 1U : 1U << below(3));
    if (architecture == "virtual_cut_through") choose("topology.link_flits_per_cycle", {1, 1, 2, 5});
    if (architecture == "myrinet" && below(2) == 0) {
      set("failure.router", std::string("s0"));
      set("failure.port", std::string("link0"));
      set("failure.cycle", 500 + below(3000));
      set("failure.recompute_ns", 6.25 * static_cast<double>(100 + below(1000)));
    }
  }

  void draw_sizes() {
    const std::vector<std::vector<std::uint32_t>> networks{{5}, {3, 4}, {3, 3, 3}};
    const std::vector<std::uint32_t>& sizes = networks[below(networks.size())];
    experiment_.set("topology.sizes", sizes);
    text_ += " topology.sizes=[" + std::to_string(sizes[0]);
    for (std::size_t d = 1; d < sizes.size(); ++d) text_ += "," + std::to_string(sizes[d]);
    text_ += ']';
  }

  Random random_;
  models::Experiment experiment_;
  std::string text_;
  unsigned refused_ = 0;
};

}  // namespace braid::test
