// What the interconnect sees of a socket, of whatever kind and width: the two sides of TLM-2.0's base protocol.
#pragma once

#include <string>
#include <tlm>

namespace braid::models {

/// An initiator of the user's, behind a target socket of ours.
class InitiatorFace {
 public:
  virtual ~InitiatorFace() = default;
  virtual std::string name() const = 0;  ///< hierarchical, of our socket
  virtual ::tlm::tlm_sync_enum nb_transport_bw(::tlm::tlm_generic_payload& payload, ::tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) = 0;
  virtual void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) = 0;
};

/// A target of the user's, behind an initiator socket of ours.
class TargetFace {
 public:
  virtual ~TargetFace() = default;
  virtual std::string name() const = 0;
  virtual ::tlm::tlm_sync_enum nb_transport_fw(::tlm::tlm_generic_payload& payload, ::tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) = 0;
  virtual void b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  virtual bool get_direct_mem_ptr(::tlm::tlm_generic_payload& payload, ::tlm::tlm_dmi& dmi) = 0;
  virtual unsigned transport_dbg(::tlm::tlm_generic_payload& payload) = 0;
};

/// SC_ERROR of the message type "/braid/tlm/use": who, what is wrong and what to do. By default it throws sc_report.
void report_wrong_use(const std::string& who, const std::string& what);

}  // namespace braid::models
