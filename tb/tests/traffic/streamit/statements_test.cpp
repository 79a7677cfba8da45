// The estimate of work, statement by statement: which of them run, how often, and what is known behind them. All
// figures by hand from WorkTable: an operation of integers one cycle, of floats two, a choice one more; sin() 107.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::statements_test {
namespace {

using namespace traffic;

/// Of what stands between a pop and a push, which take six cycles; `x` is what was popped.
std::uint64_t work_of(const std::string& between_them, const std::string& fields = "", const std::string& others = "") {
  return filter_of("float->float filter F { " + fields + " work push 1 pop 1 peek 64 { float x = pop(); " +
                   between_them + " push(x); } }" + others)
             .work.work_cycles -
         6;
}

/// A loop that says what is known of n: of so many rounds of four cycles, or of five, as one of unknown length.
const std::string kLoop = " for (int i = 0; i < n; i++) x += x;";
constexpr std::uint64_t kUnknown = 5U * 4;

TEST(StreamItStatements, OfAChoiceThatIsKnownOneSideRuns) {
  EXPECT_EQ(work_of("int n = 3; if (n > 2) x = sin(x); else x += x;"), 1U + 1 + 107);
  EXPECT_EQ(work_of("int n = 3; if (n > 3) x = sin(x); else x += x;"), 1U + 1 + 2);
  EXPECT_EQ(work_of("int n = 3; if (n > 3) x = sin(x);"), 1U + 1);
  EXPECT_EQ(work_of("if (3 > 2) x = sin(x); else x += x;"), 107U) << "what is constant is not looked at";
  EXPECT_EQ(work_of("x = x > 0 ? sin(x) : x;"), 2U + 1 + 107) << "both, as no mean is taken of an expression";
  EXPECT_EQ(work_of("x = x > 0 ? x : x;"), 2U + 1);
  EXPECT_EQ(work_of("int n = 3; x = n > 0 ? sin(x) : x;"), 1U + 1 + 107);
  EXPECT_EQ(work_of("x = true ? sin(x) : x;"), 107U);
}

/// Whatever it was: the other side may have run.
TEST(StreamItStatements, WhatEitherSideAssignsIsNotKnownBehind) {
  EXPECT_EQ(work_of("int n = 7;" + kLoop), 7U * 4);
  EXPECT_EQ(work_of("int n = 7; if (x > 0) n = 7;" + kLoop), 3U + kUnknown);
  EXPECT_EQ(work_of("int n = 7; if (x > 0) n = 7; else x += x;" + kLoop), 3U + 2 / 2 + kUnknown);
  EXPECT_EQ(work_of("int n = 7; if (x > 0) x += x; else n = 7;" + kLoop), 3U + 2 / 2 + kUnknown);
  EXPECT_EQ(work_of("int n = 7; if (x > 0) n = 3; else" + kLoop), 3U + kUnknown / 2) << "nor on the other side";
  EXPECT_EQ(work_of("int n = 7; if (x > 0) { int n = 3; n = 4; x += n; }" + kLoop), 3U + 2 / 2 + 7 * 4)
      << "one of its own is another";
}

TEST(StreamItStatements, ALoopIsLeftWhereItIsKnownToBe) {
  // A round: the look, the look for the break, a sum, a step.
  EXPECT_EQ(work_of("for (int i = 0; i < 9; i++) { if (i == 3) break; x += x; }"), 3U * (1 + 2 + 2 + 1) + 1 + 2 + 1);
  EXPECT_EQ(work_of("for (int i = 0; ; i++) { if (i == 3) break; x += x; }"), 3U * (2 + 2 + 1) + 2 + 1);
  EXPECT_EQ(work_of("for (int i = 0; i < 4; i++) { if (i == 2) continue; x += x; }"),
            3U * (1 + 2 + 2 + 1) + 1 + 2 + 1 + 1);
  EXPECT_EQ(work_of("for (int i = 0; i < 2; i++) for (int j = 0; j < 9; j++) { if (j == 1) break; x += x; }"),
            2U * (1 + 1 + (1 + 2 + 2 + 1) + (1 + 2 + 1)))
      << "the inner one alone";
  EXPECT_EQ(work_of("int n = 0; for (int i = 0; i < 4; i++) { if (i == 2) break; n = 7; }" + kLoop),
            2U * (1 + 2 + 1) + 1 + 2 + 1 + 7 * 4)
      << "what it assigned is known";
}

TEST(StreamItStatements, ALoopThatMayBeLeftIsCountedToItsEnd) {
  // Of the break half a cycle, which is none.
  EXPECT_EQ(work_of("for (int i = 0; i < 4; i++) { if (x > 0) break; x += x; }"), 4U * (1 + 3 + 2 + 1));
  EXPECT_EQ(work_of("for (int i = 0; i < 4; i++) { if (x > 1) continue; x += x; }"), 4U * (1 + 3 + 2 + 1));
  EXPECT_EQ(work_of("int n = 0; for (int i = 0; i < 4; i++) { if (x > 0) break; n = 7; }" + kLoop),
            4U * (1 + 3 + 1) + kUnknown)
      << "n may be what it was";
  EXPECT_EQ(work_of("int k = 4; while (k > 0) { k -= 1; if (x > 1) break; }"), 5U * (1 + 1 + 3))
      << "only a for says how often";
}

/// The last look of a while is not counted, as in MIT's compiler; that of a do is.
TEST(StreamItStatements, LoopsLookBeforeOrBehind) {
  EXPECT_EQ(work_of("int k = 0; while (k < 3) { x += x; k += 1; }"), 3U * (1 + 2 + 1));
  EXPECT_EQ(work_of("int k = 0; do { x += x; k += 1; } while (k < 3);"), 3U * (2 + 1 + 1));
  EXPECT_EQ(work_of("int k = 9; while (k < 3) { x += x; k += 1; }"), 0U);
  EXPECT_EQ(work_of("int k = 9; do { x += x; k += 1; } while (k < 3);"), 2U + 1 + 1);
  EXPECT_EQ(work_of("do { x = x * 2; } while (false);"), 2U);
  EXPECT_EQ(work_of("do { x = x * 2; } while (x > 1);"), 5U * (2 + 2));
}

TEST(StreamItStatements, AFunctionReturnsWhatIsKnownOfIt) {
  const std::string call = "int n = f();" + kLoop;
  EXPECT_EQ(work_of(call, "int f() { for (int i = 0; i < 9; i++) { if (i == 3) return i; } return 9; }"),
            10U + 3 * (1 + 2 + 1) + 1 + 2 + 3 * 4);
  EXPECT_EQ(work_of("int n = f(x);" + kLoop, "int f(float x) { if (x > 0) return 7; return 7; }"), 10U + 3 + kUnknown);
  EXPECT_EQ(work_of("int n = f(x);" + kLoop, "int f(float x) { if (x > 0) return 7; else return 8; }"),
            10U + 3 + kUnknown);
  EXPECT_EQ(work_of("f(x);", "void f(float x) { if (x > 0) return; else return; x = sin(x); }"), 10U + 3)
      << "nobody comes there";
  EXPECT_EQ(work_of("f(x);", "void f(float x) { if (x > 0) return; x = sin(x); }"), 10U + 3 + 107);
  EXPECT_EQ(work_of("f();", "void f() { while (true) return; }"), 10U);
  // Five calls with a look each, four sums and differences.
  EXPECT_EQ(work_of("int n = f(4);" + kLoop, "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }"),
            5U * (10 + 1 + 1) + 4 * 2 + 4 * 4);
}

/// Nobody knows whether it is: what is behind it counts, too.
TEST(StreamItStatements, ALoopOfUnknownLengthMayBeLeftByAReturn) {
  EXPECT_EQ(work_of("x = f(x);", "float f(float x) { while (x > 1) return x; x = sin(x); return x; }"),
            10U + 5 * 2 + 107);
  EXPECT_EQ(work_of("x = f(x);", "float f(float x) { while (x > 1) { x = x * 2; break; } x = sin(x); return x; }"),
            10U + 5 * (2 + 2 + 1) + 107);
}

TEST(StreamItStatements, WhatIsCalledElsewhereHasItsOwnFigure) {
  EXPECT_EQ(work_of("x = N.f(x);", "", "native N { float f(float x); }"), 60U) << "of C nothing is known";
  EXPECT_EQ(work_of("int n = N.f(x);" + kLoop, "", "native N { int f(float x); }"), 60U + kUnknown);
  EXPECT_EQ(work_of("x = H.f(x);", "", "helper H { float f(float x) { return x + x; } }"), 10U + 2);
  EXPECT_EQ(work_of("println(x);"), 3U);
  EXPECT_EQ(work_of("print(x);"), 3U);
  for (const char* call : {"randomi(4)", "random()", "iter()", "usleep(3)", "assert(true)"}) {
    EXPECT_EQ(work_of(std::string(call) + ";"), 60U) << call;
  }
}

TEST(StreamItStatements, StepsAndFieldsAreCounted) {
  EXPECT_EQ(work_of("int k; k++; ++k; k--; --k;"), 4U);
  EXPECT_EQ(work_of("x++;"), 2U);
  EXPECT_EQ(work_of(";;; {}"), 0U);
  EXPECT_EQ(work_of("n = x;", "float n;"), 2U);
  EXPECT_EQ(work_of("n = x; x = n;", "float n;"), 2U + 2);
  EXPECT_EQ(work_of("x += n;", "float n;"), 2U) << "which nothing ever assigns";
  EXPECT_EQ(work_of("complex c = 1i; c = c * c;"), 6U * 2) << "four products and two sums";
  EXPECT_EQ(work_of("complex c = 1i; c = c + c;"), 2U * 2);
}

/// One cycle for integers and truth values, two for floats (also where one side is an integer), 32 for their quotient;
/// of complex numbers the operations of both parts.
TEST(StreamItStatements, OperationsTakeWhatTheirKindsTake) {
  const auto cycles = [](const std::string& statement) {
    const std::string before = "int u = (int) peek(0); boolean b = u > 0; complex c = x; float y = 2; ";
    return work_of(before + statement) - work_of(before);
  };
  for (const std::string sign : {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"}) {
    EXPECT_EQ(cycles("u = u " + sign + " u;"), 1U) << sign;
    EXPECT_EQ(cycles("u " + sign + "= u;"), 1U) << sign;
  }
  for (const std::string sign : {"+", "-", "*", "%"}) {
    for (const char* left : {"x", "u"}) EXPECT_EQ(cycles("x = " + (left + (" " + sign)) + " x;"), 2U) << left << sign;
    EXPECT_EQ(cycles("x = x " + sign + " u;"), 2U) << sign;
    EXPECT_EQ(cycles("x " + sign + "= u;"), 2U) << sign;
  }
  for (const std::string sign : {"<", "<=", ">", ">=", "==", "!="}) {
    EXPECT_EQ(cycles("b = u " + sign + " u;"), 1U) << sign;
    EXPECT_EQ(cycles("b = x " + sign + " x;"), 2U) << sign;
    EXPECT_EQ(cycles("b = u " + sign + " x;"), 2U) << sign;
    EXPECT_EQ(cycles("b = x " + sign + " u;"), 2U) << sign;
  }
  const std::vector<std::pair<std::string, std::uint64_t>> others{
      {"x = x / x;", 32},    {"x = u / x;", 32}, {"x = x / u;", 32},    {"x /= u;", 32},       {"c = c + c;", 2 * 2},
      {"c = c - x;", 2 * 2}, {"c = -c;", 2 * 2}, {"c = c * c;", 6 * 2}, {"c = u * c;", 6 * 2}, {"c = c / c;", 2 * 32},
      {"b = c == c;", 2},    {"x = -x;", 2},     {"u = -u;", 1},        {"u = ~u;", 1},        {"b = !b;", 1},
      {"b = !x;", 2},        {"b = b && b;", 1}, {"b = b || b;", 1},    {"b = b ^ b;", 1},     {"x = (float) u;", 0},
      {"u = (int) x;", 0},   {"x = u;", 0},      {"x = sin(2.0);", 0},  {"y = sin(y);", 107}};
  for (const auto& [statement, expected] : others) EXPECT_EQ(cycles(statement), expected) << statement;
}

/// A sign that is decided takes its cycle; what stands behind it is not looked at.
TEST(StreamItStatements, WhatIsDecidedIsNotLookedAtFurther) {
  EXPECT_EQ(work_of("int k = 1; boolean b = k > 0 || sin(x) > 0;"), 1U + 1);
  EXPECT_EQ(work_of("int k = 1; boolean b = k > 1 || sin(x) > 0;"), 1U + (107 + 2) + 1);
  EXPECT_EQ(work_of("int k = 1; boolean b = k > 1 && sin(x) > 0;"), 1U + 1);
  EXPECT_EQ(work_of("int k = 1; boolean b = k > 0 && sin(x) > 0;"), 1U + (107 + 2) + 1);
  EXPECT_EQ(work_of("boolean b = true || sin(x) > 0;"), 0U);
  EXPECT_EQ(work_of("boolean b = x > 0 || sin(x) > 0;"), 2U + (107 + 2) + 1);
}

/// Exactly, where every round is like the first: in either direction, in steps of any width, from anywhere.
TEST(StreamItStatements, LongLoopsAreReckonedFromTheirBounds) {
  const std::vector<std::pair<std::string, std::uint64_t>> heads{
      {"int i = 0; i < 100000000; i++", 100'000'000},    {"int i = 100000000; i > 0; i--", 100'000'000},
      {"int i = 0; i < 100000000; i += 2", 50'000'000},  {"int i = 100000000; i > 0; i -= 2", 50'000'000},
      {"int i = 1000; i < 100001000; i++", 100'000'000}, {"int i = 0; i != 100000000; i = i + 1", 100'000'000},
      {"int i = -100000000; i <= 0; i += 4", 25'000'000}};
  for (const auto& [head, rounds] : heads) {
    EXPECT_EQ(work_of("for (" + head + ") x += x;"), rounds * (1 + 2 + 1)) << head;
  }
  EXPECT_EQ(work_of("int n = 100000000;" + kLoop), 400'000'000U);
  EXPECT_EQ(work_of("for (int i = 0; i < 100000000; i++) ;"), 200'000'000U);
}

/// Those whose end nobody sees: a counter that is no integer, goes the other way, stands, or is set within.
TEST(StreamItStatements, OtherLongLoopsCountWhatWasFollowed) {
  for (const char* loop :
       {"for (float f = 0; f < 100000000; f += 1) x += x;", "for (int i = 0; i < 100000000; i--) x += x;",
        "for (int i = 0; i < 100000000; i += 0) x += x;", "for (int i = 0; i < 100000000; i++) { x += x; i += 0; }",
        "int i = 0; while (i < 100000000) { x += x; i++; }", "for (int i = 0; true; i++) x += x;"}) {
    EXPECT_GT(work_of(loop), 1000U) << loop;
    EXPECT_LT(work_of(loop), 20'000U) << loop;
  }
}

/// 10^16 rounds: more than 10^12 cycles of a loop's rest nobody believes.
TEST(StreamItStatements, TheRestOfALoopHasABound) {
  const std::uint64_t first_round = 1 + 400'000'000 + 1;
  EXPECT_EQ(work_of("for (int i = 0; i < 100000000; i++) for (int j = 0; j < 100000000; j++) x += x;"),
            first_round + 1'000'000'000'000);
}

std::string refused(const std::string& init) {
  return mistake(between("add F();", "float->float filter F { int n; init { " + init + " } work push 1 pop n { } }"));
}

/// A loop of init that counts is run to its end, or believed to end after 10^5 steps; each has that much patience.
TEST(StreamItStatements, ALongLoopOfInitIsNotKnownBehind) {
  const std::string known = "expected a value that is known before the program runs";
  EXPECT_EQ(refused("for (int i = 0; i < 5000; i++) n = i;"), "");
  EXPECT_EQ(refused("for (int i = 0; i < 8000; i++) n = i; for (int i = 0; i < 7000; i++) n = i;"), "");
  EXPECT_NE(refused("for (int i = 0; i < 150000; i++) n = i;").find(known), std::string::npos);
  EXPECT_EQ(refused("for (int i = 0; i < 150000; i++) ; n = 7;"), "") << "it assigns nothing that is used";
}

/// Any other has 200000 rounds. They are so many steps that the program's patience is short then.
TEST(StreamItStatements, AnyOtherLoopOfInitEndsInTime) {
  const std::string loop = "while (n < 200000) n = n + 1; n = n - 199990;";
  EXPECT_EQ(refused(loop), "");
  EXPECT_EQ(refused("while (n < 200001) n = n + 1;"), "4:39: does not end: expected a loop of at most 200000 rounds");
  const std::string more = "for (int i = 0; i < 500; i++) n = i;";
  EXPECT_EQ(refused(more), "");
  EXPECT_NE(refused(loop + more).find("known before the program runs"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::statements_test
