// braid._core: what scripts/braid asks of libbraid_steps.so. Names and texts for users are in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "models/engine/deadlock_error.h"
#include "models/steps/step_network.h"
#include "models/steps/step_run.h"
#include "routing/base/input_error.h"

namespace nb = nanobind;
using namespace nb::literals;
using braid::models::Progress;
using braid::models::StepNetwork;
using braid::models::StepRun;

namespace {

using Levels = nb::ndarray<nb::numpy, const std::uint16_t, nb::ndim<3>>;
using Links = nb::ndarray<nb::numpy, const std::uint64_t, nb::ndim<2>>;

/// A network with the memory that its arrays show.
class SteppedNetwork {
 public:
  SteppedNetwork(const std::string& text, const std::string& name, const std::vector<std::string>& settings)
      : steps(StepNetwork::from_text(text, name, settings)), shape_(steps.shape()) {
    occupancy_.resize(shape_.routers * shape_.ports * shape_.vcs);
    credits_.resize(occupancy_.size());
    links_.resize(shape_.routers * shape_.ports);
  }

  /// Steps of a thousandth of a second or so, so that an interrupt is heard and other threads run.
  void step(std::uint64_t cycles) {
    constexpr std::uint64_t kShort = 16, kLong = 4096;
    if (cycles <= kShort || calls_back) return steps.step(cycles);
    for (std::uint64_t now = 0; cycles > 0; cycles -= now) {
      now = std::min(cycles, kLong);
      {
        const nb::gil_scoped_release others_run;
        steps.step(now);
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }
  Levels occupancy(nb::handle self) {
    steps.occupancy(occupancy_.data());
    return {occupancy_.data(), {shape_.routers, shape_.ports, shape_.vcs}, self};
  }
  Levels credits(nb::handle self) {
    steps.credits(credits_.data());
    return {credits_.data(), {shape_.routers, shape_.ports, shape_.vcs}, self};
  }
  Links link_flits(nb::handle self) {
    steps.link_flits(links_.data());
    return {links_.data(), {shape_.routers, shape_.ports}, self};
  }

  StepNetwork steps;
  bool calls_back = false;

 private:
  StepNetwork::Shape shape_;
  std::vector<std::uint16_t> occupancy_, credits_;
  std::vector<std::uint64_t> links_;
};

/// braid.errors makes the exception of the line.
void raise_line(const char* maker, const char* line) {
  const nb::object error = nb::module_::import_("braid.errors").attr(maker)(line);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const braid::InputError& e) {
    raise_line("input_error", e.what());
  } catch (const braid::models::DeadlockError& e) {
    raise_line("DeadlockError", e.what());
  }
}

nb::tuple run(const std::string& text, const std::string& name, const std::vector<std::string>& settings,
              const nb::object& progress) {
  const auto told = [&progress](const Progress& p) {
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(p.cycle, p.expected_cycles, p.phase, p.counts);
    return true;
  };
  StepRun::Outcome outcome;
  {
    const nb::gil_scoped_release others_run;
    outcome = StepRun::run(text, name, settings, told);
  }
  return nb::make_tuple(outcome.results, outcome.deadlock);
}

void bind_arrival(nb::module_& m) {
  using A = StepNetwork::Arrival;
  nb::class_<A>(m, "Arrival", "A packet that has arrived.")
      .def_ro("cycle", &A::cycle, "in which its tail came")
      .def_ro("source", &A::source, "node")
      .def_ro("destination", &A::destination, "node")
      .def_ro("flits", &A::flits)
      .def_ro("traffic_class", &A::traffic_class, "place in Network.traffic_classes")
      .def_prop_ro(
          "tag", [](const A& a) -> nb::object { return a.tag == StepNetwork::kNoTag ? nb::none() : nb::cast(a.tag); },
          nb::sig("def tag(self) -> int | None"))
      .def_ro("created", &A::created, "cycle")
      .def_ro("injected", &A::injected, "cycle in which its head was on the injection link")
      .def_ro("routers", &A::routers, "that it passed")
      .def_ro("sequence", &A::sequence, "counts the packets of its source")
      .def_prop_ro(
          "latency", [](const A& a) { return a.cycle - a.created; }, "cycles from creation to the tail's arrival")
      .def("__repr__", [](const A& a) {
        return "Arrival(cycle=" + std::to_string(a.cycle) + ", source=" + std::to_string(a.source) +
               ", destination=" + std::to_string(a.destination) + ", flits=" + std::to_string(a.flits) + ")";
      });
}

void bind_network(nb::module_& m) {
  using N = SteppedNetwork;
  nb::class_<N>(m, "Network")
      .def(nb::init<const std::string&, const std::string&, const std::vector<std::string>&>(), "text"_a, "name"_a,
           "settings"_a)
      .def_prop_ro("now", [](const N& n) { return n.steps.now(); })
      .def_prop_ro("nodes", [](const N& n) { return n.steps.nodes(); })
      .def_prop_ro("traffic_classes", [](const N& n) { return n.steps.traffic_classes(); })
      .def_prop_ro("busy", [](const N& n) { return n.steps.busy(); })
      .def_prop_ro("packets_sent", [](const N& n) { return n.steps.packets_sent(); })
      .def_prop_ro("packets_arrived", [](const N& n) { return n.steps.packets_arrived(); })
      .def_prop_ro("packet_hash", [](const N& n) { return n.steps.packet_hash(); })
      .def(
          "send",
          [](N& n, std::uint32_t source, std::uint32_t destination, std::uint32_t flits, std::uint32_t traffic_class,
             std::uint32_t tag) { n.steps.send({source, destination, flits, traffic_class, tag}); },
          "source"_a, "destination"_a, "flits"_a, "traffic_class"_a = 0, "tag"_a = StepNetwork::kNoTag)
      .def(
          "capacity", [](const N& n, std::uint32_t node) { return n.steps.capacity(node); }, "node"_a)
      .def("step", &N::step, "cycles"_a = 1)
      .def(
          "arrivals", [](N& n, std::size_t most) { return n.steps.arrivals(most); }, "most"_a = SIZE_MAX)
      .def("report_all_arrivals", [](N& n) { n.steps.report_all_arrivals(); })
      .def(
          "on_arrival",
          [](N& n, std::function<void(const StepNetwork::Arrival&)> callback) {
            n.calls_back = callback != nullptr;
            n.steps.on_arrival(std::move(callback));
          },
          "callback"_a.none())
      .def(
          "save", [](N& n, const std::string& file) { n.steps.save(file); }, "file"_a)
      .def(
          "restore", [](N& n, const std::string& file) { n.steps.restore(file); }, "file"_a)
      .def_prop_ro("buffer_unit", [](const N& n) { return n.steps.buffer_unit(); })
      .def_prop_ro("occupancy", [](nb::handle self) { return nb::cast<N&>(self).occupancy(self); })
      .def_prop_ro("credits", [](nb::handle self) { return nb::cast<N&>(self).credits(self); })
      .def_prop_ro("link_flits", [](nb::handle self) { return nb::cast<N&>(self).link_flits(self); })
      .def("topology", [](const N& n) { return n.steps.topology(); })
      .def("configuration", [](const N& n) { return n.steps.configuration(); });
}

}  // namespace

NB_MODULE(_core, m) {
  nb::register_exception_translator(translate);
  bind_arrival(m);
  bind_network(m);
  m.def("run", &run, "text"_a, "name"_a, "settings"_a, "progress"_a.none());
  m.def("configuration", &StepRun::configuration, "text"_a, "name"_a, "settings"_a);
  m.def("declared", &StepRun::declared);
}
