// What users are told, to the byte: which characters go to a terminal, where texts are cut, which name is the nearest;
// and what is said of memory.
#include "routing/base/input_error.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "routing/base/memory.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::input_error_test {
namespace {

std::string letters(std::size_t n, char letter = 'k') { return std::string(n, letter); }

/// Each first and last character of UTF-8's lengths, and what stands just outside (RFC 3629, section 4).
TEST(PrintableText, KeepsTheCharactersOfUtf8AndNoOthers) {
  for (const std::string& kept :
       {std::string(" "), std::string("~"), std::string("\xc2\xa0"), std::string("\xdf\xbf"),
        std::string("\xe0\xa0\x80"), std::string("\xed\x9f\xbf"), std::string("\xee\x80\x80"),
        std::string("\xef\xbf\xbf"), std::string("\xf0\x90\x80\x80"), std::string("\xf4\x8f\xbf\xbf")}) {
    EXPECT_EQ(printable(kept), kept);
    EXPECT_EQ(printable("a" + kept + "b"), "a" + kept + "b");
  }
  for (const auto& [text, shown] :
       std::vector<std::pair<std::string, std::string>>{{"\x1f", "\\x1f"},
                                                        {"\x7f", "\\x7f"},
                                                        {"\x80", "\\x80"},
                                                        {"\xbf", "\\xbf"},
                                                        {"\xc1\xbf", "\\xc1\\xbf"},
                                                        {"\xc2\x80", "\\xc2\\x80"},  // a control character
                                                        {"\xc2\x9f", "\\xc2\\x9f"},  // the last one
                                                        {"\xc3(", "\\xc3("},
                                                        {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},  // longer than need be
                                                        {"\xe1\x80", "\\xe1\\x80"},
                                                        {"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},  // half of a pair
                                                        {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
                                                        {"\xf1\x80\x80", "\\xf1\\x80\\x80"},
                                                        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                                                        {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
                                                        {"\xff", "\\xff"}}) {
    EXPECT_EQ(printable(text), shown);
  }
}

TEST(OneLine, IsCutAtSixtyBytesBetweenCharacters) {
  EXPECT_EQ(one_line(letters(60)), letters(60));
  EXPECT_EQ(one_line(letters(61)), letters(60) + "…");
  EXPECT_EQ(one_line(letters(58) + "ü"), letters(58) + "ü");
  EXPECT_EQ(one_line(letters(58) + "üb"), letters(58) + "ü…");
  EXPECT_EQ(one_line(letters(59) + "üb"), letters(59) + "…");
  EXPECT_EQ(one_line(letters(57) + "\xf0\x9f\x90\x99"), letters(57) + "…") << "four bytes, of which three would fit";
  EXPECT_EQ(one_line("abcd", 3), "abc…");
  EXPECT_EQ(one_line("abc", 3), "abc");
  EXPECT_EQ(one_line(letters(700) + " end", kLongestSentence), letters(160) + "…");
  EXPECT_EQ(one_line(letters(150) + " end", kLongestSentence), letters(150) + " end");
}

TEST(OneLine, HasABlankForWhiteSpace) {
  EXPECT_EQ(one_line(" \t a \r\n\n b\tc \n"), "a b c");
  EXPECT_EQ(one_line(" \n "), "");
  EXPECT_EQ(one_line(std::string(1000, ' ') + "a"), "a");
}

TEST(InputErrorMessages, CutWordsBeyondEightyBytesToSixty) {
  const auto said = [](const std::string& text) { return std::string(InputError(text).what()); };
  EXPECT_EQ(said(letters(80)), letters(80));
  EXPECT_EQ(said(letters(81)), letters(60) + "…");
  EXPECT_EQ(said("a " + letters(81) + " b " + letters(80) + " c"), "a " + letters(60) + "… b " + letters(80) + " c");
  EXPECT_EQ(said(" a  b "), " a  b ") << "blanks stay";
  EXPECT_EQ(said(""), "");
}

TEST(InputErrorMessages, BeginWithTheirPlace) {
  const auto said = [](const SourcePosition& where) { return std::string(InputError(where, "no").what()); };
  EXPECT_EQ(said({"f", 3, 4}), "f:3:4: no");
  EXPECT_EQ(said({"f", 3, 0}), "f:3: no");
  EXPECT_EQ(said({"f", 0, 4}), "f: no") << "a column of no line";
  EXPECT_EQ(said({"f", 1, 1}), "f:1:1: no");
  EXPECT_EQ(said({}), "no");
  EXPECT_EQ(said({letters(400, 'f'), 2, 0}), letters(400, 'f') + ":2: no");
  EXPECT_EQ(said({letters(401, 'f'), 2, 0}), letters(400, 'f') + "…:2: no");
  EXPECT_TRUE(InputError({"f", 0, 0}, "no").has_place());
  EXPECT_FALSE(InputError({"", 3, 4}, "no").has_place());
  EXPECT_FALSE(InputError("no").has_place());
}

/// Levenshtein's distance: kitten to sitting is 3, saturday to sunday is 3.
TEST(NearestName, IsOfTheLeastDistanceAndTheFirstOfThose) {
  EXPECT_EQ(did_you_mean("kitten", {"sitting"}), " (did you mean \"sitting\"?)");
  EXPECT_EQ(did_you_mean("kitten", {"sittings"}), "") << "4 of 6 letters";
  EXPECT_EQ(did_you_mean("saturday", {"saturvwxz", "sunday"}), " (did you mean \"sunday\"?)") << "4 and 3";
  EXPECT_EQ(did_you_mean("saturday", {"sunday", "saturvwxz"}), " (did you mean \"sunday\"?)");
  EXPECT_EQ(did_you_mean("ab", {"ac", "ad"}), " (did you mean \"ac\"?)");
  EXPECT_EQ(did_you_mean("ab", {"cd"}), " (did you mean \"cd\"?)") << "two letters are always near";
  EXPECT_EQ(did_you_mean("ab", {"cde"}), "");
  EXPECT_EQ(did_you_mean("", {"xy"}), " (did you mean \"xy\"?)");
  EXPECT_EQ(did_you_mean("", {"xyz"}), "");
  EXPECT_EQ(did_you_mean("abc", {"ab", "abcd"}), " (did you mean \"ab\"?)") << "a letter less or more";
  EXPECT_EQ(did_you_mean("ab", {}), "");
}

TEST(NearestName, IsLookedForOfUpToAHundredLetters) {
  EXPECT_EQ(did_you_mean(letters(100), {letters(99)}), " (did you mean \"" + letters(99) + "\"?)");
  EXPECT_EQ(did_you_mean(letters(101), {letters(100)}), "");
}

TEST(UnknownNames, AreAnsweredWithAllThatAreKnown) {
  EXPECT_EQ(unknown_name("toy", "bell", {"ball", "kite"}),
            "unknown toy \"bell\" (did you mean \"ball\"?); known: ball, kite");
  EXPECT_EQ(unknown_name("toy", "x", {}), "unknown toy \"x\"; known:");
}

TEST(MemoryRoom, IsSaidInGigabytesOfATenth) {
  EXPECT_EQ(gigabytes(0), "0.0 GB");
  EXPECT_EQ(gigabytes(1'500'000'000), "1.5 GB");
  EXPECT_EQ(gigabytes(1'440'000'000), "1.4 GB");
  EXPECT_EQ(gigabytes(40'000'000'000), "40.0 GB");
}

TEST(MemoryRoom, IsRefusedOnlyWhereThereIsLess) {
  EXPECT_GT(available_bytes(), 1'000'000U);
  EXPECT_EQ(complaint([] { check_room("toys", 1000.0, "fewer"); }), "");
  const std::string said = complaint([] { check_room("toys", 1e18, "fewer"); });
  EXPECT_EQ(said.find("toys take up to 1000000000.0 GB, and "), 0U) << said;
  EXPECT_NE(said.find(" GB are available; expected fewer"), std::string::npos) << said;
}

}  // namespace
}  // namespace braid::test::input_error_test
