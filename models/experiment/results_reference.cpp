// What results can hold, made of what is declared: the JSON schema, and the reference for people.
#include <fmt/format.h>

#include "models/experiment/results_json.h"

namespace braid::models {
namespace {

namespace json = boost::json;

json::object object_schema(const FigureList& figures);

/// A number, or null where there was no sample.
json::object number_schema() { return {{"type", json::array{"number", "null"}}}; }

/// The schema of a figure's values. Counts that a run turns into rates are numbers.
json::object schema_of(const Figure& figure) {
  return std::visit(
      [&](const auto& kind) -> json::object {
        using V = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<V, bool>) return {{"type", "boolean"}};
        if constexpr (std::is_same_v<V, std::uint64_t>) return {{"$ref", "#/$defs/count"}};
        if constexpr (std::is_same_v<V, double>) return number_schema();
        if constexpr (std::is_same_v<V, RawCount>) return {{"type", "number"}};
        if constexpr (std::is_same_v<V, std::string>) return {{"type", "string"}};
        if constexpr (std::is_same_v<V, Estimate>) return {{"$ref", "#/$defs/estimate"}};
        if constexpr (std::is_same_v<V, std::vector<std::uint64_t>>) {
          return {{"type", "array"}, {"items", json::object{{"$ref", "#/$defs/count"}}}};
        }
        if constexpr (std::is_same_v<V, std::vector<std::string>>) {
          return {{"type", "array"}, {"items", json::object{{"type", "string"}}}};
        }
        if constexpr (std::is_same_v<V, std::vector<double>>) {
          return {{"type", "array"}, {"items", json::object{{"type", "number"}}}};
        }
        if constexpr (std::is_same_v<V, Report>) return object_schema(figure.parts());
        return {{"type", "array"}, {"items", object_schema(figure.parts())}};
      },
      figure.kind);
}

std::string meaning_of(const Figure& figure) {
  return figure.meaning + (figure.of_delivered ? "; of a saturated run of the packets delivered only" : "");
}

std::string description(const Figure& figure) {
  std::string text = meaning_of(figure);
  if (!figure.unit.empty()) text += " (" + figure.unit + ")";
  if (!figure.conditions.empty()) text += "; with " + any_of(figure.conditions);
  return text;
}

json::object object_schema(const FigureList& figures) {
  json::object properties;
  json::array required;
  for (const auto& figure : figures) {
    json::object schema = schema_of(*figure);
    schema["description"] = description(*figure);
    if (!figure->unit.empty()) schema["unit"] = figure->unit;
    properties[figure->name] = schema;
    if (!figure->optional && figure->conditions.empty()) required.push_back(json::string(figure->name));
  }
  return {{"type", "object"}, {"required", required}, {"additionalProperties", false}, {"properties", properties}};
}

/// What `--plugin` has loaded, with the policies that each file brought.
json::object plugins_schema() {
  const json::object text{{"type", "string"}};
  const auto object = [](const json::object& properties) {
    json::array required;
    for (const auto& [name, property] : properties) required.push_back(json::string(name));
    return json::object{
        {"type", "object"}, {"required", required}, {"additionalProperties", false}, {"properties", properties}};
  };
  const json::object policy = object({{"axis", text}, {"name", text}});
  return {{"type", "array"},
          {"description", "Plugins (--plugin) in the order of loading, each with the policies that it brought."},
          {"items", object({{"file", text}, {"policies", json::object{{"type", "array"}, {"items", policy}}}})}};
}

/// `classes[].packet_latency_cycles | cycles | … |`, and its parts below it.
void add_rows(std::string& text, const FigureList& figures, const std::string& before) {
  for (const auto& figure : figures) {
    const bool several = std::holds_alternative<std::vector<Report>>(figure->kind);
    const std::string name = before + figure->name + (several ? "[]" : "");
    std::string meaning = meaning_of(*figure);
    if (std::holds_alternative<Estimate>(figure->kind)) meaning += "; `mean` and `half_width_95`";
    if (std::holds_alternative<std::vector<double>>(figure->kind)) meaning += "; a list";
    if (std::holds_alternative<std::vector<std::uint64_t>>(figure->kind)) meaning += "; a list";
    const bool some = figure->optional && figure->conditions.empty();
    text += fmt::format("| `{}` | {} | {} | {} |\n", name, figure->unit,
                        some ? "some runs" : any_of(figure->conditions), meaning);
    if (figure->parts) add_rows(text, figure->parts(), name + ".");
  }
}

}  // namespace

json::object results_schema() {
  const json::object section{{"type", "object"}}, sections{{"type", "array"}, {"items", section}};
  const json::object one_or_several{{"anyOf", json::array{section, sections}}};  // classes of traffic
  json::object schema = object_schema(result_figures().list());
  json::object properties{{"program", json::object{{"const", "braid"}}},
                          {"version", json::object{{"type", "string"}}},
                          {"schema", json::object{{"const", kResultsSchema}}},
                          {"configuration", json::object{{"type", "object"},
                                                         {"description",
                                                          "The resolved experiment: section, key, value "
                                                          "(docs/configuration.md)."},
                                                         {"additionalProperties", one_or_several}}},
                          {"seed", json::object{{"$ref", "#/$defs/count"}}},
                          {"plugins", plugins_schema()}};
  json::array required{"program", "version", "schema", "configuration", "seed"};
  for (auto& [name, property] : schema["properties"].as_object()) properties[name] = std::move(property);
  for (auto& name : schema["required"].as_array()) required.push_back(std::move(name));
  schema["properties"] = properties;
  schema["required"] = required;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Results of braid run";
  schema["$defs"] = json::object{
      {"count", json::object{{"type", "integer"}, {"minimum", 0}}},
      {"estimate",
       json::object{
           {"type", "object"},
           {"description",
            "Mean over all samples, and half-width of the 95 % confidence interval: Student's t over the means "
            "of the batches of the window that have a sample, made longer until they pass for independent; null with "
            "none, the half-width with one batch or where it cannot be relied on (docs/statistics.md)."},
           {"required", json::array{"mean", "half_width_95"}},
           {"properties", json::object{{"mean", number_schema()}, {"half_width_95", number_schema()}}},
           {"additionalProperties", false}}}};
  return schema;
}

std::string results_reference() {
  std::string text =
      "# Results\n\n"
      "Every figure of `braid run --json` (schema: [results.schema.json](results.schema.json)). Made by `braid list "
      "figures` from what\nthe code declares; the tests keep it current. Before the figures come `program`, `version`, "
      "`schema`, `configuration` (the\nresolved experiment), `seed` and, with `--plugin`, `plugins`. `x[].y`: a `y` in "
      "each of several `x`. Sampled "
      "figures have a `mean` over all samples and the\nhalf-width of its 95 % confidence interval: Student's t over "
      "the "
      "means of the window's batches (`simulation.batch_cycles`)\nthat have a sample, made longer until they pass for "
      "independent; `null` where none do "
      "([statistics.md](statistics.md)). A figure of a policy exists only "
      "with what the third column names.\n\n| figure | unit | exists with | meaning |\n|---|---|---|---|\n";
  add_rows(text, result_figures().list(), "");
  return text;
}

}  // namespace braid::models
