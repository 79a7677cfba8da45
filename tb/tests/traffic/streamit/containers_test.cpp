// What may stand in which container, where names are looked up, and how much of anything a program may have.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::containers_test {
namespace {

using namespace traffic;

/// The streams of a pipeline between Source and Sink begin in line 1, column 42.
std::string at_streams(const std::string& streams, const std::string& declarations = "") {
  return mistake(between(streams, declarations));
}

const std::string kAny = "Identity<float>(); ";

TEST(StreamItContainers, StatementsHaveTheirContainers) {
  const std::string loop = "expected this in a feedbackloop only",
                    ways = "expected this in a splitjoin or feedbackloop";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"body " + kAny, "1:42: " + loop},
      {"loop " + kAny, "1:42: " + loop},
      {"enqueue 0;", "1:42: " + loop},
      {"add splitjoin { body " + kAny + "}", "1:58: " + loop},
      {"add splitjoin { loop " + kAny + "}", "1:58: " + loop},
      {"add splitjoin { enqueue 0; }", "1:58: " + loop},
      {"join roundrobin;", "1:42: " + ways + " only"},
      {"split roundrobin;", "1:42: " + ways + " only"},
      {"add feedbackloop { add " + kAny + "}", "1:61: expected this in a pipeline or splitjoin only"},
      {"add splitjoin { split duplicate; split duplicate; }", "1:75: expected one split"},
      {"add splitjoin { join roundrobin; join roundrobin; }", "1:75: expected one join"},
      {"add feedbackloop { body " + kAny + "body " + kAny + "}", "1:85: expected one body and one loop"},
      {"add feedbackloop { loop " + kAny + "loop " + kAny + "}", "1:85: expected one body and one loop"},
      {"add splitjoin { split duplicate; join roundrobin; }", "1:46: expected at least one stream in this splitjoin"},
      {"add feedbackloop { body " + kAny + "}", "1:46: expected a join in this feedbackloop"},
      {"add feedbackloop { join roundrobin; loop " + kAny + "}", "1:46: expected a body in this feedbackloop"},
      {"add feedbackloop { join roundrobin; body " + kAny + "loop " + kAny + "}",
       "1:46: expected a split in this feedbackloop"}};
  for (const auto& [streams, said] : wrong) EXPECT_EQ(at_streams(streams), said) << streams;
}

TEST(StreamItContainers, WeightsAndArgumentsAreChecked) {
  EXPECT_EQ(at_streams("add splitjoin { split duplicate; add " + kAny + "join roundrobin(1 - 2); }"),
            "1:114: join weight: expected an integer from 0, not -1");
  EXPECT_EQ(at_streams("add splitjoin { split roundrobin(1, 2); add " + kAny + "join roundrobin; }"),
            "1:64: expected a weight for each of 1 branches, not 2");
  EXPECT_EQ(at_streams("add splitjoin { split roundrobin(1.5); add " + kAny + "join roundrobin; }"),
            "1:75: split weight: expected an integer from 0, not a value of another type");
  EXPECT_EQ(at_streams("add splitjoin { split roundrobin(true); add " + kAny + "join roundrobin; }"), "");
  EXPECT_EQ(at_streams("add FileReader<float>();"), "1:46: FileReader: expected 1 arguments, not 0");
  EXPECT_EQ(at_streams("add FileWriter<float>(\"a\", \"b\");"), "1:46: FileWriter: expected 1 arguments, not 2");
  EXPECT_EQ(at_streams("add FileWriter();"), "1:46: expected the type of its items: FileWriter<float>");
  EXPECT_EQ(mistake("void->void pipeline M(int n) { add S(); }\nvoid->void filter S { work { } }"), "")
      << "then S is the program";
  EXPECT_EQ(mistake("void->void pipeline M(int n) { add S(); }\nvoid->int filter S { work push 1 { } }"),
            "1:21: expected a whole program without parameters");
}

/// "wrong" is a name that nothing has: the mistake is where it stands.
TEST(StreamItContainers, NamesAreLookedUpWhereverTheyStand) {
  const std::vector<std::string> streams{"enqueue wrong;",
                                         "if (wrong) ;",
                                         "if (true) ; else wrong = 1;",
                                         "while (wrong) ;",
                                         "do ; while (wrong);",
                                         "for (int i = wrong;;) ;",
                                         "for (;wrong;) ;",
                                         "for (int i = 0; i < 3; wrong++) ;",
                                         "for (int i = 0; i < 3; i++) wrong = 3;",
                                         "{ int wrongs; } wrong = 3;",
                                         "int i = wrong;",
                                         "int i, j = wrong;",
                                         "int[wrong] i;",
                                         "int[2] a = {1, wrong};",
                                         "int[2] a; a[wrong] = 1;",
                                         "int i = abs(wrong);",
                                         "int i = pow(1, wrong);",
                                         "int i = 1 + wrong;",
                                         "int i = -wrong;",
                                         "int i = (int) wrong;",
                                         "int i = wrong ? 1 : 1;",
                                         "int i = true ? wrong : 1;",
                                         "int i = true ? 1 : wrong;",
                                         "int i = H.f(wrong);",
                                         "wrong.y = 3;",
                                         "wrong[1] = 3;",
                                         "wrong += 1;",
                                         "return wrong;",
                                         "add F(wrong);",
                                         "add Identity<float[wrong]>();",
                                         "add splitjoin { split roundrobin(wrong); }",
                                         "add splitjoin { join roundrobin(1, wrong); }",
                                         "add pipeline { add F(wrong); }"};
  const std::string declared =
      "float->float filter F(int n) { work push 1 pop 1 { push(pop()); } } helper H { int f(int k) { return k; } }";
  for (const std::string& s : streams) {
    const std::string said = "1:" + std::to_string(42 + s.find("wrong", s.find("wrongs") + 1)) + ": unknown variable";
    EXPECT_EQ(at_streams(s, declared).substr(0, said.size()), said) << s;
  }
}

TEST(StreamItContainers, NamesInDeclarationsAreLookedUpToo) {
  const std::vector<std::string> filters{"work push 1 pop wrong { }",
                                         "work push wrong pop 1 { }",
                                         "work push 1 pop 1 peek wrong { }",
                                         "prework push wrong { } work push 1 pop 1 { }",
                                         "int f(int[wrong] k) { } work push 1 pop 1 { }",
                                         "int[wrong] f() { } work push 1 pop 1 { }",
                                         "int f() { return wrong; } work push 1 pop 1 { }",
                                         "float y = wrong; work push 1 pop 1 { }",
                                         "work push 1 pop 1 { push(wrong); }",
                                         "work push 1 pop 1 { push(peek(wrong)); }",
                                         "work push 1 pop 1 { int wrong = 1; } int f() { return wrong; }"};
  const auto place = [](const std::string& text) {
    return "4:" + std::to_string(text.rfind("wrong") + 1) + ": unknown variable";
  };
  for (const std::string& f : filters) {
    const std::string text = "float->float filter F { " + f + " }";
    EXPECT_EQ(at_streams("add F();", text).substr(0, place(text).size()), place(text)) << f;
  }
  for (const std::string& text :
       std::vector<std::string>{"float[wrong]->float filter F { work push 1 pop 1 { } }", "struct P { int[wrong] y; }",
                                "static { int y = wrong; }", "static { int y; init { wrong = 1; } }",
                                "static { int y; } helper H { int f() { return y + wrong; } }",
                                "helper H { int f(int wrong) { } int g() { return wrong; } }"}) {
    EXPECT_EQ(at_streams("add F();", text).substr(0, place(text).size()), place(text)) << text;
  }
  for (const std::string& text : std::vector<std::string>{
           "wrong->float filter F { work push 1 pop 1 { } }", "float->wrong filter F { work push 1 pop 1 { } }",
           "struct P { wrong y; }", "static { wrong y; }", "float->float filter F { wrong f() { } }",
           "float->float filter F { int f(wrong k) { } }", "helper H { int f(wrong k) { } }"}) {
    const std::string said = "4:" + std::to_string(text.find("wrong") + 1) + ": unknown type \"wrong\"";
    EXPECT_EQ(at_streams("add F();", text).substr(0, said.size()), said) << text;
  }
}

TEST(StreamItContainers, NothingIsThereTwice) {
  const auto said = [](const std::string& text) { return at_streams("add F();", text); };
  EXPECT_EQ(said("struct P { int y; } struct P { int z; }"), "4:28: struct \"P\" is there twice");
  EXPECT_EQ(said("helper H { void f() { } } helper H { void g() { } }"), "4:34: helper \"H\" is there twice");
  EXPECT_EQ(said("helper H { void f() { } void f() { } }"), "4:30: function \"f\" is there twice");
  EXPECT_EQ(said("float->float filter F { work push 1 pop 1 { } init { } init { } }"),
            "4:56: function \"init\" is there twice");
  EXPECT_EQ(said("float->float filter F { work push 1 pop 1 { } void f() { } int f() { } }"),
            "4:64: function \"f\" is there twice");
}

/// By the library's table: so many, or from so many on.
TEST(StreamItContainers, FunctionsCountTheirArguments) {
  const auto said = [](const std::string& call) {
    return at_streams("add F();", "float->float filter F { work push 1 pop 1 { " + call + "; } void g() { } }");
  };
  EXPECT_EQ(said("g(1)"), "4:45: g: expected 0 arguments, not 1");
  EXPECT_EQ(said("iter(1)"), "4:45: iter: expected 0 arguments, not 1");
  EXPECT_EQ(said("random(1, 2, 3)"), "4:45: random: expected 0 to 2 arguments, not 3");
  EXPECT_EQ(said("print(1, 2)"), "4:45: print: expected 0 to 1 argument, not 2");
  for (const char* one : {"abs", "arg", "sin", "sqrt", "round", "rint"}) {
    EXPECT_EQ(said(std::string(one) + "()"), "4:45: " + std::string(one) + ": expected 1 argument, not 0");
    EXPECT_EQ(said(std::string(one) + "(1, 2)"), "4:45: " + std::string(one) + ": expected 1 argument, not 2");
  }
  for (const char* two : {"min", "max", "pow", "atan2", "fmod"}) {
    EXPECT_EQ(said(std::string(two) + "(1)"), "4:45: " + std::string(two) + ": expected 2 arguments, not 1");
    EXPECT_EQ(said(std::string(two) + "(1, 2, 3)"), "4:45: " + std::string(two) + ": expected 2 arguments, not 3");
  }
  for (const char* any : {"print()", "print(1)", "println()", "random()", "random(1, 2)", "randomi(4)",
                          "setRandomSeed(3)", "usleep(1)", "assert(true)", "iter()"}) {
    EXPECT_EQ(said(any), "") << any;
  }
}

/// Of one hundred levels the parser needs three where the innermost block ends: would a statement, and so an
/// expression and an operand, begin there? A declaration takes two before its brackets, which are two each.
TEST(StreamItContainers, AreNestedAHundredDeep) {
  const auto blocks = [](std::size_t count) {
    return at_streams(std::string(count, '{') + "add " + kAny + std::string(count, '}'));
  };
  EXPECT_EQ(blocks(97), "");
  EXPECT_NE(blocks(98).find("nested too deep: expected at most 100 levels"), std::string::npos);
  const auto brackets = [](std::size_t count) {
    return at_streams("add " + kAny + "int i = " + std::string(count, '(') + "1" + std::string(count, ')') + ";");
  };
  EXPECT_EQ(brackets(48), "");
  EXPECT_NE(brackets(49).find("nested too deep: expected at most 100 levels"), std::string::npos);
}

TEST(StreamItContainers, ExpressionsAreFiveHundredLong) {
  const auto sum = [](int signs) {
    std::string text = "1";
    for (int i = 0; i < signs; ++i) text += "+1";
    return at_streams("add " + kAny + "int i = " + text + ";");
  };
  EXPECT_EQ(sum(500), "");
  EXPECT_NE(sum(501).find("expected at most 500 operators in a row"), std::string::npos);
}

/// Rows of an array are shared until one is written: each copy takes room, and says where there is none left.
TEST(StreamItContainers, AreOfAMillionValuesWithTheirCopies) {
  const std::string large = "expected at most 10^6 values in arrays and structs";
  EXPECT_EQ(at_streams("int[1000][100000] a; for (int i = 0; i < 8; i++) a[i][0] = 1; add " + kAny), "");
  EXPECT_EQ(at_streams("int[1000][100000] a; for (int i = 0; i < 11; i++) a[i][0] = 1; add " + kAny), "1:92: " + large);
  EXPECT_EQ(at_streams("int[1000][90000] a; int[90000] b; for (int i = 0; i < 11; i++) a[i] = b; add " + kAny),
            "1:112: " + large);
}

/// Main is one of 250 in one another; the innermost is built in, and not counted.
TEST(StreamItContainers, AreTwoHundredAndFiftyInOneAnother) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's frames are so large that the stack's bound comes first";
  const auto deep = [](int pipelines) {
    return at_streams("add P(" + std::to_string(pipelines) + ");",
                      "float->float pipeline P(int n) { if (n > 1) add P(n - 1); else add Identity<float>(); }");
  };
  EXPECT_EQ(deep(249), "");
  EXPECT_NE(deep(250).find("expected at most 250 streams in one another"), std::string::npos);
}

/// 9998 beside Main and Source are the last.
TEST(StreamItContainers, AreTenThousandInAll) {
  EXPECT_EQ(at_streams("for (int i = 0; i < 9998; i++) add " + kAny),
            "1:101: expected a program of at most 10000 streams")
      << "the sink";
}

}  // namespace
}  // namespace braid::test::containers_test
