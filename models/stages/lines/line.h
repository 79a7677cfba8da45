// The wires of a broadcast's line: they bring pulses from station to station, each in its own cycles.
#pragma once

#include <memory>

#include "models/stages/base/stage.h"
#include "models/stages/lines/channels.h"

namespace braid::models::stages::lines {

class Line final : public Stage {
 public:
  sc_core::sc_vector<InBits> drive_i;    ///< [station] a bit a wire that begins there
  sc_core::sc_vector<OutBits> arrive_o;  ///< [station] a bit a wire that ends there

  /// Alone.
  Line(const sc_core::sc_module_name& name, const BroadcastLineContext& context);
  /// In a network, bound to its registers.
  Line(const sc_core::sc_module_name& name, Channels& channels);

 private:
  void step(std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle);

  std::unique_ptr<BroadcastLine> own_;  // null: in a network. Of its units none ever runs
  Channels* channels_ = nullptr;        // null: alone
};

}  // namespace braid::models::stages::lines
