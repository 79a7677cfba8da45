// What must follow, wherever a program breaks off its grammar; and what comments and texts hide.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::syntax_test {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;  // text, what is said of it

/// Statements begin in line 1, column 42; what stands behind them is ` add Sink(); }`.
TEST(StreamItSyntax, StatementsSayWhatMustFollow) {
  const Cases cases{{"int i = 12ab;", "1:50: expected an expression or {, not \"12ab\""},
                    {"int i = 'ab';", "1:52: expected ', not \"b\""},
                    {"int i = (1;", "1:52: expected ), not \";\""},
                    {"int i = a[1;", "1:53: expected ], not \";\""},
                    {"int[2 i;", "1:48: expected ], not \"i\""},
                    {"int i = abs(1;", "1:55: expected ), not \";\""},
                    {"int i = true ? 1;", "1:58: expected :, not \";\""},
                    {"int i = {1, 2;", "1:55: expected }, not \";\""},
                    {"if (true ;", "1:51: expected ), not \";\""},
                    {"while true ;", "1:48: expected (, not \"true\""},
                    {"do ; wile (true);", "1:47: expected while, not \"wile\" (did you mean \"while\"?)"},
                    {"do ; while (true)", "1:60: expected ;, not \"add\""},
                    {"for int i;;) ;", "1:46: expected (, not \"int\""},
                    {"for (int i) ;", "1:52: expected ;, not \")\""},
                    {"for (;;", "1:50: expected ), not \"add\""},
                    {"break", "1:48: expected ;, not \"add\""},
                    {"continue 1;", "1:51: expected ;, not \"1\""},
                    {"return 1", "1:51: expected ;, not \"add\""},
                    {"push 1;", "1:47: expected (, not \"1\""},
                    {"push(1;", "1:48: expected ), not \";\""},
                    {"enqueue ;", "1:50: expected an expression, not \";\""},
                    {"add ;", "1:46: expected a stream, not \";\""},
                    {"add Identity<float;", "1:60: expected >, not \";\""},
                    {"add Identity<>();", "1:55: expected a type, not \">\""},
                    {"int i += 1;", "1:48: expected ;, not \"+\""},
                    {"1 = 2;", "1:42: expected a variable on the left of ="},
                    {"abs(1) = 2;", "1:42: expected a variable on the left of ="},
                    {"int i; i =", "1:53: expected an expression or {, not \"add\""},
                    {"int;", "1:45: expected a name, not \";\""},
                    {"portal<> p;", "1:49: expected a name, not \">\""},
                    {"portal Sink p;", "1:49: expected <, not \"Sink\""},
                    {"add splitjoin { split duplicat; }",
                     "1:64: expected roundrobin or duplicate, not \"duplicat\" (did you mean \"duplicate\"?)"},
                    {"add splitjoin { split roundrobi; }",
                     "1:64: expected roundrobin or duplicate, not \"roundrobi\" (did you mean \"roundrobin\"?)"},
                    {"whle (true) ;", "1:42: unknown function \"whle\""},
                    {"fr (;;) ;", "1:46: expected ), not \";\""},
                    {"peek(1;", "1:48: expected ), not \";\""},
                    {"pop(1);", "1:46: expected ), not \"1\""},
                    {"i.3 = 1;", "1:44: expected a name, not \"3\""},
                    {"1;", "1:42: expected a statement: this expression has no effect"},
                    {"a + 1;", "1:42: expected a statement: this expression has no effect"},
                    {"-1;", "1:42: expected a statement: this expression has no effect"},
                    {"(int) 1;", "1:42: expected a statement: this expression has no effect"},
                    {"if (true) else ;", "1:52: expected a statement, not \"else\""},
                    {"int i = -;", "1:51: expected an expression, not \";\""},
                    {"int i = 1 +;", "1:53: expected an expression, not \";\""},
                    {"int i = a ? : 1;", "1:54: expected an expression, not \":\""},
                    {"int i, ;", "1:49: expected a name, not \";\""},
                    {"int i, 3;", "1:49: expected a name, not \"3\""},
                    {"add splitjoin { join duplicate; }", "1:63: expected roundrobin, not \"duplicate\""},
                    {"add F(1;", "1:49: expected ), not \";\""},
                    {"loop ;", "1:47: expected a stream, not \";\""},
                    {"body 3;", "1:47: expected a stream, not \"3\""}};
  for (const auto& [statement, said] : cases) EXPECT_EQ(mistake(between(statement)), said) << statement;
}

TEST(StreamItSyntax, DeclarationsSayWhatMustFollow) {
  const Cases cases{
      {"float->float filter F { work push pop 1 { } }", "4:39: expected (, not \"1\""},
      {"float->float filter F { work push 1 pop [1, 2 { } }", "4:47: expected ], not \"{\""},
      {"float->float filter F { work push 1 pop [1, 2, 3, 4] { } }", "4:49: expected ], not \",\""},
      {"float->float filter F( { work push 1 pop 1 { } }", "4:24: expected ), not \"{\""},
      {"float->float filter F(int) { work push 1 pop 1 { } }", "4:26: expected a name, not \")\""},
      {"float->float filter F(int a int b) { work push 1 pop 1 { } }", "4:29: expected ), not \"int\""},
      {"float->float filter { work push 1 pop 1 { } }", "4:21: expected a name, not \"{\""},
      {"float->filter F { }", "4:8: expected a type, not \"filter\""},
      {"float->float filter F { int x work push 1 pop 1 { } }", "4:31: expected ;, not \"work\""},
      {"float->float filter F { init work push 1 pop 1 { } }", "4:30: expected {, not \"work\""},
      {"float->float filter F { int f( { } }", "4:32: expected ), not \"{\""},
      {"float->float filter F { int f() int g() { } }", "4:33: expected {, not \"int\""},
      {"float->float filter F { handler () { } }", "4:33: expected a name, not \"(\""},
      {"float->float filter F { handler h { } }", "4:35: expected (, not \"{\""},
      {"float->float filter F { work push 1 pop 1 }", "4:43: expected {, not \"}\""},
      {"struct { int x; }", "4:8: expected a name, not \"{\""},
      {"struct P int x; }", "4:10: expected {, not \"int\""},
      {"struct P { int; }", "4:15: expected a name, not \";\""},
      {"struct P { int x }", "4:18: expected ;, not \"}\""},
      {"struct P { int x; ", "4:19: expected }, not the end of the file"},
      {"helper { }", "4:8: expected a name, not \"{\""},
      {"helper H { int x; }", "4:12: expected }, not \"int\""},
      {"native N { int f() { } }", "4:20: expected ;, not \"{\""},
      {"native N { int f() }", "4:20: expected ;, not \"}\""},
      {"static int x; }", "4:8: expected {, not \"int\""},
      {"static { int x; ", "4:17: expected a field, init, work, a function or }, not the end of the file"},
      {"static { int x }", "4:16: expected ;, not \"}\""},
      {"include x;", "4:9: expected \", not \"x\""},
      {"include \"a.str\" 3", "4:17: expected ;, not \"3\""},
      {"void->void pipelin M { }",
       "4:12: expected filter, pipeline, splitjoin or feedbackloop, not \"pipelin\" (did you mean \"pipeline\"?)"},
      {"void->void filtr M { }",
       "4:12: expected filter, pipeline, splitjoin or feedbackloop, not \"filtr\" (did you mean \"filter\"?)"},
      {"void->void xipeline M { }", "4:12: expected filter, pipeline, splitjoin or feedbackloop, not \"xipeline\""},
      {"void->void pip M { }", "4:12: expected filter, pipeline, splitjoin or feedbackloop, not \"pip\""},
      {"stateful filter F { }",
       "4:1: expected a stream (in->out filter, pipeline, splitjoin or feedbackloop), not \"stateful\""}};
  for (const auto& [declaration, said] : cases) EXPECT_EQ(mistake(between("add F();", declaration)), said);
}

TEST(StreamItSyntax, StreamsSayWhatMustFollowTheirTypesAndNames) {
  const Cases cases{
      {"float->float filter F work push 1", "1:23: expected {, not \"work\""},
      {"float->float filter F(int n) work", "1:30: expected {, not \"work\""},
      {"float->float pipline F { }",
       "1:14: expected filter, pipeline, splitjoin or feedbackloop, not \"pipline\" (did you mean \"pipeline\"?)"},
      {"float->float stateful pipline F { }",
       "1:23: expected filter, pipeline, splitjoin or feedbackloop, not \"pipline\" (did you mean \"pipeline\"?)"}};
  for (const auto& [text, said] : cases) EXPECT_EQ(mistake(text), said) << text;
}

/// Blanks in place of comments: what is behind one has its line and column. Quotes keep what is in them.
TEST(StreamItSyntax, PlacesCountCommentsAndTexts) {
  const auto at = [](const std::string& text) {
    const std::string said = mistake(between(text + "@"));
    EXPECT_NE(said.find(": expected a statement or }, not \"@\""), std::string::npos) << said;
    return said.substr(0, said.find(": "));
  };
  EXPECT_EQ(at("/* a\n b */ "), "2:7");
  EXPECT_EQ(at("// x\n "), "2:2");
  EXPECT_EQ(at("/**/"), "1:46");
  EXPECT_EQ(at("/* * / ** /*/ "), "1:56");
  EXPECT_EQ(at("add FileReader<float>(\"// no comment\"); "), "1:82");
  EXPECT_EQ(at("add FileReader<float>(\"/* no\" + '\"' + \"*/\"); "), "1:87");
  EXPECT_EQ(at("add FileReader<float>(\"a\\\"// b\"); "), "1:76");
  EXPECT_EQ(at("int i = '/'; int j = '*'; "), "1:68");
  EXPECT_EQ(mistake("/* open"), "1:1: expected */: this comment does not end");
  EXPECT_EQ(mistake("x /* a */ /* open"), "1:11: expected */: this comment does not end");
}

TEST(StreamItSyntax, IncludedFilesHaveTheirOwnPlaces) {
  EXPECT_EQ(mistake("include \"\";"), "1:9: expected the name of a file");
  const StreamItFile wrong("\n  @", "wrong.str");
  const std::string base = wrong.name().substr(wrong.name().rfind('/') + 1);
  EXPECT_EQ(mistake("include \"" + base + "\";"),
            wrong.name() + ":2:3: expected a stream (in->out filter, pipeline, splitjoin or feedbackloop), not \"@\"");
  EXPECT_NE(mistake("\ninclude \"no_such.str\";").find("2:9: "), std::string::npos);
}

}  // namespace
}  // namespace braid::test::syntax_test
