// What an experiment gives, before anybody has read it: numbers as texts, sections that stand several times, places.
#include "routing/base/configuration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tb/tests/support/graphs.h"

namespace braid::test::configuration_test {
namespace {

TEST(ConfigurationNumbers, HaveAsFewDigitsAsReadBackTheSame) {
  EXPECT_EQ(to_digits(0.1), "0.1");
  EXPECT_EQ(to_digits(2.0), "2");
  EXPECT_EQ(to_digits(123456.0), "123456");
  EXPECT_EQ(to_digits(1234567.0), "1234567") << "seven digits, where six do not do";
  EXPECT_EQ(to_digits(9007199254740992.0), "9007199254740992") << "sixteen";
  EXPECT_EQ(to_digits(0.1 + 0.2), "0.30000000000000004") << "seventeen, as no fewer tell it from 0.3";
}

TEST(ConfigurationValues, AreTextsAsTomlWritesThem) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(false), "false");
  EXPECT_EQ(to_text(std::int64_t{-3}), "-3");
  EXPECT_EQ(to_text(2.0), "2.0") << "no integer";
  EXPECT_EQ(to_text(2.5), "2.5");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(to_text(std::nan("")), "nan");
  EXPECT_EQ(to_text(std::string("a b")), "\"a b\"");
  EXPECT_EQ(to_text(std::vector<std::uint32_t>{}), "[]");
  EXPECT_EQ(to_text(std::vector<std::uint32_t>{7}), "[7]");
  EXPECT_EQ(to_text(std::vector<std::uint32_t>{7, 0, 9}), "[7, 0, 9]");
}

TEST(ConfigurationValues, AreSetUnlessFalseZeroOrNoText) {
  for (const OptionValue& unset : {OptionValue(false), OptionValue(std::int64_t{0}), OptionValue(std::string())}) {
    EXPECT_FALSE(is_set(unset)) << to_text(unset);
  }
  for (const OptionValue& set : {OptionValue(true), OptionValue(std::int64_t{1}), OptionValue(std::int64_t{-1}),
                                 OptionValue(std::string("0"))}) {
    EXPECT_TRUE(is_set(set)) << to_text(set);
  }
}

TEST(ConfigurationValues, AreTakenOfEveryTypeAndIntegersBelow2To63) {
  Configuration c;
  c.set("s.flag", true);
  c.set("s.small", std::uint8_t{200});
  c.set("s.large", std::uint64_t{INT64_MAX});
  c.set("s.real", 0.5F);
  c.set("s.text", "a");
  c.set("s.list", std::vector<std::uint32_t>{1, 2});
  EXPECT_EQ(c.find("s.flag")->value, OptionValue(true));
  EXPECT_EQ(c.find("s.small")->value, OptionValue(std::int64_t{200}));
  EXPECT_EQ(c.find("s.large")->value, OptionValue(std::int64_t{INT64_MAX}));
  EXPECT_EQ(c.find("s.real")->value, OptionValue(0.5));
  EXPECT_EQ(c.find("s.text")->value, OptionValue(std::string("a")));
  EXPECT_EQ(c.find("s.list")->value, OptionValue(std::vector<std::uint32_t>{1, 2}));
  try {
    c.set("s.large", std::uint64_t{1} << 63U);
    FAIL() << "2^63 is none of them";
  } catch (const ValueError& e) {
    EXPECT_STREQ(e.what(), "9223372036854775808: expected less than 2^63");
  }
  c.set("s.text", "b", {"e.toml", 2, 1});
  EXPECT_EQ(c.find("s.text")->value, OptionValue(std::string("b"))) << "later ones replace earlier ones";
  EXPECT_EQ(c.find("s.text")->where.line, 2U);
  EXPECT_EQ(c.given().size(), 6U);
  c.unset("s.text");
  EXPECT_EQ(c.find("s.text"), nullptr);
  EXPECT_EQ(c.given().size(), 5U);
}

/// Opened, or with a key.
TEST(ConfigurationSections, AreThereWhereTheyAreOpenedOrHaveAKey) {
  Configuration c;
  EXPECT_FALSE(c.has_section("one"));
  c.open("one", {"e.toml", 7, 2});
  c.set("two.key", 1);
  c.set("one.key", 2);
  c.set("ones.key", 3);
  EXPECT_TRUE(c.has_section("one"));
  EXPECT_TRUE(c.has_section("two"));
  EXPECT_FALSE(c.has_section("two.key"));
  EXPECT_EQ(c.section_position("one").line, 7U) << "a key does not move it";
  EXPECT_EQ(c.section_position("two").line, 0U);
  EXPECT_EQ(c.section_position("three").line, 0U);
  c.close("one");
  EXPECT_FALSE(c.has_section("one"));
  EXPECT_EQ(c.find("one.key"), nullptr);
  EXPECT_NE(c.find("ones.key"), nullptr) << "of another section";
  EXPECT_TRUE(c.has_section("ones"));
}

Configuration with_keys(const std::string& section, int a, int b) {
  Configuration c;
  c.set(section + ".a", a);
  c.set(section + ".b", b);
  return c;
}

TEST(ConfigurationSections, MayStandSeveralTimes) {
  Configuration c = with_keys("part", 1, 2);
  c.set("parts.a", 10);
  EXPECT_EQ(c.times("none"), 0U);
  EXPECT_EQ(c.times("part"), 1U);
  EXPECT_EQ(c.repeat("part", {"e.toml", 5, 3}), 1U);
  EXPECT_EQ(c.repeat("parts"), 1U) << "each section has numbers of its own";
  EXPECT_EQ(c.repeat("part", {"e.toml", 9, 3}), 2U);
  EXPECT_EQ(c.times("part"), 3U);
  Configuration second = with_keys("part", 3, 4);
  second.set("parts.a", 11);
  c.take("part", 1, second);
  c.take("part", 2, with_keys("part", 5, 6));
  const auto number = [](const Configuration& of, const std::string& key) {
    const Configuration::Given* given = of.find(key);
    return given == nullptr ? -1 : std::get<std::int64_t>(given->value);
  };
  for (const std::size_t i : {0U, 1U, 2U}) {
    const Configuration one = c.only("part", i);
    EXPECT_EQ(number(one, "part.a"), static_cast<std::int64_t>(2 * i + 1)) << i;
    EXPECT_EQ(number(one, "part.b"), static_cast<std::int64_t>(2 * i + 2)) << i;
    EXPECT_EQ(number(one, "parts.a"), 10) << "of another section";
    EXPECT_EQ(one.times("part"), 1U) << i;
    EXPECT_EQ(one.section_position("part").line, (std::vector<std::size_t>{0, 5, 9})[i]);
  }
  EXPECT_THROW((void)c.only("part", 3), std::logic_error);
  EXPECT_EQ(c.times("part"), 3U) << "only() is a copy";
}

TEST(ConfigurationSections, TakeTheKeysOfAnotherConfigurationAndNoOthers) {
  Configuration c = with_keys("part", 1, 2);
  c.set("part.c", 3);
  c.set("parts.a", 10);
  Configuration from;
  from.set("part.a", 7);
  from.set("parts.a", 11);
  c.take("part", 0, from);
  EXPECT_EQ(c.find("part.a")->value, OptionValue(std::int64_t{7}));
  EXPECT_EQ(c.find("part.b"), nullptr) << "is not there in the other one";
  EXPECT_EQ(c.find("part.c"), nullptr);
  EXPECT_EQ(c.find("parts.a")->value, OptionValue(std::int64_t{10}));
}

/// The first in the message, not the first of the keys; of texts that are quoted the same; then sections.
TEST(ConfigurationPlaces, AreThoseOfWhatTheMessageNamesFirst) {
  Configuration c;
  c.set("a.one", 1, SourcePosition{"e.toml", 2, 7});
  c.set("z.two", "word", SourcePosition{"e.toml", 5, 7});
  c.set("z.three", "other", SourcePosition{"e.toml", 6, 7});
  c.open("open", SourcePosition{"e.toml", 9, 2});
  const auto line = [&](const std::string& message) { return c.place_named_in(message).line; };
  EXPECT_EQ(line("a.one"), 2U) << "the whole message";
  EXPECT_EQ(line("z.two is below a.one"), 5U);
  EXPECT_EQ(line("za.one, a.one2, a.one_, _a.one and z.two"), 5U) << "parts of other words";
  EXPECT_EQ(line("a.one.z.two"), 2U);
  EXPECT_EQ(line("\"other\" and \"word\""), 6U);
  EXPECT_EQ(line("a.one and \"other\""), 2U) << "keys go before texts";
  EXPECT_EQ(line("other without quotes"), 0U);
  EXPECT_EQ(line("a section [open]"), 9U);
  EXPECT_EQ(line("open.key is missing"), 9U);
  EXPECT_EQ(line("reopen.key is missing"), 0U) << "another section's";
  EXPECT_EQ(line("z.four is missing"), 0U) << "nobody has said where [z] begins";
  EXPECT_EQ(c.place_named_in("nothing").file, "e.toml");
}

TEST(ConfigurationPlaces, AreOfSectionsOnlyWhereNoKeyAndNoTextIsNamed) {
  Configuration c;
  c.open("b", SourcePosition{"e.toml", 3, 2});
  c.open("c", SourcePosition{"e.toml", 8, 2});
  c.set("c.text", "word", SourcePosition{"e.toml", 9, 2});
  const auto line = [&](const std::string& message) { return c.place_named_in(message).line; };
  EXPECT_EQ(line("[c] before [b]"), 8U);
  EXPECT_EQ(line("[b], [c] and \"word\""), 9U);
  EXPECT_EQ(line("c.no and b.no"), 8U);
  EXPECT_EQ(line("b.no and c.text"), 9U);
}

}  // namespace
}  // namespace braid::test::configuration_test
