#include "tb/braid/print_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tb/braid/layout.h"

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
    if (std::isinf(e->half_width_95)) return number_text(e->mean, 6) + " (interval not reliable)";
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
    if (text->empty()) continue;  // a word that there is no reason for
    all += (all.empty() ? "" : ", ") + figure.declared->name + " " + *text;
  }
  return all;
}

/// The same in pieces that a line may end after: of a text its words.
std::vector<std::string> pieces(const FigureValue& value, const std::string& text) {
  if (std::holds_alternative<std::string>(value)) return words_of(text);
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(", "); comma != std::string::npos; comma = text.find(", ", begin)) {
    all.push_back(text.substr(begin, comma + 1 - begin));
    begin = comma + 2;
  }
  all.push_back(text.substr(begin));
  return all;
}

void print_line(const Reported& reported, const std::string& text, bool saturated) {
  const Figure& figure = *reported.declared;
  std::vector<std::string> words = pieces(reported.value, text);
  if (!figure.unit.empty()) words.push_back(figure.unit);
  if (saturated && figure.of_delivered) words.emplace_back("(of those delivered)");
  fmt::print("{}\n", wrapped(fmt::format("  {:<36} ", figure.name), words, 39));
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
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  }
  for (auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c].append(widths[c] + 1 - columns_of(row[c]), ' ');  // and a blank more than parts words
    }
    fmt::print("{}\n", wrapped("  ", row, 6));
  }
}

void print_part(const std::string& title, const Report& part, bool saturated);

/// Do all of them fit a row?
bool flat(const std::vector<Report>& all) {
  return std::all_of(all.begin(), all.end(), [](const Report& one) {
    return std::none_of(one.figures.begin(), one.figures.end(),
                        [](const Reported& r) { return std::holds_alternative<Report>(r.value); });
  });
}

void print_several(const std::string& title, const std::vector<Report>& all, bool saturated) {
  if (all.empty()) return;
  if (flat(all)) {
    fmt::print("\n{}\n", title);
    print_rows(all);
    return;
  }
  for (const Report& one : all) {
    const std::string name = one.get<std::string>("name");
    print_part(title == "classes" ? name : title + ": " + name, one, saturated);
  }
}

void print_part(const std::string& title, const Report& part, bool saturated) {
  if (!title.empty()) fmt::print("\n{}\n", title);
  for (const Reported& figure : part.figures) {
    if (!title.empty() && figure.declared->name == "name") continue;
    if (const auto text = short_text(figure.value)) print_line(figure, *text, saturated);
    if (const auto* inner = std::get_if<Report>(&figure.value); inner != nullptr && !title.empty()) {
      if (const auto text = short_text(*inner)) print_line(figure, *text, saturated);
    }
  }
  for (const Reported& figure : part.figures) {
    if (figure.declared->only_in_json) continue;
    const auto* inner = std::get_if<Report>(&figure.value);
    if (inner != nullptr && (title.empty() || !short_text(*inner)))
      print_part(figure.declared->name, *inner, saturated);
    if (const auto* all = std::get_if<std::vector<Report>>(&figure.value))
      print_several(figure.declared->name, *all, saturated);
  }
}

}  // namespace

void print_report(const Report& report, bool saturated) { print_part("", report, saturated); }

}  // namespace braid::tb
