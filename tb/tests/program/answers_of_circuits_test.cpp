// What braid circuits prints of the layout of an experiment, and writes: why there are no paths, and those that are.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/braid/commands.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::answers_of_circuits_test {
namespace {

using Edge = std::pair<int, int>;

/// A stream for each edge; actors a, b, ... of routers 0, 1, ..., as far as they have any.
tb::Options of(const std::string& name, const std::vector<Edge>& edges, const std::string& width,
               const std::string& height) {
  const std::string graph = temporary_file(name + ".toml");
  std::ofstream file(graph);
  const auto letter = [](int number) { return std::string(1, static_cast<char>('a' + number)); };
  file << "name = \"" << name << "\"\n";
  std::set<int> actors;
  for (const auto& [from, to] : edges) actors.insert({from, to});
  for (const int a : actors) {
    file << "[[actor]]\nname = \"" << letter(a) << "\"\nwork = 1\ntile = " << a << "\n";
  }
  for (const auto& [from, to] : edges) {
    file << "[[edge]]\nfrom = \"" << letter(from) << "\"\nto = \"" << letter(to) << "\"\n";
  }
  tb::Options options;
  options.experiment = experiment("fm_radio");
  options.settings = {"topology.width=" + width, "topology.height=" + height, "stream.graph=" + graph,
                      "disjoint.finder=exact"};
  return options;
}

struct Answer {
  std::string text;  ///< what is printed, and behind it what it complains of
  boost::json::object document;

  const boost::json::object& finder() const {
    EXPECT_TRUE(document.contains("finders")) << text;
    return document.at("finders").as_array().at(0).as_object();
  }
  std::string because() const { return boost::json::value_to<std::string>(finder().at("because")); }
  double number(const char* figure) const { return finder().at(figure).to_number<double>(); }
};

Answer answer(tb::Options options) {
  Answer all;
  options.json = temporary_file("circuits.json");
  options.outputs.emplace_back("--json", options.json);
  testing::internal::CaptureStdout();
  const std::string failed = complaint<std::exception>([&] { EXPECT_EQ(tb::show_circuits(options), 0); });
  std::fflush(stdout);
  all.text = testing::internal::GetCapturedStdout() + failed;
  if (std::ifstream(options.json).is_open()) all.document = boost::json::parse(content(options.json)).as_object();
  return all;
}

/// The corner has two links. One router: its actor is named.
TEST(AnswersOfCircuits, SayWhichRouterHasTooFewLinks) {
  const Answer crowded = answer(of("crowded", {{0, 1}, {0, 2}, {0, 3}}, "2", "2"));
  const std::string said = "3 streams leave (0,0) (actor a), which has 2 links";
  EXPECT_EQ(crowded.because(), said);
  EXPECT_NE(crowded.text.find("proof: " + said + "\n"), std::string::npos) << crowded.text;
}

TEST(AnswersOfCircuits, SayWhichRouterTooManyStreamsEnter) {
  EXPECT_EQ(answer(of("inwards", {{0, 3}, {1, 3}, {2, 3}}, "2", "2")).because(),
            "3 streams enter (1,1) (actor d), which has 2 links");
}

/// Two rows of three: the routers of the first column have two links out of it for three streams, each by itself has
/// enough. Nobody's actors are named.
TEST(AnswersOfCircuits, SayWhichTwoRoutersHaveTooFewLinks) {
  EXPECT_EQ(answer(of("column", {{0, 1}, {0, 4}, {3, 4}}, "3", "2")).because(),
            "3 streams leave (0,0) (0,1), which have 2 links");
}

TEST(AnswersOfCircuits, SayWhichTwoRoutersTooManyStreamsEnter) {
  EXPECT_EQ(answer(of("back", {{1, 0}, {4, 0}, {4, 3}}, "3", "2")).because(),
            "3 streams enter (0,0) (0,1), which have 2 links");
}

/// A row of four: a's stream goes over two links and c's over one, which are as many as lie between them.
TEST(AnswersOfCircuits, KnowTheirPaths) {
  tb::Options row = of("row", {{0, 2}, {2, 3}}, "4", "1");
  row.paths = temporary_file("paths.txt");
  row.outputs = {{"--paths", row.paths}};
  const Answer all = answer(row);
  EXPECT_EQ(all.finder().at("answer"), "found");
  EXPECT_EQ(all.finder().at("shortest"), true);
  EXPECT_EQ(all.finder().at("total_links"), 3);
  EXPECT_EQ(all.finder().at("longest_links"), 2);
  EXPECT_EQ(all.finder().at("proof"), "distance");
  EXPECT_FALSE(all.finder().contains("because"));
  const boost::json::value paths = {{{"stream", "a -> c"}, {"routers", {"0,0", "1,0", "2,0"}}},
                                    {{"stream", "c -> d"}, {"routers", {"2,0", "3,0"}}}};
  EXPECT_EQ(all.finder().at("paths"), paths);
  EXPECT_EQ(all.text.rfind("row: 2 streams on mesh 4x1; 1 on the fullest link under x_first\n", 0), 0U) << all.text;
  EXPECT_NE(all.text.find("no fewer links, by: distance\n"), std::string::npos) << all.text;
  const std::string text = content(row.paths);
  EXPECT_EQ(text.rfind("# row on mesh 4x1: paths by finder exact\n", 0), 0U) << text;
  EXPECT_NE(text.find("  # a -> c\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  # c -> d\n"), std::string::npos) << text;
}

/// Two streams of a row over its middle link, which is one: packets share it.
TEST(AnswersOfCircuits, CountPacketsOfStreamsOnTheFullestLink) {
  const Answer all = answer(of("shared", {{0, 2}, {1, 3}}, "4", "1"));
  EXPECT_EQ(all.document.at("streams"), 2);
  EXPECT_EQ(all.document.at("most_streams_on_a_link").to_number<double>(), 2.0);
  EXPECT_EQ(all.document.at("routing"), "x_first");
  EXPECT_EQ(all.finder().at("answer"), "none");
}

/// What is known is told all the same.
TEST(AnswersOfCircuits, AreNotWrittenWhereThereAreNone) {
  tb::Options crowded = of("crowded", {{0, 1}, {0, 2}, {0, 3}}, "2", "2");
  crowded.paths = temporary_file("none.txt");
  crowded.outputs = {{"--paths", crowded.paths}};
  const Answer all = answer(crowded);
  EXPECT_NE(all.text.find(crowded.paths + ": not written, for no finder has paths for all streams"), std::string::npos)
      << all.text;
  EXPECT_FALSE(std::ifstream(crowded.paths).is_open());
  EXPECT_EQ(all.finder().at("answer"), "none");
}

TEST(AnswersOfCircuits, OfManyLayoutsHaveNoPaths) {
  tb::Options pair = of("pair", {{0, 1}}, "2", "1");
  pair.paths = temporary_file("none.txt");
  pair.settings.emplace_back("disjoint.layouts=1");
  EXPECT_EQ(answer(pair).text, "--paths: those of one layout; expected no disjoint.layouts");
}

/// Both actors of two have one link each way: every layout of two on a row of two has its path.
TEST(AnswersOfCircuits, AreCountedOverLayouts) {
  tb::Options pair = of("pair", {{0, 1}}, "2", "1");
  pair.settings.emplace_back("disjoint.layouts=3");
  const Answer all = answer(pair);
  EXPECT_EQ(all.document.at("layouts"), 3);
  EXPECT_EQ(all.document.at("seed"), 1);
  EXPECT_EQ(all.number("found"), 3);
  EXPECT_EQ(all.number("none"), 0);
  EXPECT_EQ(all.number("unknown"), 0);
  EXPECT_EQ(all.number("success_rate"), 1.0);
  EXPECT_EQ(all.number("total_links_mean"), 1.0);
  EXPECT_EQ(all.number("excess_links_mean"), 0.0);
  EXPECT_EQ(all.text.rfind("pair: 1 streams on mesh 2x1, 3 random layouts\n", 0), 0U) << all.text;
  EXPECT_NE(all.text.find(" 1.000 (0.439 to 1.000)"), std::string::npos) << all.text;
}

/// Three out of a corner, wherever the layout has it: none of the two layouts has paths, by one router.
TEST(AnswersOfCircuits, OfLayoutsWithoutPathsHaveNoMeans) {
  tb::Options crowded = of("crowded", {{0, 1}, {0, 2}, {0, 3}}, "2", "2");
  crowded.settings.emplace_back("disjoint.layouts=2");
  const Answer all = answer(crowded);
  EXPECT_EQ(all.number("found"), 0);
  EXPECT_EQ(all.number("none"), 2);
  EXPECT_EQ(all.number("none_by_one_router"), 2);
  EXPECT_EQ(all.number("success_rate"), 0.0);
  EXPECT_FALSE(all.finder().contains("total_links_mean"));
  EXPECT_FALSE(all.finder().contains("excess_links_mean"));
}

}  // namespace
}  // namespace braid::test::answers_of_circuits_test
