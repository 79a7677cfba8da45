// braid paths of source-routed experiments.
#include "tb/tests/support/program.h"

namespace braid::test::route_paths_test {
namespace {

std::string source_routed(const std::string& more = "") {
  const std::string file = testing::TempDir() + "source_routed" + std::to_string(getpid()) + ".toml";
  std::ofstream(file) << "[topology]\nkind = \"irregular\"\n[router]\nvcs = 1\n[routing]\nalgorithm = "
                         "\"source_routed\"\n"
                      << more << "[traffic]\npattern = \"uniform\"\n";
  return file;
}

TEST(RoutePaths, CheckPrintsTheFiguresOfGoodPaths) {
  const Ended ended = braid("paths " + source_routed("paths = \"balanced\"\nin_transit = \"minimum\"\n") + " --check");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.output,
            "pairs of routers             240\n"
            "links of a path              1.933 mean\n"
            "in-transit buffers of a path 0.117 mean, 1 at most\n"
            "paths on a link              7.25 mean, 1.54 standard deviation, 12 at most\n"
            "dependencies of channels     114, no cycle\n");
}

TEST(RoutePaths, PathsThatCanDeadlockAreBadInputOrAFailureWhereTheyAreAllowed) {
  const std::string file = source_routed("in_transit = \"none\"\n");
  const Ended refused = braid("paths " + file + " --check");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("these paths can deadlock"), std::string::npos) << refused.output;
  const Ended allowed = braid("paths " + file + " --check --set routing.allow_deadlock=true");
  EXPECT_EQ(allowed.status, 1);
  EXPECT_NE(allowed.output.find("wrong: channels wait for each other along legs: (s"), std::string::npos)
      << allowed.output;
}

TEST(RoutePaths, CheckIsForPathsThatSourcesChoose) {
  const Ended ended = braid("paths " + experiment("mesh_uniform") + " --check");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find("expected routing.algorithm = \"source_routed\""), std::string::npos) << ended.output;
  EXPECT_EQ(braid("run " + experiment("mesh_uniform") + " --check").status, 2);
}

TEST(RoutePaths, JsonHasEveryPathByNamesAndWhereItsBuffersAre) {
  const Ended ended = braid("paths " + source_routed("in_transit = \"every_switch\"\n") + " --check --json -");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const boost::json::object all = boost::json::parse(ended.output).as_object();
  const boost::json::array& paths = all.at("paths").as_array();
  EXPECT_EQ(paths.size(), 240U);
  EXPECT_TRUE(all.at("path_check").at("good").as_bool());
  for (const boost::json::value& path : paths) {
    const boost::json::array& routers = path.at("routers").as_array();
    EXPECT_EQ(routers.front(), path.at("from"));
    EXPECT_EQ(routers.back(), path.at("to"));
    EXPECT_EQ(path.at("ports").as_array().size() + 1, routers.size());
    EXPECT_EQ(path.at("in_transit").as_array().size() + 2, routers.size());
  }
  EXPECT_EQ(paths[0].at("from"), "s0");
  EXPECT_EQ(paths[0].at("to"), "s1");
  EXPECT_EQ(paths[0].at("ports").at(0).as_string().find("link"), 0U);
}

}  // namespace
}  // namespace braid::test::route_paths_test
