#include "models/stages/base/hardware_view.h"

#include <algorithm>
#include <cctype>

#include "models/stages/base/whole_router.h"

namespace braid::models::stages {
namespace {

/// Null: the family has no room here.
std::unique_ptr<ViewFactory> factory_of(const std::string& architecture) {
  const ViewRegistry& views = ViewRegistry::instance();
  return views.entries().count(architecture) == 0 ? nullptr : views.make(architecture);
}

}  // namespace

std::size_t steps_of(const std::string& architecture, const Configuration& configuration) {
  const auto factory = factory_of(architecture);
  std::size_t of_lines = 1;
  const MechanismViewRegistry& mechanisms = MechanismViewRegistry::instance();
  for (const std::string& name : mechanisms.names()) {
    of_lines = std::max(of_lines, mechanisms.make(name)->steps(configuration));
  }
  return (factory ? factory->steps() : kWholeRouterSteps) + of_lines;
}

std::vector<std::unique_ptr<HardwareView>> make_views(const std::string& architecture, const ViewContext& context) {
  std::vector<std::unique_ptr<HardwareView>> views;
  const auto factory = factory_of(architecture);
  views.push_back(factory ? factory->make(context) : make_whole_routers(context));
  const MechanismViewRegistry& mechanisms = MechanismViewRegistry::instance();
  for (const std::string& name : mechanisms.names()) {
    if (auto view = mechanisms.make(name)->make(context)) views.push_back(std::move(view));
  }
  return views;
}

std::string module_name(const std::string& what, const std::string& name) {
  std::string text = what + "_" + name;
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace braid::models::stages
