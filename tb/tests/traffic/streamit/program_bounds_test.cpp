// How large a program may be: at the bounds themselves, and one beyond.
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/streamit.h"

namespace braid::test::program_bounds_test {
namespace {

using namespace traffic;

/// Main, Source and Sink are three of them, whatever the others are: built in, or of the program. So many are read.
TEST(StreamItBounds, AreTenThousandStreams) {
  const std::string own = "float->float filter F { work push 1 pop 1 { push(pop()); } }";
  const std::string most = "expected a program of at most 10000 streams";
  const auto said = [&](const std::string& stream, int count) {
    return mistake(between("for (int i = 0; i < " + std::to_string(count) + "; i++) add " + stream + ";", own));
  };
  EXPECT_EQ(said("Identity<float>()", 9997), "");
  EXPECT_EQ(said("F()", 9997), "");
  EXPECT_EQ(said("F()", 9998), "1:86: " + most) << "Sink is the ten thousand and first";
  EXPECT_EQ(said("Identity<float>()", 9999), "1:77: " + most) << "the last of them is";
  EXPECT_EQ(said("F()", 9999), "1:77: " + most);
}

/// Arguments are compared as far as 10000 characters of their values go; those that go further are not the same, also
/// where they go exactly so far before the item in which they differ. A name of one letter more moves all of them on.
TEST(StreamItBounds, OfWhatIsComparedMakeNoTwoTheSame) {
  for (std::size_t letters = 1; letters <= 40; ++letters) {
    const std::string c(letters, 'c');
    const FlatGraph g =
        flat(between("int[400] a; int[400] b; a[399] = 3; b[399] = 2; add F(a); add F(b);",
                     "float->float filter F(int[400] " + c + ") { work push 1 pop " + c + "[399] { push(pop()); } }"));
    EXPECT_EQ(node(g, "F_1").filter.work.pop, 3U) << letters;
    EXPECT_EQ(node(g, "F_2").filter.work.pop, 2U) << letters;
  }
}

/// Functions that call themselves for ever are refused while a program is made, and while work is estimated; one that
/// calls itself a few times is not.
TEST(StreamItBounds, AreOfFunctionsThatCallThemselves) {
  const auto said = [](const std::string& init, const std::string& work) {
    const std::string all =
        mistake(between("add F();",
                        "float->float filter F { int n; int f(int i) { return i == 0 ? 7 : f(i - 1); } "
                        "int g(int i) { return g(i + 1); } init { " +
                            init + " } work push 1 pop 1 { " + work + " push(pop()); } }"));
    return all.substr(all.find(' ') + 1);
  };
  const std::string deep = "nested too deep: expected functions and streams that do not call themselves for ever";
  EXPECT_EQ(said("n = f(50);", "int k = f(50);"), "");
  EXPECT_EQ(said("n = g(0);", ""), deep);
  EXPECT_EQ(said("", "int k = g(0);"), deep);
}

/// What is built in takes its own arguments: a name of a file, or none.
TEST(StreamItBounds, OfArgumentsOfWhatIsBuiltIn) {
  const auto said = [](const std::string& stream) { return mistake(between("add " + stream + ";")); };
  EXPECT_EQ(said("Identity<float>()"), "");
  EXPECT_EQ(said("Identity<float>(1)"), "1:46: Identity: expected 0 arguments, not 1");
  EXPECT_EQ(said("FileReader<float>()"), "1:46: FileReader: expected 1 arguments, not 0");
  EXPECT_EQ(said("FileWriter<float>(\"a\", \"b\")"), "1:46: FileWriter: expected 1 arguments, not 2");
  EXPECT_EQ(said("Identity()"), "1:46: expected the type of its items: Identity<float>");
}

}  // namespace
}  // namespace braid::test::program_bounds_test
