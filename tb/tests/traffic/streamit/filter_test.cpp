// What a filter's text gives: rates, prework, state, types.
#include <gtest/gtest.h>

#include "tb/tests/support/streamit.h"

namespace braid::test::filter_test {
namespace {

using namespace traffic;

std::uint64_t pop_rate(const std::string& rate, const std::string& fields = "", const std::string& others = "") {
  return filter_of("float->float filter F { " + fields + " work push 1 pop " + rate + " { } }" + others).work.pop;
}

TEST(StreamItFilter, PeeksAtLeastWhatItPops) {
  const Filter f = filter_of("float->float filter F { work push 2 pop 3 { } }");
  EXPECT_EQ(f.work.push, 2U);
  EXPECT_EQ(f.work.pop, 3U);
  EXPECT_EQ(f.work.peek, 3U);
  EXPECT_EQ(filter_of("float->float filter F { work peek 9 push 2 pop 3 { } }").work.peek, 9U);
}

TEST(StreamItFilter, PreworkHasRatesOfItsOwn) {
  const Filter f = filter_of("float->float filter F { prework push 4 { } work push 1 pop 1 { push(pop()); } }");
  ASSERT_TRUE(f.prework.has_value());
  EXPECT_EQ(f.prework->push, 4U);
  EXPECT_EQ(f.prework->pop, 0U);
}

TEST(StreamItFilter, RatesAreExpressionsWithCastsAndFunctions) {
  EXPECT_EQ(pop_rate("(int) (2.5 * 3) + 1"), 8U);
  EXPECT_EQ(pop_rate("(int) ceil(sqrt(17)) * max(2, 3)"), 15U);
  EXPECT_EQ(pop_rate("7 / 2 + 7 % 4"), 6U);
  EXPECT_EQ(pop_rate("-(-5)"), 5U);
  EXPECT_EQ(pop_rate("0x1F & 12 ^ 1"), 13U);
  EXPECT_EQ(pop_rate("(int) round(4 * atan(1) * 100)"), 314U);
  EXPECT_EQ(pop_rate("(int) floor(pi * 1e2)"), 314U);
  EXPECT_EQ(pop_rate("(true && !false) || false ? 4 : 5"), 4U);
}

/// A shift is as strong as a product, and `|`, `&`, `^` are one level from left to right.
TEST(StreamItFilter, PrecedencesAreStreamItsAndNotCs) {
  EXPECT_EQ(pop_rate("1 << 2 + 1"), 5U);
  EXPECT_EQ(pop_rate("1 | 6 & 4"), 4U);
  EXPECT_EQ(pop_rate("12 / 2 >> 1"), 3U);
  EXPECT_EQ(pop_rate("100 - 10 - 1"), 89U);
}

/// 0.29 * 100 is 29 in single precision and 28.999999999999996 in double.
TEST(StreamItFilter, FloatsAreSingle) { EXPECT_EQ(pop_rate("(int) (0.29 * 100)"), 29U); }

TEST(StreamItFilter, IntegersWrapAt32Bits) {
  EXPECT_EQ(pop_rate("n", "int n; init { n = 2147483647; n = n + 1; n = n == -2147483647 - 1 ? 3 : 4; }"), 3U);
  EXPECT_EQ(pop_rate("n", "int n; init { n = 0xFFFFFFFF; n = -n; }"), 1U);
}

TEST(StreamItFilter, RatesMayDependOnWhatInitComputes) {
  EXPECT_EQ(pop_rate("n", "int n; init { for (int i = 0; i < 4; i++) n += i; }"), 6U);
  EXPECT_EQ(pop_rate("n[2]", "int k; int[k + 1] n; init { k = 2; n[k] = 11; }"), 11U);
  EXPECT_EQ(pop_rate("n", "int n = twice(4); int twice(int x) { return 2 * x; }"), 8U);
  EXPECT_EQ(pop_rate("n", "int n; init { n = Sizes.next(4); }",
                     "helper Sizes { int next(int x) { return x + base; } }"
                     "static { int base; init { base = 3; } }"),
            7U);
  // A helper sees the program's fields, not those of the stream that calls it; that sees its own again behind the call.
  EXPECT_EQ(pop_rate("10 * H.get() + base", "int base = 5;",
                     "helper H { int get() { return base; } } static { int base; init { base = 3; } }"),
            35U);
}

TEST(StreamItFilter, StructsAndComplexNumbersAreValues) {
  const std::string p = "P p; init { P q; q.n[1] = 4; p = q; q.n[1] = 9; p.c = (1 + 2i) * (3 - 2i); }";
  EXPECT_EQ(pop_rate("p.n[1] + (int) p.c.imag", p, "struct P { int[2] n; complex c; }"), 8U);
  EXPECT_EQ(pop_rate("p.n[1] + (int) p.c.real", p, "struct P { int[2] n; complex c; }"), 11U);
  EXPECT_EQ(pop_rate("(int) abs(3 + 4i)"), 5U);
  const std::string parts = "(int) c.real * 10 + (int) c.imag";
  EXPECT_EQ(pop_rate(parts, "complex c; init { c.real = 4; c.imag = 7; }"), 47U);
  EXPECT_EQ(pop_rate(parts, "complex c; init { c = 2 + 3i; c.real += 4; c.imag *= 2; }"), 66U);
}

TEST(StreamItFilter, ArraysAreCopied) {
  EXPECT_EQ(
      pop_rate("a[0][1]", "int[2][2] a; init { int[2] b; b[1] = 3; a[0] = b; b[1] = 4; a[1] = a[0]; a[1][1] = 5; }"),
      3U);
}

TEST(StreamItFilter, BitsAndBooleansAreValues) {
  EXPECT_EQ(
      pop_rate("n", "int n; init { bit b = 1; b = b ^ 1; boolean t = b == 0; if (t && !(b == 1)) n = 6; else n = 7; }"),
      6U);
}

TEST(StreamItFilter, IsStatefulIfACallReadsWhatOneWrote) {
  const auto stateful = [](const std::string& fields, const std::string& work) {
    return filter_of("float->float filter F { " + fields + " work push 1 pop 1 { " + work + " } }").stateful;
  };
  EXPECT_FALSE(stateful("float[3] c; init { c[0] = 1; }", "push(pop() * c[0]);"));
  EXPECT_FALSE(stateful("", "float s = 0; s += pop(); push(s);"));
  EXPECT_TRUE(stateful("float s;", "s += pop(); push(s);"));
  EXPECT_TRUE(stateful("int i;", "push(pop()); i++;"));
  EXPECT_FALSE(stateful("float last;", "last = pop(); push(0);"));  // nobody reads it
  EXPECT_TRUE(stateful("float[3] c;", "c[0] = pop(); push(c[1]);"));
  EXPECT_TRUE(stateful("float s; void put(float x) { s = s + x; }", "put(pop()); push(0);"));
  EXPECT_FALSE(stateful("float s;", "float s = 1; s = s + pop(); push(s);"));  // a local of that name
  EXPECT_TRUE(stateful("", "println(peek(0)); push(pop());"));
  EXPECT_FALSE(filter_of("float->float stateful filter F { work push 1 pop 1 { push(pop()); } }").stateful);
}

TEST(StreamItFilter, TypesAreNamedWithTheirLengths) {
  const FlatGraph g = flat(
      "void->void pipeline M { add S(3); add T(); } void->float[n][2] filter S(int n) { work push 1 { "
      "float[n][2] x; push(x); } } float[3][2]->void filter T { work pop 1 { pop(); } }");
  EXPECT_EQ(g.nodes[0].filter.output_type, "float[3][2]");
  EXPECT_EQ(g.nodes[1].filter.input_type, "float[3][2]");
}

TEST(StreamItFilter, WithoutTypesHasThoseOfItsNeighbours) {
  const FlatGraph g =
      flat(between("add filter { work push 1 pop 1 { push(pop()); } } add splitjoin { split duplicate; add "
                   "filter { work push 1 pop 1 { push(pop()); } } join roundrobin; }"));
  for (const FlatNode& n : g.nodes) {
    if (n.name.rfind("filter", 0) != 0) continue;
    EXPECT_EQ(n.filter.input_type, "float");
    EXPECT_EQ(n.filter.output_type, "float");
  }
}

}  // namespace
}  // namespace braid::test::filter_test
