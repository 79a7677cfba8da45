// What is wrong with a program is said in one line, at its place.
#include <gtest/gtest.h>

#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::mistakes_test {
namespace {

/// The streams of a pipeline between Source and Sink begin in line 1, column 42.
std::string at_streams(const std::string& streams, const std::string& declarations = "") {
  return mistake(between(streams, declarations));
}
/// Declarations begin in line 4, column 1.
std::string at_declarations(const std::string& declarations) { return mistake(between("add F();", declarations)); }

TEST(StreamItMistakes, WhatWasExpectedIsNamed) {
  EXPECT_EQ(at_streams("add Identity<float>()"), "1:64: expected ;, not \"add\"");
  EXPECT_EQ(at_streams("int 3;"), "1:46: expected a name, not \"3\"");
  EXPECT_EQ(at_streams("int i = ;"), "1:50: expected an expression or {, not \";\"");
  EXPECT_EQ(at_streams("if true) ;"), "1:45: expected (, not \"true\"");
  EXPECT_EQ(at_streams("add splitjoin { split all; }"), "1:64: expected roundrobin or duplicate, not \"all\"");
  EXPECT_EQ(at_streams("add splitjoin { join duplicate; }"), "1:63: expected roundrobin, not \"duplicate\"");
  EXPECT_EQ(at_streams("foo;"), "1:42: expected a statement: this expression has no effect");
  EXPECT_EQ(at_streams("@"), "1:42: expected a statement or }, not \"@\"");
  EXPECT_EQ(mistake("void->void pipeline M { add S();\n"), "2:1: expected a statement or }, not the end of the file");
  EXPECT_EQ(mistake("void->void pipline M { }"),
            "1:12: expected filter, pipeline, splitjoin or feedbackloop, not \"pipline\" (did you mean \"pipeline\"?)");
  EXPECT_EQ(mistake("42"), "1:1: expected a stream (in->out filter, pipeline, splitjoin or feedbackloop), not \"42\"");
  EXPECT_EQ(at_declarations("float->float filter F { work push 1 pop 1 { push(pop() } }"),
            "4:56: expected ), not \"}\"");
  EXPECT_EQ(at_declarations("float->float filter F { wrok push 1 pop 1 { } }"),
            "4:25: expected a field, init, work, a function or }, not \"wrok\" (did you mean \"work\"?)");
}

TEST(StreamItMistakes, TextsMustEnd) {
  EXPECT_EQ(mistake("\n /* never"), "2:2: expected */: this comment does not end");
  EXPECT_EQ(mistake("include \"x"), "1:11: expected \", not the end of the file");
  EXPECT_NE(mistake("include \"no_such.str\";").find("1:9: "), std::string::npos);
}

TEST(StreamItMistakes, DynamicRatesAreRefusedWithoutAMean) {
  const std::string rates =
      "rates that change from call to call are not read: expected an integer that is known before the program runs, or "
      "its mean: --rate F.";
  EXPECT_EQ(at_declarations("float->float filter F { work push * pop 1 { } }"), "4:35: " + rates + "push=1.5");
  EXPECT_EQ(at_declarations("float->float filter F { work push 1 pop [1, 2, 3] { } }"), "4:41: " + rates + "pop=1.5");
  EXPECT_EQ(at_declarations("float->float filter F { work push 1 pop [1] { } }"), "4:43: expected ,, not \"]\"");
}

TEST(StreamItMistakes, UnknownNamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(at_streams("add Identty<float>();"), "1:46: unknown stream \"Identty\" (did you mean \"Identity\"?)");
  EXPECT_EQ(at_streams("int width = 3; widht++;"), "1:57: unknown variable \"widht\" (did you mean \"width\"?)");
  EXPECT_EQ(at_streams("if (true) { int k; } k = 2;"), "1:63: unknown variable \"k\"");
  EXPECT_EQ(at_streams("int i = sqt(4);"), "1:50: unknown function \"sqt\" (did you mean \"sqrt\"?)");
  EXPECT_EQ(
      at_streams("flaot x;"),
      "1:42: unknown type \"flaot\" (did you mean \"float\"?); known: int, float, boolean, bit, complex, double, void");
  // Also where it never comes.
  EXPECT_EQ(at_streams("if (false) add Nothing();"), "1:57: unknown stream \"Nothing\"");
  EXPECT_EQ(at_streams("add Identity<float>();", "float->float filter Unused { work push 1 pop 1 { push(y); } }"),
            "4:55: unknown variable \"y\"");
  EXPECT_EQ(at_streams("P p; p.y = 3;", "struct P { int x; }"),
            "1:47: unknown member \"y\" (did you mean \"x\"?); known: x");
  EXPECT_EQ(at_streams("int i = Sizes.nxt();", "helper Sizes { int next() { return 1; } }"),
            "1:50: unknown function \"Sizes.nxt\" (did you mean \"Sizes.next\"?)");
}

TEST(StreamItMistakes, ArgumentsAreCounted) {
  EXPECT_EQ(at_streams("add F(1);", "float->float filter F(int a, int b) { work push 1 pop 1 { } }"),
            "1:46: F: expected 2 arguments, not 1");
  EXPECT_EQ(at_streams("add Identity<float>(3);"), "1:46: Identity: expected 0 arguments, not 1");
  EXPECT_EQ(at_streams("float x = pow(3);"), "1:52: pow: expected 2 arguments, not 1");
  EXPECT_EQ(at_streams("add Identity();"), "1:46: expected the type of its items: Identity<float>");
}

TEST(StreamItMistakes, DeclarationsStandOnce) {
  EXPECT_EQ(
      at_declarations("float->float filter F { work push 1 pop 1 { } }\nint->int filter F { work push 1 pop 1 { } }"),
      "5:17: stream \"F\" is there twice");
  EXPECT_EQ(at_declarations("float->float filter F { work push 1 pop 1 { } work push 2 { } }"),
            "4:47: function \"work\" is there twice");
}

TEST(StreamItMistakes, RatesWeightsAndLengthsAreNumbersFromZero) {
  EXPECT_EQ(at_declarations("float->float filter F { work push 1 pop 2 - 3 { } }"),
            "4:41: pop rate: expected an integer from 0, not -1");
  EXPECT_EQ(at_declarations("float->float filter F { work push 1.5 pop 1 { } }"),
            "4:35: push rate: expected an integer from 0, not a value of another type");
  EXPECT_EQ(
      at_declarations(
          "native N { int some(); } float->float filter F { int n; init { n = N.some(); } work push n pop 1 { } }"),
      "4:90: expected a value that is known before the program runs");
  EXPECT_EQ(at_streams("add splitjoin { split roundrobin(1, 0 - 1); add Identity<float>(); add Identity<float>(); join "
                       "roundrobin; }"),
            "1:78: split weight: expected an integer from 0, not -1");
  EXPECT_EQ(
      at_streams(
          "add splitjoin { split duplicate; add Identity<float>(); add Identity<float>(); join roundrobin(1, 2, 3); }"),
      "1:126: expected a weight for each of 2 branches, not 3");
  EXPECT_EQ(at_streams("float[0 - 1] x;"),
            "1:48: array length: expected an integer from 0 that is known before the program runs");
}

TEST(StreamItMistakes, NeighboursTakeWhatTheyAreGiven) {
  EXPECT_EQ(at_streams("add Identity<int>();"), "1:46: takes int: expected float, what Source in front of it gives");
  EXPECT_EQ(at_streams("add Sink();"), "1:58: Sink in front of it gives nothing: expected nothing behind it");
  EXPECT_EQ(at_streams("add Source();"), "1:46: takes nothing: expected float, what Source in front of it gives");
  EXPECT_EQ(
      at_streams("add splitjoin { split duplicate; add Identity<float>(); add Identity<int>(); join roundrobin; }"),
      "1:102: takes int: expected float, as the branches before it");
  EXPECT_EQ(
      at_streams("add G();", "float->float pipeline G { add F(); } float->int filter F { work push 1 pop 1 { } }"),
      "4:31: gives int: expected float, what its pipeline gives");
  EXPECT_EQ(at_declarations("float->void filter F { work push 1 pop 1 { } }"),
            "4:34: this filter's output is void: expected no push rate");
  EXPECT_EQ(at_declarations("void->float filter F { work push 1 { push(pop()); } }"),
            "4:43: this filter's input is void: expected no pop() or peek()");
}

TEST(StreamItMistakes, ContainersAreWhole) {
  EXPECT_EQ(at_streams("add pipeline { }"), "1:46: expected at least one stream in this pipeline");
  EXPECT_EQ(at_streams("add splitjoin { add Identity<float>(); join roundrobin; }"),
            "1:46: expected a split in this splitjoin");
  EXPECT_EQ(at_streams("add splitjoin { split duplicate; add Identity<float>(); }"),
            "1:46: expected a join in this splitjoin");
  EXPECT_EQ(at_streams("add feedbackloop { join roundrobin; body Identity<float>(); split roundrobin; }"),
            "1:46: expected a loop in this feedbackloop");
  EXPECT_EQ(at_streams("split duplicate;"), "1:42: expected this in a splitjoin or feedbackloop only");
  EXPECT_EQ(at_streams("push(3);"), "1:42: expected push() in work and prework only");
  EXPECT_EQ(mistake("void->float filter F { work push 1 { } }"),
            "1:41: expected a void->void stream, the whole program");
  EXPECT_EQ(at_declarations("float->float filter F { init { } }"), "4:21: expected a work function in this filter");
}

TEST(StreamItMistakes, ArraysHaveTheirBounds) {
  EXPECT_EQ(at_streams("int[3] a; a[3] = 1;"), "1:54: array index 3: expected one below 3");
  EXPECT_EQ(at_streams("int[3] a = {1, 2};"), "1:53: expected an array of 3, not of 2");
  EXPECT_EQ(at_streams("int[2000000] a;"), "1:42: expected at most 10^6 values in arrays and structs");
  EXPECT_EQ(at_streams("int i = 1; i[0] = 2;"), "1:53: expected an array in front of [");
  EXPECT_EQ(at_streams("int i = 7 / (3 - 3);"), "1:55: division by 0");
}

/// Assigned to as well as read.
TEST(StreamItMistakes, OnlyStructsHaveMembers) {
  EXPECT_EQ(at_streams("int i = 1; i.y = 2;"), "1:53: expected a struct in front of .y");
  EXPECT_EQ(at_streams("int i = 1; int j = i.y;"), "1:61: expected a struct in front of .y");
  EXPECT_EQ(at_streams("int[2] a; a[1].y = 2;"), "1:52: expected a struct in front of .y");
  EXPECT_EQ(at_streams("complex c; c.y = 2;"), "1:53: expected a struct in front of .y");
  EXPECT_EQ(at_streams("P p; p.x.y = 2;", "struct P { int x; }"), "1:47: expected a struct in front of .y");
  EXPECT_EQ(at_declarations("float->float filter F { int i; work push 1 pop 1 { i.y = 2; push(pop()); } }"),
            "4:52: expected a struct in front of .y");
  EXPECT_EQ(at_declarations("float->float filter F { P p; work push 1 pop 1 { p.y = 2; push(pop()); } }\n"
                            "struct P { int x; }"),
            "4:50: unknown member \"y\" (did you mean \"x\"?); known: x");
}

TEST(StreamItMistakes, WhatDoesNotEndIsEnded) {
  EXPECT_EQ(at_streams("while (true) for (int i = 0; i < 9; i++) ;"),
            "1:42: does not end: expected a program that is made in at most 5 million steps");
  EXPECT_EQ(at_streams("for (int i = 0; i < 9; i++) while (true) ;"),
            "1:70: does not end: expected a program that is made in at most 5 million steps");
  if (!kSanitized) {  // whose frames are so large that the stack's bound comes first
    EXPECT_EQ(at_declarations("float->float pipeline F { add Identity<float>(); add F(); }"),
              "4:54: nested too deep: expected at most 250 streams in one another, none that adds itself for ever");
  }
  EXPECT_NE(
      at_declarations("float->float filter F { int n = f(1); int f(int x) { return f(x); } work push n pop 1 { } }")
          .find("nested too deep"),
      std::string::npos);
  EXPECT_NE(at_declarations("float->float filter F { int n; init { while (n < 1) n = 0; } work push n pop 1 { } }")
                .find("does not end: expected a loop of at most 200000 rounds"),
            std::string::npos);
  EXPECT_NE(at_streams("for (int i = 0; i < 1000000; i++) add Identity<float>();").find("at most 10000 streams"),
            std::string::npos);
  EXPECT_NE(at_streams("int i = " + std::string(5000, '(') + "1;").find("nested too deep"), std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  EXPECT_NE(at_streams("int i = " + sum + ";").find("at most 500 operators"), std::string::npos);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::string kTooDeep =
    "nested too deep: expected arrays and structs in one another at most 100 deep, no struct in itself";

TEST(StreamItMistakes, ArrayTypesHaveAtMostAHundredDimensions) {
  const auto of = [](int dimensions) { return repeated("[1]", dimensions) + " x;"; };
  EXPECT_EQ(at_streams("add Identity<float>(); float" + of(100)), "");
  EXPECT_EQ(at_streams("float" + of(101)), "1:348: " + kTooDeep);
  for (const int many : {1000, 60000}) {
    EXPECT_EQ(at_streams("float" + of(many)), "1:348: " + kTooDeep);
    EXPECT_EQ(at_declarations("struct P { float" + of(many) + " }"), "4:318: " + kTooDeep);
    EXPECT_EQ(at_declarations("float->float filter F { float" + of(many) + " work push 1 pop 1 { push(pop()); } }"),
              "4:331: " + kTooDeep);
    EXPECT_EQ(at_declarations("float->float" + repeated("[1]", many) + " filter F { work push 1 pop 1 { } }"),
              "4:314: " + kTooDeep);
    EXPECT_EQ(at_streams("add Identity<float" + repeated("[1]", many) + ">();"), "1:361: " + kTooDeep);
  }
}

/// `inner` in a struct in a struct in ..., and a variable of it in the first line.
std::string in_structs(int structs, const std::string& inner, bool backwards) {
  std::string all;
  for (int i = 0; i < structs; ++i) {
    const std::string within = i == 0 ? inner : "S" + std::to_string(i - 1);
    const std::string one = "struct S" + std::to_string(i) + " { " + within + " x; }\n";
    all = backwards ? one + all : all + one;
  }
  return at_streams("add Identity<float>(); S" + std::to_string(structs - 1) + " x;", all);
}

TEST(StreamItMistakes, StructsAreAtMostAHundredDeep) {
  EXPECT_EQ(in_structs(100, "float", false), "");
  EXPECT_EQ(in_structs(98, "float[1][1]", true), "");
  EXPECT_EQ(in_structs(101, "float", false), "1:65: " + kTooDeep);
  EXPECT_EQ(in_structs(99, "float[1][1]", true), "1:65: " + kTooDeep);
  for (const bool backwards : {false, true}) {
    EXPECT_NE(in_structs(kBrief ? 2000 : 20000, "float[1][1]", backwards).find(kTooDeep), std::string::npos);
  }
  EXPECT_EQ(at_streams("P p;", "struct P { P p; }"), "4:12: " + kTooDeep);
  EXPECT_EQ(at_streams("P p;", "struct P { Q q; } struct Q { P[2] p; }"), "4:12: " + kTooDeep);
}

TEST(StreamItMistakes, AStructTakesOnlyItsOwnKind) {
  const std::string structs = "struct Q { int i; } struct P { Q q; }";
  EXPECT_EQ(at_streams("P p; p.q = p;", structs), "1:53: expected a value of the variable's type");
  EXPECT_EQ(at_streams("add Identity<float>(); P p; P other; Q q; p.q = q; other = p;", structs), "");
  // Every round would be one deeper.
  EXPECT_EQ(at_streams("P p; for (int i = 0; i < 150000; i++) p.q = p;", structs),
            "1:86: expected a value of the variable's type");
  EXPECT_EQ(at_declarations(structs + "float->float filter F { work push 1 pop 1 { P p; p.q = p; push(pop()); } }"),
            "");
}

TEST(StreamItMistakes, FunctionsMayCallOneAnotherInAChainOfAnyLength) {
  const auto chain = [](int functions) {
    std::string all;
    for (int i = 0; i < functions; ++i) {
      all += "void f" + std::to_string(i) + "() { H.f" + std::to_string(i + 1) + "(); }\n";
    }
    return at_declarations("helper H { " + all + "void f" + std::to_string(functions) +
                           "() { } }\nfloat->float filter F { work push 1 pop 1 { if (pop() > 1) H.f0(); push(1); } }");
  };
  EXPECT_EQ(chain(10), "");
  EXPECT_NE(chain(30000).find("nested too deep"), std::string::npos);
}

TEST(StreamItMistakes, RatesThatDoNotBalanceNameTheInnermostSplitJoinAndTheTwoEnds) {
  EXPECT_EQ(at_streams("add S();",
                       "float->float splitjoin S { split duplicate; add Identity<float>(); add D(); join roundrobin; }"
                       "float->float filter D { work pop 1 push 2 { } }"),
            "4:24: rates do not balance in S: D pushes 2, S.join pops 1: expected rates that leave nothing behind");
  EXPECT_EQ(at_streams("add F();", "float->float filter F { work push 1 { } }"),
            "1:46: rates do not balance: Source pushes 1, F pops 0: expected rates that leave nothing behind");
  std::string steps, filters;
  for (int i = 0; i < 12; ++i) {
    steps += "add F" + std::to_string(i) + "();";
    filters += "float->float filter F" + std::to_string(i) + " { work push 1009 pop 1 { } }";
  }
  EXPECT_NE(at_streams(steps, filters).find("rates are too far apart"), std::string::npos);
}

TEST(StreamItMistakes, AFeedbackLoopWithTooLittleEnqueuedIsNamed) {
  const auto loop = [](int enqueued, const std::string& body) {
    return at_streams("add L();",
                      "float->float feedbackloop L { join roundrobin(1, 1); body B(); loop Identity<float>(); split "
                      "duplicate; for (int i = 0; i < " +
                          std::to_string(enqueued) + "; i++) enqueue 0; } float->float filter B { " + body + " }");
  };
  const std::string stops =
      "4:27: deadlock: feedback loop L stops: expected more items enqueued, as many as its nodes wait for";
  EXPECT_EQ(loop(0, "work pop 2 push 1 { }"), stops);
  EXPECT_EQ(loop(1, "work pop 2 push 1 { }"), "");
  // The body must see three pairs: two items besides its own are in the loop.
  EXPECT_EQ(loop(2, "work pop 2 peek 6 push 1 { }"), stops);
  EXPECT_EQ(loop(3, "work pop 2 peek 6 push 1 { }"), "");
  // What the body puts out before it takes anything is as good.
  EXPECT_EQ(loop(0, "prework push 1 { } work pop 2 push 1 { }"), "");
}

TEST(StreamItMistakes, TheInnermostLoopThatStopsIsNamed) {
  EXPECT_EQ(
      at_streams(
          "add A();",
          "float->float feedbackloop A { join roundrobin; body Add(); loop B(); split duplicate; enqueue 0; }\n"
          "float->float feedbackloop B { join roundrobin; body Add(); loop Identity<float>(); split duplicate; }\n"
          "float->float filter Add { work pop 2 push 1 { } }"),
      "5:27: deadlock: feedback loop B stops: expected more items enqueued, as many as its nodes wait for");
}

}  // namespace
}  // namespace braid::test::mistakes_test
