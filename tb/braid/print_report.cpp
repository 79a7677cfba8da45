#include "tb/braid/print_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace braid::tb {
namespace {

std::string number_text(double number, int digits) {
  return std::isnan(number) ? "-" : fmt::format("{:.{}g}", number, digits);
}

/// A figure in a few characters; nothing for lists and parts.
std::optional<std::string> short_text(const FigureValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number, 6);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* e = std::get_if<Estimate>(&value)) {
    return number_text(e->mean, 6) + " ± " + number_text(e->half_width_95, 3);
  }
  return std::nullopt;
}

/// "count 3000, min 9, mean 23.1" of a part whose figures are all short.
std::optional<std::string> short_text(const Report& part) {
  std::string all;
  for (const Reported& figure : part.figures) {
    const std::optional<std::string> text = short_text(figure.value);
    if (!text) return std::nullopt;
    all += (all.empty() ? "" : ", ") + figure.declared->name + " " + *text;
  }
  return all;
}

void print_line(const Figure& figure, const std::string& text) {
  const std::string unit = figure.unit.empty() ? "" : " " + figure.unit;
  fmt::print("  {:<36} {}{}\n", figure.name, text, unit);
}

/// A row each, under the names of their short figures.
void print_rows(const std::vector<Report>& all) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Reported& figure : all.front().figures) {
    if (short_text(figure.value)) rows.front().push_back(figure.declared->name);
  }
  for (const Report& one : all) {
    rows.emplace_back();
    for (const Reported& figure : one.figures) {
      if (const auto text = short_text(figure.value)) rows.back().push_back(*text);
    }
  }
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[c].size());
      fmt::print("  {:<{}}", row[c], c + 1 < row.size() ? width : 0);
    }
    fmt::print("\n");
  }
}

void print_part(const std::string& title, const Report& part);

/// Do all of them fit a row?
bool flat(const std::vector<Report>& all) {
  return std::all_of(all.begin(), all.end(), [](const Report& one) {
    return std::none_of(one.figures.begin(), one.figures.end(),
                        [](const Reported& r) { return std::holds_alternative<Report>(r.value); });
  });
}

void print_several(const std::string& title, const std::vector<Report>& all) {
  if (all.empty()) return;
  if (flat(all)) {
    fmt::print("\n{}\n", title);
    print_rows(all);
    return;
  }
  for (const Report& one : all) print_part(one.get<std::string>("name"), one);
}

void print_part(const std::string& title, const Report& part) {
  if (!title.empty()) fmt::print("\n{}\n", title);
  for (const Reported& figure : part.figures) {
    if (!title.empty() && figure.declared->name == "name") continue;
    if (const auto text = short_text(figure.value)) print_line(*figure.declared, *text);
    if (const auto* inner = std::get_if<Report>(&figure.value); inner != nullptr && !title.empty()) {
      if (const auto text = short_text(*inner)) print_line(*figure.declared, *text);
    }
  }
  for (const Reported& figure : part.figures) {
    if (figure.declared->only_in_json) continue;
    const auto* inner = std::get_if<Report>(&figure.value);
    if (inner != nullptr && (title.empty() || !short_text(*inner))) print_part(figure.declared->name, *inner);
    if (const auto* all = std::get_if<std::vector<Report>>(&figure.value)) print_several(figure.declared->name, *all);
  }
}

}  // namespace

void print_report(const Report& report) { print_part("", report); }

}  // namespace braid::tb
