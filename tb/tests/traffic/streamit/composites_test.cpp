// What pipelines, splitjoins and feedback loops take and give against what their parts do; weights of ways that carry
// nothing.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::composites_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;

/// One line: filters of floats and integers, named after what they take and give; sources and sinks of floats.
std::string filters() {
  const std::string pass = " { work push 1 pop 1 { push(pop()); } } ";
  return "float->int filter FI" + pass + "int->float filter IF" + pass + "int->int filter II" + pass +
         "float->float filter FF" + pass +
         "void->float filter Z { work push 1 { push(0); } } float->void filter Y { work pop 1 { pop(); } }\n";
}

/// Of a stream in line 5, between others of floats.
std::string said(const std::string& stream) {
  return mistake(between("add G();", filters() + "float->float " + stream));
}

std::string split(const std::string& one, const std::string& two) {
  return "splitjoin G { split duplicate; add " + one + "(); add " + two + "(); join roundrobin; }";
}
std::string loop(const std::string& body, const std::string& way_back) {
  return "feedbackloop G { join roundrobin; body " + body + "(); loop " + way_back +
         "(); split roundrobin; enqueue 0; }";
}

TEST(StreamItComposites, TakeAndGiveWhatTheySay) {
  EXPECT_EQ(said("pipeline G { add IF(); add FI(); add IF(); }"),
            "5:31: takes int: expected float, what its pipeline takes");
  EXPECT_EQ(said("pipeline G { add FF(); add FI(); }"), "5:41: gives int: expected float, what its pipeline gives");
  EXPECT_EQ(said("pipeline G { add FI(); add IF(); }"), "");
  EXPECT_EQ(said(split("II", "II")), "5:49: takes int: expected float, what its splitjoin takes");
  EXPECT_EQ(said(split("FI", "FI")), "5:49: gives int: expected float, what its splitjoin gives");
  EXPECT_EQ(said(split("FF", "II")), "5:59: takes int: expected float, as the branches before it");
  EXPECT_EQ(said(split("FF", "FI")), "5:59: gives int: expected float, as the branches before it");
  EXPECT_EQ(said(loop("II", "II")), "5:27: takes int: expected float, what its feedbackloop takes");
  EXPECT_EQ(said(loop("FI", "IF")), "5:27: gives int: expected float, what its feedbackloop gives");
  EXPECT_EQ(said(loop("FI", "II")), "5:27: the body takes float: expected int, what the loop gives");
  EXPECT_EQ(said(loop("FF", "FI")), "5:27: the body takes float: expected int, what the loop gives");
  EXPECT_EQ(said(loop("FF", "II")), "5:27: the loop takes int: expected float, what the body gives");
  EXPECT_EQ(said(loop("FF", "FF")), "");
}

/// A branch that takes nothing, or gives nothing, is none that differs.
TEST(StreamItComposites, BranchesMayBeSourcesOrSinks) {
  EXPECT_EQ(said("splitjoin G { split roundrobin(1, 0); add FF(); add Z(); join roundrobin; } "), "");
  EXPECT_EQ(said("splitjoin G { split duplicate; add Y(); add FF(); join roundrobin(0, 1); } "), "");
  EXPECT_EQ(said("splitjoin G { split duplicate; add Y(); add II(); join roundrobin(0, 1); }"),
            "5:58: takes int: expected float, as the branches before it");
}

Numbers weights(const FlatGraph& g, const std::string& name) { return node(g, name).weights; }

/// What comes from nowhere and goes nowhere has weight 0 on every way, whatever the program says; a splitter of it
/// copies nothing.
TEST(StreamItComposites, WaysFromNowhereWeighNothing) {
  const auto of_sources = [](const std::string& way) {
    return flat("void->void pipeline M { add G(); add Y(); } " + filters() + "void->float splitjoin G { split " + way +
                "; add Z(); add Z(); join roundrobin(2); }");
  };
  for (const char* way : {"roundrobin(3)", "duplicate", "roundrobin(1, 2)"}) {
    const FlatGraph g = of_sources(way);
    EXPECT_EQ(weights(g, "G.split"), (Numbers{0, 0})) << way;
    EXPECT_EQ(node(g, "G.split").split, Split::kRoundRobin) << way;
    EXPECT_EQ(weights(g, "G.join"), (Numbers{2, 2})) << way;
  }
  const FlatGraph sinks =
      flat("void->void pipeline M { add Z(); add G(); } " + filters() +
           "float->void splitjoin G { split roundrobin(3); add Y(); add Y(); join roundrobin(2); }");
  EXPECT_EQ(weights(sinks, "G.split"), (Numbers{3, 3}));
  EXPECT_EQ(weights(sinks, "G.join"), (Numbers{0, 0}));
}

/// None is one for each branch, one is the same for each, as many as branches are theirs.
TEST(StreamItComposites, WeightsAreSpreadOverTheirBranches) {
  const auto of = [](const std::string& split, const std::string& join) {
    return flat(
        between("add splitjoin { split " + split + "; add FF(); add FF(); add FF(); join " + join + "; }", filters()));
  };
  const FlatGraph none = of("roundrobin", "roundrobin()");
  EXPECT_EQ(weights(none, "splitjoin.split"), (Numbers{1, 1, 1}));
  EXPECT_EQ(weights(none, "splitjoin.join"), (Numbers{1, 1, 1}));
  const FlatGraph one = of("roundrobin(4)", "roundrobin(4)");
  EXPECT_EQ(weights(one, "splitjoin.split"), (Numbers{4, 4, 4}));
  EXPECT_EQ(weights(one, "splitjoin.join"), (Numbers{4, 4, 4}));
  const FlatGraph each = of("roundrobin(1, 2, 3)", "roundrobin(1, 2, 3)");
  EXPECT_EQ(weights(each, "splitjoin.split"), (Numbers{1, 2, 3}));
  EXPECT_EQ(weights(each, "splitjoin.join"), (Numbers{1, 2, 3}));
  const FlatGraph copies = of("duplicate", "roundrobin");
  EXPECT_EQ(weights(copies, "splitjoin.split"), (Numbers{1, 1, 1}));
  EXPECT_EQ(node(copies, "splitjoin.split").split, Split::kDuplicate);
}

}  // namespace
}  // namespace braid::test::composites_test
