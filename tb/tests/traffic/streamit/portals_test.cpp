// Portals: read, elaborated and counted; what their messages do to a filter's state, not when they come.
#include <gtest/gtest.h>

#include "tb/tests/support/streamit.h"

namespace braid::test::portals_test {
namespace {

using namespace traffic;

/// A sender in front of the filter that listens; `message` is what its work sends.
std::string radio(const std::string& message,
                  const std::string& handler = "handler tune(float f, int i) { level = f; }") {
  return "void->void pipeline Main { portal<Gain> p; add Source(); add Sender(p); add Gain() to p; add Sink(); }\n"
         "void->float filter Source { work push 1 { push(0); } }\n"
         "float->void filter Sink { work pop 1 { pop(); } }\n"
         "float->float filter Sender(portal<Gain> out) { work push 1 pop 1 { push(pop()); " +
         message +
         " } }\n"
         "float->float filter Gain { float level; work push 1 pop 1 { push(level * pop()); } " +
         handler + " }\n";
}

TEST(StreamItPortals, AreNeitherNodesNorEdges) {
  const StreamItFile file(radio("out.tune(2.5, 3) [1:4];"));
  const Structure program = read_streamit({file.name()});
  const FlatGraph graph = flatten(program, file.name());
  EXPECT_EQ(counts(graph), "4/0/0/3");
  EXPECT_EQ(graph.repetitions(), (std::vector<std::uint64_t>{1, 1, 1, 1}));
  EXPECT_EQ(program.portal.line, 1U);
  EXPECT_EQ(program.portal.column, 28U);
}

TEST(StreamItPortals, NoneIsNamedInOtherPrograms) {
  const StreamItFile file(between("add Identity<float>();"));
  EXPECT_EQ(read_streamit({file.name()}).portal.line, 0U);
}

TEST(StreamItPortals, ALatencyHasTwoEndsOfWhichEitherMayBeOpenOrIsAnyAtAll) {
  for (const char* latency : {"", "[1:4]", "@[1:4]", "[:4]", "[2*3:]", "[:]", "[*]", "@ [ 4*2 : 6*2 ]"}) {
    EXPECT_EQ(mistake(radio("out.tune(2.5, 3) " + std::string(latency) + ";")), "") << latency;
  }
  EXPECT_EQ(mistake(radio("out.tune(2.5, 3) [1;")), "4:100: expected ], not \";\"");
  EXPECT_EQ(mistake(between("int[4] a; int b = a[1:2];")), "1:64: expected ]: only a message has a latency");
}

TEST(StreamItPortals, WhoSendsAndWhoIsToldHaveState) {
  const FlatGraph graph = flat(radio("out.tune(2.5, 3);"));
  EXPECT_TRUE(node(graph, "Sender").filter.stateful);
  EXPECT_TRUE(node(graph, "Gain").filter.stateful);
  const FlatGraph deaf = flat(radio("", "handler tune(float f, int i) { println(1); }"));
  EXPECT_FALSE(node(deaf, "Sender").filter.stateful);
}

/// Gain's level is a field that a message sets, so that it is not known, and costs a look: 3 + 3 + 2 (a product) + 2.
TEST(StreamItPortals, AMessageIsACallAndItsHandlersFieldsAreNotKnown) {
  EXPECT_EQ(node(flat(radio("out.tune(2.5, 3);")), "Sender").filter.work.work_cycles, 3U + 3U + 10U);
  EXPECT_EQ(node(flat(radio("")), "Gain").filter.work.work_cycles, 3U + 3U + 2U + 2U);
}

TEST(StreamItPortals, NamesAreChecked) {
  EXPECT_EQ(mistake(radio("out.tuen(2.5, 3);")), "4:81: unknown handler \"tuen\" (did you mean \"tune\"?)");
  EXPECT_EQ(mistake(radio("out.tune(2.5);")), "4:81: out.tune: expected 2 arguments, not 1");
  EXPECT_EQ(mistake(between("portal<Gian> p; add Gain();",
                            "float->float filter Gain { work push 1 pop 1 { push(pop()); } }")),
            "1:42: portal of an unknown stream \"Gian\" (did you mean \"Gain\"?)");
  EXPECT_EQ(mistake(between("portal<Sink> there; add Identity<float>() to their;")),
            "1:87: unknown variable \"their\" (did you mean \"there\"?)");
  EXPECT_EQ(mistake("helper H { handler h() { } }\n" + between("")),
            "1:20: expected handlers of messages in filters only");
}

TEST(StreamItPortals, AnAnonymousStreamListensToSeveral) {
  EXPECT_EQ(mistake(between("portal<Sink> p, q; add float->float filter { work push 1 pop 1 { push(pop()); } "
                            "handler h() { } } to p, q;")),
            "");
}

}  // namespace
}  // namespace braid::test::portals_test
