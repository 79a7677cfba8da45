#include "routing/base/options.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "routing/base/registrations.h"
#include "routing/base/registry.h"

namespace braid {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = ", ") {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

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

}  // namespace

Branches::Branches() = default;
Branches::Branches(const Branches& other) : make_(other.make_) {}
Branches::Branches(Branches&& other) noexcept = default;
Branches& Branches::operator=(Branches other) noexcept {
  std::swap(make_, other.make_);
  std::swap(made_, other.made_);
  std::swap(made_after_, other.made_after_);
  return *this;
}
Branches::~Branches() = default;

const std::vector<OptionBranch>& Branches::operator()(const Option& option) const {
  static std::recursive_mutex making;  // experiments may be read in several threads; branches may be made of others
  const std::lock_guard<std::recursive_mutex> lock(making);
  if (const std::uint64_t now = Registrations::instance().count(); made_after_ != now) {
    made_ = make_(option);
    made_after_ = now;
  }
  return made_;
}

Option::Option() = default;
Option::Option(const Option& other) = default;
Option::Option(Option&& other) noexcept = default;
Option& Option::operator=(const Option& other) = default;
Option& Option::operator=(Option&& other) noexcept = default;
Option::~Option() = default;

bool Option::is(const std::string& key) const {
  return key.size() == section.size() + 1 + name.size() && key[section.size()] == '.' &&
         key.compare(0, section.size(), section) == 0 && key.compare(section.size() + 1, name.size(), name) == 0;
}

OptionValue Option::value(const Configuration& configuration) const {
  const Configuration::Given* given = configuration.find(key());
  if (given == nullptr) return initial;
  try {
    return accept(*this, given->value);
  } catch (const ValueError& e) {
    throw InputError(given->where, e.what());
  }
}

void for_each_option(const OptionList& roots, const Configuration& configuration,
                     const std::function<void(const Option&, const OptionValue&)>& visit) {
  for (const Option& option : roots) {
    const OptionValue value = option.value(configuration);
    visit(option, value);
    if (!option.branches) continue;
    for (const OptionBranch& branch : option.branches(option)) {
      if (branch.taken(value, configuration)) for_each_option(*branch.options, configuration, visit);
    }
  }
}

namespace {

void walk_declared(const OptionList& options, const std::string& condition,
                   const std::function<void(const Option&, const std::string&)>& visit) {
  for (const Option& option : options) {
    visit(option, condition);
    if (!option.branches) continue;
    for (const OptionBranch& branch : option.branches(option)) walk_declared(*branch.options, branch.condition, visit);
  }
}

/// The first option of that key under any configuration. Null: there is none.
const Option* find_declared(const OptionList& options, const std::string& key) {
  for (const Option& option : options) {
    if (option.is(key)) return &option;
    if (!option.branches) continue;
    for (const OptionBranch& branch : option.branches(option)) {
      if (const Option* found = find_declared(*branch.options, key); found != nullptr) return found;
    }
  }
  return nullptr;
}

/// The first condition of each way to the key that does not hold. A value that would lead to the very condition that
/// the present one leads to is no other way.
void find_unmet(const OptionList& options, const Configuration& configuration, const std::string& key,
                std::vector<std::string>& conditions) {
  for (const Option& option : options) {
    if (!option.branches) continue;
    const OptionValue value = option.value(configuration);
    const std::vector<OptionBranch>& branches = option.branches(option);
    std::vector<std::string> taken;
    for (const OptionBranch& branch : branches) {
      if (branch.taken(value, configuration)) find_unmet(*branch.options, configuration, key, taken);
    }
    for (const OptionBranch& branch : branches) {
      if (branch.taken(value, configuration) || find_declared(*branch.options, key) == nullptr) continue;
      std::vector<std::string> behind;
      find_unmet(*branch.options, configuration, key, behind);
      if (behind.empty() || behind != taken) conditions.push_back(branch.condition);
    }
    conditions.insert(conditions.end(), taken.begin(), taken.end());
  }
}

std::vector<std::string> sorted(const std::set<std::string>& words) { return {words.begin(), words.end()}; }

/// What is wrong with a key that nothing declares.
std::string unknown_key(const OptionList& roots, const std::string& key) {
  const std::size_t dot = key.find('.');
  const std::string section = key.substr(0, dot);
  std::set<std::string> names, sections;
  for_each_declared(roots, [&](const Option& option, const std::string&) {
    if (option.section == section) names.insert(option.name);
    sections.insert(option.section);
  });
  if (names.empty()) return unknown_name("section", section, sorted(sections));
  return unknown_name("key in [" + section + "]", dot == std::string::npos ? "" : key.substr(dot + 1), sorted(names));
}

/// Why a key that is given does not exist under the configuration.
std::string complaint(const OptionList& roots, const Configuration& configuration, const std::string& key) {
  std::vector<std::string> conditions;
  find_unmet(roots, configuration, key, conditions);
  if (conditions.empty()) return unknown_key(roots, key);
  std::string has;  // the value of the key that the first condition is about
  const std::string other = conditions.front().substr(0, conditions.front().find(' '));
  for_each_option(roots, configuration, [&](const Option& option, const OptionValue& value) {
    if (option.is(other)) has = "; this experiment has " + one_line(to_text(value));
  });
  return key + " belongs to " + any_of(conditions) + has;
}

}  // namespace

std::set<std::string> existing_keys(const OptionList& roots, const Configuration& configuration) {
  std::set<std::string> keys;
  for (const Option& option : roots) {
    keys.insert(option.key());
    if (!option.branches) continue;
    const Configuration::Given* given = configuration.find(option.key());
    for (const OptionBranch& branch : option.branches(option)) {
      if (!branch.taken(given != nullptr ? given->value : option.initial, configuration)) continue;
      keys.merge(existing_keys(*branch.options, configuration));
    }
  }
  return keys;
}

std::string any_of(const std::vector<std::string>& conditions) {
  std::vector<std::pair<std::string, std::string>> keys;  // `routing.algorithm = ` or `traffic.patterns with `, values
  for (const std::string& condition : conditions) {
    const std::string key = condition.substr(0, condition.find('"'));
    const auto same = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == key; });
    if (same == keys.end()) {
      keys.emplace_back(key, condition.substr(key.size()));
    } else {
      same->second += ", " + condition.substr(key.size());
    }
  }
  std::vector<std::string> words;
  for (const auto& [key, values] : keys) words.push_back(key + values);
  return joined(words, " or ");
}

void for_each_declared(const OptionList& roots, const std::function<void(const Option&, const std::string&)>& visit) {
  walk_declared(roots, "", visit);
}

Option declared_option(const OptionList& roots, const std::string& key, const SourcePosition& where) {
  const Option* found = find_declared(roots, key);
  if (found == nullptr) throw InputError(where, unknown_key(roots, key));
  return *found;
}

void check_given(const OptionList& roots, const Configuration& configuration) {
  std::set<std::string> exist;
  for_each_option(roots, configuration, [&](const Option& option, const OptionValue&) { exist.insert(option.key()); });
  const SourcePosition* first = nullptr;
  std::string key;
  for (const auto& [name, given] : configuration.given()) {
    if (exist.count(name) != 0) continue;
    const auto place = [](const SourcePosition& p) { return std::tuple(p.line, p.column); };
    if (first != nullptr && place(*first) <= place(given.where)) continue;
    first = &given.where;
    key = name;
  }
  if (first != nullptr) throw InputError(*first, complaint(roots, configuration, key));
}

namespace {

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
  option.expected = [names] { return "one of: " + joined(names()); };
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
