// Which channels a kind of packets has where a file leaves that open (-1), by intersim2's rule: requests the lower half
// of them, replies the upper half; what is read of a channel's number; and what nobody has filled yet.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/icnt.h"
#include "models/icnt/packets.h"
#include "models/icnt/topology.h"
#include "tb/tests/support/complaint.h"

namespace braid::models::icnt {
namespace {

using Ends = std::pair<unsigned, unsigned>;

std::string open_ranges(unsigned vcs) {
  std::string text =
      "sim_type = gpgpusim; topology = mesh; routing_function = dor; use_map = 0;\nnum_vcs = " + std::to_string(vcs) +
      ";\n";
  for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"})
    text += std::string(kind) + "_begin_vc = -1; " + kind + "_end_vc = -1;\n";
  return text;
}
std::vector<Ends> ranges_of(const std::string& text) {
  const Configuration c = read_configuration(text, "test.icnt");
  std::vector<Ends> all;
  for (const unsigned kind : c.range_of_kind) all.emplace_back(c.ranges.at(kind).begin, c.ranges.at(kind).end);
  return all;
}

/// 0 to half - 1 and half to the last, of half the channels, rounded down; one channel is everybody's.
TEST(IcntOpenRanges, AreHalvesOfTheChannels) {
  struct Halves {
    unsigned vcs;
    Ends requests, replies;
  };
  for (const Halves& h : {Halves{1, {0, 0}, {0, 0}}, Halves{2, {0, 0}, {1, 1}}, Halves{3, {0, 0}, {1, 2}},
                          Halves{4, {0, 1}, {2, 3}}, Halves{5, {0, 1}, {2, 4}}, Halves{6, {0, 2}, {3, 5}},
                          Halves{63, {0, 30}, {31, 62}}, Halves{64, {0, 31}, {32, 63}}}) {
    const std::vector<Ends> all{h.requests, h.requests, h.replies, h.replies};
    EXPECT_EQ(ranges_of(open_ranges(h.vcs)), all) << h.vcs;
    EXPECT_EQ(read_configuration(open_ranges(h.vcs), "x").ranges.size(), h.vcs == 1 ? 1U : 2U) << h.vcs;
  }
}

/// One end that is named leaves the other open.
TEST(IcntOpenRanges, AreOpenAtOneEndAlone) {
  const std::vector<Ends> all =
      ranges_of(open_ranges(8) +
                "read_request_begin_vc = 2; write_request_end_vc = 6; read_reply_begin_vc = 0; "
                "write_reply_end_vc = 5;");
  EXPECT_EQ(all, (std::vector<Ends>{{2, 3}, {0, 6}, {0, 7}, {4, 5}}));
}

/// -1 to 2^20 is read as a number; what is no channel of the file's is told with the channels that there are.
TEST(IcntOpenRanges, NumbersOfChannelsHaveTheirBounds) {
  for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"}) {
    for (const char* end : {"_begin_vc", "_end_vc"}) {
      const std::string key = std::string(kind) + end;
      const auto said = [&](const std::string& value) {
        return test::complaint<Error>(
            [&] { (void)read_configuration(open_ranges(64) + key + "=" + value + ";", "f"); });
      };
      const std::string at = "f:7:" + std::to_string(key.size() + 2) + ": " + key + " = ";
      for (const char* wrong : {"-2", "1048577", "x"})
        EXPECT_EQ(said(wrong), at + wrong + ", expected an integer from -1 to 1048576");
      for (const char* none : {"64", "1048576"}) {
        EXPECT_EQ(said(none), at + none +
                                  ", expected a channel of num_vcs = 64, 0 to 63; a file with other than 16 channels "
                                  "names all eight *_begin_vc and *_end_vc");
      }
      EXPECT_EQ(said("-1"), "");
    }
  }
}

/// Of numbers with a least and a greatest both are named.
TEST(IcntNumbers, AreToldTheirBounds) {
  const auto said = [&](const std::string& key, const std::string& value) {
    return test::complaint<Error>([&] { (void)read_configuration(open_ranges(4) + key + "=" + value + ";", "f"); });
  };
  for (const auto& [key, bounds] :
       std::vector<std::pair<std::string, std::string>>{{"k", "1 to 4096"},
                                                        {"n", "1 to 12"},
                                                        {"use_noc_latency", "0 to 1"},
                                                        {"subnets", "1 to 2"},
                                                        {"use_map", "0 to 1"},
                                                        {"flit_size", "1 to 1048576"},
                                                        {"num_vcs", "1 to 64"},
                                                        {"vc_buf_size", "1 to 1048576"},
                                                        {"input_buffer_size", "0 to 1048576"},
                                                        {"ejection_buffer_size", "0 to 1048576"},
                                                        {"boundary_buffer_size", "1 to 1048576"},
                                                        {"routing_delay", "0 to 1"},
                                                        {"credit_delay", "0 to 1000"},
                                                        {"input_speedup", "1 to 1048576"},
                                                        {"output_speedup", "1 to 16"},
                                                        {"wait_for_tail_credit", "0 to 1"}}) {
    EXPECT_EQ(said(key, "x"),
              "f:7:" + std::to_string(key.size() + 2) + ": " + key + " = x, expected an integer from " + bounds);
  }
  EXPECT_EQ(said("internal_speedup", "x"), "f:7:18: internal_speedup = x, expected a number from 1 to 16");
}

// ---------------------------------------------------------------- what nobody has filled

TEST(IcntUnfilled, NothingHasHappened) {
  const Totals totals{};
  EXPECT_EQ(totals.cycles, 0U);
  EXPECT_EQ(totals.pushed, 0U);
  EXPECT_EQ(totals.flits_pushed, 0U);
  EXPECT_EQ(totals.complete, 0U);
  EXPECT_EQ(totals.latency_sum, 0U);
  EXPECT_EQ(totals.latency_greatest, 0U);
  const PacketList list{};
  EXPECT_EQ(list.first, 0U);
  EXPECT_EQ(list.last, 0U);
  EXPECT_EQ(list.count, 0U);
  EXPECT_EQ(Packet{}.payload, nullptr);
  EXPECT_EQ(Packet{}.next, 0U);
  const Configuration configuration{};
  for (const unsigned range : configuration.range_of_kind) EXPECT_EQ(range, 0U);
  EXPECT_EQ(Allocator{}.iterations, 1U);
  EXPECT_TRUE(Allocator{}.kind == AllocatorKind::kIslip);
}

/// A port that nothing is joined to leads to no place, in a cycle.
TEST(IcntUnfilled, PortsLeadNowhere) {
  const Wiring::End end{};
  EXPECT_FALSE(end.node);
  EXPECT_EQ(end.place, Wiring::kNone);
  EXPECT_EQ(end.latency, 1U);
  const Wiring wiring{};
  EXPECT_EQ(wiring.routers, 0U);
  EXPECT_EQ(wiring.ports, 0U);
  EXPECT_EQ(wiring.nodes, 0U);
  EXPECT_EQ(wiring.longest, 1U);
  EXPECT_FALSE(wiring.torus);
}

}  // namespace
}  // namespace braid::models::icnt
