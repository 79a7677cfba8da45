#include "routing/base/figures.h"

#include <algorithm>

#include "routing/base/registry.h"

namespace braid {

Report::Report() = default;
Report::Report(const Report& other) = default;
Report::Report(Report&& other) noexcept = default;
Report& Report::operator=(const Report& other) = default;
Report& Report::operator=(Report&& other) noexcept = default;
Report::~Report() = default;

bool Report::empty() const { return figures.empty(); }

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

void FigureSlot::set(bool given) { value = given; }
void FigureSlot::set(std::uint64_t given) { value = given; }
void FigureSlot::set(double given) { value = given; }
void FigureSlot::set(const std::string& given) { value = given; }
void FigureSlot::set(const Estimate& given) { value = given; }
void FigureSlot::set(const RawCount& given) { value = given; }
void FigureSlot::set(const std::vector<std::string>& given) { value = given; }
void FigureSlot::set(const std::vector<std::uint64_t>& given) { value = given; }
void FigureSlot::set(const std::vector<double>& given) { value = given; }
void FigureSlot::set(Report given) { value = std::move(given); }
void FigureSlot::set(std::vector<Report> given) { value = std::move(given); }

void FigureSlot::pick(const Report& report, const std::string& name) {
  for (const Reported& reported : report.figures) {
    if (reported.declared->name == name) {
      value = reported.value;
      return;
    }
  }
}

void FigureSlot::put_if_any(const Report& report) {
  if (!report.empty()) value = report;
}

FigureFields::FigureFields() = default;
FigureFields::FigureFields(const FigureFields& other) = default;
FigureFields::FigureFields(FigureFields&& other) noexcept = default;
FigureFields::~FigureFields() = default;

std::shared_ptr<const FigureFields> FigureFields::shared() const { return std::make_shared<const FigureFields>(*this); }

void FigureFields::append(Figure figure, FigureGetter getter) {
  list_.push_back(std::make_shared<Figure>(std::move(figure)));
  getters_.push_back(std::move(getter));
}

void FigureFields::add(std::string_view name, std::string_view unit, std::string_view meaning,
                       void (*kind)(FigureSlot&), bool optional, FigureGetter getter) {
  FigureSlot slot;
  kind(slot);
  Figure figure{std::string(name), std::string(unit), std::string(meaning), std::move(*slot.value)};
  figure.optional = optional;
  if (getter.part != nullptr) figure.parts = [list = getter.part->list()] { return list; };
  append(std::move(figure), std::move(getter));
}

void FigureFields::policy(std::string_view name, std::string_view unit, std::string_view meaning,
                          const std::string& key, const Policies& policies, FigureGetter getter) {
  Figure figure{std::string(name), std::string(unit), std::string(meaning), Report{}};
  figure.optional = true;
  figure.parts = [key, &policies] {
    FigureList all;
    for (const auto& [policy, entry] : policies.entries()) {
      add_conditional(all, entry.figures, key + " = \"" + policy + "\"");
    }
    return all;
  };
  append(std::move(figure), std::move(getter));
}

void FigureFields::reported(std::string_view name, std::string_view unit, std::string_view meaning,
                            const FigureList& parts, const std::string& condition, FigureGetter getter) {
  Figure figure{std::string(name), std::string(unit), std::string(meaning), Report{}};
  figure.optional = true;
  figure.conditions = {condition};
  figure.parts = [parts] { return parts; };
  append(std::move(figure), std::move(getter));
}

void FigureFields::among(const FigureList& figures, const std::string& condition, const FigureGetter& getter) {
  FigureList own;
  add_conditional(own, figures, condition);
  for (const auto& figure : own) {
    append(*figure, getter);
    getters_.back().name = figure->name;
  }
}

void FigureFields::only_in_json() {
  auto last = std::make_shared<Figure>(*list_.back());
  last->only_in_json = true;
  list_.back() = last;
}

void FigureFields::of_delivered() {
  auto last = std::make_shared<Figure>(*list_.back());
  last->of_delivered = true;
  list_.back() = last;
}

void FigureFields::exists_with(const std::string& condition) {
  auto last = std::make_shared<Figure>(*list_.back());
  last->conditions = {condition};
  list_.back() = last;
}

Report FigureFields::of(const void* one) const {
  Report report;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    FigureSlot slot;
    getters_[i].take(getters_[i], one, slot);
    if (slot.value) report.figures.push_back({list_[i], std::move(*slot.value)});
  }
  return report;
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
