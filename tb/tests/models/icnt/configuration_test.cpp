// What an .icnt file says: intersim2's defaults, the least and the greatest of every number, what this library has one
// value of only, and how ranges of channels are read.
#include "models/icnt/configuration.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/icnt/icnt.h"
#include "models/icnt/keys.h"

namespace braid::models::icnt {
namespace {

/// As little as a file may say: intersim2 has no routing function by default, and simulates no GPU.
const char* const kLeast = "sim_type = gpgpusim; topology = mesh; routing_function = dor;\n";

Configuration configured(const std::string& more, const std::string& first = kLeast) {
  return read_configuration(first + more, "test.icnt");
}
std::string configuration_refusal(const std::string& more, const std::string& first = kLeast) {
  try {
    configured(more, first);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(IcntConfiguration, HasTheDefaultsOfIntersim2) {
  const Configuration c = configured("");
  EXPECT_EQ(c.name, "test.icnt");
  EXPECT_EQ(c.topology, Topology::kMesh);
  EXPECT_EQ(c.k, 8U);
  EXPECT_EQ(c.n, 2U);
  EXPECT_TRUE(c.folded);
  EXPECT_EQ(c.network, "k = 8, n = 2");
  EXPECT_EQ(c.nodes(), 64U);
  EXPECT_EQ(c.subnets, 1U);
  EXPECT_TRUE(c.use_map);
  EXPECT_TRUE(c.memory_node_map.empty());
  EXPECT_EQ(c.memory_node_map_at, "test.icnt (default)");
  EXPECT_EQ(c.flit_size, 32U);
  EXPECT_EQ(c.vcs, 16U);
  EXPECT_EQ(c.vc_buffer, 8U);
  EXPECT_EQ(c.input_buffer, 9U);  // 0 in the file
  EXPECT_EQ(c.boundary_buffer, 16U);
  ASSERT_EQ(c.ranges.size(), 4U);
  const unsigned ranges[4][2] = {{0, 5}, {2, 7}, {8, 13}, {10, 15}};
  for (unsigned kind = 0; kind < 4; ++kind) {
    EXPECT_EQ(c.range_of_kind[kind], kind);
    EXPECT_EQ(c.ranges[kind], (VcRange{ranges[kind][0], ranges[kind][1]})) << kind;
  }
  for (const Allocator& allocator : {c.vc_allocator, c.switch_allocator}) {
    EXPECT_EQ(allocator.kind, AllocatorKind::kIslip);
    EXPECT_EQ(allocator.iterations, 1U);
  }
  EXPECT_EQ(c.routing_delay, 1U);
  EXPECT_EQ(c.credit_delay, 0U);
  EXPECT_EQ(c.input_speedup, 1U);
  EXPECT_EQ(c.output_speedup, 1U);
  EXPECT_EQ(c.internal_speedup, 1.0);
  EXPECT_FALSE(c.wait_for_tail_credit);
}

/// Before a file is read there is what is read of one that says nothing.
TEST(IcntConfiguration, BeginsWithTheDefaultsOfIntersim2) {
  const Configuration begin, read = configured("");
  EXPECT_EQ(begin.k, read.k);
  EXPECT_EQ(begin.n, read.n);
  EXPECT_EQ(begin.folded, read.folded);
  EXPECT_EQ(begin.subnets, read.subnets);
  EXPECT_EQ(begin.use_map, read.use_map);
  EXPECT_EQ(begin.flit_size, read.flit_size);
  EXPECT_EQ(begin.vcs, read.vcs);
  EXPECT_EQ(begin.vc_buffer, read.vc_buffer);
  EXPECT_EQ(begin.input_buffer, read.input_buffer);
  EXPECT_EQ(begin.boundary_buffer, read.boundary_buffer);
  EXPECT_EQ(begin.routing_delay, read.routing_delay);
  EXPECT_EQ(begin.credit_delay, read.credit_delay);
  EXPECT_EQ(begin.input_speedup, read.input_speedup);
  EXPECT_EQ(begin.output_speedup, read.output_speedup);
  EXPECT_EQ(begin.internal_speedup, read.internal_speedup);
  EXPECT_EQ(begin.wait_for_tail_credit, read.wait_for_tail_credit);
  EXPECT_EQ(VcRange().mask(), 1U) << "the first channel alone";
}

struct Bounded {
  const char* key;
  const char *first, *before, *last, *behind;  ///< `before`, `behind`: "" where there is no such number
  std::function<double(const Configuration&)> read;
  double of_first, of_last;
};

TEST(IcntConfiguration, EveryNumberHasItsLeastAndItsGreatest) {
  const auto truth = [](bool is) { return is ? 1.0 : 0.0; };
  const std::vector<Bounded> all{
      {"k", "1", "0", "64", "4097", [](const auto& c) { return c.k; }, 1, 64},
      {"n", "1", "0", "4", "13", [](const auto& c) { return c.n; }, 1, 4},
      {"use_noc_latency", "0", "-1", "1", "2", [&](const auto& c) { return truth(c.folded); }, 0, 1},
      {"subnets", "1", "0", "2", "3", [](const auto& c) { return c.subnets; }, 1, 2},
      {"use_map", "0", "-1", "1", "2", [&](const auto& c) { return truth(c.use_map); }, 0, 1},
      {"flit_size", "1", "0", "1048576", "1048577", [](const auto& c) { return c.flit_size; }, 1, 1048576},
      {"num_vcs", "16", "0", "64", "65", [](const auto& c) { return c.vcs; }, 16, 64},
      {"vc_buf_size", "1", "0", "1048576", "1048577", [](const auto& c) { return c.vc_buffer; }, 1, 1048576},
      {"input_buffer_size", "0", "-1", "1048576", "1048577", [](const auto& c) { return c.input_buffer; }, 9, 1048576},
      {"boundary_buffer_size", "1", "0", "1048576", "1048577", [](const auto& c) { return c.boundary_buffer; }, 1,
       1048576},
      {"routing_delay", "0", "-1", "1", "2", [](const auto& c) { return c.routing_delay; }, 0, 1},
      {"credit_delay", "0", "-1", "1000", "1001", [](const auto& c) { return c.credit_delay; }, 0, 1000},
      // More crossbar ports an input than channels are none.
      {"input_speedup", "1", "0", "1048576", "1048577", [](const auto& c) { return c.input_speedup; }, 1, 16},
      {"output_speedup", "1", "0", "16", "17", [](const auto& c) { return c.output_speedup; }, 1, 16},
      {"internal_speedup", "1", "0.99", "16", "16.01", [](const auto& c) { return c.internal_speedup; }, 1, 16},
      {"wait_for_tail_credit", "0", "-1", "1", "2", [&](const auto& c) { return truth(c.wait_for_tail_credit); }, 0, 1},
  };
  for (const Bounded& each : all) {
    const auto statement = [&](const std::string& value) { return std::string(each.key) + " = " + value + ";"; };
    EXPECT_EQ(each.read(configured(statement(each.first))), each.of_first) << each.key;
    EXPECT_EQ(each.read(configured(statement(each.last))), each.of_last) << each.key;
    for (const char* wrong : {each.before, each.behind, "x", "1x", "99999999999999999999"}) {
      const std::string refusal = configuration_refusal(statement(wrong));
      EXPECT_EQ(refusal.rfind("test.icnt:2:" + std::to_string(std::string(each.key).size() + 4) + ": " + each.key +
                                  " = " + wrong + ", expected ",
                              0),
                0U)
          << refusal;
    }
  }
  EXPECT_EQ(configured("input_speedup = 3; num_vcs = 64;").input_speedup, 3U);
  EXPECT_EQ(configured("internal_speedup = 1.5;").internal_speedup, 1.5);
}

TEST(IcntConfiguration, AnEjectionBufferHoldsWhatTheLastRouterMaySend) {
  EXPECT_EQ(configuration_refusal("vc_buf_size = 5; ejection_buffer_size = 4;"),
            "test.icnt:2:41: ejection_buffer_size = 4, expected 0 or at least vc_buf_size = 5, which is what the last "
            "router may send");
  for (const char* size : {"0", "5", "1048576"}) {
    EXPECT_EQ(configuration_refusal("vc_buf_size = 5; ejection_buffer_size = " + std::string(size) + ";"), "taken");
  }
  EXPECT_NE(configuration_refusal("ejection_buffer_size = 1048577;").find("expected an integer from 0 to 1048576"),
            std::string::npos);
}

TEST(IcntConfiguration, ANetworkHas4096NodesAtMost) {
  for (const auto& [text, nodes] : {std::pair<const char*, unsigned>{"k = 4096; n = 1;", 4096},
                                    {"k = 64; n = 2;", 4096},
                                    {"k = 2; n = 12;", 4096},
                                    {"k = 1; n = 12;", 1},
                                    {"k = 3; n = 7;", 2187}}) {
    EXPECT_EQ(configured(text).nodes(), nodes) << text;
  }
  for (const char* text : {"k = 65; n = 2;", "k = 3; n = 8;", "k = 4096; n = 2;"}) {
    EXPECT_NE(configuration_refusal(text).find("expected k to the power of n to be at most 4096 nodes"),
              std::string::npos)
        << text;
  }
}

/// A key that this library has one value of takes that one, and no other.
TEST(IcntConfiguration, TakesTheOneValueOfWhatHasOne) {
  const std::vector<std::pair<std::string, std::string>> only{{"router", "iq"},
                                                              {"c", "1"},
                                                              {"vc_alloc_delay", "1"},
                                                              {"sw_alloc_delay", "1"},
                                                              {"st_prepare_delay", "0"},
                                                              {"st_final_delay", "1"},
                                                              {"speculative", "0"},
                                                              {"noq", "0"},
                                                              {"hold_switch_for_packet", "0"},
                                                              {"vc_busy_when_full", "0"},
                                                              {"vc_prioritize_empty", "0"},
                                                              {"vc_shuffle_requests", "0"},
                                                              {"output_buffer_size", "-1"},
                                                              {"buf_size", "-1"},
                                                              {"buffer_policy", "private"},
                                                              {"priority", "none"},
                                                              {"classes", "1"},
                                                              {"link_failures", "0"}};
  for (const auto& [key, value] : only) {
    EXPECT_EQ(configuration_refusal(key + " = " + value + ";"), "taken") << key;
    EXPECT_EQ(configuration_refusal("\n  " + key + "=2;"), "test.icnt:3:" + std::to_string(key.size() + 4) + ": " +
                                                               key + " = 2, and this library has " + key + " = " +
                                                               value + " only");
    EXPECT_EQ(find_key(key)->use, Key::Use::kOnly);
  }
  for (const char* key : {"alloc_iters", "traffic", "injection_rate", "watch_file", "channel_sweep", "read_reply_size"})
    EXPECT_EQ(find_key(key)->use, Key::Use::kNoEffect) << key;
  EXPECT_EQ(find_key("k")->use, Key::Use::kRead);
  EXPECT_EQ(find_key(""), nullptr);
  EXPECT_EQ(find_key("K"), nullptr);
}

/// Letters changed, put in or left out, counted by hand; of equals the first in the library's list.
TEST(IcntConfiguration, TheNearestKeyIsFewestLettersAway) {
  for (const auto& [wrong, nearest] : {std::pair<const char*, const char*>{"topologi", "topology"},
                                       {"num_vc", "num_vcs"},
                                       {"numvcs", "num_vcs"},
                                       {"vc_allocater", "vc_allocator"},
                                       {"sw_alocator", "sw_allocator"},
                                       {"routing_fuction", "routing_function"},
                                       {"read_request_begin", "read_request_begin_vc"},
                                       {"flit-size", "flit_size"},
                                       {"subnet", "subnets"},
                                       {"boundary_bufer_size", "boundary_buffer_size"},
                                       {"warmup_thress", "warmup_thres"},
                                       {"speculativ", "speculative"},
                                       {"xx", "x"},
                                       {"", "k"},
                                       {"packet_sizes_rate", "packet_size_rate"}}) {
    EXPECT_EQ(nearest_key(wrong), nearest) << wrong;
  }
}

TEST(IcntConfiguration, AllocatorsAreReadByTheirNames) {
  for (const std::string key : {"vc_allocator", "sw_allocator"}) {
    const auto read = [&](const std::string& value) {
      const Configuration c = configured(key + " = " + value + ";");
      const Allocator& other = key == "vc_allocator" ? c.switch_allocator : c.vc_allocator;
      EXPECT_EQ(other.kind, AllocatorKind::kIslip);
      EXPECT_EQ(other.iterations, 1U);
      return key == "vc_allocator" ? c.vc_allocator : c.switch_allocator;
    };
    for (const unsigned rounds : {1U, 2U, 16U}) {
      const Allocator islip = read("islip(" + std::to_string(rounds) + ")");
      EXPECT_EQ(islip.kind, AllocatorKind::kIslip);
      EXPECT_EQ(islip.iterations, rounds);
    }
    for (const char* name : {"separable_input_first", "separable_input_first(round_robin)"}) {
      EXPECT_EQ(read(name).kind, AllocatorKind::kSeparableInputFirst) << name;
      EXPECT_EQ(read(name).iterations, 1U);
    }
    for (const char* wrong : {"islip(0)", "islip(17)", "islip(2)x", "islip(2", "islip()", "islip2", "xslip(2)", "pim",
                              "separable_input_first(matrix)", "separable_output_first", "islip(-1)"}) {
      EXPECT_NE(configuration_refusal(key + " = " + wrong + ";")
                    .find(": " + key + " = " + wrong +
                          ", expected islip, islip(ROUNDS) with 1 to 16 rounds, or separable_input_first"),
                std::string::npos)
          << wrong;
    }
  }
}

TEST(IcntConfiguration, RangesThatAreTheSameAreOne) {
  const Configuration c = configured(
      "num_vcs = 4; read_request_begin_vc = 0; read_request_end_vc = 1; write_request_begin_vc = 2; "
      "write_request_end_vc = 3; read_reply_begin_vc = 0; read_reply_end_vc = 1; write_reply_begin_vc = 1; "
      "write_reply_end_vc = 1;");
  ASSERT_EQ(c.ranges.size(), 3U);
  EXPECT_EQ(c.ranges[0], (VcRange{0, 1}));
  EXPECT_EQ(c.ranges[1], (VcRange{2, 3}));
  EXPECT_EQ(c.ranges[2], (VcRange{1, 1}));
  EXPECT_EQ(std::vector<unsigned>(c.range_of_kind, c.range_of_kind + 4), (std::vector<unsigned>{0, 1, 0, 2}));
}

TEST(IcntConfiguration, ARangeIsAWordOfItsChannels) {
  EXPECT_EQ((VcRange{0, 0}.mask()), 1U);
  EXPECT_EQ((VcRange{2, 5}.mask()), 0b111100U);
  EXPECT_EQ((VcRange{0, 63}.mask()), ~std::uint64_t{0});
  EXPECT_EQ((VcRange{63, 63}.mask()), std::uint64_t{1} << 63);
  EXPECT_EQ((VcRange{1, 62}.mask()), ~std::uint64_t{0} / 2 - 1);
  EXPECT_FALSE((VcRange{1, 2} == VcRange{1, 3}));
  EXPECT_FALSE((VcRange{1, 2} == VcRange{0, 2}));
  Configuration c;
  for (const auto& [vcs, shift] : {std::pair{1U, 0U}, {2U, 1U}, {3U, 2U}, {4U, 2U}, {33U, 6U}, {63U, 6U}, {64U, 6U}}) {
    c.vcs = vcs;
    EXPECT_EQ(c.channel_shift(), shift) << vcs;
  }
}

TEST(IcntConfiguration, EachTopologyHasARoutingFunctionByItsNames) {
  const auto read = [](const std::string& topology, const std::string& routing) {
    return configuration_refusal(
        "", "sim_type = gpgpusim; topology = " + topology + "; routing_function = " + routing + "; use_map = 0;\n");
  };
  EXPECT_EQ(read("fly", "dest_tag"), "taken");
  EXPECT_EQ(read("mesh", "dor"), "taken");
  EXPECT_EQ(read("mesh", "dim_order"), "taken");
  EXPECT_EQ(read("torus", "dim_order"), "taken");
  EXPECT_NE(read("fly", "dor").find("expected dest_tag, which fly has"), std::string::npos);
  EXPECT_NE(read("mesh", "dest_tag").find("expected dor, or its other name dim_order, which mesh has"),
            std::string::npos);
  EXPECT_NE(read("torus", "dor").find("expected dim_order, which torus has"), std::string::npos);
  EXPECT_NE(read("anynet", "dor").find("expected min, which anynet has"), std::string::npos);
}

}  // namespace
}  // namespace braid::models::icnt
