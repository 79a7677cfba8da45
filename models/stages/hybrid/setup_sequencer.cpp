#include "models/stages/hybrid/setup_sequencer.h"

#include <stdexcept>

namespace braid::models::stages::hybrid {

using models::hybrid::ControlKind;

// ---------------------------------------------------------------- in a network

RegisterChannel& SequencerChannels::make(const char* name, unsigned width, RegisterChannel::Gather gather) {
  return channels_.add(name, width, *this, std::move(gather));
}

RegisterChannel& SequencerChannels::make_number(const char* name, std::uint32_t View::* number) {
  return make(name, kNumberBits,
              [this, number](Bits& b) { b.set(0, kNumberBits, fabric_.setup_sequencer()->view().*number); });
}

bool SequencerChannels::asks() const {
  const auto& asked = fabric_.setup_requests().asked();
  return asked.any && asked.cycle == clock_.cycle();
}

SequencerChannels::SequencerChannels(models::hybrid::Fabric& fabric, const StepClock& clock)
    : fabric_(fabric),
      clock_(clock),
      outcome_valid(
          make("setup_outcome_valid", 1, [this](Bits& b) { b.set(0, fabric_.setup_requests().outcome().done); })),
      outcome_success(
          make("setup_outcome_success", 1, [this](Bits& b) { b.set(0, fabric_.setup_requests().outcome().success); })),
      request_valid(make("setup_request_valid", 1, [this](Bits& b) { b.set(0, asks()); })),
      request_kind(
          make("setup_request_kind", 2,
               [this](Bits& b) { b.set(0, 2, static_cast<std::uint64_t>(fabric_.setup_requests().asked().kind)); })),
      request_stream(make("setup_request_stream", kNumberBits,
                          [this](Bits& b) { b.set(0, kNumberBits, fabric_.setup_requests().asked().circuit); })),
      state(
          make("setup_state", 2,
               [this](Bits& b) { b.set(0, 2, static_cast<std::uint64_t>(fabric_.setup_sequencer()->view().phase)); })),
      order(make_number("setup_order", &View::order)),
      stream(make_number("setup_stream", &View::stream)),
      standing(make_number("setup_standing", &View::standing)) {}

void SetupSequencer::bind(SequencerChannels& network) {
  outcome_valid_i(network.outcome_valid);
  outcome_success_i(network.outcome_success);
  request_valid_o(network.request_valid);
  request_kind_o(network.request_kind);
  request_stream_o(network.request_stream);
  state_o(network.state);
  order_o(network.order);
  stream_o(network.stream);
  standing_o(network.standing);
}

void SetupSequencer::end_of_elaboration() {
  Stage::end_of_elaboration();
  check_widths(*this);
  if (auto* channels = dynamic_cast<SequencerChannels*>(bank())) fabric_ = &channels->fabric();
  if (fabric_ == nullptr && !alone_) throw std::logic_error(std::string(name()) + ": alone, and told no streams");
}

void SetupSequencer::step(std::uint64_t cycle) {
  if (fabric_ != nullptr) return fabric_->run_set_up(cycle);
  on_ports(cycle);
}

// ---------------------------------------------------------------- alone

/// The family's sequencer; what it asks for, and what it is told, is on the ports.
class SetupSequencer::Alone final : public models::hybrid::CircuitSearch {
 public:
  Alone(std::vector<CircuitRequest> streams, const models::hybrid::Options& options, std::uint64_t seed)
      : streams_(std::move(streams)), user_(streams_), sequencer_(*this, user_, options, seed) {}

  void step(std::uint64_t cycle, bool done, bool success) {
    outcome_.done = done;
    outcome_.success = success;
    asks_ = false;
    sequencer_.step(cycle);
  }
  models::hybrid::SetupSequencer::View view() const { return sequencer_.view(); }
  bool asks() const { return asks_; }
  ControlKind kind() const { return kind_; }
  std::size_t stream() const { return stream_; }

 private:
  void ask(ControlKind kind, std::size_t stream) {
    asks_ = true;
    kind_ = kind;
    stream_ = stream;
  }
  const std::vector<CircuitRequest>& circuits() const override { return streams_; }
  bool search(std::uint64_t, std::size_t stream, bool) override {
    ask(ControlKind::kProbe, stream);
    ++searches_;
    return true;
  }
  bool renumber(std::uint64_t, std::uint32_t numbers) override {
    if (searches_ + numbers <= models::hybrid::kMaxSearches) return false;
    ask(ControlKind::kAcknowledge, stream_);
    searches_ = 0;
    return true;
  }
  void tear_down(std::uint64_t, std::size_t stream) override { ask(ControlKind::kTearDown, stream); }
  const models::hybrid::SearchOutcome& outcome() const override { return outcome_; }
  CircuitResult take_found(std::size_t stream) override {
    return {streams_[stream].name, streams_[stream].source, streams_[stream].destination, {}, 0, 0};
  }
  models::hybrid::CircuitEnd source(std::size_t) const override { return {}; }
  void check_path(const std::vector<CircuitResult::Step>&) const override {}

  /// Whom it tells.
  struct User final : CircuitUser {
    explicit User(const std::vector<CircuitRequest>& of) : streams(of) {}
    std::vector<CircuitRequest> circuits() const override { return streams; }
    void circuit_found(std::size_t, std::size_t, std::uint32_t) override {}
    void set_up(bool) override {}
    const std::vector<CircuitRequest>& streams;
  };

  std::vector<CircuitRequest> streams_;
  models::hybrid::SearchOutcome outcome_;
  bool asks_ = false;
  ControlKind kind_ = ControlKind::kProbe;
  std::size_t stream_ = 0;
  std::uint32_t searches_ = 0;
  User user_;
  models::hybrid::SetupSequencer sequencer_;
};

SetupSequencer::SetupSequencer(const sc_core::sc_module_name& name, std::vector<CircuitRequest> streams,
                               const models::hybrid::Options& options, std::uint64_t seed)
    : Stage(name), alone_(std::make_unique<Alone>(std::move(streams), options, seed)) {}

SetupSequencer::SetupSequencer(const sc_core::sc_module_name& name) : Stage(name) {}
SetupSequencer::~SetupSequencer() = default;

void SetupSequencer::on_ports(std::uint64_t cycle) {
  alone_->step(cycle, outcome_valid_i->read()[0], outcome_success_i->read()[0]);
  const auto view = alone_->view();
  request_valid_o->write(Bits(1, alone_->asks() ? 1 : 0));
  request_kind_o->write(Bits(2, static_cast<std::uint64_t>(alone_->kind())));
  request_stream_o->write(Bits(kNumberBits, alone_->stream()));
  state_o->write(Bits(2, static_cast<std::uint64_t>(view.phase)));
  order_o->write(Bits(kNumberBits, view.order));
  stream_o->write(Bits(kNumberBits, view.stream));
  standing_o->write(Bits(kNumberBits, view.standing));
}

}  // namespace braid::models::stages::hybrid
