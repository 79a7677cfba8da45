// Rates that change from call to call, with the means that the user gives.
#include "traffic/streams/streamit/mean_rates.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::mean_rates_test {
namespace {

using namespace traffic;

FlatGraph with_means(const std::string& declaration, const std::string& means) {
  const StreamItFile file(between("add F();", declaration));
  return flatten(read_streamit({file.name()}, means), file.name());
}

/// `LINE:COLUMN: message` of the program, or the message about the means.
std::string refusal(const std::string& declaration, const std::string& means) {
  const StreamItFile file(between("add F();", declaration));
  try {
    (void)flatten(read_streamit({file.name()}, means), file.name());
  } catch (const InputError& e) {
    const std::string what = e.what();
    return what.rfind(file.name(), 0) == 0 ? what.substr(file.name().size() + 1) : what;
  }
  return "";
}

const char* const kAny = "float->float filter F { work push * pop 1 { push(pop()); } }";
const char* const kRange = "float->float filter F { work push [1, 2, 4] pop 2 { push(pop()); pop(); } }";

TEST(StreamItMeanRates, AWholeMeanIsTheRate) {
  const FlatGraph graph = with_means(kAny, "F=3");
  const Filter f = node(graph, "F").filter;
  EXPECT_EQ(f.work.push, 3U);
  EXPECT_EQ(f.calls, 1U);
  EXPECT_EQ(graph.repetitions(), (std::vector<std::uint64_t>{1, 1, 3}));
}

/// 1.5 items a call: a firing is two calls, with twice the work and all that both take.
TEST(StreamItMeanRates, AFiringStandsForAsManyCallsAsMakeItWhole) {
  const FlatGraph graph = with_means(kAny, "F=1.5");
  const Filter f = node(graph, "F").filter;
  EXPECT_EQ(f.calls, 2U);
  EXPECT_EQ(f.work.push, 3U);
  EXPECT_EQ(f.work.pop, 2U);
  EXPECT_EQ(f.work.peek, 2U);
  EXPECT_EQ(f.work.work_cycles, 2U * node(with_means(kAny, "F=3"), "F").filter.work.work_cycles);
  EXPECT_EQ(graph.repetitions(), (std::vector<std::uint64_t>{2, 1, 3}));
}

/// The second of two calls looks 5 ahead from where the first has taken 1: 6 must be there.
TEST(StreamItMeanRates, TheLastCallSeesAsFarAsAny) {
  const char* const peeks = "float->float filter F { work push * pop 1 peek 5 { push(peek(4)); pop(); } }";
  EXPECT_EQ(node(with_means(peeks, "F.push=2.5"), "F").filter.work.peek, 6U);
}

TEST(StreamItMeanRates, EachRateMayHaveItsOwn) {
  const char* const both = "float->float filter F { work push [0, 9] pop [1, *] { push(pop()); } }";
  const Filter f = node(with_means(both, "F.push=0.25 F.pop=3"), "F").filter;
  EXPECT_EQ(f.work.push, 1U);
  EXPECT_EQ(f.work.pop, 12U);
  EXPECT_EQ(f.calls, 4U);
  const Filter mixed = node(with_means(both, "F=2 F.pop=7"), "F").filter;
  EXPECT_EQ(mixed.work.push, 2U);
  EXPECT_EQ(mixed.work.pop, 7U);
}

TEST(StreamItMeanRates, WithoutAMeanTheProgramIsRefusedAtTheRate) {
  const std::string rates =
      "rates that change from call to call are not read: expected an integer that is known before the program runs, or "
      "its mean: --rate F.push=1.5";
  EXPECT_EQ(refusal(kAny, ""), "4:35: " + rates);
  EXPECT_EQ(refusal(kRange, ""), "4:35: " + rates);
  EXPECT_NE(
      refusal("float->float filter F { prework push * { } work push * pop 1 { } }", "F=2").find("4:38: rates that"),
      std::string::npos);
}

/// Of a filter without a name, and of prework, no mean can be given: nobody is told to.
TEST(StreamItMeanRates, AMeanThatCannotBeGivenIsNotAskedFor) {
  const std::string rates =
      "rates that change from call to call are not read: expected an integer that is known before the program runs";
  EXPECT_EQ(refusal("float->float filter F { prework push * { } work push 1 pop 1 { push(pop()); } }", ""),
            "4:38: " + rates);
  EXPECT_EQ(mistake(between("add float->float filter { work push * pop 1 { push(pop()); } };")), "1:78: " + rates);
}

TEST(StreamItMeanRates, AMeanIsWithinTheBoundsOfTheProgram) {
  EXPECT_EQ(refusal(kRange, "F=4"), "");
  EXPECT_EQ(refusal(kRange, "F=4.001"), "4:35: --rate F=4.001: expected at most 4");
  EXPECT_EQ(refusal(kRange, "F=0.999"), "4:35: --rate F=0.999: expected at least 1");
}

TEST(StreamItMeanRates, NoMeanIsLostInSilence) {
  EXPECT_EQ(refusal(kAny, "F=2 Sourec=1"), "stream.mean_rates: Sourec=1: unknown filter (did you mean \"Source\"?)");
  EXPECT_EQ(refusal(kAny, "F=2 Sink=1"),
            "stream.mean_rates: Sink=1: expected a filter of the program with a rate that changes from call to call");
  EXPECT_EQ(refusal(kAny, "F=2 F.pop=1"),
            "stream.mean_rates: F=1: expected a filter of the program with a pop rate that changes from call to call");
}

TEST(StreamItMeanRates, WhatIsNoMeanIsRefused) {
  const auto said = [](const std::string& wrong) { return refusal(kAny, wrong); };
  for (const std::string wrong : {"F", "=2", "F.push"}) {
    EXPECT_EQ(said(wrong), "stream.mean_rates: " + wrong + ": expected FILTER=MEAN or FILTER.push=MEAN");
  }
  for (const std::string wrong :
       {"F=", "F=-1", "F=1e3", "F=1.2345", "F=1234567", "F=1.", "F=.5", "F=1,5", "F=1.5.0", "F=x", "F=1.x"}) {
    EXPECT_EQ(said(wrong),
              "stream.mean_rates: " + wrong + ": expected a number of at most 6 digits and 3 decimals, FILTER=1.5");
  }
  EXPECT_EQ(said("F.psh=2"),
            "stream.mean_rates: F.psh=2: expected push, pop or peek behind the point (did you mean \"push\"?)");
  EXPECT_EQ(said("F.=2"), "stream.mean_rates: F.=2: expected push, pop or peek behind the point");
  for (const std::string twice : {"F=2 F=3", "F=3 F.pop=1 F=3", "F.push=2 F.push=3"}) {
    const std::string last = twice.substr(twice.rfind(' ') + 1);
    EXPECT_EQ(said(twice), "stream.mean_rates: " + last + ": expected one mean for each rate");
  }
}

/// In lowest terms; with as many digits and decimals as there may be.
TEST(StreamItMeanRates, AreFractionsInLowestTerms) {
  for (const auto& [mean, push, calls] :
       std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>{{"F=1.5", 3, 2},
                                                                          {"F=1.50", 3, 2},
                                                                          {"F=1.500", 3, 2},
                                                                          {"F=2.0", 2, 1},
                                                                          {"F=0.001", 1, 1000},
                                                                          {"F=0.125", 1, 8},
                                                                          {"F=000012", 12, 1},
                                                                          {"F=999999.999", 999'999'999, 1000}}) {
    const Filter f = node(with_means(kAny, mean), "F").filter;
    EXPECT_EQ(f.work.push, push) << mean;
    EXPECT_EQ(f.work.pop, calls) << mean;
    EXPECT_EQ(f.calls, calls) << mean;
  }
}

Filter of_rates(const std::string& rates, const std::string& means) {
  return node(with_means("float->float filter F { work " + rates + " { } }", means), "F").filter;
}

/// Several calls see as far as the last of them: what the others take, and its own look, rounded up.
TEST(StreamItMeanRates, OfWhatIsSeenAreRoundedUp) {
  const auto seen = [](const std::string& rates, const std::string& means) {
    const Filter f = of_rates(rates, means);
    return std::vector<std::uint64_t>{f.calls, f.work.pop, f.work.peek};
  };
  EXPECT_EQ(seen("push 1 pop 1 peek [1, 9]", "F=4.5"), (std::vector<std::uint64_t>{2, 2, 2 + 4}));
  EXPECT_EQ(seen("push 1 pop 1 peek *", "F.peek=4"), (std::vector<std::uint64_t>{1, 1, 4}));
  EXPECT_EQ(seen("push 1 pop * peek 2", "F=1.5"), (std::vector<std::uint64_t>{2, 3, 3 + 1}));
  EXPECT_EQ(seen("push 1 pop * peek 1", "F=1.5"), (std::vector<std::uint64_t>{2, 3, 3}));
  EXPECT_EQ(seen("push * pop 3 peek 3", "F=0.25"), (std::vector<std::uint64_t>{4, 12, 12}));
  EXPECT_EQ(seen("push * pop * peek *", "F.push=0.5 F.pop=1.25 F.peek=7.1"),
            (std::vector<std::uint64_t>{20, 25, 25 + 7}));
}

/// At either bound, and where one is open.
TEST(StreamItMeanRates, MayBeAtTheirBounds) {
  const auto refused = [](const std::string& range, const std::string& mean) {
    const std::string what = complaint([&] { (void)of_rates("push " + range + " pop 1", "F=" + mean); });
    return what.substr(what.rfind(": ") + 2);
  };
  const auto good = [](const std::string& range, const std::string& mean) {
    return complaint([&] { (void)of_rates("push " + range + " pop 1", "F=" + mean); }).empty();
  };
  EXPECT_TRUE(good("[2, 3, 4]", "2"));
  EXPECT_TRUE(good("[2, 4]", "4"));
  EXPECT_EQ(refused("[2, 4]", "1.999"), "expected at least 2");
  EXPECT_EQ(refused("[2, 4]", "4.001"), "expected at most 4");
  EXPECT_TRUE(good("[*, 4]", "0.001"));
  EXPECT_EQ(refused("[*, 4]", "5"), "expected at most 4");
  EXPECT_TRUE(good("[2, *]", "999999"));
  EXPECT_EQ(refused("[2, *]", "1.5"), "expected at least 2");
  EXPECT_TRUE(good("[*, *]", "3.5"));
  EXPECT_TRUE(good("[2, *, 4]", "3.5"));
}

}  // namespace
}  // namespace braid::test::mean_rates_test
