// Which keys exist under a configuration, and what is wrong with one that does not.
#include <algorithm>
#include <tuple>

#include "routing/base/options.h"

namespace braid {
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
  std::string all;
  for (const auto& [key, values] : keys) all += (all.empty() ? "" : " or ") + key + values;
  return all;
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

}  // namespace braid
