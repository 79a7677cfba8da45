// The statements of an .icnt file: where names and values stand, what a word, a list and a comment is, and what is said
// of a text that is none.
#include "models/icnt/grammar.h"

#include <gtest/gtest.h>

#include <string>

#include "models/icnt/icnt.h"
#include "tb/tests/support/complaint.h"

namespace braid::models::icnt {
namespace {

/// A line for each statement: its name and its value, each behind its place.
std::string statements_of(const std::string& text) {
  std::string all;
  for (const Statement& each : read_statements(text, "f"))
    all += each.name_at + " " + each.name + " " + each.value_at + " " + each.value + "\n";
  return all;
}
std::string grammar_refusal(const std::string& text) {
  return test::complaint<Error>([&] { statements_of(text); });
}

/// Lines and columns begin with 1; a tab is one column.
TEST(IcntGrammar, NamesAndValuesHaveTheirPlaces) {
  EXPECT_EQ(statements_of(""), "");
  EXPECT_EQ(statements_of(" \n\t\n"), "");
  EXPECT_EQ(statements_of("k = 3;\n  vc_buf_size\t=8 ;n=2;"),
            "f:1:1 k f:1:5 3\n"
            "f:2:3 vc_buf_size f:2:16 8\n"
            "f:2:19 n f:2:21 2\n");
  EXPECT_EQ(statements_of("k\n=\n\n 3\n;"), "f:1:1 k f:4:2 3\n") << "over several lines";
}

/// A comment goes from two slashes to the line's end, wherever it stands; one slash is a letter of a path.
TEST(IcntGrammar, CommentsAreNothing) {
  EXPECT_EQ(statements_of("// k = 1;\nk// name\n=// sign\n5// value\n;// end\n// last"), "f:2:1 k f:4:1 5\n");
  EXPECT_EQ(statements_of("//"), "");
  EXPECT_EQ(statements_of("k = 5;//"), "f:1:1 k f:1:5 5\n");
  EXPECT_EQ(statements_of("network_file = ../a/b//c\n;"), "f:1:1 network_file f:1:16 ../a/b\n");
  EXPECT_EQ(statements_of("x = {1// one\n,2};n=1;"), "f:1:1 x f:1:5 {1,2}\nf:2:5 n f:2:7 1\n");
  EXPECT_EQ(grammar_refusal("k = 5/"), "f:1:7: expected ';' after the value of \"k\", found the end of the file");
}

TEST(IcntGrammar, WordsAreLettersDigitsAndSixSigns) {
  EXPECT_EQ(statements_of("aZ09_-.+/() = aZ09_-.+/();"), "f:1:1 aZ09_-.+/() f:1:15 aZ09_-.+/()\n");
  for (const char other : std::string("*,:[]}!'\"&\\#")) {
    const std::string here(1, other);
    EXPECT_EQ(grammar_refusal("x = a" + here + "b;"),
              "f:1:6: expected ';' after the value of \"x\", found '" + here + "'");
    EXPECT_EQ(grammar_refusal(here + " = a;"), "f:1:1: expected the name of a key, found '" + here + "'");
  }
}

/// Without their blanks; lists in lists end with their own braces.
TEST(IcntGrammar, ListsStandInBraces) {
  EXPECT_EQ(statements_of("x = { 1 ,\n {2,-3} };\ny = 1;"), "f:1:1 x f:1:5 {1,{2,-3}}\nf:3:1 y f:3:5 1\n");
  EXPECT_EQ(statements_of("x={};"), "f:1:1 x f:1:3 {}\n");
  EXPECT_EQ(statements_of("x={{{a}},{}};"), "f:1:1 x f:1:3 {{{a}},{}}\n");
  EXPECT_EQ(grammar_refusal("x = {1;}"), "f:1:7: expected '}', found ';'");
  EXPECT_EQ(grammar_refusal("x = {{1}"), "f:1:9: expected '}', found the end of the file");
  EXPECT_EQ(grammar_refusal("x = {1}};"), "f:1:8: expected ';' after the value of \"x\", found '}'");
}

TEST(IcntGrammar, SaysWhatIsNotThere) {
  EXPECT_EQ(grammar_refusal("= 3;"), "f:1:1: expected the name of a key, found '='");
  EXPECT_EQ(grammar_refusal("k = 3;\n;"), "f:2:1: expected the name of a key, found ';'");
  EXPECT_EQ(grammar_refusal("k"), "f:1:2: expected '=' after \"k\", found the end of the file");
  EXPECT_EQ(grammar_refusal("k ="), "f:1:4: expected the value of \"k\", found the end of the file");
  EXPECT_EQ(grammar_refusal("k == 1;"), "f:1:4: expected the value of \"k\", found '='");
  EXPECT_EQ(grammar_refusal("k = 1 2;"), "f:1:7: expected ';' after the value of \"k\", found '2'");
  EXPECT_EQ(grammar_refusal("k = ~;"), "f:1:5: expected the value of \"k\", found '~'") << "the last that is printed";
  EXPECT_EQ(grammar_refusal("k = \t\x7f;"), "f:1:6: expected the value of \"k\", found byte 127");
  EXPECT_EQ(grammar_refusal("\xc3\xa9 = 1;"), "f:1:1: expected the name of a key, found byte 195");
}

}  // namespace
}  // namespace braid::models::icnt
