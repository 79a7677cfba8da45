// What the interconnects of all styles share: the sockets at the nodes, the sides of initiators and targets, to which
// target an address leads, how a transaction of phases begins and ends, and the calls that take no time (debug, direct
// memory access).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/tlm/address_map.h"
#include "models/tlm/options.h"
#include "models/tlm/sockets/node_sockets.h"
#include "models/tlm/sockets/payload_refusal.h"
#include "models/tlm/sockets/sides.h"
#include "models/tlm/unwinding.h"

namespace braid::models {

class InterconnectBase : public sc_core::sc_module, public SocketUser {
 public:
  /// The socket at a node for any number of initiators, made when first asked for. `kBits`: 32, 64, 128.
  template <unsigned kBits = 32>
  auto& target(std::size_t node) {
    return socket<MultiTargetSocket<kBits>>("target", node).socket;
  }
  /// For one initiator.
  template <unsigned kBits = 32>
  auto& simple_target(std::size_t node) {
    return socket<SimpleTargetSocket<kBits>>("target", node).socket;
  }
  /// The socket at a node for its targets. One takes all addresses of the node; of several, the first bound takes its
  /// first range in the map, and so on.
  template <unsigned kBits = 32>
  auto& initiator(std::size_t node) {
    return socket<MultiInitiatorSocket<kBits>>("initiator", node).socket;
  }
  template <unsigned kBits = 32>
  auto& simple_initiator(std::size_t node) {
    return socket<SimpleInitiatorSocket<kBits>>("initiator", node).socket;
  }
  const AddressMap& map() const { return map_; }
  /// Blocking calls that did not return since a kill or a reset of their thread, or an exception, unwound them. What of
  /// such a transaction is sent goes on, and its response is dropped. An SC_WARNING says so the first time.
  std::uint64_t withdrawn() const { return withdrawn_; }

  using Payload = ::tlm::tlm_generic_payload;
  // For the sockets:
  std::size_t add(const InitiatorFace& face) final;
  std::size_t add(const TargetFace& face) final;
  ::tlm::tlm_sync_enum nb_transport_fw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) final;
  unsigned transport_dbg(Payload& p) final;
  bool get_direct_mem_ptr(Payload& p, ::tlm::tlm_dmi& dmi) final;
  void invalidate_direct_mem_ptr(std::size_t r, sc_dt::uint64 first, sc_dt::uint64 last) final;

 protected:
  SC_HAS_PROCESS(InterconnectBase);
  InterconnectBase(const sc_core::sc_module_name& name, std::size_t nodes, const TlmOptions& options);
  /// Before elaboration ends: by the map of the experiment.
  void lead(const Configuration& configuration);
  const TlmOptions& options() const { return options_; }

  void end_of_elaboration() override;
  std::vector<Requester>& requesters() { return requesters_; }
  std::vector<Responder>& responders() { return responders_; }
  const std::vector<Responder>& responders() const { return responders_; }

  /// BEGIN_REQ of initiator `r`, who keeps the payload for us until response_ends(). It leads to `range`; null: it is
  /// refused, and its status says why. What nb_transport_fw() returns.
  virtual ::tlm::tlm_sync_enum request_begins(std::size_t r, Payload& p, const AddressRange* range,
                                              ::tlm::tlm_phase& phase, const sc_core::sc_time& delay) = 0;
  /// END_RESP of what is being handed over, `delay` from now.
  virtual void response_ends(TransactionSlot slot, const sc_core::sc_time& delay) = 0;
  virtual const Payload* original(TransactionSlot slot) const = 0;
  /// A transaction of the initiator was withdrawn: those that waited for it go on.
  virtual void go_on(Requester& requester) = 0;

  /// Where the payload leads; null: nowhere (see range_of_payload). Before anything is kept of it, for it may throw.
  const AddressRange* range_of(std::size_t r, Payload& p) const {
    return range_of_payload(p, options_, map_, requesters_[r].face);
  }
  /// Is the caller a thread, which can wait? Else SC_ERROR, and the payload gets an error response.
  bool may_wait(std::size_t r, Payload& p) const;
  /// A phase that a target says of a payload, by a call or as what a call returned. False: wrong use, reported.
  static bool take(TargetState& state, const ::tlm::tlm_phase& phase, const TargetFace& target);
  /// ... of a payload that is none of ours.
  static void report_stranger(const ::tlm::tlm_phase& phase, const TargetFace& target) {
    TargetState state = TargetState::kAway;
    take(state, phase, target);
  }
  /// What an initiator returned of its BEGIN_RESP: has it ended the response? Reports what is neither.
  static bool ends_response(::tlm::tlm_sync_enum status, const ::tlm::tlm_phase& phase, const InitiatorFace& initiator);
  /// Called while a stack is unwound: throws nothing, calls nobody. The rest comes a delta later.
  void count_withdrawn(std::size_t r);

  /// The number of the target that a range of the map leads to.
  std::size_t target_of(const AddressRange& range) const {
    return target_of_range_[static_cast<std::size_t>(&range - map_.ranges().data())];
  }

 private:
  template <class Socket>
  Socket& socket(const char* kind, std::size_t node);
  void check_node(const char* kind, std::size_t node) const;
  void lead_ranges();
  void end_withdrawals();

  std::size_t nodes_;
  const TlmOptions options_;
  AddressMap map_;
  std::vector<std::unique_ptr<SocketHolder>> sockets_;
  std::vector<Requester> requesters_;
  std::vector<Responder> responders_;
  std::vector<std::size_t> target_of_range_;
  std::vector<std::size_t> withdrawing_;  // requesters, in this delta
  std::uint64_t withdrawn_ = 0;
  bool said_withdrawn_ = false;
  sc_core::sc_event withdrawal_{"withdrawal"};
};

template <class Socket>
Socket& InterconnectBase::socket(const char* kind, std::size_t node) {
  check_node(kind, node);
  const std::string name = std::string(kind) + "_" + std::to_string(node);
  for (const auto& holder : sockets_) {
    if (holder->short_name() != name) continue;
    if (auto* same = dynamic_cast<Socket*>(holder.get())) return *same;
    report_wrong_use(holder->name(), "has another width or kind; ask for one kind and width at a node");
  }
  auto* context = sc_core::sc_get_curr_simcontext();
  context->hierarchy_push(this);  // a part of this module, though its constructor is over
  auto made = std::make_unique<Socket>(name, *this, NodeId{node});
  context->hierarchy_pop();
  Socket& result = *made;
  sockets_.push_back(std::move(made));
  return result;
}

}  // namespace braid::models
