// What names, elements and members hold where a work function is followed, and which are known.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::variables_test {
namespace {

using namespace traffic;

constexpr std::uint64_t kUnknown = 5;  // rounds of a loop whose bound is not known

/// Rounds of a loop to what the expression comes to behind the statements; `u` is an integer that nobody knows.
std::uint64_t rounds(const std::string& statements, const std::string& expression, const std::string& others = "") {
  const auto work = [&](const std::string& loop) {
    return filter_of("float->float filter F { work push 1 pop 1 peek 64 { float x = pop(); int u = (int) peek(0); " +
                     statements + " int n_ = " + expression + ";" + loop + " push(x); } }" + others)
        .work.work_cycles;
  };
  return (work(" for (int i = 0; i < n_; i++) x += x;") - work("")) / 4;  // a look, a sum, a step
}

using Cases = std::vector<std::tuple<std::string, std::string, std::uint64_t>>;

void expect_all(const Cases& cases, const std::string& others = "") {
  for (const auto& [statements, expression, expected] : cases) {
    EXPECT_EQ(rounds(statements, expression, others), expected) << statements << " | " << expression;
  }
}

TEST(StreamItVariables, OfWhatIsUnknownAllThatIsComputedIs) {
  for (const char* of_u : {"u + 7", "7 - u", "u * 0", "-u", "~u", "+u", "max(u, 7)", "max(7, u)", "abs(u)", "u++",
                           "u > 0 ? 7 : 7", "(u > 0 || true) ? 7 : 8", "(int) (float) u", "(int) !u", "u % 3"}) {
    EXPECT_EQ(rounds("", of_u), kUnknown) << of_u;
  }
  expect_all({{"", "7", 7},
              {"", "true ? 7 : u", 7},
              {"", "false ? u : 8", 8},
              {"", "(false && u > 0) ? 7 : 8", 8},
              {"", "(true || u > 0) ? 7 : 8", 7},
              {"u--;", "u", kUnknown},
              {"u = 8;", "u", 8}});
}

TEST(StreamItVariables, AreSteppedBeforeOrBehind) {
  expect_all({{"int k = 7;", "k++", 7},
              {"int k = 7;", "++k", 8},
              {"int k = 7;", "k--", 7},
              {"int k = 7;", "--k", 6},
              {"int k = 7; k++;", "k", 8},
              {"int k = 7; k--;", "k", 6},
              {"int k = 7; ++k;", "k", 8},
              {"int k = 7; --k;", "k", 6}});
}

TEST(StreamItVariables, AreAssignedByEveryOperator) {
  expect_all({{"int k = 7; k += 2;", "k", 9},
              {"int k = 7; k -= 4;", "k", 3},
              {"int k = 7; k *= 2;", "k", 14},
              {"int k = 7; k /= 2;", "k", 3},
              {"int k = 7; k %= 4;", "k", 3},
              {"int k = 7; k <<= 1;", "k", 14},
              {"int k = 7; k >>= 1;", "k", 3},
              {"int k = 6; k |= 3;", "k", 7},
              {"int k = 7; k &= 2;", "k", 2},
              {"int k = 7; k ^= 4;", "k", 3},
              {"int k = 7; k += u;", "k", kUnknown},
              {"int k = 7; float f = k; k = 8;", "(int) f", 7},
              {"float f = 7.9; int k = f;", "k", 7},
              {"boolean b = 7;", "b + 2", 3},
              {"bit b = 6;", "b + 2", 2}});
}

/// One element of an array may be unknown beside others; of what an unknown index wrote all are.
TEST(StreamItVariables, ArraysAreKnownByTheElement) {
  const std::string a = "int[3] a; a[1] = 7;", m = "int[2][3] a; a[1][2] = 7;";
  expect_all({{a, "a[1]", 7},
              {a, "a[1.9]", 7},
              {a, "a[u]", kUnknown},
              {a, "a[3]", kUnknown},
              {a + " a[0] = u;", "a[1]", 7},
              {a + " a[0] = u;", "a[0]", kUnknown},
              {a + " a[u] = 7;", "a[1]", kUnknown},
              {a + " a[3] = 8;", "a[1]", kUnknown},
              {a + " a[u] = 8; a[1] = 9;", "a[1]", kUnknown},
              {a + " int k = a[-1];", "a[1]", 7},
              {m + " int[2][3] b; b = a; a[1][2] = 8;", "b[1][2]", 7},
              {m + " a[0][u] = 8;", "a[1][2]", 7},
              {m + " a[u][0] = 8;", "a[1][2]", kUnknown},
              {m + " a[1][u] = 8;", "a[1][2]", kUnknown},
              {"int[2] a = {3, 7};", "a[1]", 7},
              {"int[2][2] a = {{3, 7}, {4, 8}};", "a[0][1] + a[1][0]", 11},
              {"int[2] a = {3, 7}; int[2] b; b = a;", "b[1]", 7},
              {"int[2] a = {3, 7}; int[2] b = {1, 2}; a[u] = 4; b = a;", "b[1]", kUnknown},
              {"int[2] a = {3, 7}; int[3] b = {1, 2, 3}; b = a;", "b[1]", 2}});
}

TEST(StreamItVariables, ComplexNumbersAreKnownAsAWhole) {
  const std::string c = "complex c = 2 + 7i;";
  expect_all({{c, "(int) c.real", 2},
              {c, "(int) c.imag", 7},
              {c + " c.real = 4;", "(int) c.imag", 7},
              {c + " c.real = 4;", "(int) c.real", 4},
              {c + " c.imag = 4;", "(int) c.imag", 4},
              {c + " c.real += 4;", "(int) c.real", 6},
              {c + " c.imag -= 4;", "(int) c.imag", 3},
              {c + " c.imag = u;", "(int) c.imag", kUnknown},
              {c + " c.imag = u;", "(int) c.real", kUnknown},
              {c + " c.imag = u; c.imag = 7;", "(int) c.imag", kUnknown},
              {"complex[2] c; c[1].imag = 7; c[1].real = 4;", "(int) c[1].imag", 7}});
}

TEST(StreamItVariables, StructsAreKnownByTheMember) {
  expect_all({{"P p; p.k = 7;", "p.k", 7},
              {"P p; p.k = 7; P q; q = p; p.k = 8;", "q.k", 7},
              {"P p; p.k = 7; p.f[1] = u;", "p.k", 7},
              {"P p; p.f[1] = 7; p.f[0] = u;", "(int) p.f[1]", 7},
              {"P[2] p; p[1].k = 7; p[0].k = u;", "p[1].k", 7},
              {"P[2] p; p[1].k = 7; p[u].k = 8;", "p[1].k", kUnknown},
              {"P[2] p; p[1].k = 7; P q = p[1];", "q.k", 7},
              {"P[2] p; p[1].k = 7; P q = p[u];", "q.k", kUnknown},
              {"Q q; q.p.k = 7; q.m = 8;", "q.p.k + q.m", 15},
              {"Q q; q.p.c.imag = 7;", "(int) q.p.c.imag", 7},
              {"Q q; q.p.c.real = u; q.m = 8;", "q.m", 8}},
             "struct P { int k; float[2] f; complex c; } struct Q { P p; int m; }");
}

/// What a function sees: its own, then the filter's, then the program's; never those of who calls it.
TEST(StreamItVariables, AreTheNearestOfTheirName) {
  expect_all({{"int n = 7; { int n = 3; }", "n", 7}, {"int n = 7; { n = 3; }", "n", 3}});
  expect_all({{"", "H.f(7)", 7}}, "helper H { int f(int k) { { int k = 3; } return k; } }");
  const auto rate = [](const std::string& fields, const std::string& others) {
    return filter_of("float->float filter F { " + fields + " work push 1 pop r { } }" + others).work.pop;
  };
  EXPECT_EQ(rate("int r;  init { int k = 3; r = f(); } int k = 7; int f() { return k; }", ""), 7U);
  EXPECT_EQ(rate("int r;  init { k = 3; r = f(4); } int k; int f(int k) { k = 5; return k + g(); } "
                 "int g() { return k; }",
                 ""),
            5U + 3);
  EXPECT_EQ(rate("int k = 7; int r = k;", "static { int k = 3; }"), 7U);
  EXPECT_EQ(rate("int r = k;", "static { int k = 3; }"), 3U);
  EXPECT_EQ(rate("int r = k + H.f();", "static { int k = 3; } helper H { int f() { return 10 * k; } }"), 33U);
}

/// Of every type: nought.
TEST(StreamItVariables, BeginWithNothing) {
  const std::string structs = "struct P { int k; complex c; boolean[2] b; }";
  for (const char* of : {"int v; | v", "float v; | (int) v", "double v; | (int) v", "complex v; | (int) v.imag",
                         "complex v; | (int) v.real", "boolean v; | v ? 1 : 0", "bit v; | v + 0", "int[2] v; | v[1]",
                         "P v; | v.k + (int) v.c.real", "P v; | v.b[1] ? 1 : 0", "P[2] v; | v[1].k"}) {
    const std::string text(of);
    const std::size_t bar = text.find('|');
    EXPECT_EQ(rounds(text.substr(0, bar), "3 + (" + text.substr(bar + 1) + ")", structs), 3U) << of;
  }
}

TEST(StreamItVariables, ArraysHaveAMillionValuesInAll) {
  const auto said = [](const std::string& arrays) { return mistake(between(arrays + " add Identity<float>();")); };
  EXPECT_EQ(said("int[1000000] a;"), "");
  EXPECT_NE(said("int[1000001] a;").find("expected at most 10^6 values in arrays and structs"), std::string::npos);
  EXPECT_NE(said("int[999999] a; int[2] b;").find("expected at most 10^6 values"), std::string::npos);
  EXPECT_EQ(said("{ int[999999] a; } int[2] b;"), "") << "those of a block are gone with it";
}

}  // namespace
}  // namespace braid::test::variables_test
