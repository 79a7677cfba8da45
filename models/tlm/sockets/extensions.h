// What a transaction may carry beside the generic payload. Both are ignorable: without them a transaction is a plain
// one.
#pragma once

#include <cstdint>
#include <tlm>

namespace braid::models {

/// A pushed write: it is complete, with TLM_OK_RESPONSE, when its last flit has left the initiator's network interface;
/// no response comes back over the network, and what the target answers is dropped.
class StreamExtension final : public ::tlm::tlm_extension<StreamExtension> {
 public:
  /// `circuit`: over the circuit of `tlm.circuits` between the two nodes, where one stands.
  explicit StreamExtension(bool circuit = false) : on_circuit(circuit) {}
  bool on_circuit;

  ::tlm::tlm_extension_base* clone() const override { return new StreamExtension(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    *this = static_cast<const StreamExtension&>(other);
  }
};

/// Transactions of one initiator with the same id are answered in the order in which they were asked, whichever targets
/// they go to. Without an id that holds of each target by itself.
class OrderExtension final : public ::tlm::tlm_extension<OrderExtension> {
 public:
  explicit OrderExtension(std::uint32_t order_id = 0) : id(order_id) {}
  std::uint32_t id;

  ::tlm::tlm_extension_base* clone() const override { return new OrderExtension(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override { *this = static_cast<const OrderExtension&>(other); }
};

}  // namespace braid::models
