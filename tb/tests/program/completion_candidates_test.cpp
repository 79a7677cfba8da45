// What may come next on the command line, by its place: words, or files by their endings.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/braid/completion.h"

namespace braid::test::completion_candidates_test {
namespace {

using Words = std::vector<std::string>;

Words endings(const Words& words) { return tb::candidates_for(words).endings; }

Words offered(const Words& words) {
  Words all;
  for (const tb::Candidate& c : tb::candidates_for(words).words) all.push_back(c.word);
  return all;
}

TEST(Candidates, OfAnArgumentThatIsAFileOrAFolder) {
  EXPECT_EQ(endings({"run", "--json", ""}), Words{"any"});
  EXPECT_EQ(endings({"run", "--rtl", ""}), Words{"/"});
  EXPECT_EQ(offered({"run", "--rtl", ""}), Words{});
  EXPECT_EQ(endings({"run", "--mesh", ""}), Words{}) << "anything";
}

/// Experiments and programs; of graph and partition programs alone; of a new one its own file; of Python anything.
TEST(Candidates, OfAPlaceForAFile) {
  EXPECT_EQ(endings({"run", ""}), (Words{".toml", ".str"}));
  EXPECT_EQ(endings({"run", "a.toml", ""}), Words{});
  EXPECT_EQ(endings({"graph", ""}), Words{".str"});
  EXPECT_EQ(endings({"graph", "a.str", ""}), Words{".str"});
  EXPECT_EQ(endings({"partition", ""}), Words{".str"});
  EXPECT_EQ(endings({"partition", "a.str", ""}), Words{});
  EXPECT_EQ(endings({"new", "mesh", ""}), Words{".toml"});
  EXPECT_EQ(endings({"new", "mesh", "a.toml", ""}), Words{});
  EXPECT_EQ(endings({"schema", ""}), Words{});
  for (const char* command : {"sweep", "results", "compare", "report", "watch", "chakra"}) {
    EXPECT_EQ(endings({command, ""}), Words{"any"}) << command;
    EXPECT_EQ(endings({command, "a", ""}), Words{"any"}) << command;
  }
  EXPECT_EQ(endings({"import", ""}), Words{});
  EXPECT_EQ(endings({"import", "booksim", ""}), Words{"any"});
}

/// Options and their arguments take no place; a word that an option has taken is no command.
TEST(Candidates, CountPlacesWithoutOptions) {
  EXPECT_EQ(endings({"run", "--threads", "2", ""}), (Words{".toml", ".str"}));
  EXPECT_EQ(endings({"run", "--quiet", "a.toml", ""}), Words{});
  EXPECT_EQ(endings({"run", "-q", ""}), (Words{".toml", ".str"}));
  EXPECT_EQ(offered({"--plugin", "list", "sch"}), Words{"schema"});
  EXPECT_EQ(offered({"completion", "b"}), Words{"bash"});
  EXPECT_EQ(offered({"completion", "bash", ""}), Words{});
}

TEST(Candidates, OfTheFirstWordAreTheCommands) {
  const Words all = offered({""});
  EXPECT_EQ(offered({}), all);
  EXPECT_EQ(all.size(), 19U) << "twelve of the program, seven of Python";
  EXPECT_EQ(offered({"pa"}), (Words{"partition", "paths"}));
  EXPECT_EQ(offered({"x"}), Words{});
}

TEST(Candidates, OfASettingAreKeysAndBehindTheSignItsValues) {
  EXPECT_EQ(offered({"run", "--set", "router.arch"}), Words{"router.architecture="});
  EXPECT_EQ(offered({"run", "--set", "router.lookahead="}), (Words{"router.lookahead=true", "router.lookahead=false"}));
  EXPECT_EQ(offered({"sweep", "a.toml", "--vary", "router.arch"}), Words{"router.architecture="});
  EXPECT_EQ(offered({"run", "--set", "router.vcs="}), Words{}) << "a number";
  EXPECT_EQ(offered({"run", "--set", "energy.node="}), (Words{"energy.node=45nm", "energy.node=22nm"}));
}

TEST(Candidates, AreALineEachAndFilesOne) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(tb::print_candidates({"completion", "z"}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "zsh\tits script\n");
  testing::internal::CaptureStdout();
  EXPECT_EQ(tb::print_candidates({"run", ""}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), ":files\t.toml .str\n");
}

}  // namespace
}  // namespace braid::test::completion_candidates_test
