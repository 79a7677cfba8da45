#include "models/experiment/results_json.h"

#include "routing/base/random.h"
#include "routing/base/registrations.h"

namespace braid::models {
namespace {

namespace json = boost::json;

json::object report_json(const Report& report);

json::value value_json(const FigureValue& value) {
  return std::visit(
      [](const auto& v) -> json::value {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, Estimate>) {
          return json::object{{"mean", v.mean}, {"half_width_95", v.half_width_95}};
        } else if constexpr (std::is_same_v<V, RawCount>) {
          return v.mean();
        } else if constexpr (std::is_same_v<V, Report>) {
          return report_json(v);
        } else if constexpr (std::is_same_v<V, std::vector<Report>>) {
          json::array all;
          for (const Report& one : v) all.push_back(report_json(one));
          return all;
        } else {
          return json::value_from(v);
        }
      },
      value);
}

json::object report_json(const Report& report) {
  json::object all;
  for (const Reported& figure : report.figures) all[figure.declared->name] = value_json(figure.value);
  return all;
}

json::array plugins_json(const std::vector<Plugin>& plugins) {
  json::array all;
  for (const Plugin& plugin : plugins) {
    json::array policies;
    for (const Plugin::Policy& p : plugin.policies) policies.push_back({{"axis", p.axis}, {"name", p.name}});
    all.push_back({{"file", plugin.file}, {"policies", std::move(policies)}});
  }
  return all;
}

}  // namespace

json::object configuration_json(const models::Experiment& experiment) {
  json::object all;
  for_each_option(experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (!all.contains(option.section)) all[option.section] = json::object{};
    all[option.section].as_object()[option.name] = std::visit([](const auto& v) { return json::value_from(v); }, value);
  });
  if (experiment.times("traffic") < 2) return all;
  json::array classes;
  for (std::size_t i = 0; i < experiment.classes(); ++i) {
    classes.push_back(configuration_json(experiment.of_class(i)).at("traffic"));
  }
  all["traffic"] = std::move(classes);
  return all;
}

json::object setup_json(const models::SetupResults& setup, const routing::Topology& topology) {
  return report_json(setup_figures().of({&setup, &topology}));
}

json::object results_json(const models::Experiment& experiment, const models::Results& results,
                          const routing::Topology& topology) {
  json::object all{{"program", "braid"},
                   {"version", BRAID_VERSION},
                   {"schema", kResultsSchema},
                   {"configuration", configuration_json(experiment)},
                   {"seed", read_seed(experiment)}};
  const std::vector<Plugin>& plugins = Registrations::instance().plugins();
  if (!plugins.empty()) all["plugins"] = plugins_json(plugins);
  for (auto& [name, value] : report_json(report(results, topology))) all[name] = std::move(value);
  return all;
}

}  // namespace braid::models
