// Messages of section [tlm] over a network without sockets, each with bytes of its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/tlm/carrier.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test {

/// 3x2 routers, node n at (n % 3, n / 3).
struct MessageWire final : models::Carrier::User {
  using Handles = std::vector<std::uint32_t>;
  using Carrier = models::Carrier;

  explicit MessageWire(const models::Experiment& e = tlm_network("hybrid"), std::size_t slices = 1)
      : bench(e, slices), carrier(*bench.network->workload<models::Carrier>()) {
    bench.network->cycle();
  }
  /// A message of so many bytes, each its own.
  models::MessageSlot send(std::size_t from, std::size_t to, std::uint32_t handle, std::size_t bytes,
                           Carrier::Kind kind = Carrier::kRequest, std::uint32_t rank = 0, bool on_circuit = true) {
    const models::MessageSlot slot = carrier.open_message();
    Carrier::Message& m = carrier[slot];
    EXPECT_TRUE(m.bytes.empty());
    EXPECT_FALSE(m.on_circuit);
    m.from = NodeId{from};
    m.to = NodeId{to};
    m.kind = kind;
    m.handle = handle;
    m.on_circuit = on_circuit;  // where there is one
    m.bytes.resize(bytes);
    std::iota(m.bytes.begin(), m.bytes.end(), static_cast<std::uint8_t>(handle));
    carrier.send(slot, rank);
    return slot;
  }
  void left(const Carrier::Message& m) override { gone.push_back(m.handle); }
  void arrived(const Carrier::Message& m) override {
    std::vector<std::uint8_t> expected(m.bytes.size());
    std::iota(expected.begin(), expected.end(), static_cast<std::uint8_t>(m.handle));
    EXPECT_EQ(m.bytes, expected) << m.handle;
    EXPECT_EQ(std::count(gone.begin(), gone.end(), m.handle), 1) << "it has left before";
    come.push_back(m.handle);
  }
  void run(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) {
      carrier.flush(bench.network->now() - 1);
      bench.network->cycle();
      carrier.take(*this);
    }
  }
  Bench bench;
  Carrier& carrier;
  Handles gone, come;
};

}  // namespace braid::test
