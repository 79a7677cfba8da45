// The table of options that program and manual are made of.
#include "tb/braid/manual.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/tests/support/declared_keys.h"

namespace braid::test::manual_test {
namespace {

/// TOML has texts in quotes, names of policies and of files among them, and numbers without.
bool is_text(const std::string& key) {
  const std::string expected = declared(key).front().option.expected();
  return expected == "text" || expected == "file name" || expected.rfind("one of: ", 0) == 0;
}

TEST(Manual, QuotesWhatOptionsSetWhereTheKeyIsAText) {
  for (const tb::Flag& flag : tb::flags()) {
    if (flag.key.empty()) {
      EXPECT_FALSE(flag.quoted) << "--" << flag.name << " sets no key";
      continue;
    }
    ASSERT_FALSE(declared(flag.key).empty()) << "--" << flag.name << ": " << flag.key;
    EXPECT_EQ(flag.quoted, is_text(flag.key)) << "--" << flag.name << ": " << flag.key;
  }
}

TEST(Manual, HasEachOptionOnce) {
  std::set<std::string> names, letters;
  for (const tb::Flag& flag : tb::flags()) {
    EXPECT_TRUE(names.insert(flag.name).second) << "--" << flag.name;
    EXPECT_TRUE(flag.letter.empty() || letters.insert(flag.letter).second) << "-" << flag.letter;
  }
}

TEST(Manual, SaysOfWhatMayBeRepeatedThatItMay) {
  for (const tb::Flag& flag : tb::flags()) {
    EXPECT_EQ(flag.repeatable, flag.text.find("Repeatable.") != std::string::npos) << "--" << flag.name;
    EXPECT_FALSE(flag.repeatable && flag.argument.empty()) << "--" << flag.name;
  }
}

/// What the program itself writes; what an experiment's key names is claimed by who writes it.
TEST(Manual, KnowsWhichOptionsAreFilesToWrite) {
  std::set<std::string> written;
  std::map<std::string, std::string> letters;
  for (const tb::Flag& flag : tb::flags()) {
    if (flag.written) written.insert(flag.name);
    if (!flag.letter.empty()) letters[flag.letter] = flag.name;
    EXPECT_FALSE(flag.written && !flag.key.empty()) << "--" << flag.name;
  }
  EXPECT_EQ(written, (std::set<std::string>{"dot", "draw", "graphml", "json", "mermaid", "paths", "toml"}));
  EXPECT_EQ(letters, (std::map<std::string, std::string>{{"h", "help"}, {"o", "output"}, {"q", "quiet"}}));
}

/// Options of no command are everybody's.
TEST(Manual, HasFourOptionsOfAllCommands) {
  std::set<std::string> of_all;
  for (const tb::Flag& flag : tb::flags()) {
    if (flag.commands.empty()) of_all.insert(flag.name);
  }
  EXPECT_EQ(of_all, (std::set<std::string>{"help", "plugin", "quiet", "version"}));
}

}  // namespace
}  // namespace braid::test::manual_test
