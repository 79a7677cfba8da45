#include "models/stages/rtl/rtl_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "models/families/hybrid/options.h"
#include "models/rtl/lockstep.h"
#include "models/rtl/router_folders.h"

namespace braid::models::stages::rtl {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports of Verilated modules are copied byte by byte");

std::unique_ptr<WiredStage> fitting(const StageSeat& seat, const std::string& stage) {
  const models::hybrid::RouterManifest manifest = models::hybrid::fitting_stages(
      stage, models::hybrid::read_options(seat.configuration), seat.configuration, seat.topology);
  const std::string& router = seat.topology.router_names[seat.router.value];
  if (manifest.shape.ports != seat.shape.ports) {
    throw InputError(fmt::format("stage.{}: router {} has {} ports; expected {}, as the RTL's stages have", stage,
                                 router, seat.shape.ports, manifest.shape.ports));
  }
  auto unit = models::hybrid::make_stage(manifest, stage);
  if (!unit) throw InputError(fmt::format("stage.{}: {} has no such stage", stage, manifest.library));
  return unit;
}

template <class Port>
Port* port_named(const sc_core::sc_module& module, const std::string& name) {
  for (sc_core::sc_object* child : module.get_child_objects()) {
    auto* port = dynamic_cast<Port*>(child);
    if (port != nullptr && name == port->basename()) return port;
  }
  throw std::logic_error(std::string(module.name()) + " has no port " + name + ", which the RTL has");
}

}  // namespace

RtlUnit::RtlUnit(const StageSeat& seat, const std::string& stage)
    : where_("router " + seat.topology.router_names[seat.router.value]), stage_(stage), unit_(fitting(seat, stage)) {
  unit_->reset();
}

void RtlUnit::tie(const sc_core::sc_module& module) {
  for (const WiredStage::Port& port : unit_->ports()) {
    Tied tied{&port};
    if (port.kind == WiredStage::Kind::kInput) {
      tied.in = port_named<sc_core::sc_in<Bits>>(module, port.name);
      tied.value = (*tied.in)->read();
    } else {
      tied.out = port_named<sc_core::sc_out<Bits>>(module, port.name);
      tied.value = (*tied.out)->read();
    }
    if (tied.value.width() > 8 * port.bytes) {
      throw std::logic_error(
          fmt::format("{}.{} has {} bits, more than the RTL", module.name(), port.name, tied.value.width()));
    }
    tied_.push_back(std::move(tied));
  }
}

void RtlUnit::take_inputs() {
  for (const Tied& tied : tied_) {
    if (tied.in == nullptr) continue;
    const Bits& bits = (*tied.in)->read();
    auto* const to = static_cast<std::uint8_t*>(tied.port->at);
    for (std::size_t byte = 0; byte < tied.port->bytes; byte += 8) {
      const auto low = static_cast<unsigned>(8 * byte);
      const std::uint64_t word = low < bits.width() ? bits.field(low, std::min(64U, bits.width() - low)) : 0;
      std::memcpy(to + byte, &word, std::min<std::size_t>(8, tied.port->bytes - byte));
    }
  }
  unit_->settle();
}

void RtlUnit::read(Tied& tied) const {
  const auto* const from = static_cast<const std::uint8_t*>(tied.port->at);
  for (unsigned low = 0; low < tied.value.width(); low += 64) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + low / 8, std::min<std::size_t>(8, tied.port->bytes - low / 8));
    tied.value.set(low, std::min(64U, tied.value.width() - low), word);
  }
}

void RtlUnit::write_outputs(WiredStage::Kind kind) {
  for (Tied& tied : tied_) {
    if (tied.port->kind != kind) continue;
    read(tied);
    (*tied.out)->write(tied.value);
  }
}

Bits RtlUnit::meaning(const Tied& tied, const std::vector<Qualified>& qualified) const {
  Bits all(tied.value.width());
  const auto found =
      std::find_if(qualified.begin(), qualified.end(), [&](const Qualified& q) { return tied.port->name == q.output; });
  const auto by = found == qualified.end() ? tied_.end() : std::find_if(tied_.begin(), tied_.end(), [&](const Tied& t) {
    return t.port->name == found->by;
  });
  if (found != qualified.end() && by == tied_.end()) return all;  // it never means anything
  for (unsigned i = 0; i < all.width(); ++i) {
    if (by == tied_.end()) {
      all.set(i);
    } else if (found->any) {
      all.set(i, by->value.any());
    } else {
      all.set(i, by->value[i / (all.width() / by->value.width())]);
    }
  }
  return all;
}

void RtlUnit::compare(WiredStage::Kind kind, const std::vector<Qualified>& qualified, std::uint64_t cycle) {
  for (Tied& tied : tied_) {
    if (tied.port->kind == kind) read(tied);
  }
  for (const Tied& tied : tied_) {
    if (tied.port->kind != kind) continue;
    const Bits model = (*tied.out)->read();
    if (model == tied.value) continue;
    const Bits meant = meaning(tied, qualified);
    for (unsigned i = 0; i < model.width(); ++i) {
      if (!meant[i] || model[i] == tied.value[i]) continue;
      throw models::hybrid::LockstepError(
          fmt::format("lockstep: {}, cycle {}: {}.{} is {} in the model and {} in the RTL", where_, cycle, stage_,
                      tied.port->name, model.text(), tied.value.text()));
    }
  }
}

}  // namespace braid::models::stages::rtl
