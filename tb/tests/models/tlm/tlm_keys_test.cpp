// The keys of section [tlm] as docs/configuration.md has them; and where the styles without flits refuse them.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "models/tlm/sockets/estimated_interconnect.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/declared_keys.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test::tlm_keys_test {
namespace {

template <class Value>
void expect_key(const std::string& name, const std::string& expected, const Value& initial) {
  const std::vector<Declared>& all = declared("tlm." + name);
  ASSERT_EQ(all.size(), 1U) << name;
  EXPECT_EQ(all[0].option.expected(), expected) << name;
  const auto* value = std::get_if<Value>(&all[0].option.initial);
  ASSERT_NE(value, nullptr) << name;
  EXPECT_EQ(*value, initial) << name;
}
void expect_integer(const std::string& name, std::int64_t least, std::int64_t most, std::int64_t initial) {
  expect_key(name, "integer, " + std::to_string(least) + " to " + std::to_string(most), initial);
}

TEST(TlmKeys, AreThoseOfThePage) {
  expect_key<std::string>("map", "text", "");
  expect_key<std::string>("style", "one of: cycle_accurate, approximately_timed, loosely_timed", "cycle_accurate");
  expect_integer("observation_cycles", 64, 1000000000, 16384);
  expect_integer("flit_bytes", 8, 128, 8);
  expect_integer("packet_flits", 2, 65535, 16);
  expect_integer("outstanding", 1, 65536, 16);
  expect_integer("most_bytes", 1, 16777216, 4096);
  expect_integer("timeout_cycles", 0, 1000000000, 0);
  expect_key("byte_enables", "true or false", true);
  expect_key("dmi", "true or false", false);
}

std::string refused_estimate(const models::Experiment& e) {
  const auto topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  return complaint([&] { const models::EstimatedInterconnect net("net", e, topology, *routing); });
}

/// From the first cycle of a time-out on, and the first pair of circuits.
TEST(TlmKeys, OfFlitsAreRefusedWhereThereAreNone) {
  for (const char* style : {"approximately_timed", "loosely_timed"}) {
    models::Experiment e = tlm_network("hybrid");
    e.set("tlm.style", style);
    EXPECT_EQ(refused_estimate(e), "");
    models::Experiment late = e;
    late.set("tlm.timeout_cycles", 1);
    EXPECT_EQ(refused_estimate(late),
              "tlm.timeout_cycles needs tlm.style = \"cycle_accurate\": no estimate loses a transaction");
    e.add("tlm.circuits", std::vector<std::uint32_t>{0, 5}, {});
    EXPECT_EQ(refused_estimate(e), "tlm.circuits needs tlm.style = \"cycle_accurate\": estimates know packets only");
  }
}

}  // namespace
}  // namespace braid::test::tlm_keys_test
