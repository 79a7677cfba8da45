// A report as a table, line by line.
#include "tb/braid/print_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/figures.h"

namespace braid::test::print_report_test {
namespace {

std::shared_ptr<Figure> declared(const std::string& name, const std::string& unit = "") {
  auto figure = std::make_shared<Figure>();
  figure->name = name;
  figure->unit = unit;
  return figure;
}

Reported figure(const std::string& name, FigureValue value, const std::string& unit = "") {
  return {declared(name, unit), std::move(value)};
}

Report report(std::vector<Reported> figures) {
  Report r;
  r.figures = std::move(figures);
  return r;
}

std::string printed(const Report& r, bool saturated = false) {
  setenv("COLUMNS", "80", 1);
  testing::internal::CaptureStdout();
  tb::print_report(r, saturated);
  return testing::internal::GetCapturedStdout();
}

/// A name in 36 columns between two blanks and one.
std::string name(const std::string& text) { return "  " + text + std::string(37 - text.size(), ' '); }

TEST(PrintedFigures, AreShortByTheirKind) {
  EXPECT_EQ(printed(report({figure("steady", true), figure("saturated", false), figure("cycles", std::uint64_t{7}),
                            figure("load", 0.123456789, "flits"), figure("why", std::string("two words")),
                            figure("none", kNoSample), figure("latency", Estimate{12.3456789, 0.98765}, "cycles"),
                            figure("once", Estimate{2.0, kNoSample}),
                            figure("wild", Estimate{3.1234567, std::numeric_limits<double>::infinity()})})),
            name("steady") + "yes\n" + name("saturated") + "no\n" + name("cycles") + "7\n" + name("load") +
                "0.123457 flits\n" + name("why") + "two words\n" + name("none") + "-\n" + name("latency") +
                "12.3457 ± 0.988 cycles\n" + name("once") + "2 ± -\n" + name("wild") +
                "3.12346 (interval not reliable)\n");
}

/// A list is for the JSON alone.
TEST(PrintedFigures, AreNoLists) {
  EXPECT_EQ(printed(report({figure("all", std::vector<double>{1.0}), figure("cycles", std::uint64_t{7})})),
            name("cycles") + "7\n");
}

TEST(PrintedFigures, OfDeliveredPacketsSaySoOfASaturatedNetwork) {
  auto of_delivered = declared("latency", "cycles");
  of_delivered->of_delivered = true;
  const Report r = report({{of_delivered, 4.0}, figure("hops", 2.0)});
  EXPECT_EQ(printed(r), name("latency") + "4 cycles\n" + name("hops") + "2\n");
  EXPECT_EQ(printed(r, true), name("latency") + "4 cycles (of those delivered)\n" + name("hops") + "2\n");
}

/// Of the whole report a part has a heading; a part of a part is a line where all of it is short, without empty words.
TEST(PrintedParts, HaveAHeadingAndTheirShortPartsALine) {
  const Report inner =
      report({figure("count", std::uint64_t{3}), figure("reason", std::string()), figure("mean", 2.5)});
  const Report part = report({figure("name", std::string("itself")), figure("hops", 2.0), figure("spread", inner)});
  EXPECT_EQ(printed(report({figure("cycles", std::uint64_t{7}), figure("router", part)})),
            name("cycles") + "7\n\nrouter\n" + name("hops") + "2\n" + name("spread") + "count 3, mean 2.5\n");
}

TEST(PrintedParts, ThatAreNotShortOrOnlyInJsonStandAlone) {
  const Report deep = report({figure("hops", 2.0), figure("all", std::vector<double>{1.0})});
  auto hidden = declared("hidden");
  hidden->only_in_json = true;
  EXPECT_EQ(printed(report({figure("router", report({figure("deep", deep)})), {hidden, deep}})),
            "\nrouter\n\ndeep\n" + name("hops") + "2\n");
}

/// Each column as wide as its longest text, and two blanks between; what has no short text has no column.
TEST(PrintedRows, StandUnderTheirNames) {
  const auto row = [](const std::string& who, std::uint64_t count) {
    return report({figure("who", who), figure("all", std::vector<double>{1.0}), figure("count", count)});
  };
  EXPECT_EQ(printed(report({figure("rates", std::vector<Report>{row("a", 1000000), row("longer", 2)})})),
            "\nrates\n  who     count\n  a       1000000\n  longer  2\n");
  EXPECT_EQ(printed(report({figure("rates", std::vector<Report>{})})), "");
}

/// Those that have parts are printed one by one: classes by their names, others behind the title.
TEST(PrintedRows, ThatHavePartsComeOneByOne) {
  const auto one = [](const std::string& who) {
    return report({figure("name", who), figure("spread", report({figure("count", std::uint64_t{3})}))});
  };
  const std::vector<Report> two = {one("a"), one("b")};
  EXPECT_EQ(printed(report({figure("classes", two)})),
            "\na\n" + name("spread") + "count 3\n\nb\n" + name("spread") + "count 3\n");
  EXPECT_EQ(printed(report({figure("lines", two)})),
            "\nlines: a\n" + name("spread") + "count 3\n\nlines: b\n" + name("spread") + "count 3\n");
}

/// 39 columns of the name, then pieces that end with commas: as many as go into 80.
TEST(PrintedFigures, GoOnBeneathThemselves) {
  const auto count = [](const std::string& of) { return figure(of, std::uint64_t{3}); };
  const Report inner = report({count("abcdefgh"), count("ijklmnop"), count("qrstuvwx"), count("yzabcdef")});
  EXPECT_EQ(printed(report({figure("router", report({figure("spread", inner, "units")}))})),
            "\nrouter\n" + name("spread") + "abcdefgh 3, ijklmnop 3, qrstuvwx 3,\n" + std::string(39, ' ') +
                "yzabcdef 3 units\n");
}

}  // namespace
}  // namespace braid::test::print_report_test
