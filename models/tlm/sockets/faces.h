// What the interconnect sees of a module bound to one of its sockets, of whatever kind and width.
#pragma once

#include <string>
#include <tlm>

#include "routing/base/ids.h"

namespace braid::models {

/// A module of the user's: how it is called, by which socket of ours, and at which node. `Calls` is one side of the
/// base protocol, as the module has it.
template <class Calls>
struct Face {
  Calls* calls = nullptr;
  const sc_core::sc_object* socket = nullptr;
  NodeId node;

  std::string name() const { return socket->name(); }  ///< hierarchical, of our socket
};
/// An initiator, behind a target socket of ours.
using InitiatorFace = Face<::tlm::tlm_bw_transport_if<>>;
/// A target, behind an initiator socket of ours.
using TargetFace = Face<::tlm::tlm_fw_transport_if<>>;

/// SC_ERROR of the message type "/braid/tlm/use": who, what is wrong and what to do. By default it throws sc_report.
void report_wrong_use(const std::string& who, const std::string& what);

}  // namespace braid::models
