// The table of options that program and manual are made of.
#include "tb/braid/manual.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace braid::test::manual_test
