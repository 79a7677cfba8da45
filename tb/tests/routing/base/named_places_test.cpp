// Where a complaint's place is found when only its words are known: the first line of a file, words that name two
// sections, two texts that are the same; and numbers of few digits.
#include <gtest/gtest.h>

#include <string>

#include "routing/base/configuration.h"
#include "routing/base/input_error.h"

namespace braid::test::named_places_test {
namespace {

TEST(NamedPlaces, MayBeInTheFirstLine) {
  Configuration c;
  c.set("a.b", 1, {"--set a.b=1", 0, 0});
  c.set("c.d", 2, {"e.toml", 1, 5});
  const SourcePosition place = c.place_named_in("nothing of it");
  EXPECT_EQ(place.file, "e.toml") << "the file of a key that has a line";
  EXPECT_EQ(place.line, 0U);
  EXPECT_EQ(place.column, 0U);
  Configuration sections;
  sections.open("first", {"e.toml", 1, 2});
  sections.set("second.key", 1, {"e.toml", 7, 1});
  EXPECT_EQ(sections.place_named_in("first.key is missing").line, 1U);
  EXPECT_EQ(sections.place_named_in("a section [first]").line, 1U);
  EXPECT_EQ(sections.place_named_in("second.no is missing").line, 0U) << "nobody has said where [second] begins";
  EXPECT_EQ(sections.place_named_in("second.no is missing").file, "e.toml");
}

TEST(NamedPlaces, OfTheSameTextInTwoKeysAreThoseOfTheFirstKey) {
  Configuration c;
  c.set("a.x", "word", {"e.toml", 9, 1});
  c.set("b.y", "word", {"e.toml", 2, 1});
  EXPECT_EQ(c.place_named_in("who knows \"word\"?").line, 9U);
}

/// A section's name by itself is a word like others; with a key behind it, it names the section.
TEST(NamedPlaces, OfASectionNeedAKeyBehindItsName) {
  Configuration c;
  c.open("b", {"e.toml", 3, 2});
  c.open("c", {"e.toml", 8, 2});
  const auto line = [&](const std::string& message) { return c.place_named_in(message).line; };
  EXPECT_EQ(line("c is not b.no, nor c.no"), 3U);
  EXPECT_EQ(line("no key b.no in any such section"), 3U);
  EXPECT_EQ(line("what the c.no of others would mean to anybody"), 8U);
  EXPECT_EQ(line("b and c"), 0U);
}

/// Six digits at least: what has more in them as a power of ten is written as one (C++'s %g).
TEST(NamedPlaces, NumbersHaveSixDigitsBeforeTheyArePowers) {
  EXPECT_EQ(to_digits(100000.0), "100000");
  EXPECT_EQ(to_digits(1000000.0), "1e+06");
  EXPECT_EQ(to_digits(123450.0), "123450");
}

/// A character of two bytes of which one would fit is left out.
TEST(NamedPlaces, TextsAreCutBeforeTheirFirstCharacter) {
  EXPECT_EQ(one_line("ü", 1), "…");
  EXPECT_EQ(one_line("aü", 2), "a…");
  EXPECT_EQ(one_line("ü", 2), "ü");
}

}  // namespace
}  // namespace braid::test::named_places_test
