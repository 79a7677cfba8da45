#include "models/experiment/experiment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/experiment/keys.h"
#include "routing/base/input_error.h"

namespace braid::models {
namespace {

using models::Experiment;

SourcePosition position(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

std::vector<std::string> key_names(const std::string& section) {
  std::vector<std::string> names;
  for (const Key& key : experiment_keys()) {
    if (key.section == section) names.push_back(key.name);
  }
  return names;
}

const Key& find_key(const SourcePosition& where, const std::string& section, const std::string& name) {
  const std::vector<std::string> sections = section_names();
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    throw InputError(where, unknown_name("section", section, sections));
  }
  for (const Key& key : experiment_keys()) {
    if (key.section == section && key.name == name) return key;
  }
  throw InputError(where, unknown_name("key in [" + section + "]", name, key_names(section)));
}

void set(Experiment& experiment, const Key& key, const toml::node& value, const SourcePosition& where,
         const std::string& folder) {
  try {
    if (key.is_file && value.is_string() && !value.as_string()->get().empty()) {
      const std::filesystem::path path = std::filesystem::path(folder) / value.as_string()->get();
      key.set(experiment, toml::value<std::string>(path.lexically_normal().string()));
    } else {
      key.set(experiment, value);
    }
  } catch (const ValueError& e) {
    throw InputError(where, e.what());
  }
}

void read_section(Experiment& experiment, const std::string& file, const std::string& folder,
                  const std::string& section, const toml::key& section_key, const toml::node& node) {
  const SourcePosition at_section = position(file, section_key.source());
  const std::vector<std::string> sections = section_names();
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    throw InputError(at_section, unknown_name("section", section, sections));
  }
  if (!node.is_table())
    throw InputError(at_section, "\"" + section + "\" must be a section: expected [" + section + "]");
  open_section(experiment, section);
  for (const auto& [key, value] : *node.as_table()) {
    const SourcePosition at_key = position(file, key.source());
    set(experiment, find_key(at_key, section, std::string(key.str())), value, position(file, value.source()), folder);
  }
}

void apply_setting(Experiment& experiment, const std::string& setting, const std::string& folder) {
  const SourcePosition where{"--set " + setting, 0, 0};
  const std::size_t equals = setting.find('='), dot = setting.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw InputError(where, "expected section.key=value");
  }
  const std::string section = setting.substr(0, dot);
  const Key& key = find_key(where, section, setting.substr(dot + 1, equals - dot - 1));
  const std::string text = setting.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + text);
  } catch (const toml::parse_error&) {
    parsed.insert_or_assign("value", text);  // a word without quotes
  }
  open_section(experiment, section);
  set(experiment, key, *parsed.get("value"), where, folder);
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& file,
                            const std::vector<std::string>& settings) {
  Experiment experiment;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    std::string message(e.description());
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw InputError(position(file, e.source()), "not well-formed TOML: " + message);
  }
  for (const auto& [key, node] : root) {
    read_section(experiment, file, folder, std::string(key.str()), key, node);
  }
  for (const std::string& setting : settings) apply_setting(experiment, setting, folder);
  if (!experiment.synthetic && !experiment.stream) {
    throw InputError({file, 0, 0}, "nothing to send: expected a [traffic] or a [stream] section");
  }
  if (experiment.stream && experiment.stream->graph.empty()) {
    throw InputError({file, 0, 0}, "stream.graph is missing: expected the file of a stream graph");
  }
  return experiment;
}

Experiment read_experiment(const std::string& file, const std::vector<std::string>& settings) {
  std::ifstream in(file);
  std::stringstream text;
  if (!in || std::filesystem::is_directory(file))
    throw InputError({file, 0, 0}, "cannot be read: expected an experiment");
  text << in.rdbuf();
  return parse_experiment(text.str(), file, settings);
}

}  // namespace braid::models
