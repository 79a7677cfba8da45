// A network of any family as the interconnect between a user's TLM-2.0 initiators and targets, cycle-accurate: what
// they say to each other is in packets and flits (models/tlm/carrier.h), and every phase comes at the edge of the cycle
// in which the flits are there. docs/tlm.md draws a transaction.
//
//   models::Simulation simulation(experiment);                       // with a section [tlm]
//   models::Interconnect net("net", simulation.engine());
//   cpu.socket.bind(net.target<32>(0));      // what enters at node 0
//   net.initiator<32>(5).bind(memory.socket);  // where the addresses of node 5 lead
#pragma once

#include <cstdint>
#include <string>

#include "models/engine/engine.h"
#include "models/tlm/carrier.h"
#include "models/tlm/sockets/action_queue.h"
#include "models/tlm/sockets/interconnect_base.h"
#include "models/tlm/sockets/transaction.h"

namespace braid::models {

class Interconnect final : public InterconnectBase, private Watcher, private Carrier::User {
 public:
  /// Before the first sc_start. Reports SC_ERROR ("/braid/tlm/use") for an experiment without [tlm] or a map that
  /// cannot be.
  Interconnect(const sc_core::sc_module_name& name, Engine& engine);
  ~Interconnect() override;

  /// Transactions that somebody is not done with yet, those given up included.
  std::size_t in_use() const { return transactions_.in_use(); }

  // For the sockets:
  ::tlm::tlm_sync_enum nb_transport_bw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void b_transport(std::size_t r, Payload& p, sc_core::sc_time& delay) override;

 private:
  enum class Event { kBeginRequest, kEndResponse, kTimeout, kEndRequest, kBeginResponse, kCompleted };
  struct Action {
    Event event;
    TransactionSlot slot;
    std::uint64_t serial;
  };
  // InterconnectBase
  ::tlm::tlm_sync_enum request_begins(std::size_t r, Payload& p, const AddressRange* range, ::tlm::tlm_phase& phase,
                                      const sc_core::sc_time& delay) override;
  void response_ends(TransactionSlot slot, const sc_core::sc_time& delay) override;
  const Payload* original(TransactionSlot slot) const override { return transactions_[slot].original; }
  void go_on(Requester& requester) override;
  // Watcher
  bool waits() const override { return carrier_->under_way() > 0; }
  void flush(std::uint64_t last_cycle) override { carrier_->flush(last_cycle); }
  void look(std::uint64_t) override { carrier_->take(*this); }
  std::string in_hand() const override;
  // Carrier::User
  void left(const Carrier::Message& message) override;
  void arrived(const Carrier::Message& message) override;

  void act(const Action& action);
  // initiator_side.cpp
  TransactionSlot open(std::size_t r, Payload& p, const AddressRange* range);
  void begin(TransactionSlot slot);
  void issue(Requester& requester);
  void send_request(TransactionSlot slot);
  void request_left(TransactionSlot slot);
  void leave_network(Transaction& t);
  void time_out(TransactionSlot slot);
  void answer(TransactionSlot slot);
  void respond(Requester& requester);
  void withdraw(TransactionSlot slot);
  void end_response(TransactionSlot slot);
  // target_side.cpp
  void request_arrived(const Carrier::Message& message);
  void hand_request(Responder& responder);
  void target_says(TransactionSlot slot, const ::tlm::tlm_phase& phase, bool wants_end, const sc_core::sc_time& delay);
  void end_request(TransactionSlot slot);
  void target_responds(TransactionSlot slot, bool wants_end);
  void end_target_response(TransactionSlot slot);
  void response_arrived(const Carrier::Message& message);

  Network& network() const { return engine_.settled(); }

  Engine& engine_;
  Carrier* carrier_;
  TransactionStore transactions_;
  PayloadPool<CarriedPayload> pool_;
  ActionQueue<Action, Interconnect> actions_;
};

}  // namespace braid::models
