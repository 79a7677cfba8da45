// What only one line of a program decides: constants and what they cost, arrays at the edge of their room, names that
// are nearly known.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::fine_points_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;
using Cases = std::vector<std::pair<std::string, std::uint64_t>>;

/// Between a pop and a push, which take six cycles; `x` is what was popped.
std::uint64_t work_of(const std::string& between_them, const std::string& fields = "", const std::string& others = "") {
  return filter_of("float->float filter F { " + fields + " work push 1 pop 1 peek 64 { float x = pop(); " +
                   between_them + " push(x); } }" + others)
             .work.work_cycles -
         6;
}

/// A loop of n rounds of four cycles, of five where n is not known.
const std::string kLoop = " for (int i = 0; i < n; i++) x += x;";
constexpr std::uint64_t kUnknown = 5U * 4;

/// A variable that is known costs what an unknown one does: what is written once may be written again.
TEST(StreamItConstants, AVariableIsNone) {
  for (const auto& [statement, cycles] : Cases{{"k = -k;", 1},
                                               {"k = ~k;", 1},
                                               {"b = !b;", 1},
                                               {"k = +k;", 1},
                                               {"y = -y;", 2},
                                               {"k = k + 2;", 1},
                                               {"k = 2 + k;", 1},
                                               {"k = 2 + 2;", 0},
                                               {"k = -2;", 0},
                                               {"y = y * 2;", 2},
                                               {"y = (float) k * 2;", 2},
                                               {"y = (float) 3 * 2;", 0},
                                               {"y = sin(y);", 107},
                                               {"y = max(2, y);", 60},
                                               {"y = max(y, 2);", 60},
                                               {"y = max(2, 3);", 0},
                                               {"y = c.real + 1;", 2},
                                               {"y = (1 + 2i).imag + 1;", 0},
                                               {"b = k > 2 && k < 9;", 3},
                                               {"k = true ? 3 : 4;", 0},
                                               {"k = b ? 3 : 4;", 1}}) {
    EXPECT_EQ(work_of("int k = 3; float y = 2; boolean b = true; complex c = 1i; " + statement), cycles) << statement;
  }
}

/// Joining texts takes an operation where one of them is not constant; printing takes three.
TEST(StreamItConstants, TextsAreJoinedBeforeOrThen) {
  EXPECT_EQ(work_of("println(\"a\");"), 3U);
  EXPECT_EQ(work_of("println(\"a\" + x);"), 3U + 1);
  EXPECT_EQ(work_of("println(x + \"a\");"), 3U + 1);
  EXPECT_EQ(work_of("int k = 3; println(k + \"a\" + k);"), 3U + 2);
}

/// Parameters are constants, in their parts as well, until they are written.
TEST(StreamItConstants, ParametersAreUntilTheyAreWritten) {
  const auto work = [](const std::string& body) {
    const FlatGraph g =
        flat(between("add F(2 + 1i, 3, true);",
                     "float->float filter F(complex c, int n, boolean b) { work push 1 pop 1 { float x = "
                     "pop(); " +
                         body + " push(x); } }"));
    return node(g, "F").filter.work.work_cycles - 6;
  };
  for (const auto& [body, cycles] : Cases{{"complex d = c * c;", 0},
                                          {"x = x * (c.real * 3);", 2},
                                          {"x = x * (c.imag + n);", 2},
                                          {"c.real = 3; complex d = c * c;", 6 * 2},
                                          {"c.imag = 3; x = x * (c.real * 3);", 2 + 2},
                                          {"int k = n * n;", 0},
                                          {"n = 4; int k = n * n;", 1},
                                          {"n++; int k = n * n;", 2},
                                          {"boolean d = !b;", 0},
                                          {"if (b) x = sin(x);", 107},
                                          {"if (!b) x = sin(x);", 0},
                                          {"if (n > 2) x += x;", 2},
                                          {"x = n > 2 ? sin(x) : x;", 107}}) {
    EXPECT_EQ(work(body), cycles) << body;
  }
}

/// Of the program's own fields the numbers are constants when it is made; arrays are in memory.
TEST(StreamItConstants, FieldsOfTheProgramAre) {
  const std::string globals = "static { float g = 3; int n; } static { float h; float[2] c; init { h = g; n = 7; } }";
  EXPECT_EQ(work_of("x += g;", "", globals), 2U);
  EXPECT_EQ(work_of("x += h * 2;", "", globals), 2U);
  EXPECT_EQ(work_of("x += c[1];", "", globals), 2U + 2);
  EXPECT_EQ(work_of(kLoop, "", globals), 7U * 4);
  EXPECT_EQ(work_of(kLoop, "", "static { int a = 3; int n = a + 4; }"), 7U * 4) << "one sees those before it";
}

/// A field's array that is given its items at once has them, also in rates.
TEST(StreamItArrays, OfAFieldMayBeGivenAtOnce) {
  const auto rate = [](const std::string& fields) {
    return filter_of("float->float filter F { " + fields + " work push 1 pop r { } }").work.pop;
  };
  EXPECT_EQ(rate("int[2] c = {3, 4}; int r = c[1];"), 4U);
  EXPECT_EQ(rate("int[2][2] c = {{3, 4}, {5, 6}}; int r = c[1][0];"), 5U);
  EXPECT_EQ(rate("int k = 2; int[k] c; int r; init { c[1] = 5; r = c[1] + c[0]; }"), 5U);
}

/// What is known of an array is known again when all of it is assigned.
TEST(StreamItArrays, AreKnownAgainAsAWhole) {
  const std::string b = "int[2] a; int[2] b = {3, 7}; int u = (int) peek(0); a[u] = 4; ";
  EXPECT_EQ(work_of(b + "int n = a[1];" + kLoop), 3U + kUnknown);
  EXPECT_EQ(work_of(b + "a = b; int n = a[1];" + kLoop), 3U + 7 * 4);
  EXPECT_EQ(work_of(b + "b = a; int n = b[1];" + kLoop), 3U + kUnknown);
  EXPECT_EQ(work_of(b + "int[2][2] m; m[1] = b; int n = m[1][1];" + kLoop), 3U + 7 * 4);
}

/// Of no items, and of a number of them that nobody knows: an element is of the type all the same.
TEST(StreamItArrays, MayHaveNoItemsOrAnyNumber) {
  EXPECT_EQ(work_of("int[0] a; int n = a[(int) peek(0)];" + kLoop), 3U + kUnknown);
  EXPECT_EQ(work_of("int[0] a; int n = a[0];" + kLoop), kUnknown);
  const std::string of_any = "int u = (int) peek(0); ";
  EXPECT_EQ(work_of(of_any + "float[u] a; x = a[0] + u;"), 3U + 2);
  EXPECT_EQ(work_of(of_any + "int[u] a; x = a[0] + u;"), 3U + 1);
  EXPECT_EQ(work_of(of_any + "float[u][2] a; x = a[1][1] + u;"), 3U + 2);
  EXPECT_EQ(work_of(of_any + "int[u] a; a[0] = 7; int n = a[0];" + kLoop), 3U + kUnknown);
}

/// The streams of a pipeline between Source and Sink begin in line 1, column 42.
std::string said(const std::string& streams, const std::string& declarations = "") {
  return mistake(between(streams + " add Identity<float>();", declarations));
}

const std::string kLarge = "expected at most 10^6 values in arrays and structs";

/// Exactly a million: of arrays, of what stands in braces beside what it is assigned to, of structs, and of copies.
TEST(StreamItArrays, TakeTheirRoomToTheLastValue) {
  EXPECT_EQ(said("int[999996] a; int[2] b = {1, 2};"), "");
  EXPECT_EQ(said("int[999997] a; int[2] b = {1, 2};"), "1:68: " + kLarge);
  const std::string two = "struct P { int k; int l; }";
  EXPECT_EQ(said("int[999998] a; P p;", two), "");
  EXPECT_EQ(said("int[999999] a; P p;", two), "1:57: " + kLarge);
  EXPECT_EQ(said("int[499998][2] a;"), "");
  EXPECT_EQ(said("int[2][333332] a; a[1][0] = 1; a[0][0] = 1;"), "") << "two rows of their own, and what they were";
  EXPECT_EQ(said("int[1000000][1000000] a;"), "1:42: " + kLarge);
  EXPECT_EQ(said("int[0][1000000] a;"), "");
  EXPECT_EQ(said("int[2000000000][2000000000] a;"), "1:42: " + kLarge);
}

TEST(StreamItArrays, HaveWholeLengths) {
  const std::string whole = "array length: expected an integer from 0 that is known before the program runs";
  EXPECT_EQ(said("int[2.5] a;"), "1:46: " + whole);
  EXPECT_EQ(said("int[2][1i] a;"), "1:49: " + whole);
  EXPECT_EQ(said("int[-1] a;"), "1:46: " + whole);
  EXPECT_EQ(said("int[true] a; a[0] = 1;"), "");
  EXPECT_EQ(said("int[true] a; a[1] = 1;"), "1:57: array index 1: expected one below 1");
  EXPECT_EQ(said("int[2] a; a++;"), "1:52: expected a number on both sides of this operator");
}

/// An item of nothing takes a word; a part without items none.
TEST(StreamItArrays, OfNoItemsHaveNoWords) {
  const auto words = [](const std::string& type) {
    const FlatGraph g = flat(
        "void->void pipeline M { add S(); add T(); } struct P { int[0] none; int k; complex c; } void->" + type +
        " filter S { " + type + " x; work push 1 { push(x); } } " + type + "->void filter T { work pop 1 { pop(); } }");
    return g.edges.front().words;
  };
  EXPECT_EQ(words("int[0]"), 1U);
  EXPECT_EQ(words("int[2][0]"), 1U);
  EXPECT_EQ(words("P"), 1U + 2);
  EXPECT_EQ(words("P[3]"), 9U);
}

/// Arguments that are too long to be compared are not the same, wherever they differ; short ones are told apart, too.
TEST(StreamItInstances, OfLongArgumentsAreTheirOwn) {
  for (const int length : {10, 399, 400, 401, 3000}) {
    const std::string n = std::to_string(length), last = std::to_string(length - 1);
    const FlatGraph g = flat(
        between("int[" + n + "] a; int[" + n + "] b; a[" + last + "] = 3; b[" + last + "] = 2; add F(a); add F(b);",
                "float->float filter F(int[" + n + "] c) { work push 1 pop c[" + last + "] { push(pop()); } }"));
    EXPECT_EQ(node(g, "F_1").filter.work.pop, 3U) << length;
    EXPECT_EQ(node(g, "F_2").filter.work.pop, 2U) << length;
  }
}

/// A float that is too small to be one is nought, and no integer behind it is to blame.
TEST(StreamItNumbers, AreReadOneByOne) {
  EXPECT_EQ(said("float x = 1e-400; int i = 3; int[i] a; a[2] = 1;"), "");
  EXPECT_EQ(said("float x = 1e-400; int i = 3000000000;"), "1:68: expected an integer of 32 bits");
  EXPECT_EQ(said("float x = 3.4e38; float y = 3.5e38;"), "1:70: expected a float of at most 3.4e38");
}

TEST(StreamItNumbers, OfNoFileAreNoProgram) {
  EXPECT_EQ(complaint([] { (void)read_streamit({}); }), "expected a void->void stream, the whole program");
}

/// Of structs that stand before what they are made of the hundred-and-first in one another is too many.
TEST(StreamItNames, StructsAreTooDeepWhereTheHundredAndFirstStands) {
  std::string all;
  for (int i = 0; i < 250; ++i) {
    all = "struct S" + std::to_string(i) + " { " + (i == 0 ? "int" : "S" + std::to_string(i - 1)) + " x; }\n" + all;
  }
  EXPECT_EQ(said("", all),
            "104:15: nested too deep: expected arrays and structs in one another at most 100 deep, no struct in itself")
      << "S249 is in line 4, S149 in line 104";
}

TEST(StreamItNames, AreAnsweredWithWhateverIsNear) {
  EXPECT_EQ(said("add Sorce();"), "1:46: unknown stream \"Sorce\" (did you mean \"Source\"?)");
  EXPECT_EQ(said("Piar p;", "struct Pair { int k; }"),
            "1:42: unknown type \"Piar\" (did you mean \"Pair\"?); known: int, float, boolean, bit, complex, double, "
            "void, Pair");
  const auto in_work = [](const std::string& statement, const std::string& more = "") {
    return mistake(between("add F();", "float->float filter F { work push 1 pop 1 { " + statement +
                                           " push(pop()); } float twice(float x) { return x + x; } " + more + " }"));
  };
  EXPECT_EQ(in_work("twise(1);"), "4:45: unknown function \"twise\" (did you mean \"twice\"?)");
  EXPECT_EQ(in_work("reset(1);", "handler reset(int k) { }"), "4:45: unknown function \"reset\"") << "it is sent";
  EXPECT_EQ(in_work("int i = i;"), "4:53: unknown variable \"i\"");
  EXPECT_EQ(in_work("int i = 1, k = i;"), "");
  EXPECT_EQ(said("for (int k = 0; k < 1; k++) ; k = 2;"), "1:72: unknown variable \"k\"");
}

/// A handler of that name and number of parameters, of whichever filter; if none, one of those of the name is named.
TEST(StreamItNames, AMessageIsForAnyHandlerOfItsNumberOfParameters) {
  const auto sent = [](const std::string& message) {
    return mistake(
        between("portal<G> p; add S(p); add G() to p; add H();",
                "float->float filter S(portal<G> p) { work push 1 pop 1 { push(pop()); p." + message +
                    "; } }\nfloat->float filter G { work push 1 pop 1 { push(pop()); } handler tune(int a, int "
                    "b) { } handler off() { } }\nfloat->float filter H { work push 1 pop 1 { push(pop()); } "
                    "handler tune(int a) { } }"));
  };
  EXPECT_EQ(sent("tune(1)"), "");
  EXPECT_EQ(sent("tune(1, 2)"), "");
  EXPECT_EQ(sent("off()"), "");
  EXPECT_EQ(sent("tune()"), "4:71: p.tune: expected 1 argument, not 0");
  EXPECT_EQ(sent("tune(1, 2, 3)"), "4:71: p.tune: expected 1 argument, not 3");
  EXPECT_EQ(sent("off(1)"), "4:71: p.off: expected 0 arguments, not 1");
  EXPECT_EQ(sent("start()"), "4:71: unknown handler \"start\"");
}

/// Both sides leave: so does the loop, after its first round.
TEST(StreamItLoops, AreLeftWhereBothSidesLeave) {
  EXPECT_EQ(work_of("for (int i = 0; i < 4; i++) { if (x > 0) break; else break; x = sin(x); }"), 1U + 3 + 1);
  EXPECT_EQ(work_of("for (int i = 0; i < 2; i++) { if (x > 0) continue; else continue; x = sin(x); }"),
            2U * (1 + 3 + 1 + 1));
  EXPECT_EQ(work_of("for (int i = 0; i < 2; i++) { if (x > 0) break; else continue; x += x; }"),
            2U * (1 + 3 + 1 + 2 + 1))
      << "one may go on";
}

/// A loop that is perhaps never begun may be without end.
TEST(StreamItLoops, ThatMayNotBeginMayNotEnd) {
  const auto init = [](const std::string& code) {
    return mistake(between("add F();", "native N { int some(); } float->float filter F { int n; init { " + code +
                                           " } work push 1 pop 1 { push(pop()); } }"));
  };
  EXPECT_EQ(init("if (N.some() > 0) while (n < 1) n = 0;"), "");
  EXPECT_EQ(init("while (n < 1) n = 0;"), "4:64: does not end: expected a loop of at most 200000 rounds");
}

/// A loop into which nothing comes, or of which nothing leaves, deals with what goes round alone.
TEST(StreamItLoops, OfFeedbackWithOneEndCountWhatGoesRound) {
  const std::string filters =
      "float->float filter One { work push 1 pop 1 { push(pop()); } } float->void filter Y { work pop 1 { pop(); } } "
      "void->float filter Z { work push 1 { push(0); } } float->float filter Two { work push 1 pop 2 { push(pop() + "
      "pop()); } }";
  const FlatGraph source = flat(
      "void->void pipeline M { add L(); add Y(); } void->float feedbackloop L { join roundrobin(2, 1); body One(); "
      "loop Identity<float>(); split duplicate; enqueue 0; } " +
      filters);
  EXPECT_EQ(node(source, "L.join").weights, Numbers{1});
  EXPECT_EQ(source.edges[node(source, "L.join").outputs.front()].push, 1U) << "not three";
  const FlatGraph sink = flat(
      "void->void pipeline M { add Z(); add L(); } float->void feedbackloop L { join roundrobin; body Two(); loop "
      "Identity<float>(); split roundrobin(2, 1); enqueue 0; } " +
      filters);
  EXPECT_EQ(node(sink, "L.split").weights, Numbers{1});
  EXPECT_EQ(sink.edges[node(sink, "L.split").inputs.front()].pop, 1U) << "not three";
}

/// Anonymous or not: what takes nothing splits nothing, what gives nothing joins nothing, whatever its streams' types.
TEST(StreamItLoops, WaysOfSourcesAndSinksWeighNothing) {
  const std::string filters =
      "float->void filter Y { work pop 1 { pop(); } } void->float filter Z { work push 1 { push(0); } } "
      "float->float filter Free { work push 1 pop 0 { push(1); } } float->float filter Mute { work push 0 pop 1 { "
      "pop(); } }";
  const auto between_them = [&](const std::string& first, const std::string& last, const std::string& more = "") {
    return flat("void->void pipeline M { " + first + last + " } " + more + filters);
  };
  const FlatGraph plain = between_them("add splitjoin { split duplicate; add Z(); add Z(); join roundrobin; } ",
                                       "add splitjoin { split duplicate; add Y(); add Y(); join roundrobin(3); }");
  EXPECT_EQ(node(plain, "splitjoin_1.split").weights, (Numbers{0, 0}));
  EXPECT_EQ(node(plain, "splitjoin_1.split").split, Split::kRoundRobin);
  EXPECT_EQ(node(plain, "splitjoin_1.join").weights, (Numbers{1, 1}));
  EXPECT_EQ(node(plain, "splitjoin_2.split").weights, (Numbers{1, 1}));
  EXPECT_EQ(node(plain, "splitjoin_2.split").split, Split::kDuplicate);
  EXPECT_EQ(node(plain, "splitjoin_2.join").weights, (Numbers{0, 0}));
  const FlatGraph named =
      between_them("add G();", "add H();",
                   "void->float splitjoin G { split roundrobin(2); add Free(); add Free(); join roundrobin; } "
                   "float->void splitjoin H { split roundrobin(2); add Mute(); add Mute(); join roundrobin; }");
  EXPECT_EQ(node(named, "G.split").weights, (Numbers{0, 0}));
  EXPECT_EQ(node(named, "G.join").weights, (Numbers{1, 1}));
  EXPECT_EQ(node(named, "H.split").weights, (Numbers{2, 2}));
  EXPECT_EQ(node(named, "H.join").weights, (Numbers{0, 0}));
}

/// Only its first call takes or gives anything: it has a type all the same.
TEST(StreamItInstances, ThatTakeOrGiveFirstHaveTypes) {
  const FlatGraph g =
      flat(between("add filter { prework pop 1 { pop(); } work push 1 { push(0); } } add Identity<float>(); add filter "
                   "{ prework push "
                   "1 { push(0); } work pop 1 { pop(); } }"));
  EXPECT_EQ(node(g, "filter_1").filter.input_type, "float");
  EXPECT_EQ(node(g, "filter_1").filter.output_type, "float");
  EXPECT_EQ(node(g, "filter_2").filter.input_type, "float");
  EXPECT_EQ(node(g, "filter_2").filter.output_type, "float");
}

}  // namespace
}  // namespace braid::test::fine_points_test
