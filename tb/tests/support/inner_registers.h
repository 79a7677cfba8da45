// All that lists and planes hand over to each other, whichever of the two has run: beside the registers that
// two_engines.h compares, whose turn it is at each arbiter, what the stages' lists name, and what the interfaces are
// at.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/planes/registers.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test {

namespace inside {

using models::hybrid::Slice;
using models::hybrid::planes::Registers;

/// Registers of the whole network by their name, slice after slice.
using Named = std::map<std::string, std::vector<std::uint32_t>>;

template <class List>
std::vector<std::uint32_t> in_order(const List& list) {
  std::vector<std::uint32_t> all(list.begin(), list.end());
  std::sort(all.begin(), all.end());
  return all;
}

inline void add(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

inline void add_arbiters(Named& all, Registers& r, const Slice& slice) {
  const std::size_t ports = r.range().size() * r.bank.port_stride(), lanes = r.bank.lane_stride();
  const auto take = [&](const char* name, const std::uint16_t* values, std::size_t size) {
    add(all[name], std::vector<std::uint32_t>(values, values + size));
  };
  if (const auto turns = Registers::turns(slice)) {
    take("SA, input ports' turns", turns->lanes, ports);
    take("SA, output ports' turns", turns->ports, ports);
  }
  if (const auto ranks = Registers::ranks(slice)) {
    take("SA, input ports' orders", ranks->lanes, ports * r.bank.vcs());
    take("SA, output ports' orders", ranks->ports, ports * r.bank.port_stride());
  }
  if (auto* const va = r.vc_arbitration()) {
    take("VA, input VCs' turns", va->input_arbiters().pointers(), ports * lanes);
    take("VA, output VCs' turns", va->output_arbiters().pointers(), ports * lanes);
  }
}

inline void add_interfaces(Named& all, Registers& r, const Slice& slice) {
  auto& waiting = all["interfaces, packets that wait"];
  auto& leaving = all["interfaces, VC of the packet that leaves, its next flit, turn among the VCs"];
  auto& busy = all["interfaces, something to send"];
  const std::size_t first = r.first_local_port(), last = slice.interfaces().last_local_port();
  for (std::size_t i = first; i < last; ++i) {
    const auto& port = r.local_port(i);
    waiting.push_back(static_cast<std::uint32_t>(port.packets.size()));
    add(leaving, {port.out_vc, port.next_flit, port.vc_pointer});
    busy.push_back(r.sends.contains(i - first) ? 1 : 0);
  }
}

inline Named registers(const Side& side) {
  Named all;
  auto& bank = const_cast<models::hybrid::RouterBank&>(side.bank());
  auto& store = const_cast<models::PacketStore&>(side.bench.network->store());
  side.for_each_slice([&](const Slice& slice) {
    Registers r(const_cast<Slice&>(slice), bank, store, slice.options());
    add_arbiters(all, r, slice);
    add_interfaces(all, r, slice);
    add(all["VA, heads that wait"], in_order(r.waiting));
    add(all["RC, heads"], in_order(r.heads));
    auto& requesting = all["SA, ports that request"];
    for (std::size_t p = 0; p < r.range().size() * bank.port_stride(); ++p) {
      requesting.push_back(r.requesting.contains(p) ? 1 : 0);
    }
  });
  all["VA, ports that input VCs got last"].assign(bank.last_ports, bank.last_ports + bank.input_vc_count());
  return all;
}

}  // namespace inside

inline void expect_same_inside(const Side& lists, const Side& planes) {
  const inside::Named a = inside::registers(lists), b = inside::registers(planes);
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, values] : a) ASSERT_EQ(values, b.at(name)) << name;
}

/// Lists beside planes in every cycle; lists take the others' place after so many cycles, and after as many give it
/// back (0: planes run all the time).
inline void expect_same(const models::Experiment& e, std::uint64_t cycles, std::uint64_t change,
                        std::uint32_t threads = 1) {
  SCOPED_TRACE("changed after " + std::to_string(change));
  Side lists(e, false), planes(e, true, threads);
  ASSERT_TRUE(planes.fabric.has_planes());
  for (Side* side : {&lists, &planes}) count_from_start(side->bench);
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    if (change != 0) planes.fabric.use_planes(cycle / change % 2 == 0);
    lists.bench.network->cycle();
    planes.bench.network->cycle();
    ASSERT_EQ(Difference(lists, planes).first(), "") << "cycle " << cycle;
    ASSERT_NO_FATAL_FAILURE(expect_same_inside(lists, planes)) << "cycle " << cycle;
  }
  expect_same_figures(lists, planes);
  EXPECT_GT(planes.bench.delivered(), 0U);
}

}  // namespace braid::test
