// A unit of a Myrinet-like switch, or of a host. Where all its ports are bound to registers of a network's bank, it
// calls that network's step functions, the ones that the static schedule calls; else it works on what its ports carry.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/families/myrinet/slice.h"
#include "models/stages/base/bits.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages::myrinet {

using models::myrinet::Channel;
using models::myrinet::Input;
using models::myrinet::Options;
using models::myrinet::Output;
using models::myrinet::Slice;
using models::myrinet::Timing;
using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

/// Steps of a cycle (models/stages/base/step_clock.h), in the order of docs/in-transit-buffers.md: those of one step in
/// any order.
enum Step : std::size_t {
  kArrivals,  ///< flits, stop and go that cables bring; what is due inside
  kTails,     ///< senders whose tail has left are free
  kFailure,   ///< a link goes down
  kHeaders,   ///< routing control units look at the front of their buffer
  kGrants,    ///< output ports; hosts begin a packet
  kFlits,     ///< senders
  kSignals,   ///< stop and go; what the nodes make
  kHosts,     ///< in-transit hosts hand packets to their interface
  kSteps
};

/// Bits of a count of flits, and of a port's number.
constexpr unsigned kFlitBits = 16, kPortBits = 6;

/// The registers of a network's slice that ports are bound to: those of one switch, or of one host.
class SliceBank : public Bank {
 public:
  explicit SliceBank(Slice& slice) : slice_(slice) {}
  Slice& slice() const { return slice_; }

 private:
  Slice& slice_;
};

class SwitchStage : public Stage {
 public:
  ~SwitchStage() override;
  bool has_work(std::uint64_t /*cycle*/) override { return slice_ == nullptr || works(*slice_); }

 protected:
  using Part = std::function<void(Slice&, std::uint64_t cycle)>;
  using Works = std::function<bool(const Slice&)>;
  explicit SwitchStage(const sc_core::sc_module_name& name);

  /// In a network: what it does in another step than that of clk_i, and whether there is anything to do. In the
  /// constructor.
  void also(const char* name, StepClock& clock, Part part, Works works);
  /// The unit's part of a cycle, in a network.
  virtual void on_bank(Slice& slice, std::uint64_t cycle) = 0;
  /// May that do anything?
  virtual bool works(const Slice& slice) const = 0;
  /// All of its cycle alone, by its ports.
  virtual void on_ports(std::uint64_t cycle) = 0;
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override {
    if (slice_ != nullptr) return on_bank(*slice_, cycle);
    on_ports(cycle);
  }

 private:
  class OtherStep;
  Slice* slice_ = nullptr;
  std::vector<std::unique_ptr<OtherStep>> others_;
};

}  // namespace braid::models::stages::myrinet
