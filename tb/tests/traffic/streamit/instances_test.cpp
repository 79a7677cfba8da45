// Instances of filters: their arguments, types and names; what is known of their items and fields; whether they have
// state.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/streamit.h"

namespace braid::test::instances_test {
namespace {

using namespace traffic;

const std::string kPass = "work push 1 pop 1 { push(pop()); }";

/// Pop rates of two filters of the same declaration, one behind the other.
std::vector<std::uint64_t> rates_of(const std::string& parameter, const std::string& rate, const std::string& one,
                                    const std::string& two, const std::string& before = "",
                                    const std::string& declared = "") {
  const FlatGraph g = flat(between(
      before + " add F(" + one + "); add F(" + two + ");",
      "float->float filter F(" + parameter + ") { work push 1 pop " + rate + " { push(pop()); } } " + declared));
  return {node(g, "F_1").filter.work.pop, node(g, "F_2").filter.work.pop};
}

TEST(StreamItInstances, ThatDifferInAnyPartOfAnArgumentAreDifferent) {
  const std::vector<std::uint64_t> both{3, 2};
  EXPECT_EQ(rates_of("int n", "n", "3", "2"), both);
  EXPECT_EQ(rates_of("int n, int m", "n", "3, 2", "2, 3"), both);
  EXPECT_EQ(rates_of("float x", "(int) (x * 2)", "1.5", "1"), both);
  EXPECT_EQ(rates_of("complex c", "(int) c.imag", "1 + 3i", "1 + 2i"), both);
  EXPECT_EQ(rates_of("complex c", "(int) c.real", "3 + 1i", "2 + 1i"), both);
  EXPECT_EQ(rates_of("boolean b", "b ? 3 : 2", "true", "false"), both);
  EXPECT_EQ(rates_of("bit b", "b + 2", "1", "0"), both);
  EXPECT_EQ(rates_of("int[2] a", "a[1]", "a", "b", "int[2] a = {1, 3}; int[2] b = {1, 2};"), both);
  EXPECT_EQ(
      rates_of("int[2][2] a", "a[0][1]", "a", "b", "int[2][2] a = {{1, 3}, {1, 1}}; int[2][2] b = {{1, 2}, {1, 1}};"),
      both);
  EXPECT_EQ(rates_of("P p", "p.c[1]", "a", "b", "P a; P b; a.c[1] = 3; b.c[1] = 2;", "struct P { int k; int[2] c; }"),
            both);
  const FlatGraph anonymous =
      flat(between("for (int i = 3; i > 1; i--) add float->float filter { work push 1 pop i { push(pop()); } }"));
  EXPECT_EQ(node(anonymous, "filter_1").filter.work.pop, 3U);
  EXPECT_EQ(node(anonymous, "filter_2").filter.work.pop, 2U);
}

/// Both streams of the loop are plain: what goes in at its joiner is what the way back gives.
TEST(StreamItInstances, OfALoopHaveTheTypeOfWhatIsBehind) {
  const FlatGraph g = flat(
      "void->void pipeline M { add S(); add feedbackloop { join roundrobin; body filter { work push 2 pop 2 { "
      "push(pop()); "
      "push(pop()); } } loop filter { work push 1 pop 1 { push(pop()); } } split roundrobin; enqueue 0; } add T(); }\n"
      "void->complex filter S { work push 1 { push(0); } }\ncomplex->void filter T { work pop 1 { pop(); } }");
  for (const FlatNode& n : g.nodes) {
    if (n.kind != FlatNode::Kind::kFilter) continue;
    EXPECT_EQ(n.filter.input_words, n.name.front() == 'S' ? 1U : 2U) << n.name;
    EXPECT_EQ(n.filter.output_words, n.name.front() == 'T' ? 1U : 2U) << n.name;
  }
}

TEST(StreamItInstances, TakeArgumentsAsTheirParametersAre) {
  using Rates = std::vector<std::uint64_t>;
  EXPECT_EQ(rates_of("int n", "n", "3.7", "2.2"), (Rates{3, 2}));
  EXPECT_EQ(rates_of("float x", "(int) (x / 2 * 2)", "3", "5"), (Rates{3, 5})) << "not quotients of integers";
  EXPECT_EQ(rates_of("boolean b", "b ? 3 : 2", "7", "0"), (Rates{3, 2}));
  EXPECT_EQ(rates_of("int n", "n", "3", "3"), (Rates{3, 3}));
}

/// The first number that makes a name which nothing has.
TEST(StreamItInstances, HaveNamesThatNoDeclarationHas) {
  const FlatGraph g =
      flat(between("add F(); add F(); add F_1(); add F();",
                   "float->float filter F { " + kPass + " } float->float filter F_1 { " + kPass + " }"));
  std::vector<std::string> names;
  for (const FlatNode& n : g.nodes) names.push_back(n.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Source", "F_2", "F_3", "F_1", "F_4", "Sink"}));
}

/// "in>out" of every filter that says nothing of its types.
std::string types_of_plain(const std::string& streams) {
  const FlatGraph g = flat(between(streams, "float->int filter I { " + kPass + " } int->float filter J { " + kPass +
                                                " } int->int filter K { " + kPass + " }"));
  std::string all;
  for (const FlatNode& n : g.nodes) {
    if (n.name.rfind("filter", 0) == 0) all += n.filter.input_type + ">" + n.filter.output_type + " ";
  }
  return all;
}

/// From what gives to it, and from what takes what it gives, through any structure in between.
TEST(StreamItInstances, HaveTheTypesOfWhatIsAround) {
  const std::string plain = "filter { " + kPass + " } ";
  const auto both = [](const std::string& branch) {
    return "add splitjoin { split duplicate; add " + branch + " add " + branch + " join roundrobin; } ";
  };
  const auto loop = [](const std::string& body, const std::string& way_back) {
    return "add feedbackloop { join roundrobin; body " + body + " loop " + way_back +
           " split roundrobin; enqueue 0; } ";
  };
  EXPECT_EQ(types_of_plain("add " + plain + both("J();")), "float>int ") << "wanted by branches";
  EXPECT_EQ(types_of_plain(both("I();") + "add " + plain + "add J();"), "int>int ") << "given by branches";
  EXPECT_EQ(types_of_plain("add I(); " + both(plain) + "add J();"), "int>int int>int ");
  EXPECT_EQ(types_of_plain(both(plain) + "add I(); add J();"), "float>float float>float ");
  EXPECT_EQ(
      types_of_plain("add " + plain + "add pipeline { add J(); } add pipeline { add I(); } add " + plain + "add J();"),
      "float>int int>int ");
  EXPECT_EQ(types_of_plain("add I(); " + loop("K();", plain) + "add J();"), "int>int ") << "the way back";
  EXPECT_EQ(types_of_plain("add I(); " + loop(plain, "K();") + "add " + plain + "add J();"), "int>int int>int ");
}

/// Fields that a call changes are not known, and in memory; one that never changes is as good as a constant. In prework
/// too: a pop, two products, a look at `s`, and a push.
TEST(StreamItInstances, FieldsAreAsKnownInPrework) {
  const Filter f = filter_of(
      "float->float filter F { float c = 3; float s; prework push 1 pop 1 { push(pop() * c * s); } "
      "work push 1 pop 1 { s = pop(); push(0); } }");
  ASSERT_TRUE(f.prework);
  EXPECT_EQ(f.prework->work_cycles, 3U + 2 + 2 + 2 + 3);
  EXPECT_EQ(f.work.work_cycles, 3U + 2 + 3);
}

/// ... of the fields, parameters and what is declared inside: what one call leaves and another one looks at.
TEST(StreamItInstances, HaveStateWhereACallSeesAnother) {
  const auto stateful = [](const std::string& body) {
    return filter_of("float->float filter F { " + body +
                     " } helper H { void put() { g = g + 1; } int get() { return 1; "
                     "} } static { int g; }")
        .stateful;
  };
  for (const char* with :
       {"float s; prework push 1 { s = 1; push(s); } work push 1 pop 1 { push(pop() + s); }",
        "float s; work push 1 pop 1 { push(pop()); } handler h() { s = s + 1; }",
        "float s; work push 1 pop 1 { float y = s; push(pop()); put(); } void put() { deep(); } void deep() { s = 1; }",
        "float s; work push 1 pop 1 { put(); push(pop()); s = 1; } void put() { float y = s; }",
        "int k; float[2] s; work push 1 pop 1 { s[k] = pop(); k = 1; push(0); }",
        "int[2] s; work push 1 pop 1 { push(pop()); s[s[1]] = 1; }",
        "float s; work push 1 pop 1 { for (int i = 0; i < 3; i++) s++; push(pop()); }",
        "float s; work push 1 pop 1 { --s; push(pop()); }", "float s; work push 1 pop 1 { s *= 2; push(pop()); }",
        "float s; work push 1 pop 1 { if (pop() > s) s = 1; push(0); }",
        "complex c; work push 1 pop 1 { c.real = pop(); push(c.imag); }",
        "int k; work push 1 pop 1 { int[k] a; k = 2; push(pop()); }", "work push 1 pop 1 { push(random() + pop()); }",
        "work push 1 pop 1 { push(f(pop())); } float f(float x) { print(x); return x; }",
        "work push 1 pop 1 { H.put(); push(pop()); }"}) {
    EXPECT_TRUE(stateful(with)) << with;
  }
  for (const char* without :
       {"float s; init { s = 1; } work push 1 pop 1 { push(pop() + s); }",
        "complex c; work push 1 pop 1 { c.real = pop(); push(0); }", "int k; work push 1 pop 1 { k = 2; push(pop()); }",
        "float s; work push 1 pop 1 { float s = 1; s += pop(); push(s); } void other() { s = s + 1; }",
        "work push 1 pop 1 { push(print(pop())); } float print(float x) { return x; }",
        "work push 1 pop 1 { push(pop() + H.get()); }"}) {
    EXPECT_FALSE(stateful(without)) << without;
  }
}

/// Beside three cycles each for the pop and the push: a quotient of integers one, of floats 32, a product of complex
/// numbers six of floats, and a sign of truth values one.
TEST(StreamItInstances, KnowTheKindOfTheirItems) {
  const auto work = [](const std::string& type, const std::string& body) {
    const FlatGraph g =
        flat("void->void pipeline M { add S(); add F(); add T(); } struct P { int k; float f; } void->" + type +
             " filter S { " + type + " x; work push 1 { push(x); } } " + type + "->" + type +
             " filter F { work push 1 pop 1 { " + body + " } } " + type + "->void filter T { work pop 1 { pop(); } }");
    return node(g, "F").filter.work.work_cycles - 3;
  };
  EXPECT_EQ(work("int", "push(pop() / 3);"), 3U + 1);
  EXPECT_EQ(work("float", "push(pop() / 3);"), 3U + 32);
  EXPECT_EQ(work("double", "push(pop() / 3);"), 3U + 32);
  EXPECT_EQ(work("complex", "push(pop() * 2);"), 3U + 6 * 2);
  EXPECT_EQ(work("boolean", "push(!pop());"), 3U + 1);
  EXPECT_EQ(work("bit", "push(~pop());"), 3U + 1);
  EXPECT_EQ(work("int[2]", "int[2] a = pop(); a[0] = a[0] / 3; push(a);"), 3U + 1);
  EXPECT_EQ(work("float[2]", "float[2] a = pop(); a[0] = a[0] / 3; push(a);"), 3U + 32);
  EXPECT_EQ(work("P", "P p = pop(); p.k = p.k / 3; p.f = p.f / 3; push(p);"), 3U + 1 + 32);
}

TEST(StreamItInstances, OfWhatIsBuiltInPopOrPushOnce) {
  const FlatGraph g = flat(
      "void->void pipeline M { add FileReader<complex>(\"in\"); add Identity<complex>(); add "
      "FileWriter<complex>(\"out\"); }");
  const auto rates = [&](const std::string& name) {
    const WorkFunction& w = node(g, name).filter.work;
    return std::vector<std::uint64_t>{w.push, w.pop, w.peek, w.work_cycles};
  };
  EXPECT_EQ(rates("FileReader"), (std::vector<std::uint64_t>{1, 0, 0, 3}));
  EXPECT_EQ(rates("Identity"), (std::vector<std::uint64_t>{1, 1, 1, 6}));
  EXPECT_EQ(rates("FileWriter"), (std::vector<std::uint64_t>{0, 1, 1, 3}));
  EXPECT_EQ(node(g, "FileReader").filter.input_type, "void");
  EXPECT_EQ(node(g, "FileReader").filter.output_type, "complex");
  EXPECT_EQ(node(g, "FileWriter").filter.output_type, "void");
  EXPECT_FALSE(node(g, "Identity").filter.stateful);
  EXPECT_TRUE(node(g, "FileWriter").filter.stateful);
  EXPECT_EQ(node(g, "FileReader").filter.output_words, 2U);
}

/// Where a function is called is not where it may be used: each has its place.
TEST(StreamItInstances, DoNothingWhereTheyMayNot) {
  const auto said = [](const std::string& declaration) { return mistake(between("add F();", declaration)); };
  EXPECT_EQ(said("void->float filter F { work push 1 peek 2 { } }"),
            "4:41: this filter's input is void: expected no pop and peek rate");
  EXPECT_EQ(said("void->float filter F { work push 1 pop 1 { } }"),
            "4:40: this filter's input is void: expected no pop and peek rate");
  EXPECT_EQ(said("void->float filter F { prework pop 1 { } work push 1 { } }"),
            "4:36: this filter's input is void: expected no pop and peek rate");
  EXPECT_EQ(said("float->void filter F { prework push 1 { } work pop 1 { } }"),
            "4:37: this filter's output is void: expected no push rate");
  EXPECT_EQ(said("float->void filter F { work pop 1 { push(1); } }"),
            "4:37: this filter's output is void: expected no push()");
  EXPECT_EQ(said("float->float filter F { work push 1 pop 1 { add Identity<float>(); } }"),
            "4:45: expected this in a pipeline, splitjoin or feedbackloop only");
  EXPECT_EQ(said("float->float filter F { init { push(1); } work push 1 pop 1 { } }"),
            "4:32: expected push() in work and prework only");
  for (const char* look : {"pop()", "peek(0)"}) {
    EXPECT_EQ(said("float->float filter F { init { float x = " + std::string(look) + "; } work push 1 pop 1 { } }"),
              "4:42: expected pop() and peek() in work and prework only");
  }
}

}  // namespace
}  // namespace braid::test::instances_test
