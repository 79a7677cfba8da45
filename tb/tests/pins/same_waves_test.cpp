// The model behind pins and the RTL behind the same pins, driven by the same signals: every output alike, at every edge
// and in the middle of every cycle, over the parameter points that are built, with resets in mid-flight.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/experiment/experiment.h"
#include "models/pins/braid_router.h"
#include "tb/tests/support/built_routers.h"
#include "tb/tests/support/places.h"
#include "tb/tests/support/router_wires.h"
#include "tb/tests/support/wire_stimulus.h"

namespace braid::test::same_waves_test {
namespace {

using models::hybrid::WireOutputs;

constexpr std::uint64_t kCycles = 20000;
constexpr std::uint64_t kEpisode = 1900;  // from reset to reset

/// An experiment whose routers are the point, and one of them that has all ports.
std::pair<models::Experiment, std::string> experiment_of(const models::hybrid::RouterShape& shape) {
  models::Experiment e;
  const bool table = shape.routing == "table";
  std::string router = "1,1";
  if (table && shape.ports < 5) {
    e.set("topology.kind", "graph");
    e.set("topology.file", std::string(kSourceFolder) + "/tb/experiments/ring.graphml");
    e.set("topology.local_ports", shape.ports - 2);
    e.set("routing.algorithm", "table");
    router = routing::make_topology(e).router_names[1];
  } else {
    e.set("topology.width", 3);
    e.set("topology.height", 3);
    e.set("topology.local_ports", shape.ports - 4);
    e.set("routing.algorithm", table ? "table" : shape.routing);
  }
  e.set("router.vcs", shape.vcs);
  e.set("router.buffer_depth", shape.depth);
  e.set("router.buffer_bypass", shape.buffer_bypass);
  e.set("router.arbiter", shape.arbiter);
  e.set("router.vc_allocator", shape.vc_allocator);
  e.set("router.switch_allocator", shape.switch_allocator);
  if (shape.has_islip()) e.set("router.islip_iterations", shape.islip_iterations);
  if (shape.circuits) {
    e.open("stream");
    e.set("interface.switching", "circuit");
    e.set("router.circuit_buffer_depth", shape.circuit_depth);
    e.set("router.circuit_lanes", shape.circuit_lanes);
  }
  return {e, router};
}

std::string difference(const WireOutputs& a, const WireOutputs& b, std::uint32_t ports) {
  std::string text;
  const auto differ = [&](const std::string& pin, std::uint64_t model, std::uint64_t rtl) {
    if (model != rtl && text.empty())
      text = fmt::format("{} is {:#x} in the model and {:#x} in the RTL", pin, model, rtl);
  };
  for (std::uint32_t p = 0; p < ports; ++p) {
    const auto pin = [&](const char* name) { return fmt::format("{}[{}]", name, p); };
    differ(pin("link_valid_o"), a.links[p].valid, b.links[p].valid);
    differ(pin("link_head_o"), a.links[p].head, b.links[p].head);
    differ(pin("link_tail_o"), a.links[p].tail, b.links[p].tail);
    differ(pin("link_lane_o"), a.links[p].lane, b.links[p].lane);
    for (std::size_t w = 0; w < a.links[p].data.size(); ++w)
      differ(pin("link_data_o"), a.links[p].data[w], b.links[p].data[w]);
    differ(pin("credit_o"), a.credits[p], b.credits[p]);
  }
  differ("control_valid_o", a.control.valid ? 1 + a.control.port : 0, b.control.valid ? 1 + b.control.port : 0);
  differ("control_kind_o", static_cast<unsigned>(a.control.kind), static_cast<unsigned>(b.control.kind));
  differ("control_search_o", a.control.search, b.control.search);
  differ("control_destination_o", a.control.destination, b.control.destination);
  differ("outcome_valid_o", a.outcome, b.outcome);
  differ("outcome_success_o", a.success, b.success);
  return text;
}

template <int Width>
struct Bench : sc_core::sc_module {
  SC_HAS_PROCESS(Bench);
  Bench(const sc_core::sc_module_name& name, const models::Experiment& e, const std::string& router, std::uint64_t seed)
      : sc_module(name),
        clock("clock", 2, sc_core::SC_NS),
        model("model", e, router),
        rtl("rtl", e, router),
        in(model.place().shape.ports),
        model_out("model_out", model.place().shape.ports),
        rtl_out("rtl_out", model.place().shape.ports),
        stimulus(model.place(), Width, seed),
        random(seed, "resets") {
    for (models::pins::RouterModule<Width>* r : {static_cast<models::pins::RouterModule<Width>*>(&model),
                                                 static_cast<models::pins::RouterModule<Width>*>(&rtl)}) {
      r->clk_i(clock);
      r->rst_ni(reset);
      in.bind(*r);
    }
    model_out.drive_from(model);
    rtl_out.drive_from(rtl);
    SC_METHOD(edge);
    sensitive << clock.value_changed_event();
    dont_initialize();
  }

  void edge() {
    compare();
    if (clock.posedge()) {
      rise();
    } else {
      fall();
    }
  }

  void rise() {
    if (!reset.read()) return;
    in.write(stimulus.step(read(model_out)));
    ++cycles;
  }
  /// Reset comes and goes in the middle of cycles.
  void fall() {
    const bool released = held == 1;
    if (held > 0) --held;
    if (released) {
      reset.write(true);
    } else if (reset.read() && cycles % kEpisode == kEpisode - 1) {
      reset.write(false);
      held = 1 + random.below(4);
      in.write({});
      stimulus.reset();
      ++resets;
    }
  }
  void compare() {
    const std::string found = difference(read(model_out), read(rtl_out), static_cast<std::uint32_t>(in.valid.size()));
    ++compared;
    if (found.empty()) return;
    ADD_FAILURE() << sc_core::sc_time_stamp() << ", " << resets << " resets: " << found;
    sc_core::sc_stop();
  }

  sc_core::sc_clock clock;
  sc_core::sc_signal<bool> reset{"reset"};
  models::pins::BraidRouter<Width> model;
  models::pins::RtlRouter<Width> rtl;
  InputSignals<Width> in;
  models::pins::RouterSignals<Width> model_out, rtl_out;
  WireStimulus stimulus;
  Random random;
  std::uint64_t cycles = 0, compared = 0, resets = 0, held = 3;
};

template <int Width>
void run(const models::hybrid::RouterShape& shape) {
  const auto [e, router] = experiment_of(shape);
  Bench<Width> bench("bench", e, router, 5);
  while (bench.cycles < kCycles && sc_core::sc_get_status() != sc_core::SC_STOPPED)
    sc_core::sc_start(1, sc_core::SC_US);
  auto& seen = bench.stimulus.seen;
  for (const auto& [what, count] : seen) std::cout << what << ": " << count << '\n';
  EXPECT_GT(bench.compared, 2 * kCycles);
  EXPECT_GE(bench.resets, kCycles / kEpisode);
  EXPECT_GT(seen["packet flits"], 2000U);
  if (!shape.circuits) return;
  for (const char* what : {"circuit flits", "set up", "failed", "torn down", "acknowledged", "refused"})
    EXPECT_GT(seen[what], 20U) << what;
}

class SameWaves : public testing::TestWithParam<std::string> {};

TEST_P(SameWaves, OfModelAndRtl) {
  for (const models::hybrid::RouterManifest& point : models::hybrid::known_routers({})) {
    if (point.name != GetParam()) continue;
    if (!is_built(point.name)) GTEST_SKIP() << point.name << " is not built: " << point.build;
    switch (point.shape.flit_width) {
      case 24:
        return run<24>(point.shape);
      case 32:
        return run<32>(point.shape);
      case 48:
        return run<48>(point.shape);
      case 64:
        return run<64>(point.shape);
      case 100:
        return run<100>(point.shape);
      case 128:
        return run<128>(point.shape);
      default:
        FAIL() << "no bench for flits of " << point.shape.flit_width << " bits";
    }
  }
}

/// Pins tell neither a packet's source, at which the model's odd-even looks, nor where the datelines of a torus are:
/// such points are held to the model in lockstep, and are refused behind pins.
bool is_behind_pins(const models::hybrid::RouterShape& shape) {
  return shape.routing != "odd_even" && shape.routing != "torus_x_first";
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const models::hybrid::RouterManifest& point : models::hybrid::known_routers({})) {
    if (is_behind_pins(point.shape)) list.push_back(point.name);
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(Points, SameWaves, testing::ValuesIn(names()), [](const auto& c) { return c.param; });

}  // namespace
}  // namespace braid::test::same_waves_test
