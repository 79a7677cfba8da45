// The sockets of a node, in the kinds and widths that TLM-2.0's utilities have. They know nothing but whom to call.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <tlm>
#include <utility>

#include "models/tlm/sockets/faces.h"

namespace braid::models {

/// Takes what comes in by sockets: from initiators and targets by their numbers.
class SocketUser {
 public:
  virtual ~SocketUser() = default;
  virtual std::size_t add(const InitiatorFace& face) = 0;
  virtual std::size_t add(const TargetFace& face) = 0;
  virtual ::tlm::tlm_sync_enum nb_transport_fw(std::size_t initiator, ::tlm::tlm_generic_payload& p,
                                               ::tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
  virtual ::tlm::tlm_sync_enum nb_transport_bw(std::size_t target, ::tlm::tlm_generic_payload& p,
                                               ::tlm::tlm_phase& phase, sc_core::sc_time& delay) = 0;
  virtual void b_transport(std::size_t initiator, ::tlm::tlm_generic_payload& p, sc_core::sc_time& delay) = 0;
  virtual unsigned transport_dbg(::tlm::tlm_generic_payload& p) = 0;
  virtual bool get_direct_mem_ptr(::tlm::tlm_generic_payload& p, ::tlm::tlm_dmi& dmi) = 0;
  virtual void invalidate_direct_mem_ptr(std::size_t target, sc_dt::uint64 first, sc_dt::uint64 last) = 0;
};

class SocketHolder {
 public:
  explicit SocketHolder(std::string short_name) : short_name_(std::move(short_name)) {}
  virtual ~SocketHolder() = default;
  const std::string& short_name() const { return short_name_; }
  virtual std::string name() const = 0;
  /// At the end of elaboration: makes the modules known that are bound to it. How many.
  virtual std::size_t enlist() = 0;

 private:
  std::string short_name_;
};

/// A socket's place in the interconnect: its node, and the numbers of the modules bound to it, one after the other.
class SocketPlace {
 public:
  SocketPlace(SocketUser& user, NodeId node) : user_(user), node_(node) {}

 protected:
  /// Makes `count` modules known that are bound to `socket`; module(i) is how the i-th is called.
  template <class Module>
  std::size_t enlist_all(std::size_t count, const sc_core::sc_object& socket, Module module) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = user_.add({module(static_cast<int>(i)), &socket, node_});
      if (i == 0) first_ = number;
    }
    return count;
  }
  std::size_t number(int id) const { return first_ + static_cast<std::size_t>(id); }
  SocketUser& user_;

 private:
  NodeId node_;
  std::size_t first_ = 0;
};

/// What target sockets call, whatever their kind: `id` counts the initiators bound to one.
class TargetCalls : public SocketPlace {
 public:
  using SocketPlace::SocketPlace;
  ::tlm::tlm_sync_enum nb_transport_fw(int id, ::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    return user_.nb_transport_fw(number(id), p, phase, delay);
  }
  void b_transport(int id, ::tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    user_.b_transport(number(id), p, delay);
  }
  unsigned transport_dbg(int, ::tlm::tlm_generic_payload& p) { return user_.transport_dbg(p); }
  bool get_direct_mem_ptr(int, ::tlm::tlm_generic_payload& p, ::tlm::tlm_dmi& dmi) {
    return user_.get_direct_mem_ptr(p, dmi);
  }
};

/// For initiators. `Socket`: multi-passthrough, or simple and tagged.
template <class Socket, bool kMulti>
class TargetSocketOf final : public SocketHolder, public TargetCalls {
 public:
  TargetSocketOf(const std::string& short_name, SocketUser& user, NodeId node)
      : SocketHolder(short_name), TargetCalls(user, node), socket(short_name.c_str()) {
    TargetCalls* const calls = this;
    if constexpr (kMulti) {
      socket.register_nb_transport_fw(calls, &TargetCalls::nb_transport_fw);
      socket.register_b_transport(calls, &TargetCalls::b_transport);
      socket.register_transport_dbg(calls, &TargetCalls::transport_dbg);
      socket.register_get_direct_mem_ptr(calls, &TargetCalls::get_direct_mem_ptr);
    } else {
      socket.register_nb_transport_fw(calls, &TargetCalls::nb_transport_fw, 0);
      socket.register_b_transport(calls, &TargetCalls::b_transport, 0);
      socket.register_transport_dbg(calls, &TargetCalls::transport_dbg, 0);
      socket.register_get_direct_mem_ptr(calls, &TargetCalls::get_direct_mem_ptr, 0);
    }
  }
  Socket socket;

  std::string name() const override { return socket.name(); }
  std::size_t enlist() override {
    if constexpr (kMulti) {
      return enlist_all(socket.connected(), socket, [this](int i) { return socket[i]; });
    } else {
      const auto count = static_cast<std::size_t>(socket.get_base_port().size());
      return enlist_all(count, socket, [this](int) { return socket.operator->(); });
    }
  }
};

/// What initiator sockets call: `id` counts the targets bound to one.
class InitiatorCalls : public SocketPlace {
 public:
  using SocketPlace::SocketPlace;
  ::tlm::tlm_sync_enum nb_transport_bw(int id, ::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    return user_.nb_transport_bw(number(id), p, phase, delay);
  }
  void invalidate(int id, sc_dt::uint64 first, sc_dt::uint64 last) {
    user_.invalidate_direct_mem_ptr(number(id), first, last);
  }
};

/// For targets.
template <class Socket, bool kMulti>
class InitiatorSocketOf final : public SocketHolder, public InitiatorCalls {
 public:
  InitiatorSocketOf(const std::string& short_name, SocketUser& user, NodeId node)
      : SocketHolder(short_name), InitiatorCalls(user, node), socket(short_name.c_str()) {
    InitiatorCalls* const calls = this;
    if constexpr (kMulti) {
      socket.register_nb_transport_bw(calls, &InitiatorCalls::nb_transport_bw);
      socket.register_invalidate_direct_mem_ptr(calls, &InitiatorCalls::invalidate);
    } else {
      socket.register_nb_transport_bw(calls, &InitiatorCalls::nb_transport_bw, 0);
      socket.register_invalidate_direct_mem_ptr(calls, &InitiatorCalls::invalidate, 0);
    }
  }
  Socket socket;

  std::string name() const override { return socket.name(); }
  std::size_t enlist() override {
    return enlist_all(static_cast<std::size_t>(socket.size()), socket, [this](int i) { return socket[i]; });
  }
};

/// Its size() is 1 where nothing is bound.
template <unsigned kBits>
class CountedMultiTarget final : public tlm_utils::multi_passthrough_target_socket_optional<TargetCalls, kBits> {
 public:
  using tlm_utils::multi_passthrough_target_socket_optional<TargetCalls,
                                                            kBits>::multi_passthrough_target_socket_optional;
  std::size_t connected() const { return this->m_sockets.size(); }
};

// Unbound is not the kernel's error but ours, which says what to do.
template <unsigned kBits>
using MultiTargetSocket = TargetSocketOf<CountedMultiTarget<kBits>, true>;
template <unsigned kBits>
using SimpleTargetSocket = TargetSocketOf<tlm_utils::simple_target_socket_tagged_optional<TargetCalls, kBits>, false>;
template <unsigned kBits>
using MultiInitiatorSocket =
    InitiatorSocketOf<tlm_utils::multi_passthrough_initiator_socket_optional<InitiatorCalls, kBits>, true>;
template <unsigned kBits>
using SimpleInitiatorSocket =
    InitiatorSocketOf<tlm_utils::simple_initiator_socket_tagged_optional<InitiatorCalls, kBits>, false>;

}  // namespace braid::models
