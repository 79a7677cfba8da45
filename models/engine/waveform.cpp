#include "models/engine/waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "models/engine/question_files.h"
#include "models/observe/save_file.h"
#include "models/observe/signals.h"

namespace braid::models {
namespace {

std::vector<RouterId> chosen_routers(const routing::Topology& topology, const WaveformOptions& options) {
  const std::vector<std::string>& names = topology.router_names;
  std::vector<RouterId> chosen;
  if (options.routers == "all") {
    for (std::size_t r = 0; r < names.size(); ++r) chosen.push_back(RouterId{r});
    return chosen;
  }
  std::istringstream words(options.routers);
  for (std::string name; words >> name;) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError("trace.routers: unknown router \"" + name + "\"" + did_you_mean(name, names));
    }
    chosen.push_back(RouterId{static_cast<std::size_t>(found - names.begin())});
  }
  if (chosen.empty()) throw InputError("trace.routers names no router: expected \"all\" or names with blanks between");
  return chosen;
}

/// Where the signals are of "router NAME port PORT …", a line of the watchdog's; empty if it names no router.
std::string scope_of(const std::string& line, const routing::Topology& topology) {
  for (const std::string& name : topology.router_names) {
    const std::string router = "router " + name + " ", port = router + "port ";
    if (line.rfind(router, 0) != 0) continue;
    if (line.rfind(port, 0) != 0) return router_scope(name);
    return port_scope(name, line.substr(port.size(), line.find_first_of(" :", port.size()) - port.size()));
  }
  return "";
}

/// A router's scope is the same in all subnets.
bool within(const std::string& scope, const std::string& outer) {
  const std::string own = scope.rfind("subnet_", 0) == 0 ? scope.substr(scope.find('.') + 1) : scope;
  return own == outer || own.rfind(outer + ".", 0) == 0;
}

}  // namespace

struct Waveform::Parts {
  const routing::Topology& topology;
  WaveformOptions options;
  SignalTable table;
  Signal* cycle = nullptr;
  std::vector<std::unique_ptr<SignalSource>> sources;
  std::unique_ptr<WaveFile> file;
  std::unique_ptr<QuestionFiles> questions;
  bool over = false;  // its last cycle is written
};

const OptionTable<WaveformOptions>& waveform_options() {
  using T = WaveformOptions;
  static const OptionTable<T> window =
      OptionTable<T>("trace")
          .text("routers", &T::routers, "\"all\", or router names with blanks between")
          .after_warm_up()
          .integer("from_cycle", &T::from_cycle, 0, kAnyInteger, "first cycle of the waveform")
          .after_warm_up()
          .integer("to_cycle", &T::to_cycle, 0, kAnyInteger, "last cycle of the waveform")
          .after_warm_up();
  static const OptionTable<T> table =
      OptionTable<T>("trace")
          .text("file", &T::file, "waveform, .vcd or .fst, relative to where braid runs; empty: none")
          .after_warm_up()
          .with_it(window);
  return table;
}

void check_waveform(const routing::Topology& topology, const WaveformOptions& options) {
  if (options.file.empty()) return;
  (void)chosen_routers(topology, options);
  check_wave_file(options.file);
  if (options.to_cycle < options.from_cycle) {
    throw InputError("trace.to_cycle = " + std::to_string(options.to_cycle) +
                     ": expected trace.from_cycle = " + std::to_string(options.from_cycle) + " or more");
  }
}

Waveform::Waveform(const Network& network, const WaveformOptions& options)
    : parts_(new Parts{network.topology(), options, {}, nullptr, {}, {}, {}, false}) {
  Parts& p = *parts_;
  const std::vector<RouterId> routers = chosen_routers(network.topology(), options);
  p.cycle = p.table.add_shown("network", "cycle", 32);
  p.sources = network.signals(p.table, routers);
  if (p.sources.empty()) {
    throw InputError(fmt::format("trace.file: router.architecture = \"{}\" has no signals, nor has what it runs with",
                                 fabric_options().read(network.configuration()).architecture));
  }
  p.questions = std::make_unique<QuestionFiles>(options.file, network.clock_period_ps(), p.table);
  p.file = open_wave_file(options.file, network.clock_period_ps());
  p.file->declare(p.table.signals());
}

Waveform::~Waveform() = default;

void Waveform::sample(std::uint64_t cycle) {
  Parts& p = *parts_;
  if (cycle < p.options.from_cycle || cycle > p.options.to_cycle) return;
  p.cycle->value = cycle;
  for (const auto& source : p.sources) source->sample(cycle);
  p.file->write(cycle);
  p.questions->note(cycle);
  p.over = cycle == p.options.to_cycle;
}

void Waveform::check() const {
  const Parts& p = *parts_;
  p.file->check();
  if (!p.over) return;
  const std::uint64_t missing = p.questions->unseen_packet();
  if (missing == 0) return;
  throw InputError(fmt::format(
      "watch.what: packet={} is not under way in the waveform's cycles, {} to {} (trace.from_cycle, trace.to_cycle)",
      packet_text(missing), p.options.from_cycle, p.options.to_cycle));
}

void Waveform::close(const std::vector<std::string>& waiting) {
  Parts& p = *parts_;
  p.over = true;
  if (waiting.empty()) check();
  p.file->finish();
  std::vector<std::string> scopes;
  for (const std::string& line : waiting) {
    if (std::string scope = scope_of(line, p.topology); !scope.empty()) scopes.push_back(std::move(scope));
  }
  SaveFile save(p.options.file, p.questions->names());
  for (const Signal& s : p.table.signals()) {
    const bool named =
        std::any_of(scopes.begin(), scopes.end(), [&](const auto& outer) { return within(s.scope, outer); });
    if (named || &s == p.cycle || (scopes.empty() && s.shown)) save.show(s);
  }
  save.close();
  p.questions->write(*p.cycle);
}

}  // namespace braid::models
