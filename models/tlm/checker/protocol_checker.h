// A module that sits between an initiator socket and a target socket, passes everything on unchanged in the same delta,
// and reports with SC_ERROR what breaks a rule of the base protocol (models/tlm/checker/protocol_rules.h).
//
//   ProtocolChecker<32> checker("checker");
//   cpu.socket.bind(checker.target_socket);
//   checker.initiator_socket.bind(memory.socket);
#pragma once

#include <systemc>
#include <tlm>

#include "models/tlm/checker/protocol_rules.h"
#include "models/tlm/unwinding.h"

namespace braid::models {

/// `kBits`: width of the sockets.
template <unsigned kBits = 32>
class ProtocolChecker final : public sc_core::sc_module,
                              public ::tlm::tlm_fw_transport_if<>,
                              public ::tlm::tlm_bw_transport_if<> {
 public:
  ::tlm::tlm_target_socket<kBits> target_socket;        ///< faces the initiator
  ::tlm::tlm_initiator_socket<kBits> initiator_socket;  ///< faces the target

  explicit ProtocolChecker(const sc_core::sc_module_name& name)
      : sc_module(name),
        target_socket("target_socket"),
        initiator_socket("initiator_socket"),
        monitor_([this] { return std::string(this->name()); }) {
    target_socket.bind(*static_cast<::tlm::tlm_fw_transport_if<>*>(this));
    initiator_socket.bind(*static_cast<::tlm::tlm_bw_transport_if<>*>(this));
  }
  const ProtocolMonitor& monitor() const { return monitor_; }

  ::tlm::tlm_sync_enum nb_transport_fw(::tlm::tlm_generic_payload& trans, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
    const auto call = monitor_.before_fw(trans, phase, delay);
    const ::tlm::tlm_sync_enum status = initiator_socket->nb_transport_fw(trans, phase, delay);
    monitor_.after_fw(trans, call, phase, delay, status);
    return status;
  }
  ::tlm::tlm_sync_enum nb_transport_bw(::tlm::tlm_generic_payload& trans, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
    const auto call = monitor_.before_bw(trans, phase, delay);
    const ::tlm::tlm_sync_enum status = target_socket->nb_transport_bw(trans, phase, delay);
    monitor_.after_bw(trans, call, phase, delay, status);
    return status;
  }
  void b_transport(::tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override {
    monitor_.before_blocking(trans, delay);
    bool done = false;
    const BlockingGuard guard(done, [&] { monitor_.unwound(trans); });
    initiator_socket->b_transport(trans, delay);
    done = true;
    monitor_.after_blocking(trans, delay);
  }
  bool get_direct_mem_ptr(::tlm::tlm_generic_payload& trans, ::tlm::tlm_dmi& descriptor) override {
    const auto call = monitor_.before_dmi(trans, descriptor);
    const bool granted = initiator_socket->get_direct_mem_ptr(trans, descriptor);
    monitor_.after_dmi(trans, call, descriptor, granted);
    return granted;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    const auto call = monitor_.before_invalidation(first, last);
    target_socket->invalidate_direct_mem_ptr(first, last);
    monitor_.after_invalidation(call);
  }
  unsigned transport_dbg(::tlm::tlm_generic_payload& trans) override {
    const auto call = monitor_.before_debug(trans);
    const unsigned count = initiator_socket->transport_dbg(trans);
    monitor_.after_debug(trans, call, count);
    return count;
  }

 private:
  ProtocolMonitor monitor_;
};

}  // namespace braid::models
