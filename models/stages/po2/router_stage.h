// A stage of a PO2 router. Where all its ports are bound to registers of one router's bank, it calls that router's
// stage function, the one that the static schedule calls; else it loads what its ports carry into a router of its own
// and calls the same function there.
#pragma once

#include <memory>

#include "models/families/po2/slice.h"
#include "models/stages/base/bits.h"
#include "models/stages/base/stage.h"
#include "models/stages/po2/lone_router.h"
#include "models/stages/po2/site.h"

namespace braid::models::stages::po2 {

using models::po2::Slice;
using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

class RouterStage : public Stage {
 public:
  bool has_work(std::uint64_t cycle) override { return slice_ == nullptr || has_work_on_bank(*slice_, cycle); }

 protected:
  RouterStage(const sc_core::sc_module_name& name, const Site& site) : Stage(name), site_(site), shape_(site) {}

  /// The stage's part of a cycle, in a network.
  virtual void on_bank(Slice& slice, std::uint64_t cycle) = 0;
  virtual bool has_work_on_bank(Slice& slice, std::uint64_t cycle) = 0;
  /// ... alone, by its ports.
  virtual void on_ports(LoneRouter& lone, std::uint64_t cycle) = 0;
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override {
    if (slice_ != nullptr) return on_bank(*slice_, cycle);
    on_ports(*lone_, cycle);
  }

  const Site site_;
  const RouterShape shape_;

 private:
  Slice* slice_ = nullptr;
  std::unique_ptr<LoneRouter> lone_;  // null: in a network
};

}  // namespace braid::models::stages::po2
