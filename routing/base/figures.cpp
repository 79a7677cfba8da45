#include "routing/base/figures.h"

#include <algorithm>

namespace braid {

const Reported& Report::find(const std::string& name) const {
  const std::size_t dot = name.find('.');
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const Reported& r) { return r.declared->name == name.substr(0, dot); });
  if (found == figures.end()) throw std::out_of_range("no figure " + name);
  return dot == std::string::npos ? *found : std::get<Report>(found->value).find(name.substr(dot + 1));
}

namespace detail {

void add_conditional(FigureList& all, const FigureList& figures, const std::string& condition) {
  for (const auto& figure : figures) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& f) {
      return f->name == figure->name && f->meaning == figure->meaning;
    });
    Figure with = same == all.end() ? *figure : **same;
    with.conditions.push_back(condition);
    if (same == all.end()) {
      all.push_back(std::make_shared<Figure>(with));
    } else {
      *same = std::make_shared<Figure>(with);
    }
  }
}

}  // namespace detail

Report rates(const Report& before, const Report& after, std::uint64_t cycles) {
  Report all = after;
  for (std::size_t i = 0; i < all.figures.size(); ++i) {
    const auto* count = std::get_if<RawCount>(&after.figures[i].value);
    if (count == nullptr) continue;
    const double growth = count->mean() - std::get<RawCount>(before.figures[i].value).mean();
    all.figures[i].value = growth / static_cast<double>(cycles);
  }
  return all;
}

Report added_up(const std::vector<Report>& all) {
  Report sum;
  for (const Report& one : all) {
    if (sum.empty()) {
      sum = one;
      continue;
    }
    for (std::size_t i = 0; i < one.figures.size(); ++i) {
      FigureValue& to = sum.figures[i].value;
      const FigureValue& from = one.figures[i].value;
      if (auto* raw = std::get_if<RawCount>(&to)) {
        raw->events += std::get<RawCount>(from).events;
        raw->counters += std::get<RawCount>(from).counters;
      } else if (auto* count = std::get_if<std::uint64_t>(&to)) {
        *count += std::get<std::uint64_t>(from);
      } else {
        throw std::logic_error(one.figures[i].declared->name + ": only counts can be added up over ports");
      }
    }
  }
  return sum;
}

}  // namespace braid
