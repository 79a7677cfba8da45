// Which nodes and edges a program has: containers, their code at elaboration, weights, files.
#include <gtest/gtest.h>

#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::structure_test {
namespace {

using namespace traffic;
using Counts = std::vector<std::uint64_t>;

TEST(StreamItStructure, APipelineIsAnEdgeBetweenNeighbours) {
  EXPECT_EQ(counts(flat(between("add Identity<float>(); add Identity<float>();"))), "4/0/0/3");
}

TEST(StreamItStructure, ASplitJoinIsASplitterAJoinerAndTwoEdgesABranch) {
  const FlatGraph g =
      flat(between("add float->float splitjoin { split duplicate; add Identity<float>(); "
                   "add Identity<float>(); join roundrobin; }"));
  EXPECT_EQ(counts(g), "4/1/1/6");
  EXPECT_EQ(node(g, "splitjoin.split").split, Split::kDuplicate);
  EXPECT_EQ(node(g, "splitjoin.join").weights, (Counts{1, 1}));
}

TEST(StreamItStructure, OneBranchKeepsItsSplitterAndJoiner) {
  EXPECT_EQ(counts(flat(between("add splitjoin { split roundrobin; add Identity<float>(); join roundrobin; }"))),
            "3/1/1/4");
}

/// An anonymous loop into which nothing comes, and one out of which nothing goes.
TEST(StreamItStructure, ALoopOfWeightZeroTakesNothingOrGivesNothing) {
  const std::string sum = "float->float filter Sum { work push 1 pop 1 { push(pop() + 1); } }\n";
  const FlatGraph source = flat(
      "void->void pipeline Main { add feedbackloop { join roundrobin(0, 1); body Sum(); loop Identity<float>(); split "
      "duplicate; enqueue 0; } add Sink(); }\nfloat->void filter Sink { work pop 1 { pop(); } }\n" +
      sum);
  EXPECT_EQ(counts(source), "3/1/1/5");
  EXPECT_EQ(node(source, "feedbackloop.join").inputs.size(), 1U);
  EXPECT_EQ(source.repetitions(), std::vector<std::uint64_t>(5, 1));
  const FlatGraph sink = flat(
      "void->void pipeline Main { add Source(); add feedbackloop { join roundrobin; body Two(); loop "
      "Identity<float>(); "
      "split roundrobin(0, 1); enqueue 0; } }\nvoid->float filter Source { work push 1 { push(0); } }\n"
      "float->float filter Two { work push 1 pop 2 { push(pop() + pop()); } }\n");
  EXPECT_EQ(counts(sink), "3/1/1/5");
  EXPECT_EQ(node(sink, "feedbackloop.split").outputs.size(), 1U);
}

/// Names of files and what is printed may be joined of texts and numbers.
TEST(StreamItStructure, TextsAreJoinedWithNumbers) {
  EXPECT_EQ(counts(flat("void->void pipeline Main { for (int i = 0; i < 1; i++) add FileReader<float>(\"in\" + i + "
                        "\".bin\"); add FileWriter<float>(3 + \"out\"); }")),
            "2/0/0/1");
  EXPECT_EQ(filter_of("float->float filter F { work push 1 pop 1 { println(\"x = \" + 1.5 + true); push(pop()); } }")
                .work.push,
            1U);
  EXPECT_EQ(mistake(between("int i = \"a\" - 1;")), "1:50: expected a number on both sides of this operator");
}

/// An item of a complex number has two words, one of an array or a struct those of its parts.
TEST(StreamItStructure, ItemsHaveWordsByTheirTypes) {
  const auto words = [](const std::string& type) {
    const FlatGraph g = flat("void->void pipeline M { add S(); add splitjoin { split duplicate; add Identity<" + type +
                             ">(); join roundrobin; } add T(); }\nvoid->" + type + " filter S { " + type +
                             " x; work push 1 { push(x); } }\n" + type +
                             "->void filter T { work pop 1 { pop(); } }\n"
                             "struct Pair { complex a; float[3] b; bit c; }\n");
    for (const FlatEdge& e : g.edges) EXPECT_EQ(e.words, g.edges.front().words) << type;
    return g.edges.front().words;
  };
  EXPECT_EQ(words("int"), 1U);
  EXPECT_EQ(words("bit"), 1U);
  EXPECT_EQ(words("float"), 1U);
  EXPECT_EQ(words("complex"), 2U);
  EXPECT_EQ(words("float[3][5]"), 15U);
  EXPECT_EQ(words("Pair"), 2U + 3U + 1U);
  EXPECT_EQ(words("Pair[2]"), 12U);
}

TEST(StreamItStructure, APipelineOfOneStreamIsThatStream) {
  EXPECT_EQ(counts(flat(between("add pipeline { add pipeline { add Identity<float>(); } }"))), "3/0/0/2");
}

TEST(StreamItStructure, BranchesOfWeightZeroHaveTheirEdges) {
  const FlatGraph g = flat(
      "void->void pipeline Main { add void->float splitjoin { split roundrobin(0); add Source(); add Source(); join "
      "roundrobin; } add splitjoin { split duplicate; add Sink(); add Sink(); add Sink(); join roundrobin(0); } }"
      "void->float filter Source { work push 1 { push(0); } }\n"
      "float->void filter Sink { work pop 1 { pop(); } }\n");
  EXPECT_EQ(counts(g), "5/2/2/11");
  EXPECT_EQ(node(g, "splitjoin_1.split").weights, (Counts{0, 0}));
  EXPECT_EQ(node(g, "splitjoin_2.join").weights, (Counts{0, 0, 0}));
  EXPECT_EQ(g.repetitions(), (Counts{1, 1, 1, 1, 2, 2, 2, 2, 1}));
}

/// A source in a branch of weight 0 beside a branch that takes something.
TEST(StreamItStructure, ASourceMayBeABranch) {
  const FlatGraph g = flat(
      between("add splitjoin { split roundrobin(3, 0); add Identity<float>(); add Source(); join roundrobin(2, 1); }"));
  EXPECT_EQ(counts(g), "4/1/1/6");
  const FlatNode& splitter = node(g, "splitjoin.split");
  EXPECT_EQ(g.edges[splitter.outputs[0]].push, 3U);
  EXPECT_EQ(g.edges[splitter.outputs[1]].push, 0U);
}

TEST(StreamItStructure, WeightsAreOneEachOneForAllOrAList) {
  const auto weights = [](const std::string& w) {
    const FlatGraph g = flat(between("add splitjoin { int n = 2; split roundrobin" + w +
                                     "; add Identity<float>(); add Identity<float>(); join roundrobin" + w + "; }"));
    return node(g, "splitjoin.split").weights;
  };
  EXPECT_EQ(weights(""), (Counts{1, 1}));
  EXPECT_EQ(weights("()"), (Counts{1, 1}));
  EXPECT_EQ(weights("(3)"), (Counts{3, 3}));
  EXPECT_EQ(weights("(n * n, (int) sqrt(9))"), (Counts{4, 3}));
  EXPECT_EQ(weights("(0, 5)"), (Counts{0, 5}));
}

TEST(StreamItStructure, AFeedbackLoopIsAJoinerABodyASplitterAndALoop) {
  const FlatGraph g =
      flat(between("add L(2);",
                   "float->float feedbackloop L(int n) { join roundrobin(1, n); body float->float filter { "
                   "work pop 1 push 1 { push(pop()); } } loop Identity<float>(); split roundrobin(1, n); "
                   "for (int i = 0; i < n; i++) enqueue 0; }"));
  EXPECT_EQ(counts(g), "4/1/1/6");
  const FlatNode& joiner = node(g, "L.join");
  EXPECT_EQ(joiner.weights, (Counts{1, 2}));
  ASSERT_EQ(joiner.inputs.size(), 2U);
  EXPECT_EQ(g.nodes[g.edges[joiner.inputs[0]].from].name, "Source");
  EXPECT_EQ(g.edges[joiner.inputs[1]].initial, 2U);
  EXPECT_EQ(g.edges[joiner.inputs[1]].pop, 2U);
  EXPECT_EQ(g.repetitions(), (Counts{1, 1, 3, 1, 2, 1}));
}

/// Nothing comes from outside and nothing leaves: four edges.
TEST(StreamItStructure, AFeedbackLoopMayBeTheWholeProgram) {
  const FlatGraph g = flat(
      "void->void feedbackloop Fibonacci { join roundrobin(0, 1); body int->int filter { work pop 1 peek 2 push 1 { "
      "push(peek(1) + pop()); } } loop Identity<int>(); split roundrobin(0, 1); enqueue 0; enqueue 1; }");
  EXPECT_EQ(counts(g), "2/1/1/4");
  EXPECT_EQ(node(g, "Fibonacci.join").weights, (Counts{1}));
  EXPECT_EQ(g.repetitions(), (Counts{1, 1, 1, 1}));
}

TEST(StreamItStructure, StreamsAreAddedByLoopsAndChoices) {
  EXPECT_EQ(counts(flat(between("for (int i = 0; i < 5; i++) add Identity<float>();"))), "7/0/0/6");
  EXPECT_EQ(counts(flat(between("int i = 3; while (i > 0) { add Identity<float>(); i--; }"))), "5/0/0/4");
  EXPECT_EQ(counts(flat(between("int i = 0; do { add Identity<float>(); i += 2; } while (i < 6);"))), "5/0/0/4");
  EXPECT_EQ(counts(flat(between("int i; for (; i < 9; ++i) { if (i % 2 == 0 && i != 4) continue; if (i == 7) break; "
                                "add Identity<float>(); }"))),
            "6/0/0/5");  // 1, 3, 4, 5
  EXPECT_EQ(counts(flat(between("boolean b = true; if (!b) add Identity<float>(); else { add Identity<float>(); "
                                "add Identity<float>(); }"))),
            "4/0/0/3");
}

TEST(StreamItStructure, ContainersComputeWithArraysAndArithmetic) {
  EXPECT_EQ(counts(flat(between("int[3] n = {1, 2, 4}; int[2][2] m; m[1][0] = 3; int k = n[0] + n[2] * m[1][0] - "
                                "(7 / 2) % 2 - (1 << 3) + (0x10 >> 2) + (n[1] > 1 ? 1 : 100);"
                                "for (int i = 0; i < k; i++) add Identity<float>();"))),
            "11/0/0/10");  // 1 + 12 - 1 - 8 + 4 + 1 = 9
}

TEST(StreamItStructure, AnonymousStreamsSeeWhatIsAroundThem) {
  const FlatGraph g =
      flat(between("int n = 3; for (int i = 1; i <= n; i++) add float->float filter { work pop i push i "
                   "{ for (int k = 0; k < i; k++) push(pop() * n); } }"));
  EXPECT_EQ(node(g, "filter_3").filter.work.pop, 3U);
  EXPECT_EQ(g.repetitions(), (Counts{6, 6, 3, 2, 6}));
}

TEST(StreamItStructure, ArraysAreParameters) {
  const FlatGraph g = flat(between("float[4] c; c[2] = 7; add F(4, c);",
                                   "float->float filter F(int n, float[n] c) { work pop (int) c[2] push n { } }"));
  EXPECT_EQ(node(g, "F").filter.work.pop, 7U);
  EXPECT_EQ(node(g, "F").filter.work.push, 4U);
}

TEST(StreamItStructure, ParametersThatDifferLittleMakeDifferentFilters) {
  const FlatGraph g = flat(between("add F(3e-9); add F(2e-9);",
                                   "float->float filter F(float x) { work pop (int) (x * 1e9 + 0.1) push 1 { } }"));
  EXPECT_EQ(node(g, "F_1").filter.work.pop, 3U);
  EXPECT_EQ(node(g, "F_2").filter.work.pop, 2U);
}

TEST(StreamItStructure, StreamsAddThemselves) {
  const std::string tree =
      "float->float splitjoin Tree(int n) { split roundrobin(n / 2); if (n == 2) { add Identity<float>(); add "
      "Identity<float>(); } else { add Tree(n / 2); add Tree(n / 2); } join roundrobin(n / 2); }";
  EXPECT_EQ(counts(flat(between("add Tree(16);", tree))), "18/15/15/62");
}

/// As deep as a decomposition of a matrix of 100 columns goes.
TEST(StreamItStructure, AHundredLevelsOfTwoStreamsAreFine) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's frames are so large that the stack's bound comes first";
  const FlatGraph g = flat(between("add P(100);",
                                   "float->float pipeline P(int n) { add Identity<float>(); if (n > 1) add S(n); }"
                                   "float->float splitjoin S(int n) { split roundrobin(1, n); add Identity<float>(); "
                                   "add P(n - 1); join roundrobin(1, n); }"));
  EXPECT_EQ(g.count(FlatNode::Kind::kFilter), 201U);
}

TEST(StreamItStructure, TheWholeProgramIsTheStreamThatNoOtherAdds) {
  const std::string streams =
      "void->void pipeline Inner { add void->int filter { work push 1 { push(1); } } add int->void filter { work pop 1 "
      "{ pop(); } } } ";
  EXPECT_EQ(flat(streams).name, "Inner");
  EXPECT_EQ(flat("void->void pipeline Outer { add Inner(); } " + streams).name, "Outer");
  EXPECT_EQ(flat(streams + "void->void pipeline A { add Inner(); } void->void pipeline B { add Inner(); }").name, "B");
}

TEST(StreamItStructure, NamesAreNumberedWhereTheyComeTwice) {
  const FlatGraph g = flat(between("add Identity<float>(); add F(); add Identity<float>();",
                                   "float->float filter F { work pop 1 push 1 { push(pop()); } }"));
  EXPECT_EQ(g.nodes[1].name, "Identity_1");
  EXPECT_EQ(g.nodes[2].name, "F");
  EXPECT_EQ(g.nodes[3].name, "Identity_2");
  EXPECT_EQ(g.nodes[3].declaration, "Identity");
}

TEST(StreamItStructure, FilesAreReadTogetherAndIncludeOthers) {
  const StreamItFile main("void->void pipeline Main { add Source(); add Sink(); }", "main.str");
  const StreamItFile source("void->float filter Source { work push 1 { push(pi); } }", "source.str");
  const StreamItFile sink("float->void filter Sink { work pop 1 { pop(); } }", "sink.str");
  EXPECT_EQ(read_streamit({main.name(), source.name(), sink.name()}).children.size(), 2U);
  const std::string base = source.name().substr(source.name().rfind('/') + 1);
  const StreamItFile includes("include \"" + base + "\"; include \"" + sink.name() + "\"; include \"" + base +
                                  "\"; void->void pipeline Main { add Source(); add Sink(); }",
                              "includes.str");
  EXPECT_EQ(read_streamit({includes.name()}).children.size(), 2U);
}

TEST(StreamItStructure, CommentsStandAnywhere) {
  EXPECT_EQ(counts(flat("/* \" */ // '\n" + between("add /* one */ Identity< // two\n float>(/**/);"))), "3/0/0/2");
}

TEST(StreamItStructure, FileReadersAndWritersAreFilters) {
  const FlatGraph g = flat("void->void pipeline M { add FileReader<int>(\"in\"); add FileWriter<int>(\"out\"); }");
  EXPECT_EQ(counts(g), "2/0/0/1");
  EXPECT_TRUE(g.nodes[0].filter.stateful);
  EXPECT_EQ(g.nodes[1].filter.input_type, "int");
}

/// No more than 250 in one another; one beside the other there may be more.
TEST(StreamItStructure, ManyStreamsBesideOneAnotherAreNotNested) {
  const std::string many = "float->float pipeline Many { for (int i = 0; i < 600; i++) add One(); }\n";
  const std::string one = "float->float pipeline One { add Identity<float>(); }\n";
  EXPECT_EQ(mistake(between("add Many();", many + one)), "");
}

/// A field of the program whose length is not known before `init` has run gets its length there.
TEST(StreamItStructure, GlobalArraysAreAsLongAsInitSays) {
  const std::string globals = "static { int n; float[n] c; init { n = 4; c[3] = 1; } }\n";
  EXPECT_EQ(mistake(globals + between("add Identity<float>();")), "");
}

}  // namespace
}  // namespace braid::test::structure_test
