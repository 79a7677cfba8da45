// Paths that stand in a file: what is read, and what a mistake in each place is answered with.
#include "routing/paths/disjoint/path_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/disjoint.h"

namespace braid::test::path_file_test {
namespace {

using namespace routing;
using Paths = std::vector<std::vector<std::uint32_t>>;

std::string file_of(const std::string& text) {
  const std::string file = temporary_file("paths.txt");
  std::ofstream(file) << text;
  return file;
}

/// Of a 3x3 mesh, whose routers are called x,y.
struct Mesh {
  Topology topology = grid_of("mesh", 3, 3);
  Channels channels{topology};
  std::vector<Demand> demands{{RouterId{0}, RouterId{4}}, {RouterId{2}, RouterId{0}}, {RouterId{0}, RouterId{4}}};

  Paths read(const std::string& text) const { return read_paths(file_of(text), topology, channels, demands); }
  std::vector<std::string> routers(const std::vector<std::uint32_t>& path) const {
    std::vector<std::string> names;
    for (const std::uint32_t c : path) names.push_back(topology.router_names[channels[c].to.value]);
    return names;
  }
  std::string complaint(const std::string& text) const {
    try {
      (void)read(text);
    } catch (const InputError& e) {
      const std::string line = e.what();
      return line.substr(line.find("paths.txt") + 9);
    }
    return "none";
  }
};

using Names = std::vector<std::string>;

/// Two demands have the same ends: the first takes the first line.
TEST(PathFile, LinesGoToTheDemandsOfTheirEnds) {
  const Mesh mesh;
  const Paths paths = mesh.read("# head\n\n2,0 1,0 0,0\n  0,0\t0,1 1,1 # tail\r\n0,0 1,0 1,1\n");
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(mesh.routers(paths[0]), (Names{"0,1", "1,1"}));
  EXPECT_EQ(mesh.routers(paths[1]), (Names{"1,0", "0,0"}));
  EXPECT_EQ(mesh.routers(paths[2]), (Names{"1,0", "1,1"}));
}

TEST(PathFile, WhatIsWrittenIsReadAgain) {
  const Mesh mesh;
  const DisjointPaths found = found_by("exact", mesh.topology, mesh.demands);
  ASSERT_EQ(found.answer, DisjointAnswer::kFound);
  std::string text;
  for (std::size_t d = 0; d < mesh.demands.size(); ++d) {
    text += path_line(mesh.topology, mesh.channels, mesh.demands[d], found.paths[d]) + "\n";
  }
  EXPECT_EQ(mesh.read(text), found.paths);
  Configuration given;
  given.set("disjoint.file", file_of(text));
  EXPECT_EQ(found_by("listed", mesh.topology, mesh.demands, given).paths, found.paths);
}

/// Of a trunk the first link that is free; then there is none left.
TEST(PathFile, SeveralLinksBetweenTwoRoutersAreTakenInTurn) {
  const Topology t = graph_of(2, {{0, 1}, {0, 1}});
  const Channels channels(t);
  const std::string line = t.router_names[0] + " " + t.router_names[1] + "\n";
  const std::vector<Demand> demands(2, {RouterId{0}, RouterId{1}}), more(3, {RouterId{0}, RouterId{1}});
  EXPECT_EQ(read_paths(file_of(line + line), t, channels, demands), (Paths{{0}, {1}}));
  EXPECT_THROW(read_paths(file_of(line + line + line), t, channels, more), InputError);
}

TEST(PathFile, MistakesAreAnsweredWithLineAndColumn) {
  const Mesh mesh;
  const std::string good = "0,0 1,0 1,1\n";
  EXPECT_EQ(mesh.complaint(good + "0,0  0,9 1,1\n"), ":2:6: unknown router \"0,9\" (did you mean \"0,0\"?)");
  EXPECT_EQ(mesh.complaint("0,0 1,1\n"), ":1:5: no link leads from router 0,0 to router 1,1");
  EXPECT_EQ(mesh.complaint("0,0 1,0 0,0 0,1 1,1\n"), ":1:9: the path comes to router 0,0 twice");
  EXPECT_EQ(mesh.complaint("\n 1,1 1,0\n"), ":2:2: no stream leads from router 1,1 to router 1,0");
  EXPECT_EQ(mesh.complaint(good + "\n0,0 1,0 1,1\n"),
            ":3:5: the link from router 0,0 to router 1,0 is on the path of line 1 already");
  EXPECT_EQ(mesh.complaint(good + "0,0 0,1 1,1\n0,0 0,1 1,1\n"),
            ":3:1: no further stream leads from router 0,0 to router 1,1: line 2 has the path of the last one");
  EXPECT_EQ(mesh.complaint(good + "0,0 0,1 1,1\n"),
            ": has no path from router 2,0 to router 0,0: expected a line for each of 3 streams");
}

TEST(PathFile, IsAskedForWhereItIsMissing) {
  const Mesh mesh;
  try {
    (void)found_by("listed", mesh.topology, mesh.demands);
    FAIL() << "no file was given";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "disjoint.file is missing: expected a file of paths");
  }
}

/// The two ends are one word.
TEST(PathFile, APathWithinARouterIsItsName) {
  const Mesh mesh;
  const std::vector<Demand> demands{{RouterId{4}, RouterId{4}}, {RouterId{0}, RouterId{1}}};
  const auto read = [&](const std::string& text) {
    return read_paths(file_of(text), mesh.topology, mesh.channels, demands);
  };
  const Paths paths = read("1,1\n0,0 1,0");
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_TRUE(paths[0].empty());
  EXPECT_EQ(mesh.routers(paths[1]), Names{"1,0"});
  EXPECT_EQ(path_line(mesh.topology, mesh.channels, demands[0], paths[0]), "1,1");
  EXPECT_THROW((void)read("0,0 1,0\n"), InputError) << "it wants its line all the same";
}

/// Of a trunk of two the last link's line is named; a second line of a path within a router, its own.
TEST(PathFile, TheLastLineInTheWayIsNamed) {
  const Topology t = graph_of(3, {{0, 1}, {0, 1}, {1, 2}});
  const Channels channels(t);
  const std::vector<Demand> demands{
      {RouterId{0}, RouterId{1}}, {RouterId{0}, RouterId{1}}, {RouterId{0}, RouterId{2}}, {RouterId{2}, RouterId{2}}};
  const auto refusal = [&](const std::string& text) {
    try {
      (void)read_paths(file_of(text), t, channels, demands);
    } catch (const InputError& e) {
      const std::string line = e.what();
      return line.substr(line.find("paths.txt") + 9);
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal("r0 r1\n# between\nr0 r1\nr0 r1 r2\n"),
            ":4:4: the link from router r0 to router r1 is on the path of line 3 already");
  EXPECT_EQ(refusal("r2\n\nr2\n"),
            ":3:1: no further stream leads from router r2 to router r2: line 1 has the path of the last one");
  EXPECT_EQ(refusal("r0 r1\nr2\n"), ": has no path from router r0 to router r1: expected a line for each of 4 streams");
}

/// Comments and blanks alone are no line of a path, wherever they stand; what is behind a # is never read.
TEST(PathFile, CommentsAreNotRead) {
  const Mesh mesh;
  const Paths paths = mesh.read("#0,0 9,9\n \t \r\n0,0 0,1 1,1#9,9\n0,0 1,0 1,1 #\n\n2,0 1,0 0,0\n#");
  EXPECT_EQ(mesh.routers(paths[0]), (Names{"0,1", "1,1"}));
  EXPECT_EQ(mesh.routers(paths[2]), (Names{"1,0", "1,1"}));
  EXPECT_EQ(mesh.complaint("#\n\n\t9,9\n").substr(0, 5), ":3:2:");
}

}  // namespace
}  // namespace braid::test::path_file_test
