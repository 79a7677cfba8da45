// The line of a broadcast beside the network (`broadcast.medium = "line"`) as modules: `broadcast.node3`, a station a
// node, and `broadcast.line`, the wires. In a cycle the wires bring what has come to their ends, then the stations act.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/module_list.h"
#include "models/stages/lines/line.h"
#include "models/stages/lines/station.h"

namespace braid::models::stages::lines {
namespace {

constexpr std::size_t kSteps = 2;  // wires, stations

class Modules final : public sc_core::sc_module {
 public:
  Modules(const sc_core::sc_module_name& name, const ViewContext& context, BroadcastLine& line)
      : sc_module(name), channels_(line, context.line_clock()), line_("line", channels_) {
    line_.clk_i(context.line_clock(1));
    for (std::uint32_t p = 0; p < line.size(); ++p) {
      const std::string station = fmt::format("node{}", line.node(p).value);
      stations_.add(station.c_str(), channels_, p).clk_i(context.line_clock());
    }
    line.leave_to_modules();
  }

 private:
  Channels channels_;
  Line line_;
  ModuleList<Station> stations_;  // [position]
};

class View final : public HardwareView {
 public:
  explicit View(const ViewContext& context) {
    for (BroadcastLine* line : context.event_lines) {
      lines_.add("broadcast", context, *line);
    }
  }

 private:
  ModuleList<Modules> lines_;
};

class Factory final : public MechanismViewFactory {
 public:
  std::size_t steps(const Configuration& configuration) const override {
    const auto* medium = configuration.find("broadcast.medium");
    return medium != nullptr && medium->value == OptionValue(std::string("line")) ? kSteps : 0;
  }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return context.event_lines.empty() ? nullptr : std::make_unique<View>(context);
  }
};

const bool lines_view_registered = MechanismViewRegistry::instance().add(
    "lines", "the line of a broadcast beside the network", [] { return std::make_unique<Factory>(); });

}  // namespace
}  // namespace braid::models::stages::lines
