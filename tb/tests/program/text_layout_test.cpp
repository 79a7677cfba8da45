// Text that fits the terminal, and text in markup: at the last column, one more, and in two bytes a letter.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tb/braid/layout.h"
#include "tb/braid/markup.h"

namespace braid::test::text_layout_test {
namespace {

using tb::wrapped;
using Words = std::vector<std::string>;

TEST(OutputColumns, AreThoseOfTheEnvironmentAndFortyAtLeast) {
  setenv("COLUMNS", "39", 1);
  EXPECT_EQ(tb::output_columns(), 40U);
  setenv("COLUMNS", "41", 1);
  EXPECT_EQ(tb::output_columns(), 41U);
  setenv("COLUMNS", "1", 1);
  EXPECT_TRUE(tb::output_has_columns());
  EXPECT_EQ(tb::output_columns(), 40U);
  setenv("COLUMNS", "500", 1);
  EXPECT_EQ(tb::output_columns(), 500U);
}

/// Standard output of a captured test is a file, which says nothing of columns.
TEST(OutputColumns, AreEightyWhereNobodySays) {
  testing::internal::CaptureStdout();
  setenv("COLUMNS", "0", 1);
  const std::size_t of_zero = tb::output_columns();
  const bool said = tb::output_has_columns();
  unsetenv("COLUMNS");
  const std::size_t without = tb::output_columns();
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(of_zero, 80U);
  EXPECT_FALSE(said);
  EXPECT_EQ(without, 80U);
}

TEST(Words, AreWhatStandsBetweenBlanks) {
  EXPECT_EQ(tb::words_of("  a  bc\nd "), (Words{"a", "bc", "d"}));
  EXPECT_EQ(tb::words_of(""), Words{});
}

TEST(Columns, CountLettersNotBytes) {
  EXPECT_EQ(tb::columns_of(""), 0U);
  EXPECT_EQ(tb::columns_of("abc"), 3U);
  EXPECT_EQ(tb::columns_of("±±"), 2U);
  EXPECT_EQ(tb::columns_of("…"), 1U);
  EXPECT_EQ(tb::columns_of("\xf0\x9f\x98\x80"), 1U) << "four bytes, of which three go on";
}

/// "ab cd" has five columns; with "ef" behind it, eight.
TEST(Wrapped, BeginsALineWhereAWordWouldPassTheLastColumn) {
  const Words words = {"ab", "cd", "ef"};
  EXPECT_EQ(wrapped("", words, 1, 8), "ab cd ef");
  EXPECT_EQ(wrapped("", words, 1, 7), "ab cd\n ef");
  EXPECT_EQ(wrapped("", words, 1, 5), "ab cd\n ef");
  EXPECT_EQ(wrapped("", words, 0, 4), "ab\ncd\nef");
}

/// Behind the indent a second word of a line: 2 + 2 + 1 + 2 columns.
TEST(Wrapped, CountsTheIndent) {
  const Words words = {"abcdef", "gh", "ij"};
  EXPECT_EQ(wrapped("", words, 2, 7), "abcdef\n  gh ij");
  EXPECT_EQ(wrapped("", words, 3, 7), "abcdef\n   gh\n   ij");
}

/// What comes first is parted from the next word by its own blank, or by one more; what it takes counts.
TEST(Wrapped, GoesOnBehindWhatComesFirst) {
  EXPECT_EQ(wrapped("key ", {"ab", "cd"}, 2, 9), "key ab cd");
  EXPECT_EQ(wrapped("key ", {"ab", "cd"}, 2, 8), "key ab\n  cd");
  EXPECT_EQ(wrapped("key", {"ab"}, 2, 6), "key ab");
  EXPECT_EQ(wrapped("key", {"ab"}, 2, 5), "key\n  ab");
  EXPECT_EQ(wrapped("±±± ", {"ab"}, 2, 6), "±±± ab");
  EXPECT_EQ(wrapped("key  ", {}, 2, 9), "key");
}

TEST(Wrapped, LeavesAWordThatIsLongerThanALineWholeAndNoBlankAtAnEnd) {
  EXPECT_EQ(wrapped("", {"abcdefgh", "i"}, 0, 4), "abcdefgh\ni");
  EXPECT_EQ(wrapped("k ", {"abcdefgh"}, 0, 4), "k abcdefgh");
  EXPECT_EQ(wrapped("", {"ab  ", "cd  "}, 0, 6), "ab\ncd");
  EXPECT_EQ(wrapped("", {}, 3, 4), "");
}

TEST(Markup, EscapesWhatXmlAndDotMean) {
  EXPECT_EQ(tb::xml_text("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(tb::xml_text("plain"), "plain");
  EXPECT_EQ(tb::dot_text("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(tb::dot_text(""), "\"\"");
}

}  // namespace
}  // namespace braid::test::text_layout_test
