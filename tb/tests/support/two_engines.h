// The bit-plane engine beside the stages over lists: two networks of one experiment, one with each, compared register
// by register in every cycle; the second cut for any number of threads.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/continued.h"

namespace braid::test {

/// The same experiment where either engine may run.
inline models::Experiment with_either(models::Experiment e) {
  e.set("simulation.engine", std::string("auto"));
  return e;
}
/// ... on so many threads at most.
inline models::Experiment on_threads(models::Experiment e, std::uint32_t threads) {
  e.set("simulation.threads", threads);
  return e;
}

/// One of the two networks.
struct Side {
  /// A flit by what it is, whatever slot its packet has: source, number there, place in the packet, VC.
  using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Bench bench;
  models::hybrid::Fabric& fabric = models::hybrid::of(bench.network->fabric());

  Side(const models::Experiment& e, bool planes, std::uint32_t threads = 1)
      : bench(on_threads(with_either(e), threads), threads) {
    fabric.use_planes(planes);
  }
  /// Calls visit(slice) for each, as it is seen from outside.
  template <class Visit>
  void for_each_slice(Visit visit) const {
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) visit(std::as_const(fabric).slice(s));
  }
  const models::hybrid::RouterBank& bank() const { return std::as_const(fabric).bank(); }
  Name name(const models::Flit& flit) const {
    const models::Packet& packet = bench.network->store()[flit.packet()];
    return {packet.source.value, packet.sequence, flit.sequence(), flit.vc()};
  }
  /// What is outside of routers' VCs, in an order of its own, whatever slices there are.
  struct OnTheWay {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Name>> in_switch;
    std::vector<std::vector<std::tuple<std::uint32_t, Name>>> on_links, to_nodes, on_circuits;  // [cycle]
    std::vector<std::vector<std::uint32_t>> credits;                                            // [cycle]
    /// Of set-up units: port, kind and search.
    std::vector<std::vector<std::tuple<std::uint32_t, models::hybrid::ControlKind, std::uint32_t>>> control;  // [cycle]
    std::vector<Name> held;  // by nodes: of circuits
    std::uint64_t heads = 0, injected = 0, delivered = 0;
  };
  OnTheWay on_the_way() const {
    OnTheWay all;
    for_each_slice([&](const models::hybrid::Slice& slice) {
      all.heads += slice.heads().size();
      all.injected += slice.interfaces().flits_injected();
      all.delivered += slice.interfaces().flits_delivered();
      for (const auto& t : slice.switch_register()) all.in_switch.emplace_back(t.in_vc, t.out_port, name(t.flit));
      slice.interfaces().for_each_held([&](const models::Flit& flit) { all.held.push_back(name(flit)); });
      for (const auto& channel : slice.outgoing()) take(all, *channel);
    });
    std::sort(all.in_switch.begin(), all.in_switch.end());
    for (auto* of_cycles : {&all.on_links, &all.to_nodes, &all.on_circuits}) {
      for (auto& flits : *of_cycles) std::sort(flits.begin(), flits.end());
    }
    for (auto& credits : all.credits) std::sort(credits.begin(), credits.end());
    for (auto& messages : all.control) std::sort(messages.begin(), messages.end());
    return all;
  }

 private:
  void take(OnTheWay& all, models::hybrid::Channel& channel) const {
    const std::size_t cycles = channel.slots().size();
    all.on_links.resize(cycles);
    all.to_nodes.resize(cycles);
    all.on_circuits.resize(cycles);
    all.credits.resize(cycles);
    all.control.resize(cycles);
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
      const auto& slot = channel.at(cycle);
      for (const auto& a : slot.packets) all.on_links[cycle].emplace_back(a.target, name(a.flit));
      for (const auto& a : slot.ejections) all.to_nodes[cycle].emplace_back(a.target, name(a.flit));
      for (const auto& a : slot.circuits) all.on_circuits[cycle].emplace_back(a.target, name(a.flit));
      for (const auto& m : slot.control) all.control[cycle].emplace_back(m.port, m.kind, m.search);
      all.credits[cycle].insert(all.credits[cycle].end(), slot.credits.begin(), slot.credits.end());
    }
  }
};

/// The first register that differs, by its stage and place; empty: none does.
class Difference {
 public:
  Difference(const Side& lists, const Side& planes)
      : lists_(lists), planes_(planes), a_(lists.bank()), b_(planes.bank()) {}
  std::string first() {
    const RouterBank& bank = a_;
    const auto each_port = [&](auto look_at) {
      for (models::PortIndex p = 0; p < bank.wiring().links.size(); ++p) {
        if (bank.wiring().links[p].target != models::kNone) look_at(p);
      }
    };
    each_port([&](models::PortIndex p) {
      if (!bank.is_injection_port(p)) input_port(p);
    });
    each_port([&](models::PortIndex p) { output_port(p); });
    on_the_way();
    return text_;
  }

 private:
  using RouterBank = models::hybrid::RouterBank;

  template <class T>
  void same(const char* stage, const std::string& what, models::PortIndex port, const T& a, const T& b) {
    if (a == b || !text_.empty()) return;
    const RouterBank& bank = a_;
    text_ =
        bank.is_injection_port(port)
            ? fmt::format("{}: {} of injection link {}", stage, what, bank.local_port_of_injection(port))
            : fmt::format("{}: {} of router {} port {}", stage, what, bank.router_of(port).value, bank.port_of(port));
    if constexpr (std::is_arithmetic_v<T>) text_ += fmt::format(": {} with lists, {} with planes", a, b);
  }
  void input_port(models::PortIndex p) {
    const RouterBank& x = a_;
    const RouterBank& y = b_;
    for (std::uint32_t lane = 0; lane < x.lanes(); ++lane) {
      const auto v = x.vc_index(p, lane);
      const auto& vc = x.input_vcs[v];
      const auto& other = y.input_vcs[v];
      const std::string of = fmt::format(" of VC {}", lane);
      same("BW", "flits" + of, p, unsigned{vc.count}, unsigned{other.count});
      same("RC", "state" + of, p, static_cast<unsigned>(vc.state), static_cast<unsigned>(other.state));
      same("VA", "output VC" + of, p, vc.out_vc, other.out_vc);
      for (std::uint32_t i = 0; i < std::min(vc.count, other.count); ++i) {
        same("BW", "a flit" + of, p, lists_.name(x.buffered(v, i)), planes_.name(y.buffered(v, i)));
      }
    }
    same("SA", "requests", p, x.switch_requests[p], y.switch_requests[p]);
  }
  void output_port(models::PortIndex p) {
    const RouterBank& x = a_;
    const RouterBank& y = b_;
    for (std::uint32_t lane = 0; lane < x.lanes(); ++lane) {
      const auto v = x.vc_index(p, lane);
      same("credits", fmt::format("credits of VC {}", lane), p, unsigned{x.output_vcs[v].credits},
           unsigned{y.output_vcs[v].credits});
      same("VA", fmt::format("owner of VC {}", lane), p, x.output_vcs[v].owner, y.output_vcs[v].owner);
    }
    same("VA", "free VCs", p, x.free_vcs[p], y.free_vcs[p]);
    if (x.is_injection_port(p)) return;
    same("ST", "packets' flits sent", p, x.flits_sent[p][0], y.flits_sent[p][0]);
    same("ST", "circuits' flits sent", p, x.flits_sent[p][1], y.flits_sent[p][1]);
    same("set-up", "closed to packets", p, x.closed_outputs[p], y.closed_outputs[p]);
  }
  void on_the_way() {
    const Side::OnTheWay x = lists_.on_the_way(), y = planes_.on_the_way();
    same("VA", "heads that wait", 0, x.heads, y.heads);
    same("ST", "flits", 0, x.in_switch, y.in_switch);
    same("links", "flits", 0, x.on_links, y.on_links);
    same("links", "flits to nodes", 0, x.to_nodes, y.to_nodes);
    same("links", "flits on circuits", 0, x.on_circuits, y.on_circuits);
    same("credits", "credits on links", 0, x.credits, y.credits);
    same("set-up", "messages", 0, x.control, y.control);
    same("interfaces", "flits held", 0, x.held, y.held);
    same("interfaces", "flits injected", 0, x.injected, y.injected);
    same("interfaces", "flits delivered", 0, x.delivered, y.delivered);
  }

  const Side& lists_;
  const Side& planes_;
  const RouterBank& a_;
  const RouterBank& b_;
  std::string text_;
};

inline void expect_same_figures(const Side& lists, const Side& planes) {
  ASSERT_EQ(told(*lists.bench.network), told(*planes.bench.network));
  ASSERT_EQ(lists.bench.network->merged_statistics().packet_hash(),
            planes.bench.network->merged_statistics().packet_hash());
}

/// Engines that change at cycles that `below` draws, against lists alone: nobody looks at registers between.
template <class Below>
void expect_same_with_changes(Side& lists, Side& both, std::uint64_t cycles, Below below) {
  count_from_start(lists.bench);
  count_from_start(both.bench);
  bool planes = true;
  for (std::uint64_t cycle = 0, change = below(400); cycle < cycles; ++cycle) {
    if (cycle == change) {
      both.fabric.use_planes(planes = !planes);
      change += 1 + below(400);
    }
    lists.bench.network->cycle();
    both.bench.network->cycle();
    ASSERT_EQ(lists.bench.network->movements(), both.bench.network->movements()) << "cycle " << cycle;
  }
  expect_same_figures(lists, both);
}
/// How many networks to draw for that: nightly more.
inline std::uint64_t networks(std::uint64_t usually) {
  const char* given = std::getenv("BRAID_PLANES");
  return given == nullptr ? usually : std::stoull(given);
}

inline void expect_same_registers(const models::Experiment& e, std::uint64_t cycles, std::uint32_t threads = 1) {
  Side lists(e, false), planes(e, true, threads);
  ASSERT_TRUE(planes.fabric.has_planes());
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    lists.bench.network->cycle();
    planes.bench.network->cycle();
    ASSERT_EQ(Difference(lists, planes).first(), "") << "cycle " << cycle;
  }
  expect_same_figures(lists, planes);
  EXPECT_GT(planes.bench.delivered(), 0U);
}

}  // namespace braid::test
