// An input unit alone, by the drawing of docs/router.md: LT, BW, VA, SA, ST.
#include "models/stages/hybrid/input_unit.h"

#include <fstream>
#include <sstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/stage_bench.h"

namespace braid::test::input_unit_test {
namespace {

using namespace models::stages::hybrid;

/// Port 0, VC 2 of 4; the output VC that it gets: port 3, VC 1. Credits are 8 there.
constexpr unsigned kVc = 2, kOutPort = 3, kOutVc = 1, kOut = kOutPort * 4 + kOutVc;

struct Bench : StageBench<InputUnit> {
  using StageBench::StageBench;
  void credits(unsigned count) { wires.set("credits_i", kOut * 4, 4, count); }
  void flit_on_link(bool head, bool tail, std::uint64_t data) {
    wires.set("valid_i", 0);
    wires.set("vc_i", 0, 2, kVc);
    wires.set("flit_i", 0, 64, data);
    wires.set("flit_i", 64, tail);
    wires.set("flit_i", 65, head);
  }
  void link_rests() { wires.clear("valid_i"); }
  void va_grants(bool granted) {
    wires.set("waiting_i", kVc, granted);
    wires.set("vc_grant_i", kVc, granted);
    wires.set("vc_grant_port_i", kVc * 5 + kOutPort, granted);
    wires.set("vc_grant_vc_i", kVc * 4 + kOutVc, granted);
  }
  /// LT, BW, VA: afterwards the flit asks for the switch if there is credit.
  void head_gets_vc(bool tail) {
    flit_on_link(true, tail, 0x9);
    edge();
    link_rests();
    edge();
    va_grants(true);
    edge();
    va_grants(false);
  }
};

TEST(InputUnit, ShowsAHeadToRouteComputationInTheCycleAfterTheLink) {
  Bench bench(RouterShape{});
  bench.flit_on_link(true, false, 0xabc0009);
  bench.edge();
  EXPECT_FALSE(bench.any("heads_o")) << "the flit is in the latch";
  bench.link_rests();
  bench.edge();
  EXPECT_EQ(bench.wires.read("heads_o"), models::stages::Bits(20, 1U << kVc));
  EXPECT_EQ(bench.field("destination_o", kVc * 16, 16), 9U);
  bench.edge();
  EXPECT_FALSE(bench.any("heads_o")) << "RC is done";
}

TEST(InputUnit, AsksForTheSwitchInTheCycleAfterVaAndCrossesItInTheCycleAfterSa) {
  Bench bench(RouterShape{});
  bench.credits(8);
  bench.flit_on_link(true, true, 0x55);
  bench.edge();
  bench.link_rests();
  bench.edge();
  bench.va_grants(true);
  EXPECT_FALSE(bench.any("request_o"));
  bench.edge();
  bench.va_grants(false);
  EXPECT_TRUE(bench.bit("request_o", kVc));
  EXPECT_EQ(bench.field("out_port_o", kVc * 3, 3), kOutPort);
  EXPECT_EQ(bench.field("out_vc_o", kVc * 2, 2), kOutVc);
  EXPECT_FALSE(bench.any("st_grant_o"));
  bench.wires.set("grant_i", kVc);
  bench.edge();
  bench.wires.clear("grant_i");
  EXPECT_EQ(bench.wires.read("st_grant_o"), models::stages::Bits(5, 1));
  EXPECT_EQ(bench.field("st_flit_o", 0, 64), 0x55U);
  EXPECT_EQ(bench.field("st_flit_o", 64, 2), 3U) << "head and tail";
  EXPECT_EQ(bench.field("st_in_lane_o", 0, 2), kVc);
  EXPECT_EQ(bench.field("st_out_port_o", 0, 3), kOutPort);
  EXPECT_EQ(bench.field("st_out_lane_o", 0, 2), kOutVc);
  EXPECT_FALSE(bench.any("request_o")) << "the VC is empty";
  bench.edge();
  EXPECT_FALSE(bench.any("st_grant_o"));
}

TEST(InputUnit, IsBlockedWithoutCreditAndAsksInTheCycleAfterOneComes) {
  Bench bench(RouterShape{});
  bench.credits(0);
  bench.head_gets_vc(true);
  for (int cycle = 0; cycle < 5; ++cycle) {
    EXPECT_TRUE(bench.bit("ready_o", kVc));
    EXPECT_FALSE(bench.any("request_o")) << cycle;
    bench.edge();
  }
  bench.wires.set("credit_i", kOut);
  bench.edge();
  EXPECT_TRUE(bench.bit("request_o", kVc));
}

/// The next packet's head is routed in the cycle after its predecessor's last flit was granted the switch.
TEST(InputUnit, ShowsTheHeadBehindATailInTheCycleAfterTheTailsGrant) {
  Bench bench(RouterShape{});
  bench.credits(8);
  bench.head_gets_vc(true);
  bench.flit_on_link(true, true, 0x77);
  bench.edge();
  bench.link_rests();
  bench.edge();
  EXPECT_FALSE(bench.any("heads_o")) << "it is behind another packet";
  bench.wires.set("grant_i", kVc);
  bench.edge();
  bench.wires.clear("grant_i");
  EXPECT_FALSE(bench.any("heads_o"));
  bench.edge();
  EXPECT_TRUE(bench.bit("heads_o", kVc));
  EXPECT_EQ(bench.field("destination_o", kVc * 16, 16), 0x77U);
}

TEST(InputUnit, WithTheWriteBypassABodyFlitAsksInTheCycleOfItsBufferWrite) {
  models::hybrid::Options options;
  options.buffer_bypass = true;
  Bench bench(std::make_shared<const AlonePlace>(RouterShape{}, options));
  bench.credits(8);
  bench.head_gets_vc(false);
  bench.wires.set("grant_i", kVc);
  bench.edge();
  bench.wires.clear("grant_i");
  EXPECT_FALSE(bench.any("request_o"));
  bench.flit_on_link(false, true, 1);
  bench.edge();
  bench.link_rests();
  EXPECT_TRUE(bench.bit("request_o", kVc)) << "its BW is in this cycle";
}

TEST(InputUnit, WithoutTheBypassABodyFlitAsksInTheCycleAfterItsBufferWrite) {
  Bench bench(RouterShape{});
  bench.credits(8);
  bench.head_gets_vc(false);
  bench.wires.set("grant_i", kVc);
  bench.edge();
  bench.wires.clear("grant_i");
  bench.flit_on_link(false, true, 1);
  bench.edge();
  bench.link_rests();
  EXPECT_FALSE(bench.any("request_o")) << "its BW is in this cycle";
  bench.edge();
  EXPECT_TRUE(bench.bit("request_o", kVc));
}

/// Lines of a VCD by which a signal changes, as (picoseconds, value).
std::vector<std::pair<std::uint64_t, std::string>> changes(const std::string& file, const std::string& signal) {
  std::ifstream in(file);
  std::string symbol, line;
  std::uint64_t time = 0;
  std::vector<std::pair<std::uint64_t, std::string>> found;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string var, wire, width, code, name;
    if (words >> var >> wire >> width >> code >> name && var == "$var" && name == signal) symbol = code;
    if (line[0] == '#') time = std::stoull(line.substr(1));
    const std::size_t blank = line.rfind(' ');
    if (line[0] == 'b' && !symbol.empty() && line.substr(blank + 1) == symbol)
      found.emplace_back(time, line.substr(1, blank - 1));
  }
  return found;
}

TEST(InputUnit, IsSeenInAWaveOfSystemC) {
  const std::string name = temporary_file("input_unit");
  {
    Bench bench(RouterShape{});
    sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(name.c_str());
    bench.wires.trace(file);
    bench.credits(8);
    bench.head_gets_vc(true);  // its VA is in the third cycle
    bench.edges(3);
    sc_core::sc_close_vcd_trace_file(file);
    bench.wires.save(name);
  }
  std::ifstream save(name + ".gtkw");
  const std::string rows{std::istreambuf_iterator<char>(save), {}};
  EXPECT_NE(rows.find("[dumpfile] \"" + name + ".vcd\"\n"), std::string::npos);
  EXPECT_NE(rows.find("\nSystemC.request_o[19:0]\n"), std::string::npos) << rows;  // 5 ports of 4 VCs
  EXPECT_LT(rows.find("SystemC.valid_i[4:0]"), rows.find("SystemC.request_o")) << "inputs come first";
  const auto requests = changes(name + ".vcd", "request_o");
  ASSERT_EQ(requests.size(), 2U) << "none, then one";
  EXPECT_EQ(requests[1].first, 2000U) << "from the edge that ends VA's cycle";
  EXPECT_EQ(requests[1].second.find_last_of('1'), requests[1].second.size() - 1 - kVc);
}

TEST(InputUnit, RefusesASignalOfAnotherWidth) {
  sc_core::sc_signal<bool> clock("clock");
  sc_core::sc_signal<models::stages::Bits> four("four", models::stages::Bits(4));
  InputUnit unit("unit", RouterShape{});
  unit.clk_i(clock);
  unit.valid_i(four);
  const PortSignals others(unit);
  try {
    sc_core::sc_start(1, sc_core::SC_NS);
    FAIL() << "elaborated";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unit.valid_i: a port of 5 bits is bound to a signal of 4");
  }
}

}  // namespace
}  // namespace braid::test::input_unit_test
