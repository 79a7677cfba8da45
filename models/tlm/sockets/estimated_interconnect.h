// The same sockets as Interconnect's in the styles without flits (tlm.style; docs/tlm-styles.md): requests and
// responses take the cycles that a PacketTiming says. Approximately timed, both phases of both sides come at their
// times; loosely timed, b_transport calls the target's at once and annotates the time.
//
//   models::EstimatedInterconnect net("net", experiment, topology, *routing);
//   cpu.socket.bind(net.target<32>(0));
//   net.initiator<32>(5).bind(memory.socket);
//
// A target is handed the initiator's own payload, its address as an offset in the range. Of a blocking call that is
// approximately timed it is a managed copy, data included: the call's stack may be gone before the target is done.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/tlm/options.h"
#include "models/tlm/sockets/action_queue.h"
#include "models/tlm/sockets/interconnect_base.h"
#include "models/tlm/sockets/payload_pool.h"
#include "models/tlm/styles/packet_timing.h"

namespace braid::models {

/// Of a blocking call: a payload with data and byte enables of its own.
class CopiedPayload final : public ::tlm::tlm_generic_payload {
 public:
  /// `p` in all but the address.
  void copy_request(const ::tlm::tlm_generic_payload& p);
  /// What the target has answered.
  void copy_response_to(::tlm::tlm_generic_payload& p) const;

 private:
  std::vector<unsigned char> data_, byte_enables_;
};

class EstimatedInterconnect final : public InterconnectBase {
 public:
  /// `topology` and `routing` outlive it. A cycle is `period`; zero: the experiment's, as of Simulation::engine. Throws
  /// InputError: the engine would refuse the network or the period, tlm.style is cycle_accurate, or has no timing for
  /// this network, or the configuration has what only flits can tell (time-outs, circuits).
  EstimatedInterconnect(const sc_core::sc_module_name& name, const Configuration& configuration,
                        const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
                        const sc_core::sc_time& period = sc_core::SC_ZERO_TIME);
  ~EstimatedInterconnect() override;

  /// Transactions that somebody is not done with yet.
  std::size_t in_use() const { return flights_.size() - free_.size(); }

  // For the sockets:
  ::tlm::tlm_sync_enum nb_transport_bw(std::size_t r, Payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void b_transport(std::size_t r, Payload& p, sc_core::sc_time& delay) override;

 private:
  using Slot = TransactionSlot;
  enum class Event { kBegin, kReserve, kRequestArrives, kRequestEnds, kResponseArrives, kEnd };
  struct Action {
    Event event;
    Slot slot;
  };
  struct Flight {                         // a transaction
    Payload* original = nullptr;          // null: withdrawn
    Payload* forwarded = nullptr;         // what the target sees
    CopiedPayload* copy = nullptr;        // forwarded, of a blocking call
    const AddressRange* range = nullptr;  // null: refused
    std::size_t requester = 0, responder = 0;
    std::uint64_t address = 0;
    std::optional<std::uint32_t> order;
    bool pushed = false, sent = false, ready = false;
    TargetState at_target = TargetState::kAway;
    sc_core::sc_event* done = nullptr;  // of a blocking call that waits
    bool* returned = nullptr;
  };

  /// A message that is made, whose packets are to be reserved.
  struct Sending {
    std::uint64_t made;  ///< cycle
    NodeId from;
    std::size_t rank;      ///< of who makes it, among all initiators and targets
    std::uint64_t number;  ///< in the order of making: what one makes in a cycle stays in its order
    Slot slot;
    bool response;
    std::uint64_t cycle;  ///< in which its packets are made: an annotated delay later
  };

  void end_of_elaboration() override;
  ::tlm::tlm_sync_enum request_begins(std::size_t r, Payload& p, const AddressRange* range, ::tlm::tlm_phase& phase,
                                      const sc_core::sc_time& delay) override;
  void response_ends(Slot slot, const sc_core::sc_time& delay) override { actions_.file({Event::kEnd, slot}, delay); }
  const Payload* original(Slot slot) const override { return flights_[slot]->original; }

  void go_on(Requester& requester) override;

  Slot open(std::size_t r, Payload& p, const AddressRange* range);
  void act(const Action& action);
  bool admit(Slot slot);
  bool may_go(const Requester& requester) const;
  void begin(Slot slot);
  void issue(Requester& requester);
  void send(Slot slot);
  void make(NodeId from, std::size_t rank, Slot slot, bool response, const sc_core::sc_time& delay);
  void reserve_all();
  void reserve(const Sending& sending);
  void request_arrives(Slot slot);
  void hand_request(Responder& responder);
  void request_ends(Slot slot);
  std::optional<Slot> held(std::size_t responder, const Payload& p) const;
  void respond(Slot slot, const sc_core::sc_time& delay);
  void response_arrives(Slot slot);
  void answer(Requester& requester);
  void end(Slot slot);
  void close(Slot slot);
  void withdraw(Slot slot);
  void discard(Slot slot);
  void blocking_by_phases(std::size_t r, Payload& p, sc_core::sc_time& delay);

  /// When a message of so many bytes, made in `cycle`, is there.
  std::uint64_t carried(NodeId from, NodeId to, std::size_t bytes, std::uint64_t cycle);
  std::uint64_t cycle_of(sc_core::sc_time::value_type time) const { return time / period_; }
  sc_core::sc_time until(std::uint64_t cycle, sc_core::sc_time::value_type now) const {
    return sc_core::sc_time::from_value(cycle * period_ - now);
  }

  const std::uint32_t most_;  // bytes of a message in a packet
  sc_core::sc_time::value_type period_;
  std::unique_ptr<PacketTiming> timing_;
  const bool annotates_;
  std::vector<std::unique_ptr<Flight>> flights_;  // [slot]
  std::vector<Slot> free_;
  std::vector<Sending> sending_;
  std::vector<Sending> reserved_;  // of the edge at hand
  std::uint64_t sent_ = 0;
  std::uint64_t reserving_ = 0;                          // cycle at whose edge they are reserved
  std::unordered_map<const Payload*, Slot> at_targets_;  // whose request has ended, and whose response has not begun
  std::vector<std::vector<sc_core::sc_time>> last_request_;  // [requester][responder]: none passes the one before
  PayloadPool<CopiedPayload> pool_;
  ActionQueue<Action, EstimatedInterconnect> actions_;
};

}  // namespace braid::models
