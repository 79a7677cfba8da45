// What expressions come to before a program runs: every operator on every kind of number, conversions, the library.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/tests/support/streamit.h"
#include "traffic/streams/streamit/syntax.h"
#include "traffic/streams/streamit/value.h"

namespace braid::test::values_test {
namespace {

using namespace traffic;

std::uint64_t value_of(const std::string& expression, const std::string& fields = "") {
  return filter_of("float->float filter F { " + fields + " work push 1 pop " + expression + " { } }").work.pop;
}

/// What is said of an expression that stands from line 4, column 41 on.
std::string refused(const std::string& expression) {
  return mistake(between("add F();", "float->float filter F { work push 1 pop " + expression + " { } }"));
}

/// Less, equal and greater, each in integers, floats, both, and in truth values.
TEST(StreamItValues, AreComparedWhateverTheirKinds) {
  const std::vector<std::pair<std::string, std::string>> pairs{{"2", "3"},   {"2.25", "2.5"},   {"2", "2.5"},
                                                               {"1.5", "2"}, {"false", "true"}, {"-3", "-2"}};
  for (const auto& [less, more] : pairs) {
    const auto holds = [](const std::string& a, const std::string& sign, const std::string& b) {
      return value_of("(" + a + " " + sign + " " + b + ") ? 1 : 2") == 1;
    };
    for (const auto& [sign, below, same, above] :
         std::vector<std::tuple<std::string, bool, bool, bool>>{{"<", true, false, false},
                                                                {"<=", true, true, false},
                                                                {">", false, false, true},
                                                                {">=", false, true, true},
                                                                {"==", false, true, false},
                                                                {"!=", true, false, true}}) {
      EXPECT_EQ(holds(less, sign, more), below) << less << sign << more;
      EXPECT_EQ(holds(more, sign, more), same) << more << sign << more;
      EXPECT_EQ(holds(more, sign, less), above) << more << sign << less;
    }
  }
}

/// As Java has them: 32 bits, quotients towards zero, shifts by the lowest five bits.
TEST(StreamItValues, IntegersAreThoseOfJava) {
  const std::map<std::string, std::uint64_t> values{{"7 - 9 + 10", 8},
                                                    {"-7 / 2 + 10", 7},
                                                    {"-7 % 3 + 10", 9},
                                                    {"7 % -3", 1},
                                                    {"1 << 33", 2},
                                                    {"(-16 >> 33) + 10", 2},
                                                    {"5 >> 0", 5},
                                                    {"6 & 3", 2},
                                                    {"6 | 3", 7},
                                                    {"6 ^ 3", 5},
                                                    {"~5 + 10", 4},
                                                    {"+3", 3},
                                                    {"- -3", 3},
                                                    {"70000 * 70000", 4'900'000'000ULL - (1ULL << 32U)},
                                                    {"-2147483648 + 2147483647 + 3", 2},
                                                    {"(-2147483647 - 1) / -1 == -2147483647 - 1 ? 1 : 2", 1}};
  for (const auto& [expression, value] : values) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(StreamItValues, FloatsHaveQuotientsRemaindersAndNoBounds) {
  const std::map<std::string, std::uint64_t> values{
      {"(int) (7.5 - 9.25 + 10)", 8},  {"(int) (-7.5 / 2 * 4 + 20)", 5},
      {"(int) (7.5 % 2 * 10)", 15},    {"(int) (-7.5 % 2 + 2.5)", 1},
      {"(int) (1 / 0.0)", 2147483647}, {"(int) (-1 / 0.0) == -2147483647 - 1 ? 1 : 2", 1},
      {"(int) (0.0 / 0.0)", 0},        {"(int) 2147483520.0", 2147483520},
      {"(int) 3.4e38", 2147483647}};
  for (const auto& [expression, value] : values) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(StreamItValues, BecomeWhatTheyAreCastTo) {
  const std::map<std::string, std::uint64_t> values{{"(int) -2.7 + 5", 3},
                                                    {"(int) 2.7", 2},
                                                    {"(bit) 3", 1},
                                                    {"(bit) 2", 0},
                                                    {"(bit) -1", 1},
                                                    {"(boolean) 2 ? 1 : 2", 1},
                                                    {"(boolean) 0 ? 1 : 2", 2},
                                                    {"(int) (boolean) 2", 1},
                                                    {"(int) (bit) 7", 1},
                                                    {"(int) ((float) 7 / 2 * 2)", 7},
                                                    {"7 / 2 * 2", 6},
                                                    {"(int) ((double) 7 / 2 * 2)", 7},
                                                    {"(int) (float) (3 + 4i)", 3},
                                                    {"(int) (3.5 + 4i)", 3}};
  for (const auto& [expression, value] : values) EXPECT_EQ(value_of(expression), value) << expression;
}

/// Sums of truth values are integers; what bits, and, or and not make of them are truth values again. What stands
/// behind a sign that has decided is not looked at.
TEST(StreamItValues, OfTruthAreOneAndNought) {
  const std::map<std::string, std::uint64_t> values{{"true + true", 2},
                                                    {"(true ^ true) ? 1 : 2", 2},
                                                    {"(true ^ false) + 1", 2},
                                                    {"(true & false) ? 1 : 2", 2},
                                                    {"(false | true) ? 1 : 2", 1},
                                                    {"~true ? 1 : 2", 2},
                                                    {"~false ? 1 : 2", 1},
                                                    {"!0.5 ? 1 : 2", 2},
                                                    {"!0 ? 1 : 2", 1},
                                                    {"(0.5 && true) ? 1 : 2", 1},
                                                    {"(true && false) ? 1 : 2", 2},
                                                    {"(0 || 0.0) ? 1 : 2", 2},
                                                    {"(false || true) ? 1 : 2", 1},
                                                    {"(false && 1 / 0 > 1) ? 1 : 2", 2},
                                                    {"(true || 1 / 0 > 1) ? 1 : 2", 1}};
  for (const auto& [expression, value] : values) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(StreamItValues, NumbersAreWrittenInManyWays) {
  const std::map<std::string, std::uint64_t> values{{"0X1f", 31},        {"0xFFFFFFFF + 2", 1}, {"'a'", 97},
                                                    {"'n'", 110},        {"'\\n'", 10},         {"'\\t'", 9},
                                                    {"'\\r'", 13},       {"'\\''", 39},         {"'\\\\'", 92},
                                                    {"'\\\"'", 34},      {"'\\0' + 1", 1},      {"'\\b'", 8},
                                                    {"'\\f'", 12},       {"'\\a'", 97},         {"(int) (.5 * 4)", 2},
                                                    {"(int) 5.", 5},     {"(int) 2e1", 20},     {"(int) 2E+1", 20},
                                                    {"(int) 20e-1", 2},  {"(int) 1f", 1},       {"(int) (2.5f * 2)", 5},
                                                    {"(int) abs(3i)", 3}};
  for (const auto& [number, value] : values) EXPECT_EQ(value_of(number), value) << number;
  EXPECT_EQ(refused("2147483648"), "4:41: pop rate: expected an integer from 0, not -2147483648");
  for (const char* large : {"2147483649", "0x100000000", "99999999999999999999"}) {
    EXPECT_EQ(refused(large), "4:41: expected an integer of 32 bits") << large;
  }
  EXPECT_EQ(refused("(int) 1e39"), "4:47: expected a float of at most 3.4e38");
}

/// Whole numbers of both parts, by hand or from Euler's formula: sin(i) = i sinh(1).
TEST(StreamItValues, ComplexNumbersAreComputedInBothParts) {
  const std::map<std::string, std::pair<int, int>> values{{"(1 + 2i) + (3 - 5i)", {4, -3}},
                                                          {"(1 + 2i) - (3 - 5i)", {-2, 7}},
                                                          {"(1 + 2i) * (3 - 5i)", {13, 1}},
                                                          {"(10 + 20i) / (3 - 4i)", {-2, 4}},
                                                          {"-(3 - 4i)", {-3, 4}},
                                                          {"+(3 - 4i)", {3, -4}},
                                                          {"(complex) 3", {3, 0}},
                                                          {"(complex) 2.5 * 2", {5, 0}},
                                                          {"2 * 3i", {0, 6}},
                                                          {"c + 1", {3, 3}},
                                                          {"sqrt(-16 + 0i)", {0, 4}},
                                                          {"sqrt(3 + 4i) * 2", {4, 2}},
                                                          {"exp(pi * 1i) * 10", {-10, 0}},
                                                          {"log(1i) * 100", {0, 157}},
                                                          {"sin(1i) * 100", {0, 117}},
                                                          {"cos(1i) * 100", {154, 0}}};
  for (const auto& [expression, parts] : values) {
    // A thousandth outwards, so that what is nearly whole is not cut.
    const auto part = [&, of = expression](const std::string& name) {
      const std::string which = "d." + name;
      return static_cast<int>(value_of("(int) (" + which + " + (" + which + " < 0 ? -0.001 : 0.001)) + 50",
                                       "complex c; complex d; init { c = 2 + 3i; d = " + of + "; }")) -
             50;
    };
    EXPECT_EQ(part("real"), parts.first) << expression;
    EXPECT_EQ(part("imag"), parts.second) << expression;
  }
  EXPECT_EQ(value_of("1 + 2i == 1 + 2i ? 1 : 2"), 1U);
  EXPECT_EQ(value_of("1 + 2i == 1 + 3i ? 1 : 2"), 2U) << "the real parts alone are equal";
  EXPECT_EQ(value_of("1 + 2i != 1 + 3i ? 1 : 2"), 1U);
  EXPECT_EQ(value_of("1 + 2i != 1 + 2i ? 1 : 2"), 2U);
  EXPECT_EQ(value_of("3 + 0i == 3 ? 1 : 2"), 1U);
}

TEST(StreamItValues, FunctionsOfOneOrTwoKeepTheirKinds) {
  const std::map<std::string, std::uint64_t> values{{"abs(-7)", 7},
                                                    {"abs(7)", 7},
                                                    {"(int) (abs(-7.5) * 2)", 15},
                                                    {"(int) abs(6 + 8i)", 10},
                                                    {"min(4, 3)", 3},
                                                    {"min(3, 4)", 3},
                                                    {"max(4, 3)", 4},
                                                    {"max(3, 4)", 4},
                                                    {"max(true, false) + 3", 4},
                                                    {"7 / max(2, 3)", 2},
                                                    {"(int) (7 / min(2, 3.0) * 2)", 7},
                                                    {"(int) (max(-1.5, 2.5) * 2)", 5},
                                                    {"(int) pow(2, 10)", 1024},
                                                    {"(int) fmod(17, 5)", 2},
                                                    {"(int) (atan2(1, 0) * 100)", 157},
                                                    {"(int) (atan2(1.0, -1.0) * 100)", 235},
                                                    {"(int) (arg(-2.0) * 100)", 314},
                                                    {"(int) (arg(2.0) * 100)", 0},
                                                    {"(int) (arg(0.0) * 100)", 0},
                                                    {"(int) (arg(-2) * 100)", 314},
                                                    {"abs(0)", 0},
                                                    {"(int) (arg(2i) * 100)", 157}};
  for (const auto& [expression, value] : values) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(StreamItValues, WithoutSuchAnOperatorAreRefused) {
  for (const char* wrong : {"1.5 << 2", "1.5 >> 2", "1.5 & 1", "1.5 | 1", "1.5 ^ 1"}) {
    EXPECT_EQ(refused(wrong), "4:41: expected integers on both sides of this operator") << wrong;
  }
  EXPECT_EQ(refused("2i << 1"), "4:41: complex numbers have no such operator");
  EXPECT_EQ(refused("~1.5"), "4:41: expected an integer behind ~");
  EXPECT_EQ(refused("3 / 0"), "4:45: division by 0");
  EXPECT_EQ(refused("3 % 0"), "4:45: division by 0");
  EXPECT_EQ(refused("\"a\" + 1"), "4:41: pop rate: expected an integer from 0, not a value of another type");
  const auto of_an_array = [](const std::string& expression) {
    return mistake(between("int[2] a; int i = " + expression + "; add Identity<float>();"));
  };
  EXPECT_EQ(of_an_array("-a"), "1:60: expected a number");
  EXPECT_EQ(of_an_array("(int) a"), "1:60: expected a number behind (int)");
  EXPECT_EQ(of_an_array("a + 1"), "1:60: expected a number on both sides of this operator");
}

/// What is and, or, exclusive or of bits is a bit; an integer beside a bit makes it an integer.
TEST(StreamItValues, OfBitsAreBits) {
  using namespace traffic::streamit;
  const Value one = converted(Value::of_integer(1), ValueKind::kBit), yes = Value::of_boolean(true);
  const char* problem = nullptr;
  for (const auto& [operation, result] :
       {std::pair(Operator::kBitAnd, 1), std::pair(Operator::kBitOr, 1), std::pair(Operator::kBitXor, 0)}) {
    for (const auto& [other, kind] : {std::pair(one, ValueKind::kBit), std::pair(yes, ValueKind::kBit),
                                      std::pair(Value::of_integer(1), ValueKind::kInteger)}) {
      const Value v = binary(operation, one, other, problem);
      EXPECT_EQ(v.kind, kind);
      EXPECT_EQ(v.integer, result);
    }
    EXPECT_EQ(binary(operation, yes, yes, problem).kind, ValueKind::kBoolean);
  }
  EXPECT_EQ(problem, nullptr);
}

/// A program that asks for what only running it would tell.
TEST(StreamItValues, OfRandomNumbersAreNotKnown) {
  for (const char* expression : {"randomi(4)", "(int) random()", "iter()", "(int) (sinh(1i) + 1)"}) {
    EXPECT_NE(refused(expression).find("expected a value that is known before the program runs"), std::string::npos)
        << expression;
  }
}

}  // namespace
}  // namespace braid::test::values_test
