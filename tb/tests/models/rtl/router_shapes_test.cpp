// What is known of a router in RTL without building it: which shapes it fits, what its registers are called, and when
// its clock may stand still.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/rtl/idle_watch.h"
#include "models/rtl/router_image.h"
#include "models/rtl/router_manifest.h"

namespace braid::test::router_shapes_test {
namespace {

using models::hybrid::IdleWatch;
using models::hybrid::RouterImage;
using models::hybrid::RouterInputs;
using models::hybrid::RouterManifest;
using models::hybrid::RouterOutputs;
using models::hybrid::RouterShape;

RouterShape usual() {
  RouterShape s;
  s.ports = 5;
  s.vcs = 4;
  s.depth = 8;
  s.circuits = true;
  s.circuit_depth = 3;
  s.circuit_lanes = 2;
  s.routing = "table";
  return s;
}

TEST(RouterManifest, FitsItsOwnShapeAndNoOther) {
  RouterManifest manifest;
  manifest.shape = usual();
  EXPECT_TRUE(manifest.fits(usual()));
  const std::vector<std::pair<const char*, std::function<void(RouterShape&)>>> changes{
      {"ports", [](RouterShape& s) { s.ports = 6; }},
      {"vcs", [](RouterShape& s) { s.vcs = 2; }},
      {"depth", [](RouterShape& s) { s.depth = 4; }},
      {"deeper", [](RouterShape& s) { s.depth = 16; }},
      {"wider", [](RouterShape& s) { s.flit_width = 65; }},
      {"routing", [](RouterShape& s) { s.routing = "x_first"; }},
      {"arbiter", [](RouterShape& s) { s.arbiter = "matrix"; }},
      {"vc_allocator", [](RouterShape& s) { s.vc_allocator = "islip"; }},
      {"switch_allocator", [](RouterShape& s) { s.switch_allocator = "islip"; }},
      {"islip_iterations", [](RouterShape& s) { s.islip_iterations = 2; }},
      {"bypass", [](RouterShape& s) { s.buffer_bypass = true; }},
      {"no circuits", [](RouterShape& s) { s.circuits = false; }},
      {"circuit_depth", [](RouterShape& s) { s.circuit_depth = 4; }},
      {"circuit_lanes", [](RouterShape& s) { s.circuit_lanes = 1; }},
      {"table_nodes", [](RouterShape& s) { s.table_nodes = 17; }}};
  for (const auto& [what, change] : changes) {
    RouterShape other = usual();
    change(other);
    EXPECT_FALSE(manifest.fits(other)) << what;
  }
}

/// Wider flits and a larger table have room for less.
TEST(RouterManifest, FitsWhatHasRoom) {
  RouterManifest manifest;
  manifest.shape = usual();
  RouterShape less = usual();
  less.flit_width = 63;
  less.table_nodes = 15;
  EXPECT_TRUE(manifest.fits(less));
}

/// Of a router that routes and arbitrates in its own ways only the pins count, and it has no circuits.
TEST(RouterManifest, OfAForeignRouterFitsByItsPins) {
  RouterManifest manifest;
  manifest.shape = usual();
  manifest.any_routing = manifest.any_arbiter = true;
  EXPECT_FALSE(manifest.fits(usual())) << "circuits";
  RouterShape wanted = usual();
  wanted.circuits = false;
  wanted.routing = "x_first";
  wanted.arbiter = "matrix";
  EXPECT_TRUE(manifest.fits(wanted));
  wanted.depth = 7;
  EXPECT_FALSE(manifest.fits(wanted));
}

/// Each word is where its name stands.
TEST(RouterImage, NamesEachRegisterByPortAndLane) {
  RouterShape shape = usual();
  shape.ports = 3;
  const std::vector<RouterImage::Name> names = RouterImage::names(shape);
  RouterImage image(shape);
  ASSERT_EQ(names.size(), image.size());
  std::uint64_t next = 1;
  std::vector<std::pair<std::string, int>> expected{{"", 0}};
  const auto put = [&](std::uint64_t& word, const std::string& name, int port) {
    word = next++;
    expected.emplace_back(name, port);
  };
  put(image.router(RouterImage::kSearch), "setup.search", -1);
  put(image.router(RouterImage::kOutcome), "outcome_o", -1);
  put(image.vc(2, 1, RouterImage::kLastPort), "port2.vc1.last_port", 2);
  put(image.vc(0, 3, RouterImage::kState), "port0.vc3.state", 0);
  put(image.credits(1, 5), "port1.lane5.credits", 1);
  put(image.count(2, 0), "port2.lane0.count", 2);
  put(image.circuit_out(1, 1), "port1.lane5.circuit_out", 1);
  put(image.circuit_in(2, 0), "port2.lane4.circuit_in", 2);
  put(image.port(1, RouterImage::kFreeVcs), "port1.free_vcs", 1);
  put(image.port(2, RouterImage::kCreditOut), "port2.credit_o", 2);
  put(*image.flit(1, RouterImage::kStFlit), "port1.st_flit.mark", 1);
  put(image.flit(2, RouterImage::kLinkOut)[1], "port2.link_o.data0", 2);
  put(*image.slot(2, 3, 7), "port2.lane3.slot7.mark", 2);
  put(image.slot(1, 5, 2)[1], "port1.lane5.slot2.data0", 1);
  for (std::size_t i = 1; i < next; ++i) {
    const auto word = std::find(image.words().begin(), image.words().end(), i);
    ASSERT_NE(word, image.words().end()) << expected[i].first;
    const RouterImage::Name& name = names[static_cast<std::size_t>(word - image.words().begin())];
    EXPECT_EQ(name.signal, expected[i].first);
    EXPECT_EQ(name.port, expected[i].second) << name.signal;
  }
}

/// Quiet for two cycles and nothing inside; one driven pin begins anew.
TEST(IdleWatch, LetsTheClockStandAfterTwoQuietCycles) {
  IdleWatch watch;
  const RouterInputs none_in;
  const RouterOutputs none_out;
  const auto goes_quiet = [&](const char* after) {
    EXPECT_FALSE(watch.idle(none_in)) << after;
    watch.clocked(none_in, none_out);
    EXPECT_FALSE(watch.idle(none_in)) << "a cycle after " << after;
    watch.clocked(none_in, none_out);
    EXPECT_TRUE(watch.idle(none_in)) << "two cycles after " << after;
  };
  goes_quiet("reset");
  RouterInputs in;
  in.credits[3] = 1;
  EXPECT_FALSE(watch.idle(in));
  watch.clocked(in, none_out);
  goes_quiet("a credit");
  RouterOutputs out;
  out.outcome = true;
  watch.clocked(none_in, out);
  goes_quiet("the end of a search");
  in.clear();
  in.links[2].valid = true;
  watch.clocked(in, none_out);
  for (int i = 0; i < 5; ++i) watch.clocked(none_in, none_out);
  EXPECT_FALSE(watch.idle(none_in)) << "a flit is inside";
  out.clear();
  out.links[0].valid = true;
  watch.clocked(none_in, out);
  goes_quiet("the flit has left");
}

}  // namespace
}  // namespace braid::test::router_shapes_test
