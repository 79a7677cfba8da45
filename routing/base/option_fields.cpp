// The kinds of options, by what their values may be, and the fields of structs that they fill.
#include <algorithm>
#include <cmath>

#include "routing/base/options.h"
#include "routing/base/registry.h"

namespace braid {
namespace {

[[noreturn]] void wrong(const Option& option, const OptionValue& value) {
  throw ValueError(option.key() + " = " + one_line(to_text(value)) + ": expected " + option.expected());
}

/// An option whose values are of type `Type` and good.
template <class Type>
Option option_of(const std::string& expected, const std::function<bool(const Type&)>& good) {
  Option option;
  option.expected = [expected] { return expected; };
  option.accept = [good](const Option& self, const OptionValue& value) -> OptionValue {
    const Type* typed = std::get_if<Type>(&value);
    if (typed == nullptr || !good(*typed)) wrong(self, value);
    return value;
  };
  return option;
}

Option integer_option(std::int64_t least, std::int64_t most) {
  const std::string low = std::to_string(least);
  return option_of<std::int64_t>(
      most == kAnyInteger ? "integer, at least " + low : "integer, " + low + " to " + std::to_string(most),
      [least, most](std::int64_t value) { return value >= least && value <= most; });
}

Option number_option(double least, double most) {
  Option option = option_of<double>(
      std::isinf(most) ? "number, at least " + to_digits(least)
                       : "number, " + to_digits(least) + " to " + to_digits(most),
      [least, most](double value) { return std::isfinite(value) && value >= least && value <= most; });
  option.accept = [real = option.accept](const Option& self, const OptionValue& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return real(self, integer != nullptr ? OptionValue(static_cast<double>(*integer)) : value);
  };
  return option;
}

Option boolean_option() {
  return option_of<bool>("true or false", [](bool) { return true; });
}

Option text_option() {
  return option_of<std::string>("text", [](const std::string&) { return true; });
}

Option list_option() {
  return option_of<std::vector<std::uint32_t>>("list of integers, at least 0",
                                               [](const std::vector<std::uint32_t>&) { return true; });
}

Option name_option(const std::string& axis, const std::function<std::vector<std::string>()>& names) {
  Option option;
  option.expected = [names] {
    std::string all;
    for (const std::string& known : names()) all += (all.empty() ? "one of: " : ", ") + known;
    return all;
  };
  option.accept = [axis, names](const Option& self, const OptionValue& value) -> OptionValue {
    const auto* name = std::get_if<std::string>(&value);
    if (name == nullptr) wrong(self, value);
    const std::vector<std::string> known = names();
    if (std::find(known.begin(), known.end(), *name) == known.end()) throw ValueError(unknown_name(axis, *name, known));
    return value;
  };
  return option;
}

template <class Type>
void store(void* field, const OptionValue& value) {
  *static_cast<Type*>(field) = std::get<Type>(value);
}

OptionBranch branch_of(const Option& option, const std::string& name,
                       const std::shared_ptr<const OptionList>& options) {
  return {option.key() + " = \"" + name + "\"",
          [name](const OptionValue& v, const Configuration&) { return v == OptionValue(name); }, options};
}

}  // namespace

namespace detail {

OptionFields::OptionFields(std::string section) : section_(std::move(section)) {}
OptionFields::OptionFields(const OptionFields& other) = default;
OptionFields::OptionFields(OptionFields&& other) noexcept = default;
OptionFields::~OptionFields() = default;

void OptionFields::later(Option::Later what) { options_.back().later = what; }

void OptionFields::add(const char* name, const char* text, Option option, OptionValue initial, Place place) {
  option.section = section_;
  option.name = name;
  option.text = text;
  option.initial = std::move(initial);
  options_.push_back(std::move(option));
  setters_.push_back({place, {}, {}});
}

void OptionFields::integer(const char* name, std::int64_t initial, std::int64_t least, std::int64_t most,
                           const char* text, Place place) {
  add(name, text, integer_option(least, most), initial, place);
}

void OptionFields::number(const char* name, double initial, double least, double most, const char* text,
                          std::size_t offset) {
  add(name, text, number_option(least, most), initial, {offset, &store<double>});
}

void OptionFields::boolean(const char* name, bool initial, const char* text, std::size_t offset) {
  add(name, text, boolean_option(), initial, {offset, &store<bool>});
}

void OptionFields::text(const char* name, const std::string& initial, const char* text, std::size_t offset) {
  add(name, text, text_option(), initial, {offset, &store<std::string>});
}

void OptionFields::file(const char* name, const std::string& initial, const char* what, std::size_t offset) {
  text(name, initial, what, offset);
  options_.back().expected = [] { return "file name"; };
  options_.back().is_file = true;
}

void OptionFields::integers(const char* name, const std::vector<std::uint32_t>& initial, const char* text,
                            std::size_t offset) {
  add(name, text, list_option(), initial, {offset, &store<std::vector<std::uint32_t>>});
}

void OptionFields::choice(const char* name, std::int64_t initial,
                          std::vector<std::pair<std::string, std::int64_t>> words, const char* text, Place place) {
  std::vector<std::string> names;
  std::string chosen;
  for (const auto& [word, value] : words) {
    names.push_back(word);
    if (value == initial) chosen = word;
  }
  add(name, text, name_option(section_ + "." + name, [names] { return names; }), chosen, place);
  setters_.back().words = std::move(words);
}

void OptionFields::policy(const char* name, const std::string& initial, const Policies& policies,
                          const std::string& none, const char* text, std::size_t offset) {
  const auto names = [none, &policies] {
    std::vector<std::string> all = policies.names();
    if (!none.empty()) all.insert(all.begin(), none);
    return all;
  };
  add(name, text, name_option(policies.axis(), names), initial, {offset, &store<std::string>});
  options_.back().policies = [none, &policies] {
    std::vector<std::pair<std::string, std::string>> all;
    if (!none.empty()) all.emplace_back(none, "no policy");
    for (const auto& [policy, entry] : policies.entries()) all.emplace_back(policy, entry.told());
    return all;
  };
  options_.back().branches = [&policies](const Option& option) {
    std::vector<OptionBranch> branches;
    for (const auto& [policy, entry] : policies.entries()) {
      if (!entry.options->empty()) branches.push_back(branch_of(option, policy, entry.options));
    }
    return branches;
  };
}

void OptionFields::with(const std::string& name, const OptionFields& inner) {
  const Option& last = options_.back();
  grow(
      last.key() + " = \"" + name + "\"",
      [name](const OptionValue& v, const Configuration&) { return v == OptionValue(name); }, inner);
}

void OptionFields::with_it(const OptionFields& inner) {
  const Option& last = options_.back();
  const bool flag = std::holds_alternative<bool>(last.initial);
  grow(
      last.key() + (flag ? " = true" : ""), [](const OptionValue& v, const Configuration&) { return is_set(v); },
      inner);
}

void OptionFields::when(const std::string& condition, const std::function<bool(const Configuration&)>& holds,
                        const OptionFields& inner) {
  grow(condition, [holds](const OptionValue&, const Configuration& c) { return holds(c); }, inner);
}

void OptionFields::grow(const std::string& condition, const Taken& taken, const OptionFields& inner) {
  const auto before = options_.back().branches;
  const OptionBranch more{condition, taken, std::make_shared<OptionList>(inner.list())};
  options_.back().branches = [before, more](const Option& option) {
    std::vector<OptionBranch> all = before ? before(option) : std::vector<OptionBranch>{};
    all.push_back(more);
    return all;
  };
  setters_.back().inner.emplace_back(taken, std::make_shared<OptionFields>(inner));
}

void OptionFields::fill(void* result, const Configuration& configuration) const {
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const OptionValue value = options_[i].value(configuration);
    const Setter& setter = setters_[i];
    void* field = static_cast<char*>(result) + setter.place.offset;
    if (setter.words.empty()) setter.place.store(field, value);
    for (const auto& [word, number] : setter.words) {
      if (word == std::get<std::string>(value)) setter.place.store(field, number);
    }
    for (const auto& [taken, inner] : setter.inner) {
      if (taken(value, configuration)) inner->fill(result, configuration);
    }
  }
}

}  // namespace detail
}  // namespace braid
