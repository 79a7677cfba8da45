#include "models/rtl/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/observe/clock.h"
#include "models/observe/save_file.h"
#include "models/observe/signals.h"

namespace braid::models::hybrid {
namespace {

constexpr std::size_t kPast = 64;      // cycles in the waveform
constexpr std::size_t kReported = 20;  // cycles in the report

}  // namespace

ArbiterShadow::ArbiterShadow(bool matrix, std::uint32_t requesters) : matrix_(matrix), requesters_(requesters) {
  if (!matrix) {
    word_ = all();
    return;
  }
  for (std::uint32_t a = 0; a < requesters; ++a) {
    for (std::uint32_t b = a + 1; b < requesters; ++b) word_ |= std::uint64_t{1} << (a * requesters + b);
  }
}

void ArbiterShadow::use(std::uint32_t winner) {
  if (!matrix_) {
    word_ = all() & ~((std::uint64_t{2} << winner) - 1);
    return;
  }
  for (std::uint32_t other = 0; other < requesters_; ++other) {
    if (other > winner) word_ &= ~(std::uint64_t{1} << (winner * requesters_ + other));
    if (other < winner) word_ |= std::uint64_t{1} << (other * requesters_ + winner);
  }
}

Lockstep::Lockstep(const RouterShape& shape, Slice& slice, SetupUnits& setup, const RouterBank& bank,
                   const FlitCodec& codec, const RouterPins& pins, RouterId router, std::string name,
                   std::string wave_file)
    : shape_(shape),
      slice_(slice),
      setup_(setup),
      bank_(bank),
      codec_(codec),
      pins_(pins),
      router_(router),
      name_(std::move(name)),
      wave_file_(std::move(wave_file)),
      model_(shape),
      rtl_(shape),
      past_(kPast) {
  const bool matrix = shape.arbiter == "matrix";
  const std::uint32_t vcs = shape.ports * shape.vcs;
  // Not used: those too wide to compare; of iSLIP in several iterations, for grants do not tell which was theirs.
  const bool va_islip = shape.vc_allocator == "islip", one = shape.islip_iterations == 1;
  va_inputs_shown_ = va_islip ? one && !matrix : true;
  va_outputs_shown_ = !matrix && (!va_islip || one);
  va_inputs_.assign(vcs, va_islip ? ArbiterShadow(false, vcs) : ArbiterShadow(matrix, shape.vcs));
  va_outputs_.assign(vcs, ArbiterShadow(false, vcs));
  last_ports_.assign(vcs, 0);
  sa_vcs_.assign(shape.ports, ArbiterShadow(matrix, shape.vcs));
  sa_outputs_.assign(shape.ports, ArbiterShadow(matrix, shape.ports));
  sa_accepts_shown_ = shape.switch_allocator == "islip" && one;
  sa_outputs_shown_ = shape.switch_allocator != "islip" || one;
  sa_accepts_.assign(shape.ports, ArbiterShadow(matrix, shape.ports));
  if (shape.circuit_lanes == 1) return;
  circuit_lanes_.assign(shape.ports, ArbiterShadow(false, shape.circuit_lanes));
  circuit_outputs_.assign(shape.ports, ArbiterShadow(false, shape.ports));
}

void Lockstep::take_grants() {
  for (const VcIndex in_vc : slice_.switch_grants()) {
    const std::uint32_t lane = bank_.lane_of(in_vc);
    const std::uint32_t in = bank_.port_of(bank_.port_of_vc(in_vc));
    const std::uint32_t out = bank_.port_of(bank_.port_of_vc(bank_.input_vcs[in_vc].out_vc));
    if (!bank_.is_circuit_lane(lane)) {
      sa_vcs_[in].use(lane);
      sa_outputs_[out].use(in);
      sa_accepts_[in].use(out);
    } else if (!circuit_lanes_.empty()) {
      circuit_lanes_[in].use(lane - shape_.vcs);
      circuit_outputs_[out].use(in);
    }
  }
  for (const VcGrant& grant : slice_.vc_grants()) {
    const auto place = [&](VcIndex v) { return bank_.port_of(bank_.port_of_vc(v)) * shape_.vcs + bank_.lane_of(v); };
    const bool islip = shape_.vc_allocator == "islip";  // its inputs choose among all VCs of all ports
    va_inputs_[place(grant.in_vc)].use(islip ? place(grant.out_vc) : bank_.lane_of(grant.out_vc));
    va_outputs_[place(grant.out_vc)].use(place(grant.in_vc));
    last_ports_[place(grant.in_vc)] = bank_.port_of(bank_.port_of_vc(grant.out_vc));
  }
}

void Lockstep::put(std::uint64_t* words, const Flit& flit) const {
  words[0] = flit_mark(flit.head(), flit.tail(), flit.vc());
  codec_.encode(flit, words + 1);
}

void Lockstep::model_port(std::uint32_t p, const RouterInputs& in, const RouterOutputs& out) {
  const PortIndex port = bank_.port_index(router_, PortId{p});
  for (std::uint32_t lane = 0; lane < shape_.lanes(); ++lane) {
    const VcIndex v = bank_.vc_index(port, lane);
    const InputVc& vc = bank_.input_vcs[v];
    if (lane >= shape_.vcs + shape_.circuit_lanes_at(p)) continue;
    model_.credits(p, lane) = bank_.output_vcs[v].credits;
    model_.count(p, lane) = vc.count;
    for (std::uint32_t i = 0; i < vc.count; ++i) put(model_.slot(p, lane, i), bank_.buffered(v, i));
    if (lane >= shape_.vcs) continue;
    model_.vc(p, lane, RouterImage::kState) = static_cast<std::uint64_t>(vc.state);
    if (vc.state == VcState::kActive) {
      model_.vc(p, lane, RouterImage::kOutVc) =
          (std::uint64_t{bank_.port_of(bank_.port_of_vc(vc.out_vc))} + 1) << 8 | bank_.lane_of(vc.out_vc);
    }
    model_.vc(p, lane, RouterImage::kLastPort) = last_ports_[p * shape_.vcs + lane];
    if (vc.state == VcState::kWaitsForVc) {
      std::uint64_t& candidates = model_.vc(p, lane, RouterImage::kCandidates);
      for (std::uint32_t c = 0; c < bank_.ways[v]; ++c) candidates |= shape_.candidate_bits(bank_.candidates(v)[c]);
    }
    const std::uint32_t place = p * shape_.vcs + lane;
    if (va_inputs_shown_) model_.vc(p, lane, RouterImage::kVaInputArbiter) = va_inputs_[place].word();
    if (va_outputs_shown_) model_.vc(p, lane, RouterImage::kVaOutputArbiter) = va_outputs_[place].word();
  }
  if (shape_.circuits) model_circuits(p);
  model_.port(p, RouterImage::kFreeVcs) = bank_.free_vcs[port];
  model_.port(p, RouterImage::kSaVcArbiter) = sa_vcs_[p].word();
  if (sa_outputs_shown_) model_.port(p, RouterImage::kSaOutputArbiter) = sa_outputs_[p].word();
  if (sa_accepts_shown_) model_.port(p, RouterImage::kSaAcceptArbiter) = sa_accepts_[p].word();
  model_.port(p, RouterImage::kCreditOut) = out.credits[p];
  if (out.links[p].valid) put(model_.flit(p, RouterImage::kLinkOut), out.links[p].flit);
  if (in.links[p].valid && !bank_.is_circuit_lane(in.links[p].flit.vc())) {
    put(model_.flit(p, RouterImage::kLatch), in.links[p].flit);
  }
}

void Lockstep::model_circuits(std::uint32_t p) {
  for (std::uint32_t c = 0; c < shape_.circuit_lanes; ++c) {
    const VcIndex lane = bank_.circuit_vc(bank_.port_index(router_, PortId{p}), c);
    if (bank_.circuit_out(lane) != kNone) model_.circuit_out(p, c) = 1 + row(bank_.circuit_out(lane));
    if (bank_.circuit_in(lane) != kNone) model_.circuit_in(p, c) = 1 + row(bank_.circuit_in(lane));
  }
  if (circuit_lanes_.empty()) return;
  model_.port(p, RouterImage::kCircuitLaneArbiter) = circuit_lanes_[p].word();
  model_.port(p, RouterImage::kCircuitOutputArbiter) = circuit_outputs_[p].word();
}

std::uint64_t Lockstep::row(VcIndex circuit_lane) const {
  return shape_.row(bank_.port_of(bank_.port_of_vc(circuit_lane)), bank_.circuit_of(circuit_lane));
}

void Lockstep::model_setup(std::uint64_t cycle, const RouterInputs& in, const RouterOutputs& out) {
  const SetupUnits::History& history = setup_.history(router_);
  if (history.search != 0) {
    model_.router(RouterImage::kSearch) = history.search;
    model_.router(RouterImage::kSearchPort) = 1 + row(history.in_vc);
    model_.router(RouterImage::kSearchTried) = history.tried;
  }
  const VcIndex waiting = pins_.waiting_tear_down(cycle);
  if (waiting != kNone) model_.router(RouterImage::kWaiting) = 1 + row(waiting);
  if (in.control.valid) {
    model_.router(RouterImage::kControlLatch) =
        1 | std::uint64_t{in.control.port} << 8 | std::uint64_t{static_cast<unsigned>(in.control.kind)} << 12 |
        std::uint64_t{in.control.search} << 16 | std::uint64_t{codec_.code(in.control.destination)} << 32;
  }
  if (out.control.valid) {
    model_.router(RouterImage::kControlOut) = 1U << out.control.port;
    model_.router(RouterImage::kControlMessage) = static_cast<unsigned>(out.control.kind) |
                                                  std::uint64_t{out.control.search} << 16 |
                                                  std::uint64_t{codec_.code(out.control.destination)} << 32;
  }
  // The one search or tear-down of the network has ended here if a message was at this unit.
  const SearchOutcome& outcome = setup_.outcome();
  if ((message_latched_ || was_waiting_ || in.request.valid) && outcome.done && outcome.cycle == cycle) {
    model_.router(RouterImage::kOutcome) = outcome.success ? 3 : 1;
  }
  message_latched_ = in.control.valid;
  was_waiting_ = waiting != kNone;
}

void Lockstep::model(std::uint64_t cycle, const RouterInputs& in) {
  model_.clear();
  const RouterOutputs out = pins_.modelled_outputs(cycle);
  for (std::uint32_t p = 0; p < shape_.ports; ++p) model_port(p, in, out);
  for (const Slice::Traversal& t : slice_.switch_register()) {
    const std::uint32_t p = bank_.port_of(bank_.port_of_vc(t.in_vc));
    model_.port(p, RouterImage::kStValid) = 1;
    model_.port(p, RouterImage::kStOutput) =
        std::uint64_t{bank_.port_of(t.out_port)} << 16 | std::uint64_t{t.flit.vc()} << 8 | bank_.lane_of(t.in_vc);
    put(model_.flit(p, RouterImage::kStFlit), t.flit);
  }
  if (shape_.circuits) model_setup(cycle, in, out);
}

void Lockstep::compare_reset(const PinRouter& rtl) {
  model(0, {});
  rtl.image(rtl_);
  const auto& expected = model_.words();
  const auto& actual = rtl_.words();
  const auto at = std::mismatch(expected.begin(), expected.end(), actual.begin());
  if (at.first == expected.end()) return;
  const std::string signal = RouterImage::names(shape_)[static_cast<std::size_t>(at.first - expected.begin())].signal;
  throw LockstepError(fmt::format("lockstep: router {}, after reset: {} is {:#x} in the model and {:#x} in the RTL",
                                  name_, signal, *at.first, *at.second));
}

void Lockstep::compare(std::uint64_t cycle, const RouterInputs& in, const PinRouter& rtl) {
  model(cycle, in);
  rtl.image(rtl_);
  ++cycles_;
  const auto& expected = model_.words();
  const auto& actual = rtl_.words();
  if (expected != actual) {
    const auto at = std::mismatch(expected.begin(), expected.end(), actual.begin());
    report(cycle, static_cast<std::size_t>(at.first - expected.begin()));
  }
  Moment& moment = past_[cycles_ % kPast];
  moment.cycle = cycle;
  moment.words = expected;
}

void Lockstep::expect_no_change(std::uint64_t cycle) const {
  const auto& before = past_[(cycles_ - 1) % kPast].words;
  const auto& now = past_[cycles_ % kPast].words;
  if (now == before) return;
  const auto at = std::mismatch(now.begin(), now.end(), before.begin());
  const std::string signal = RouterImage::names(shape_)[static_cast<std::size_t>(at.first - now.begin())].signal;
  throw LockstepError(
      fmt::format("lockstep: router {}, cycle {}: {} changes from {:#x} to {:#x} although nothing came in "
                  "or was inside",
                  name_, cycle, signal, *at.second, *at.first));
}

void Lockstep::report(std::uint64_t cycle, std::size_t word) const {
  const std::vector<RouterImage::Name> names = RouterImage::names(shape_);
  const RouterImage::Name& name = names[word];
  std::string text = fmt::format("lockstep: router {}, cycle {}: {} is {:#x} in the model and {:#x} in the RTL", name_,
                                 cycle, name.signal, model_.words()[word], rtl_.words()[word]);
  std::size_t differences = 0;
  for (std::size_t w = 0; w < names.size(); ++w) differences += model_.words()[w] != rtl_.words()[w] ? 1 : 0;
  text += fmt::format("\n{} of {} words differ; changes at {} in the last {} cycles:", differences, names.size(),
                      name.port < 0 ? std::string("the set-up unit") : fmt::format("port {}", name.port), kReported);
  const std::vector<std::uint64_t>* before = nullptr;
  for (std::uint64_t back = std::min<std::uint64_t>(kReported, cycles_ - 1); back >= 1; --back) {
    const Moment& moment = past_[(cycles_ - back) % kPast];
    std::string changes;
    for (std::size_t w = 0; w < names.size(); ++w) {
      if (names[w].port != name.port || (before != nullptr ? (*before)[w] == moment.words[w] : moment.words[w] == 0))
        continue;
      changes += fmt::format(" {}={:#x}", names[w].signal, moment.words[w]);
    }
    text += fmt::format("\n  {}:{}", moment.cycle, changes.empty() ? " -" : changes);
    before = &moment.words;
  }
  text += "\nwaveform of both: " + write_waves(word);
  throw LockstepError(text);
}

/// Scopes `model` and `rtl` with the same signals, no wider than any value: narrow ones are easier to read.
std::deque<Signal> Lockstep::wave_signals() const {
  const std::vector<RouterImage::Name> names = RouterImage::names(shape_);
  std::vector<std::uint64_t> used(names.size(), 1);  // bits that any value needs
  const auto use = [&](const std::vector<std::uint64_t>& words) {
    for (std::size_t w = 0; w < words.size(); ++w) used[w] |= words[w];
  };
  for (const Moment& moment : past_) use(moment.words);
  use(model_.words());
  use(rtl_.words());
  std::deque<Signal> signals;
  for (const char* scope : {"model", "rtl"}) {
    for (std::size_t w = 0; w < names.size(); ++w) {
      const unsigned bits = 64U - static_cast<unsigned>(__builtin_clzll(used[w]));
      signals.push_back({scope, identifier(names[w].signal), bits, 0});
    }
  }
  return signals;
}

/// The save file opens on the signal that differs, then on its port.
std::string Lockstep::write_waves(std::size_t word) const {
  std::deque<Signal> signals = wave_signals();
  const std::size_t words = signals.size() / 2;
  const std::unique_ptr<WaveFile> waves = open_wave_file(wave_file_, kDefaultPeriodPs);
  waves->declare(signals);
  const auto write = [&](std::uint64_t cycle, const auto& model, const auto& rtl) {
    for (std::size_t w = 0; w < words; ++w) {
      signals[w].value = model[w];
      signals[words + w].value = rtl[w];
    }
    waves->write(cycle);
  };
  std::uint64_t last = 0;
  for (std::uint64_t back = std::min<std::uint64_t>(kPast - 1, cycles_ - 1); back >= 1; --back) {
    const Moment& moment = past_[(cycles_ - back) % kPast];
    last = moment.cycle;
    write(moment.cycle, moment.words, moment.words);
  }
  write(last + 1, model_.words(), rtl_.words());
  write(last + 2, model_.words(), rtl_.words());
  waves->finish();
  ValueNames names_of_values(wave_file_);
  SaveFile save(wave_file_, names_of_values);
  const auto show = [&](std::size_t w) {
    save.show_hex(signals[w]);
    save.show_hex(signals[words + w]);
  };
  const std::vector<RouterImage::Name> names = RouterImage::names(shape_);
  show(word);
  for (std::size_t w = 0; w < words; ++w) {
    if (w != word && (model_.words()[w] != rtl_.words()[w] || names[w].port == names[word].port)) show(w);
  }
  save.close();
  return wave_file_ + ", " + save.name();
}

}  // namespace braid::models::hybrid
