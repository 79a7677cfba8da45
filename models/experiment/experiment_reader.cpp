#include "models/experiment/experiment_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "routing/base/input_error.h"
#include "routing/base/text_file.h"

namespace braid::models {
namespace {

SourcePosition position(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

std::string quoted(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return one_line(text.str());
}

[[noreturn]] void wrong(const Option& option, const toml::node& node, const SourcePosition& where) {
  throw InputError(where, fmt::format("{} = {}: expected {}", option.key(), quoted(node), option.expected()));
}

OptionValue list_of(const Option& option, const toml::array& items, const SourcePosition& where) {
  std::vector<std::uint32_t> list;
  for (const toml::node& item : items) {
    const auto value = item.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > std::numeric_limits<std::uint32_t>::max()) wrong(option, items, where);
    list.push_back(static_cast<std::uint32_t>(*value));
  }
  return list;
}

OptionValue value_of(const Option& option, const toml::node& node, const SourcePosition& where) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) {
    if (printable(text->get()) == text->get()) return text->get();
    throw InputError(where, fmt::format("{} = {}: expected no control characters", option.key(), quoted(node)));
  }
  if (const auto* items = node.as_array()) return list_of(option, *items, where);
  wrong(option, node, where);
}

void set(Experiment& experiment, const std::string& key, const toml::node& node, const SourcePosition& at_key,
         const SourcePosition& where, const std::string& folder) {
  const Option option = Experiment::declared(key, at_key);
  OptionValue value = value_of(option, node, where);
  if (auto* name = std::get_if<std::string>(&value); name != nullptr && option.is_file && !name->empty()) {
    *name = (std::filesystem::path(folder) / *name).lexically_normal().string();
  }
  experiment.add(key, value, where);
}

void read_keys(Experiment& experiment, const std::string& file, const std::string& folder, const std::string& section,
               const toml::table& keys) {
  for (const auto& [key, value] : keys) {
    set(experiment, section + "." + std::string(key.str()), value, position(file, key.source()),
        position(file, value.source()), folder);
  }
}

/// [[traffic]]: the first stands where [traffic] would.
void read_classes(Experiment& experiment, const std::string& file, const std::string& folder,
                  const toml::array& classes) {
  experiment.open("traffic", position(file, classes.front().source()));
  read_keys(experiment, file, folder, "traffic", *classes.front().as_table());
  for (std::size_t i = 1; i < classes.size(); ++i) {
    Experiment one;
    read_keys(one, file, folder, "traffic", *classes[i].as_table());
    experiment.take("traffic", experiment.repeat("traffic", position(file, classes[i].source())), one);
  }
}

void read_section(Experiment& experiment, const std::string& file, const std::string& folder,
                  const std::string& section, const toml::key& section_key, const toml::node& node) {
  const SourcePosition at_section = position(file, section_key.source());
  std::vector<std::string> sections;
  for_each_declared(experiment_options(),
                    [&](const Option& option, const std::string&) { sections.push_back(option.section); });
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    (void)Experiment::declared(section + ".", at_section);
  }
  const toml::array* several = section == "traffic" ? node.as_array() : nullptr;
  if (several != nullptr && several->is_array_of_tables()) {
    read_classes(experiment, file, folder, *several);
    return;
  }
  if (!node.is_table())
    throw InputError(at_section, "\"" + section + "\" must be a section: expected [" + section + "]");
  experiment.open(section, at_section);
  read_keys(experiment, file, folder, section, *node.as_table());
}

/// ".1" and "1." are numbers to people, not to TOML. Throws InputError.
void check_number(const std::string& key, const std::string& text, const SourcePosition& where) {
  if (text.find('.') == std::string::npos) return;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return;
  if (std::holds_alternative<std::string>(Experiment::declared(key, where).initial)) return;
  throw InputError(where, fmt::format("{} = {}: TOML wants a digit on both sides of the point: expected {}", key, text,
                                      to_text(value)));
}

/// Of which class of traffic a setting is: "traffic.NAME.key"; NAME is taken out of the key.
std::size_t class_of(const Experiment& experiment, std::string& key, const SourcePosition& where) {
  if (key.compare(0, 8, "traffic.") != 0) return 0;
  const std::size_t dot = key.find('.', 8);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < experiment.classes(); ++i) {
    names.push_back(experiment.of_class(i).get<std::string>("traffic.name"));
  }
  if (dot == std::string::npos) {
    if (names.size() == 1) return 0;
    throw InputError(where, fmt::format("{} classes of traffic: expected traffic.NAME.{}, NAME one of: {}",
                                        names.size(), key.substr(8), fmt::join(names, ", ")));
  }
  const std::string name = key.substr(8, dot - 8);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(where, unknown_name("class of traffic", name, names));
  key.erase(8, dot - 7);
  return static_cast<std::size_t>(found - names.begin());
}

/// Returns the class of traffic and the key.
std::pair<std::size_t, std::string> apply_setting(Experiment& experiment, const std::string& setting,
                                                  const std::string& folder) {
  const SourcePosition where{"--set " + one_line(setting), 0, 0};
  const std::size_t equals = setting.find('='), dot = setting.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw InputError(where, "expected section.key=value");
  }
  if (printable(setting) != setting) throw InputError(where, "expected one line without control characters");
  const std::string text = setting.substr(equals + 1);
  check_toml_depth(text, where.file);
  std::string key = setting.substr(0, equals);
  const std::size_t number = class_of(experiment, key, where);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
  } catch (const toml::parse_error&) {
    check_number(key, text, where);
    parsed.insert_or_assign("value", text);  // a word without quotes
  }
  if (number == 0) {
    set(experiment, key, *parsed.get("value"), where, where, folder);
  } else {
    Experiment one = experiment.of_class(number);
    set(one, key, *parsed.get("value"), where, where, folder);
    experiment.take("traffic", number, one);
  }
  return {number, key};
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& file, const std::vector<std::string>& settings,
                            Senders senders) {
  Experiment experiment;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  check_toml_depth(text, file);
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw InputError(position(file, e.source()),
                     "not well-formed TOML: " + one_line(std::string(e.description()), kLongestSentence));
  }
  for (const auto& [key, node] : root) {
    read_section(experiment, file, folder, std::string(key.str()), key, node);
  }
  check_keys(experiment);
  return with_settings(std::move(experiment), file, settings, senders);
}

Experiment with_settings(Experiment experiment, const std::string& file, const std::vector<std::string>& settings,
                         Senders senders) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const Experiment of_file = experiment;
  std::vector<std::set<std::string>> set_after(of_file.classes());
  for (const std::string& setting : settings) {
    const auto [number, key] = apply_setting(experiment, setting, folder);
    set_after[number].insert(key);
  }
  experiment.drop_gone(of_file, set_after.front());  // a policy that a setting replaces takes its keys along
  for (std::size_t i = 1; i < set_after.size(); ++i) {
    Experiment one = experiment.of_class(i);
    one.drop_gone(of_file.of_class(i), set_after[i]);
    experiment.take("traffic", i, one);
  }
  check_experiment(experiment, {file, 0, 0}, senders);
  return experiment;
}

Experiment read_experiment(const std::string& file, const std::vector<std::string>& settings, Senders senders) {
  return parse_experiment(read_text(file, "an experiment"), file, settings, senders);
}

}  // namespace braid::models
