// What may never be looked at is no mistake, and what may have been something else is not known: conditions of which
// nobody knows whether they hold, functions that return nothing.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::uncertain_test {
namespace {

using namespace traffic;

/// What is said of an init, without its place; nobody knows what N.some() gives.
std::string said(const std::string& init) {
  const std::string what =
      mistake(between("add F();", "native N { int some(); } float->float filter F { int n; int[3] a; init { " + init +
                                      " } work push 1 pop 1 { push(pop()); } }"));
  return what.substr(what.find(' ') + 1);
}
std::string index(int i) { return "array index " + std::to_string(i) + ": expected one below 3"; }

TEST(StreamItUncertain, WhatIsLookedAtForCertainMustBeRight) {
  EXPECT_EQ(said("n = a[2];"), "");
  EXPECT_EQ(said("n = a[3];"), index(3));
  EXPECT_EQ(said("a[3] = 1;"), index(3));
  EXPECT_EQ(said("n = 1 / 0;"), "division by 0");
  EXPECT_EQ(said("n = 1 % 0;"), "division by 0");
  EXPECT_EQ(said("n /= 0;"), "division by 0");
  EXPECT_EQ(said("int[2] c = {1, 2, 3};"), "expected an array of 2, not of 3");
  EXPECT_EQ(said("boolean b = 1 > 0 && a[7] > 0;"), index(7));
  EXPECT_EQ(said("boolean b = 1 < 0 || a[7] > 0;"), index(7));
  EXPECT_EQ(said("n = 1 > 0 ? a[7] : 1;"), index(7));
}

TEST(StreamItUncertain, WhatIsNeverLookedAtMayBeWrong) {
  EXPECT_EQ(said("boolean b = 1 < 0 && a[7] > 0;"), "");
  EXPECT_EQ(said("boolean b = 1 > 0 || a[7] > 0;"), "");
  EXPECT_EQ(said("n = 1 > 0 ? 1 : a[7];"), "");
  EXPECT_EQ(said("if (1 < 0) n = a[7];"), "");
  EXPECT_EQ(said("while (1 < 0) n = a[7];"), "");
}

/// Nor what may not be: but what stands behind it is looked at again.
TEST(StreamItUncertain, WhatMayNotBeLookedAtMayBeWrongUpToItsEnd) {
  for (const char* const maybe :
       {"boolean b = N.some() > 0 && a[7] > 0;", "boolean b = N.some() > 0 || a[7] > 0;",
        "n = N.some() > 0 ? a[7] : 1;", "n = N.some() > 0 ? 1 : a[7];", "n = N.some() > 0 ? 1 / 0 : 1;",
        "if (N.some() > 0) n = a[7];", "if (N.some() > 0) n = 1; else n = a[7];", "while (N.some() > 0) n = a[7];",
        "if (N.some() > 0) { int[2] c = {1, 2, 3}; }", "n = 1 / (N.some() > 0 ? 0 : 1);"}) {
    EXPECT_EQ(said(maybe), "") << maybe;
    EXPECT_EQ(said(std::string(maybe) + " n = a[8];"), index(8)) << maybe;
    EXPECT_EQ(said("if (N.some() > 0) { " + std::string(maybe) + " n = a[8]; } n = a[9];"), index(9)) << maybe;
  }
}

/// Estimates take what comes: a work function is not run.
TEST(StreamItUncertain, WorkIsOnlyEstimated) {
  for (const char* const work : {"int[3] a; a[7] = 1;", "int[3] a; int n = a[7];", "int n = 1 / 0;",
                                 "int[2] c; int[3] d; c = d;", "int n = (int) peek(0); int[n] a; a[3] = 1;"}) {
    EXPECT_EQ(mistake(between("add F();", "float->float filter F { work push 1 pop 1 peek 9 { " + std::string(work) +
                                              " push(pop()); } }")),
              "")
        << work;
  }
}

/// Between a pop and a push, which take six cycles.
std::uint64_t work_of(const std::string& between_them, const std::string& fields = "") {
  return filter_of("float->float filter F { " + fields + " work push 1 pop 1 peek 64 { float x = pop(); " +
                   between_them + " push(x); } }")
             .work.work_cycles -
         6;
}

/// Five rounds of four cycles, where nobody knows n; a call takes ten.
TEST(StreamItUncertain, AFunctionThatReturnsNothingIsNotKnown) {
  const std::string loop = " for (int i = 0; i < n; i++) x += x;";
  EXPECT_EQ(work_of("int n = f();" + loop, "int f() { return 3; }"), 10U + 3 * 4);
  EXPECT_EQ(work_of("int n = f();" + loop, "int f() { ; }"), 10U + 5 * 4);
  EXPECT_EQ(work_of("int n = f();" + loop, "int g() { return 3; } int f() { g(); }"), 2 * 10U + 5 * 4)
      << "what another has returned is not f's";
  EXPECT_EQ(work_of("int n = f();" + loop, "int g() { return 3; } int f() { g(); return 2; }"), 2 * 10U + 2 * 4);
  EXPECT_EQ(work_of("int n = f();" + loop, "int g() { ; } int f() { return 2 + 0 * g(); }"), 2 * 10U + 2 + 5 * 4);
}

/// A message gives nothing, and nothing is not true: of a choice the other side runs.
TEST(StreamItUncertain, WhatGivesNothingIsNotTrue) {
  const auto work = [](const std::string& statement) {
    const FlatGraph graph = flat(between(
        "portal<G> p; add S(p); add G() to p;",
        "float->float filter S(portal<G> p) { work push 1 pop 1 { float x = pop(); " + statement +
            " push(x); } }\nfloat->float filter G { work push 1 pop 1 { push(pop()); } handler tune(int a) { } }"));
    return node(graph, "S").filter.work.work_cycles - 6;
  };
  EXPECT_EQ(work("p.tune(1);"), 10U);
  EXPECT_EQ(work("if (p.tune(1)) x = sin(x); else x += x;"), 10U + 1 + 2);
  EXPECT_EQ(work("x = p.tune(1) ? sin(x) : x + x;"), 10U + 1 + 2);
  EXPECT_EQ(work("int n = 3; n = p.tune(1); for (int i = 0; i < n; i++) x += x;"), 10U + 5 * 4)
      << "what was in n has gone";
}

/// Nobody knows how often: in a later round k is not what it was before the loop, so that both sides count by half.
TEST(StreamItUncertain, WhatALoopAssignsIsNotKnownInIt) {
  EXPECT_EQ(work_of("int k = 1; while (x > 1) { if (k > 0) x = sin(x); else x += x; k = 0; }"),
            5U * (2 + 1 + 1 + (107 + 2) / 2));
  EXPECT_EQ(work_of("int k = 1; while (x > 1 && k > 0) { x += x; k = 0; }"), 5U * (2 + 1 + 1 + 2));
}

/// An inner loop whose rounds end early: what stands behind it is run. A round of the outer one: its look and its step,
/// the inner one's look, the continue or break, of a continue also a step, and a sum.
TEST(StreamItUncertain, ALoopEndsNothingButItself) {
  EXPECT_EQ(work_of("for (int i = 0; i < 2; i++) { for (int k = 0; k < 1; k++) continue; x += x; }"),
            2U * (2 + 1 + 1 + 1 + 2));
  EXPECT_EQ(work_of("for (int i = 0; i < 2; i++) { for (int k = 0; k < 1; k++) break; x += x; }"),
            2U * (2 + 1 + 1 + 2));
}

/// An integer on one side and a float on the other make a float, whichever comes: a sum of it takes two cycles.
TEST(StreamItUncertain, AChoiceHasTheWiderKindOfItsSides) {
  const std::string choice = "int u = (int) peek(0); x = (x > 0 ? ";
  EXPECT_EQ(work_of(choice + "u : u) + u;"), 3U + 2 + 1 + 1);
  EXPECT_EQ(work_of(choice + "u : x) + u;"), 3U + 2 + 1 + 2);
  EXPECT_EQ(work_of(choice + "x : u) + u;"), 3U + 2 + 1 + 2);
  EXPECT_EQ(work_of(choice + "true : u) + u;"), 3U + 2 + 1 + 1);
}

/// The second of three is written: it costs two cycles to read and two to write, the others are as constants.
TEST(StreamItUncertain, FieldsThatAreNotWrittenCostNothing) {
  const std::string fields = "int p; int q; int r;";
  EXPECT_EQ(work_of("q = q + 1;", fields), 2U + 1 + 2);
  EXPECT_EQ(work_of("q = q + 1; x += p;", fields), 5U + 2);
  EXPECT_EQ(work_of("q = q + 1; x += r;", fields), 5U + 2);
  EXPECT_EQ(work_of("q = q + 1; x += q;", fields), 5U + 2 + 2);
  EXPECT_EQ(work_of("int n = p + r;", fields), 0U);
}

/// A name may be known where it has no value yet: fields are made one after the other.
TEST(StreamItUncertain, AFieldHasAValueFromItsDeclarationOn) {
  const auto of = [](const std::string& fields) {
    return mistake(between("add F();", "float->float filter F { " + fields + " work push 1 pop 1 { push(pop()); } }"));
  };
  EXPECT_EQ(of("float y = 2; float x = y;"), "");
  EXPECT_EQ(of("float x = y; float y = 2;"), "4:35: variable \"y\" has no value here");
}

/// What nobody knows costs the work of what it may be: an instance whose argument is 0 and one whose argument may be 0
/// are two.
TEST(StreamItUncertain, AnArgumentThatIsNotKnownIsNoZero) {
  const std::string filter =
      "float->float filter F(float[1] c) { work push 1 pop 1 { if (c[0] == 0.0) { for (int i = 0; i < 100; i++) { "
      "println(i); } } push(pop()); } } static { float[1] a; init { a[0] = randomf(); } } ";
  const auto works = [&](const std::string& adds) {
    std::vector<std::uint64_t> all;
    for (const FlatNode& node : flat(between("float[1] b; b[0] = 0.0; " + adds, filter)).nodes) {
      if (node.name.rfind('F', 0) == 0) all.push_back(node.filter.work.work_cycles);
    }
    return all;
  };
  const std::vector<std::uint64_t> unknown = works("add F(a);"), zero = works("add F(b);");
  ASSERT_EQ(unknown.size(), 1U);
  ASSERT_EQ(zero.size(), 1U);
  EXPECT_LT(unknown[0], zero[0]);
  EXPECT_EQ(works("add F(a); add F(b);"), (std::vector<std::uint64_t>{unknown[0], zero[0]}));
}

}  // namespace
}  // namespace braid::test::uncertain_test
