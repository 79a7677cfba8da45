// The JSON schema of experiments, piece by piece: values of each kind of key, conditions in each of their forms. (That
// experiments are good by it or not: tb/python/test_schema.py.)
#include "models/experiment/experiment_schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"

namespace braid::test::experiment_schema_test {
namespace {

boost::json::value json(const char* text) { return boost::json::parse(text); }
boost::json::value of(const char* key) { return models::value_schema(models::Experiment::declared(key, {})); }

TEST(ValueSchema, IsOfTheKindOfTheKey) {
  EXPECT_EQ(of("router.vcs"), json(R"({"type": "integer", "minimum": 1, "maximum": 16})"));
  EXPECT_EQ(of("traffic.hot_fraction"), json(R"({"type": "number", "minimum": 0.0, "maximum": 1.0})"));
  EXPECT_EQ(of("traffic.rate_flits_per_node_cycle"), json(R"({"type": "number", "minimum": 0.0})"));
  EXPECT_EQ(of("broadcast.timeout_cycles"), json(R"({"type": "integer", "minimum": 0})"));
  EXPECT_EQ(of("broadcast.silent_broadcast"), json(R"({"type": "integer", "minimum": -1, "maximum": 4294967295})"));
  EXPECT_EQ(of("routing.allow_deadlock"), json(R"({"type": "boolean"})"));
  const boost::json::value text = json(R"({"type": "string", "pattern": "^[^\\u0000-\\u001f\\u007f]*$"})");
  EXPECT_EQ(of("experiment.name"), text);
  EXPECT_EQ(of("stream.graph"), text) << "a file's name";
  EXPECT_EQ(of("traffic.hot_nodes"), json(R"({"type": "array", "items": {"type": "integer", "minimum": 0,
      "maximum": 4294967295}})"));
  EXPECT_EQ(of("interface.transfer"), json(R"({"enum": ["push", "pull"]})"));
}

TEST(NamesOfAChoice, AreItsWords) {
  const auto names = [](const char* key) { return models::names_of(models::Experiment::declared(key, {})); };
  EXPECT_EQ(names("interface.switching"), (std::vector<std::string>{"packet", "circuit"}));
  const std::vector<std::string> kinds = names("topology.kind");
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "mesh"), 1);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "one"), 0);
  for (const char* none : {"router.vcs", "experiment.name", "routing.allow_deadlock"}) {
    EXPECT_TRUE(names(none).empty()) << none;
  }
}

/// Where nobody says the key, its default decides: a condition that the default meets asks for no key.
TEST(ConditionSchema, AsksForTheKeyUnlessItsDefaultWillDo) {
  const auto schema = [](const char* condition) -> boost::json::value {
    const auto found = models::condition_schema(condition);
    return found ? boost::json::value(*found) : boost::json::value(nullptr);
  };
  EXPECT_EQ(schema("a section [traffic]"), json(R"({"required": ["traffic"]})"));
  EXPECT_EQ(schema("topology.kind = \"mesh\""),
            json(R"({"properties": {"topology": {"properties": {"kind": {"const": "mesh"}}}}})"));
  EXPECT_EQ(schema("topology.kind = \"torus\""),
            json(R"({"properties": {"topology": {"properties": {"kind": {"const": "torus"}}, "required": ["kind"]}},
                     "required": ["topology"]})"));
  EXPECT_EQ(schema("interface.fairness != \"none\""),
            json(R"({"properties": {"interface": {"properties": {"fairness": {"not": {"const": "none"}}},
                     "required": ["fairness"]}}, "required": ["interface"]})"));
  EXPECT_EQ(schema("topology.kind != \"torus\""),
            json(R"({"properties": {"topology": {"properties": {"kind": {"not": {"const": "torus"}}}}}})"));
  EXPECT_EQ(schema("traffic.request_reply"),
            json(R"({"properties": {"traffic": {"properties": {"request_reply": {"not": {"enum": ["", 0, false, []]}}},
                     "required": ["request_reply"]}}, "required": ["traffic"]})"));
  EXPECT_EQ(schema("traffic.request_reply = true"),
            json(R"({"properties": {"traffic": {"properties": {"request_reply": {"const": true}},
                     "required": ["request_reply"]}}, "required": ["traffic"]})"));
  EXPECT_EQ(schema("router.vcs"),
            json(R"({"properties": {"router": {"properties": {"vcs": {"not": {"enum": ["", 0, false, []]}}}}}})"))
      << "four unless somebody says another number";
  EXPECT_EQ(schema("stream.graph ending in \".str\""),
            json(R"({"properties": {"stream": {"properties": {"graph": {"pattern": "\\.str$"}},
                     "required": ["graph"]}}, "required": ["stream"]})"));
  EXPECT_EQ(schema("experiment.name with \"a+b\""),
            json(R"json({"properties": {"experiment": {"properties": {"name": {"pattern": "(^|[^\\w])a\\+b([^\\w]|$)"}},
                         "required": ["name"]}}, "required": ["experiment"]})json"));
}

TEST(ConditionSchema, OfSeveralIsAnyOfThem) {
  const auto both = models::condition_schema("a section [traffic] or a section [stream]");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(boost::json::value(*both), json(R"({"anyOf": [{"required": ["traffic"]}, {"required": ["stream"]}]})"));
  for (const char* unknown :
       {"whenever", "a section [traffic] or whenever", "router.vcs > 3", "a section traffic", ""}) {
    EXPECT_FALSE(models::condition_schema(unknown).has_value()) << unknown;
  }
}

/// Each section with its keys, [traffic] also as several, one of the workloads at least, and rules with a guard.
TEST(ExperimentSchema, HasSectionsAndRules) {
  const boost::json::object all = models::experiment_schema();
  EXPECT_EQ(all.at("type"), "object");
  EXPECT_EQ(all.at("additionalProperties"), false);
  const boost::json::object& sections = all.at("properties").as_object();
  EXPECT_EQ(sections.at("router").at("properties").at("vcs").at("default"), 4);
  EXPECT_EQ(sections.at("router").at("additionalProperties"), false);
  const boost::json::array& traffic = sections.at("traffic").at("anyOf").as_array();
  ASSERT_EQ(traffic.size(), 2U);
  EXPECT_EQ(traffic[0].at("type"), "object");
  EXPECT_EQ(traffic[1].at("type"), "array");
  EXPECT_EQ(traffic[1].at("minItems"), 1);
  EXPECT_EQ(traffic[1].at("items"), traffic[0]);
  bool of_traffic = false;
  for (const auto& one : all.at("anyOf").as_array()) {
    of_traffic = of_traffic || one == json(R"({"required": ["traffic"]})");
  }
  EXPECT_TRUE(of_traffic);
  EXPECT_GT(all.at("allOf").as_array().size(), 20U);
  for (const auto& rule : all.at("allOf").as_array()) {
    EXPECT_EQ(rule.at("if").at("required").as_array().size(), 1U);
    EXPECT_FALSE(rule.at("then").as_object().empty());
  }
  const boost::json::object& transfer = sections.at("interface").at("properties").at("transfer").as_object();
  EXPECT_EQ(transfer.at("enum"), json(R"(["push", "pull"])"));
  EXPECT_EQ(transfer.at("default"), "push");
  const boost::json::object& kind = sections.at("topology").at("properties").at("kind").as_object();
  const boost::json::array& texts = kind.at("x-taplo").at("docs").at("enumValues").as_array();
  EXPECT_EQ(texts.size(), kind.at("enum").as_array().size());
  for (const auto& text : texts) EXPECT_TRUE(text.is_string()) << "what each policy is";
}

}  // namespace
}  // namespace braid::test::experiment_schema_test
