// Rows of a waveform of the PO2 router in the middle of nine (po2_middle.h), looked at cycle by cycle.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tb/tests/support/po2_middle.h"

namespace braid::test {

struct Po2Rows : Po2Middle {
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;
  std::uint64_t now = 50;

  explicit Po2Rows(const models::Experiment& e = small_po2(3, 3)) : Po2Middle(e) {
    source = bench.network->fabric().signals(table, {RouterId{std::size_t{4}}});
  }
  /// A cycle ends with the registers as they are.
  void look() { source->sample(now++); }
  std::uint64_t at(const std::string& where, const std::string& name) const {
    for (const models::Signal& s : table.signals()) {
      if (s.scope == "router_1_1" + where && s.name == name) return s.value;
    }
    ADD_FAILURE() << "no row " << where << "." << name;
    return 0;
  }
  std::uint64_t of(int b, const std::string& name) const { return at(".buffer" + std::to_string(b), name); }
  std::uint64_t number(const models::po2::Buffer& buffer) const {
    const models::Packet& packet = po2_fabric(bench).store()[buffer.packet];
    return models::packet_number(packet.source.value, packet.sequence);
  }
  /// An offer of the cycle that is looked at next.
  models::po2::Offer& offer(std::size_t p, std::uint8_t buffer) {
    models::po2::Offer& o = router.offers[p];
    o = {};
    o.cycle = now;
    o.buffer = buffer;
    o.packet = router.buffers[buffer].packet;
    return o;
  }
};

}  // namespace braid::test
