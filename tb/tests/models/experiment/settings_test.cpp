// Settings over an experiment (--set section.key=value): what is a number, a word, a list; whose line a complaint has.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/results_json.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::settings_test {
namespace {

models::Experiment with(const std::string& setting) {
  return models::parse_experiment("[traffic]\n", "some/where/e.toml", {setting});
}
std::string said(const std::string& setting) {
  return complaint([&] { (void)with(setting); });
}
const std::string kRate = "traffic.rate_flits_per_node_cycle";

TEST(Setting, HasASectionAKeyAndAValue) {
  for (const std::string wrong : {"traffic.flits", "flits=3", "a=b.c", "", "="}) {
    EXPECT_EQ(said(wrong), "--set " + wrong + ": expected section.key=value");
  }
  EXPECT_EQ(with("traffic.flits=3").get<std::int64_t>("traffic.flits"), 3);
  EXPECT_EQ(with("experiment.name=a=b").get<std::string>("experiment.name"), "a=b") << "the first sign counts";
}

/// People leave out a digit beside the point; TOML does not. What is no number is a word.
TEST(Setting, OfANumberWantsADigitOnBothSidesOfThePoint) {
  const auto wants = [](const std::string& key, const std::string& given, const std::string& meant) {
    return "--set " + key + "=" + given + ": " + key + " = " + given +
           ": TOML wants a digit on both sides of the point: expected " + meant;
  };
  EXPECT_EQ(said(kRate + "=.5"), wants(kRate, ".5", "0.5"));
  EXPECT_EQ(said(kRate + "=1."), wants(kRate, "1.", "1.0"));
  EXPECT_EQ(said(kRate + "=-.5"), wants(kRate, "-.5", "-0.5"));
  EXPECT_EQ(said("router.vcs=2."), wants("router.vcs", "2.", "2.0"));
  for (const char* word : {".5x", "1.e999", ".", "", "x.5"}) {
    EXPECT_EQ(said(kRate + "=" + word),
              "--set " + kRate + "=" + word + ": " + kRate + " = \"" + word + "\": expected number, at least 0");
  }
  EXPECT_EQ(with(kRate + "=0.5").get<double>(kRate), 0.5);
}

TEST(Setting, OfATextTakesAnyWord) {
  for (const char* word : {".5", "1.", "a.b", "x-y", "2"}) {
    const std::string text = std::string(word) == "2" ? "\"2\"" : word;
    EXPECT_EQ(with("experiment.name=" + text).get<std::string>("experiment.name"), word);
  }
  EXPECT_EQ(with("topology.kind=torus").get<std::string>("topology.kind"), "torus");
}

/// Lists are of numbers of 32 bits, none below 0.
TEST(Setting, OfAListTakesWholeNumbersThatNodesMayHave) {
  const std::string nodes = "traffic.hot_nodes";
  const auto list = [&](const std::string& text) {
    return models::parse_experiment("[traffic]\npattern = \"hot_spot\"\n", "e.toml", {nodes + "=" + text})
        .get<std::vector<std::uint32_t>>(nodes);
  };
  using List = std::vector<std::uint32_t>;
  EXPECT_EQ(list("[]"), List{});
  EXPECT_EQ(list("[0, 4294967295]"), (List{0, 4294967295U}));
  for (const char* wrong : {"[4294967296]", "[-1]", "[1.0]", "[\"a\"]", "[1, [2]]", "[true]", "3"}) {
    const std::string what = complaint([&] { (void)list(wrong); });
    EXPECT_NE(what.find(nodes + " = "), std::string::npos) << wrong << what;
    EXPECT_NE(what.find("expected list of integers, at least 0"), std::string::npos) << wrong << what;
  }
}

/// The later of two settings of a key stands; a file of a setting is relative to the experiment's.
TEST(Setting, ComesAfterThoseBeforeIt) {
  const models::Experiment e = models::parse_experiment(
      "[traffic]\nflits = 7\n", "some/where/e.toml",
      {"traffic.flits=8", "traffic.flits=9", "traffic.pattern=permutation", "traffic.file=p.txt", "log.file=l.csv"});
  EXPECT_EQ(e.get<std::int64_t>("traffic.flits"), 9);
  EXPECT_EQ(e.get<std::string>("traffic.file"), "some/where/p.txt");
  EXPECT_EQ(e.get<std::string>("log.file"), "l.csv");
}

/// A class is a section, several are a list of them; other sections stand once.
TEST(Echo, OfSeveralClassesIsAListOfThem) {
  const auto echo = [](const std::string& text) {
    return models::configuration_json(models::parse_experiment(text, "e.toml"));
  };
  const boost::json::object one = echo("[traffic]\nflits = 7\n");
  EXPECT_EQ(one.at("traffic").at("flits"), 7);
  EXPECT_EQ(one.at("router").at("vcs"), 4);
  EXPECT_EQ(one.count("stream"), 0U);
  const boost::json::object two = echo("[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\nflits = 9\n");
  ASSERT_EQ(two.at("traffic").as_array().size(), 2U);
  EXPECT_EQ(two.at("traffic").as_array()[0].at("name"), "a");
  EXPECT_EQ(two.at("traffic").as_array()[0].at("flits"), 4);
  EXPECT_EQ(two.at("traffic").as_array()[1].at("name"), "b");
  EXPECT_EQ(two.at("traffic").as_array()[1].at("flits"), 9);
}

/// Of two classes the second is set with the second's keys: a pattern that a setting replaces takes its keys along.
TEST(Setting, OfAClassChangesThatClassAlone) {
  const std::string text =
      "[[traffic]]\nname = \"a\"\nlength = \"bimodal\"\nlong_flits = 9\n"
      "[[traffic]]\nname = \"b\"\nlength = \"bimodal\"\nlong_flits = 11\n";
  const models::Experiment e =
      models::parse_experiment(text, "e.toml", {"traffic.b.length=fixed", "traffic.a.long_flits=10"});
  EXPECT_EQ(e.of_class(0).get<std::int64_t>("traffic.long_flits"), 10);
  EXPECT_EQ(e.of_class(0).get<std::string>("traffic.length"), "bimodal");
  EXPECT_EQ(e.of_class(1).get<std::string>("traffic.length"), "fixed");
  EXPECT_EQ(e.of_class(1).find("traffic.long_flits"), nullptr);
  EXPECT_NE(complaint([&] {
              (void)models::parse_experiment(text, "e.toml", {"traffic.b.length=fixed", "traffic.b.long_flits=12"});
            }).find("traffic.long_flits belongs to traffic.length"),
            std::string::npos)
      << "a key that is set is not dropped";
}

}  // namespace
}  // namespace braid::test::settings_test
