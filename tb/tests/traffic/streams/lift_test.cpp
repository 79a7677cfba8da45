// What MIT's compiler counts: a program without splitjoins of one branch and pipelines in pipelines.
#include "traffic/streams/lift.h"

#include <gtest/gtest.h>

#include "tb/tests/support/streamit.h"

namespace braid::test::lift_test {
namespace {

using namespace traffic;

FlatGraph lifted_graph(const std::string& text) {
  const StreamItFile file(text);
  return flatten(lifted(read_streamit({file.name()})), file.name());
}

const char* const kOne = "add splitjoin { split roundrobin(3); add Identity<float>(); join roundrobin(2); }";

TEST(Lift, ASplitjoinOfOneBranchIsItsBranch) {
  EXPECT_EQ(counts(flat(between(kOne))), "3/1/1/4");
  EXPECT_EQ(counts(lifted_graph(between(kOne))), "3/0/0/2");
}

/// roundrobin(3) and roundrobin(2) around one branch only hold the steady state to sixes.
TEST(Lift, TheSteadyStateIsThatOfTheBranch) {
  EXPECT_EQ(flat(between(kOne)).repetitions(), (std::vector<std::uint64_t>{6, 2, 6, 3, 6}));
  EXPECT_EQ(lifted_graph(between(kOne)).repetitions(), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(Lift, WhatIsLiftedMayLetOthersBeLifted) {
  const std::string nested =
      "add pipeline { add splitjoin { split duplicate; add pipeline { add splitjoin { split "
      "roundrobin; add Identity<float>(); join roundrobin; } } join roundrobin; } }";
  EXPECT_EQ(counts(lifted_graph(between(nested))), "3/0/0/2");
}

TEST(Lift, TwoBranchesStay) {
  const std::string two =
      "add splitjoin { split duplicate; add Identity<float>(); add Identity<float>(); join roundrobin; }"
      "add Drop();";
  const std::string drop = "float->float filter Drop { work push 1 pop 2 { push(pop()); pop(); } }";
  EXPECT_EQ(counts(lifted_graph(between(two, drop))), counts(flat(between(two, drop))));
}

TEST(Lift, PipelinesInPipelinesAreTheirStages) {
  const StreamItFile file(between("add pipeline { add Identity<float>(); add pipeline { add Identity<float>(); } }"));
  const Structure program = lifted(read_streamit({file.name()}));
  ASSERT_EQ(program.kind, Structure::Kind::kPipeline);
  EXPECT_EQ(program.children.size(), 4U);
  for (const Structure& child : program.children) EXPECT_EQ(child.kind, Structure::Kind::kFilter);
}

TEST(Lift, InsideAFeedbackLoopToo) {
  const std::string loop =
      "float->float feedbackloop L { join roundrobin; body pipeline { add splitjoin { split roundrobin; add Sum(); "
      "join "
      "roundrobin; } } loop Identity<float>(); split duplicate; enqueue 0; }\n"
      "float->float filter Sum { work push 1 pop 2 { push(pop() + pop()); } }";
  EXPECT_EQ(counts(flat(between("add L();", loop))), "4/2/2/8");
  EXPECT_EQ(counts(lifted_graph(between("add L();", loop))), "4/1/1/6");
}

/// A program that is nothing else: its ends take and give nothing, and so does the branch.
TEST(Lift, AWholeProgramMayBeLifted) {
  const std::string whole =
      "void->void splitjoin Main { split duplicate; add pipeline { add S(); add T(); } join roundrobin; }\n"
      "void->int filter S { work push 1 { push(0); } }\nint->void filter T { work pop 1 { pop(); } }\n";
  EXPECT_EQ(counts(flat(whole)), "2/1/1/3");
  EXPECT_EQ(counts(lifted_graph(whole)), "2/0/0/1");
}

/// A splitter that gives its branch nothing is no wire to a branch that would take something; nor is such a joiner.
TEST(Lift, WhatPassesNothingOnStays) {
  const auto splitters = [](const std::string& split, const std::string& join, const std::string& sink_pops) {
    return lifted_graph("void->void pipeline Main { add A(); add splitjoin { split " + split + "; add Free(); join " +
                        join + "; } add B(); }\nvoid->float filter A { work push 0 { } }\n" +
                        "float->float filter Free { work push 1 pop 0 { push(1); } }\n" +
                        "float->void filter B { work pop " + sink_pops + " { } }\n")
        .count(FlatNode::Kind::kSplitter);
  };
  EXPECT_EQ(splitters("roundrobin(0)", "roundrobin", "1"), 1U);
  EXPECT_EQ(splitters("roundrobin", "roundrobin(0)", "0"), 1U);
  EXPECT_EQ(splitters("roundrobin", "roundrobin", "1"), 0U);
}

}  // namespace
}  // namespace braid::test::lift_test
