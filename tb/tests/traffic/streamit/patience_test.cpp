// How far code is followed, at the bounds themselves. A step is a statement, an expression, what is assigned to or a
// value that is made; kRound below is a round of twenty: the round itself, the look with its two sides (3), the block,
// n++ (4: statement, expression, variable, value), seven empty statements and i++ (4).
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/streamit.h"

namespace braid::test::patience_test {
namespace {

using namespace traffic;

const std::string kRound = "i++) { n++; ;;;;;;; }";
constexpr std::uint64_t kRoundWork = 3;  // of the look and two steps

/// So many rounds, `n` of them counted.
std::string rounds(int count) { return "for (int i = 0; i < " + std::to_string(count) + "; " + kRound; }

/// Rounds of four cycles: `n` less so many, or five where nobody knows n.
std::string loop_of(int less) { return " n = n - " + std::to_string(less) + "; for (int j = 0; j < n; j++) x += x;"; }
constexpr std::uint64_t kUnknown = 1 + 5 * 4;
constexpr std::uint64_t known(int left) { return 1 + static_cast<std::uint64_t>(left) * 4; }

std::string filter(const std::string& code) {
  return "float->float filter F { work push 1 pop 1 { float x = pop(); " + code + " push(x); } }\n";
}

/// Of the code between pop and push, behind `before` in the pipeline.
std::uint64_t work_of(const std::string& code, const std::string& before = "", const std::string& others = "") {
  const FlatGraph graph = flat(between(before + " add F();", filter(code) + others));
  return node(graph, "F").filter.work.work_cycles - 6;
}

/// A filter whose work is followed for as long as there is patience: 2^40 calls.
const std::string kEndless =
    "float->float filter B(int k) { work push 1 pop 1 { push(f(40)); pop(); } int f(int n) { return n == 0 ? 1 : "
    "f(n - 1) + f(n - 1); } }\n";

/// Twenty thousand steps of a loop are run, and what they leave is known; of more the rest is reckoned.
TEST(StreamItPatience, OfALoopIsTwentyThousandSteps) {
  EXPECT_EQ(work_of("int n = 0; " + rounds(1000) + loop_of(993)), 1000 * kRoundWork + known(7));
  EXPECT_EQ(work_of("int n = 0; " + rounds(1001) + loop_of(993)), 1001 * kRoundWork + kUnknown);
}

/// Of one loop, not of all.
TEST(StreamItPatience, OfALoopBeginsAnewWithEach) {
  const std::string reset = " n = 0; ";
  EXPECT_EQ(work_of("int n = 0; " + rounds(1000) + reset + rounds(1000) + loop_of(993)),
            2 * 1000 * kRoundWork + known(7));
}

/// Five functions of a million steps are followed; then loops have five hundred.
TEST(StreamItPatience, OfALoopIsFiveHundredStepsInALargeProgram) {
  const std::string five = "for (int k = 0; k < 5; k++) add B(k);";
  EXPECT_EQ(work_of("int n = 0; " + rounds(25) + loop_of(18), five, kEndless), 25 * kRoundWork + known(7));
  EXPECT_EQ(work_of("int n = 0; " + rounds(26) + loop_of(18), five, kEndless), 26 * kRoundWork + kUnknown);
  const std::string four = "for (int k = 0; k < 4; k++) add B(k);";
  EXPECT_EQ(work_of("int n = 0; " + rounds(1000) + loop_of(993), four, kEndless), 1000 * kRoundWork + known(7));
}

/// Behind three million more, of functions of twenty thousand steps each, loops have a hundred.
TEST(StreamItPatience, OfALoopIsAHundredStepsInALargerOne) {
  const std::string many = "for (int k = 0; k < 155; k++) add B(k);";
  EXPECT_EQ(work_of("int n = 0; " + rounds(5) + loop_of(3), many, kEndless), 5 * kRoundWork + known(2));
  EXPECT_EQ(work_of("int n = 0; " + rounds(6) + loop_of(3), many, kEndless), 6 * kRoundWork + kUnknown);
  const std::string fewer = "for (int k = 0; k < 154; k++) add B(k);";
  EXPECT_EQ(work_of("int n = 0; " + rounds(25) + loop_of(18), fewer, kEndless), 25 * kRoundWork + known(7));
}

/// ... and functions two hundred: what was counted before is all that counts. Before the first sum there are the call,
/// the block and the declaration (4); a sum is four steps and counts with the third.
TEST(StreamItPatience, OfAFunctionIsTwoHundredStepsInALargerOne) {
  const std::string many = "for (int k = 0; k < 155; k++) add B(k);";
  std::string sums;
  for (int i = 0; i < 60; ++i) sums += "x += x; ";
  const auto counted = [&](const std::string& first) {
    const FlatGraph graph = flat(between(many + " add F();", filter(first + sums) + kEndless));
    return node(graph, "F").filter.work.work_cycles;
  };
  constexpr std::uint64_t kPop = 3;
  EXPECT_EQ(counted(""), kPop + 2 * 48) << "6 + 48 * 4 = 198: the 49th sum's third step would be the 201st";
  EXPECT_EQ(counted(";;;"), kPop + 2 * 48) << "9 + 47 * 4 = 197: the 48th sum's third step is the 200th";
  EXPECT_EQ(counted(";;;;"), kPop + 2 * 47);
}

/// What init leaves, as a rate.
std::string said_of_init(const std::string& init) {
  return mistake(between("add F();", "float->float filter F { int n; init { " + init + " } work push 1 pop n { } }"));
}
const std::string kKnown = "expected a value that is known before the program runs";

/// A loop of init that counts is run for a hundred thousand steps; if it then has rounds left, what it leaves is not
/// known. It is looked at once behind the round that goes beyond.
TEST(StreamItPatience, OfAnInitThatCountsIsAHundredThousandSteps) {
  EXPECT_EQ(said_of_init(rounds(5001)), "") << "none is left behind the round that goes beyond";
  EXPECT_NE(said_of_init(rounds(5002)).find(kKnown), std::string::npos) << "one is";
}

/// Behind two million steps it is two thousand.
TEST(StreamItPatience, OfAnInitThatCountsIsTwoThousandStepsInALargeProgram) {
  const auto said = [](int count, int k) {
    const std::string large = "for (int k = 0; k < " + std::to_string(k) + "; k++) add I(k);";
    return mistake(
        between(large + " add F();", "float->float filter F { int n; init { " + rounds(count) +
                                         " } work push 1 pop n { } }\nfloat->float filter I(int k) { int n; init { " +
                                         rounds(4900) + " } work push 1 pop 1 { push(pop()); } }\n"));
  };
  EXPECT_EQ(said(101, 21), "");
  EXPECT_NE(said(102, 21).find(kKnown), std::string::npos);
  EXPECT_EQ(said(5001, 20), "") << "98 thousand steps each are not yet so many";
}

/// The inner one or the outer, whichever has gone round more often; the outer of two that have as often.
TEST(StreamItPatience, OfAProgramEndsWithTheLoopThatWentRoundMostOften) {
  const auto said = [](const std::string& streams) { return mistake(between(streams)); };
  const std::string end = ": does not end: expected a program that is made in at most 5 million steps";
  EXPECT_EQ(said("for (int i = 0; i < 3; i++) while (true) ;"), "1:70" + end);
  EXPECT_EQ(said("while (true) for (int i = 0; i < 2; i++) ;"), "1:42" + end);
  const auto said_of_calls = [](const std::string& when) {
    return mistake(between("add F();",
                           "float->float filter F { int n; init { for (int i = 0; i < 9; i++)\nfor (int j = 0; j < 9; "
                           "j++)\nif (" +
                               when +
                               ") n = f(40); } work push 1 pop 1 { push(pop()); } int f(int n) { return n == 0 ? "
                               "1 : f(n - 1) + f(n - 1); } }"));
  };
  EXPECT_EQ(said_of_calls("i == 3 && j == 3"), "4:39" + end);
  EXPECT_EQ(said_of_calls("i == 3 && j == 4"), "5:1" + end);
  EXPECT_EQ(said_of_calls("i == 4 && j == 3"), "4:39" + end);
}

}  // namespace
}  // namespace braid::test::patience_test
