#include "models/experiment/experiment_schema.h"

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/experiment/experiment.h"
#include "models/workload/workload.h"

namespace braid::models {
namespace {

namespace json = boost::json;

json::value value_json(const OptionValue& value) {
  return std::visit([](const auto& v) -> json::value { return json::value_from(v); }, value);
}

json::object text_schema() { return {{"type", "string"}, {"pattern", "^[^\\u0000-\\u001f\\u007f]*$"}}; }

/// "integer, 1 to 16" or "number, at least 0".
json::object range_schema(const std::string& expected) {
  static const std::regex words(R"((integer|number), (at least )?(\S+)( to (\S+))?)");
  std::smatch match;
  if (!std::regex_match(expected, match, words)) throw std::logic_error("no range: " + expected);
  const auto bound = [&](const std::string& digits) -> json::value {
    if (match[1] == "number") return std::stod(digits);
    return static_cast<std::int64_t>(std::stoll(digits));
  };
  json::object schema{{"type", json::string(match[1].str())}, {"minimum", bound(match[3])}};
  if (match[5].matched) schema["maximum"] = bound(match[5]);
  return schema;
}

/// Experiments whose section has such a value under that name. Where there is none, `absent` decides: the default's.
json::object with_value(const std::string& section, const std::string& name, const json::object& value, bool absent) {
  json::object inside{{"properties", json::object{{name, value}}}};
  if (!absent) inside["required"] = json::array{json::string(name)};
  json::object all{{"properties", json::object{{section, inside}}}};
  if (!absent) all["required"] = json::array{json::string(section)};
  return all;
}

/// The default of a key, as it is first declared.
OptionValue default_of(const std::string& key) { return Experiment::declared(key, {}).initial; }

json::object any_schema(json::array schemas) {
  if (schemas.size() == 1) return schemas.front().as_object();
  return {{"anyOf", std::move(schemas)}};
}

/// One condition without "or" in it.
std::optional<json::object> single_condition(const std::string& condition) {
  static const std::regex section(R"(a section \[(\w+)\])");
  static const std::regex key(R"((\w+)\.(\w+)( (=|!=|with|ending in) ("[^"]*"|true))?)");
  std::smatch match;
  if (std::regex_match(condition, match, section)) {
    return json::object{{"required", json::array{json::string(match[1].str())}}};
  }
  if (!std::regex_match(condition, match, key)) return std::nullopt;
  const std::string name = match[2], relation = match[4], operand = match[5];
  const OptionValue initial = default_of(match[1].str() + "." + name);
  if (relation.empty()) {
    const json::array unset{"", 0, false, json::array{}};
    const bool given = std::find(unset.begin(), unset.end(), value_json(initial)) == unset.end();
    return with_value(match[1], name, {{"not", json::object{{"enum", unset}}}}, given);
  }
  const json::value value = json::parse(operand);
  const bool same = value == value_json(initial);
  if (relation == "=") return with_value(match[1], name, {{"const", value}}, same);
  if (relation == "!=") return with_value(match[1], name, {{"not", json::object{{"const", value}}}}, !same);
  const std::string text(value.as_string());
  const std::string escaped = std::regex_replace(text, std::regex(R"([.*+?^${}()|\[\]\\])"), R"(\$&)");
  const std::string pattern = relation == "with" ? "(^|[^\\w])" + escaped + "([^\\w]|$)" : escaped + "$";
  return with_value(match[1], name, {{"pattern", json::string(pattern)}}, false);
}

/// One declaration of a key, and the conditions on the way to it.
struct Declaration {
  Option option;
  std::vector<std::string> conditions;
};

void collect(const OptionList& options, const std::vector<std::string>& way, std::vector<Declaration>& all) {
  for (const Option& option : options) {
    all.push_back({option, way});
    if (!option.branches) continue;
    for (const OptionBranch& branch : option.branches(option)) {
      std::vector<std::string> further = way;
      further.push_back(branch.condition);
      collect(*branch.options, further, all);
    }
  }
}

/// Experiments in which this declaration of the key is there; empty: all.
json::array all_conditions(const Declaration& declaration) {
  json::array all;
  for (const std::string& condition : declaration.conditions) {
    if (auto schema = condition_schema(condition)) all.push_back(std::move(*schema));
  }
  return all;
}

/// What editors show of a key. taplo, the language server of TOML, reads what is said of each value under "x-taplo".
void describe(json::object& schema, const Option& option) {
  schema["description"] = option.text;
  schema["default"] = value_json(option.initial);
  if (!option.policies) return;
  json::array texts;
  const auto policies = option.policies();
  for (const json::value& name : schema["enum"].as_array()) {
    const auto same = [&](const auto& policy) { return json::string(policy.first) == name.as_string(); };
    const auto found = std::find_if(policies.begin(), policies.end(), same);
    texts.push_back(found == policies.end() ? json::value(nullptr) : json::value(json::string(found->second)));
  }
  schema["x-taplo"] = json::object{{"docs", json::object{{"enumValues", texts}}}};
}

/// All that is said of one key: its values wherever it exists, and where it exists.
class Key {
 public:
  explicit Key(std::vector<Declaration> declarations) : declarations_(std::move(declarations)) {}

  json::object properties() const {
    json::array schemas;
    for (const Declaration& declaration : declarations_) {
      json::object values = value_schema(declaration.option);
      if (std::find(schemas.begin(), schemas.end(), values) == schemas.end()) schemas.push_back(std::move(values));
    }
    json::object schema = any_schema(std::move(schemas));
    describe(schema, declarations_.front().option);
    return schema;
  }

  /// Experiments in which the key may have the value that it has; empty: all.
  json::object rule() const {
    const Option& first = declarations_.front().option;
    json::array ways;
    for (const Declaration& declaration : declarations_) {
      json::array all = all_conditions(declaration);
      const json::object values = value_schema(declaration.option);
      if (all.empty() && values == value_schema(first)) return {};
      if (many_values()) all.push_back(with_value(first.section, first.name, values, false));
      json::object way{{"allOf", std::move(all)}};
      if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(std::move(way));
    }
    return any_schema(std::move(ways));
  }

 private:
  bool many_values() const {
    const json::object first = value_schema(declarations_.front().option);
    return std::any_of(declarations_.begin(), declarations_.end(),
                       [&](const Declaration& d) { return value_schema(d.option) != first; });
  }

  std::vector<Declaration> declarations_;
};

/// Sections in the order of declaration, each with its keys.
using Sections = std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::vector<Declaration>>>>>;

template <class List>
auto& entry(List& list, const std::string& name) {
  const auto same = [&](const auto& e) { return e.first == name; };
  auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end()) found = list.insert(list.end(), {name, {}});
  return found->second;
}

Sections declared_sections() {
  std::vector<Declaration> all;
  collect(experiment_options(), {}, all);
  Sections sections;
  for (Declaration& declaration : all) {
    const Option option = declaration.option;
    entry(entry(sections, option.section), option.name).push_back(std::move(declaration));
  }
  return sections;
}

/// If one of these keys is given, the rule holds. Of a section that is there several times (an array) it is not asked:
/// each of them is a table, and an array has no keys.
json::object guarded(const std::string& section, const json::array& names, const json::object& rule) {
  json::array given;
  for (const json::value& name : names) given.push_back(json::object{{"required", json::array{name}}});
  json::object table = any_schema(given);
  table["type"] = "object";
  const json::object inside{{section, table}};
  return {{"if", json::object{{"required", json::array{json::string(section)}}, {"properties", inside}}},
          {"then", rule}};
}

}  // namespace

std::vector<std::string> names_of(const Option& option) {
  static const std::regex name(R"([^\s,:]+)");
  const std::string expected = option.expected(), begin = "one of: ";
  if (expected.rfind(begin, 0) != 0) return {};
  const std::string list = expected.substr(begin.size());
  std::vector<std::string> names;
  for (std::sregex_iterator i(list.begin(), list.end(), name), end; i != end; ++i) names.push_back(i->str());
  return names;
}

json::object value_schema(const Option& option) {
  const std::string expected = option.expected();
  if (const std::vector<std::string> names = names_of(option); !names.empty())
    return {{"enum", json::value_from(names)}};
  if (expected == "true or false") return {{"type", "boolean"}};
  if (expected == "text" || expected == "file name") return text_schema();
  if (expected == "list of integers, at least 0") {
    const json::object item{{"type", "integer"}, {"minimum", 0}, {"maximum", 4294967295}};
    return {{"type", "array"}, {"items", item}};
  }
  return range_schema(expected);
}

std::optional<json::object> condition_schema(const std::string& condition) {
  static const std::regex between(" or ");
  json::array ways;
  for (std::sregex_token_iterator i(condition.begin(), condition.end(), between, -1), end; i != end; ++i) {
    auto way = single_condition(i->str());
    if (!way) return std::nullopt;
    ways.push_back(std::move(*way));
  }
  return any_schema(std::move(ways));
}

json::object experiment_schema() {
  json::object properties;
  json::array rules;
  for (const auto& [section, keys] : declared_sections()) {
    json::object names;
    std::vector<std::pair<json::object, json::array>> by_rule;  // keys that exist in the same experiments
    for (const auto& [name, declarations] : keys) {
      const Key key(declarations);
      names[name] = key.properties();
      json::object rule = key.rule();
      if (rule.empty()) continue;
      const auto same = std::find_if(by_rule.begin(), by_rule.end(), [&](const auto& r) { return r.first == rule; });
      auto& of_rule = same != by_rule.end() ? *same : by_rule.emplace_back(std::move(rule), json::array{});
      of_rule.second.push_back(json::string(name));
    }
    json::object one{{"type", "object"}, {"additionalProperties", false}, {"properties", names}};
    if (section == "traffic") {  // or several, as [[traffic]]
      const json::object several{{"type", "array"}, {"minItems", 1}, {"items", one}};
      properties[section] = json::object{{"anyOf", json::array{std::move(one), several}}};
    } else {
      properties[section] = std::move(one);
    }
    for (const auto& [rule, of_rule] : by_rule) rules.push_back(guarded(section, of_rule, rule));
  }
  json::array workloads;
  for (const std::string& name : WorkloadRegistry::instance().names()) {
    workloads.push_back(json::object{{"required", json::array{json::string(name)}}});
  }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "Experiment of Braid"},
          {"description", "Made by `braid schema` of what the program declares."},
          {"type", "object"},
          {"additionalProperties", false},
          {"properties", properties},
          {"anyOf", workloads},
          {"allOf", rules}};
}

}  // namespace braid::models
