// The sockets of a node, in the kinds and widths that TLM-2.0's utilities have. They know nothing but whom to call.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

#include "models/tlm/faces.h"
#include "routing/base/ids.h"

namespace braid::models {

/// Takes what comes in by sockets: from initiators and targets by their numbers.
class SocketUser {
 public:
  virtual ~SocketUser() = default;
  virtual std::size_t add(InitiatorFace& face, NodeId node) = 0;
  virtual std::size_t add(TargetFace& face, NodeId node) = 0;
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
  /// At the end of elaboration: makes itself known, once for each module bound. How many.
  virtual std::size_t enlist() = 0;

 private:
  std::string short_name_;
};

/// What target sockets call, whatever their kind: `id` counts the initiators bound to one.
class TargetCalls {
 public:
  explicit TargetCalls(SocketUser& user) : user_(user) {}
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

 protected:
  SocketUser& user_;
  std::size_t first_ = 0;

 private:
  std::size_t number(int id) const { return first_ + static_cast<std::size_t>(id); }
};

/// For initiators. `Socket`: multi-passthrough, or simple and tagged.
template <class Socket, bool kMulti>
class TargetSocketOf final : public SocketHolder, public TargetCalls {
 public:
  TargetSocketOf(const std::string& short_name, SocketUser& user, NodeId node)
      : SocketHolder(short_name), TargetCalls(user), socket(short_name.c_str()), node_(node) {
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
    std::size_t count = 0;
    if constexpr (kMulti) {
      count = socket.connected();
    } else {
      count = static_cast<std::size_t>(socket.get_base_port().size());
    }
    for (std::size_t i = 0; i < count; ++i) {
      faces_.push_back(std::make_unique<Face>(*this, static_cast<unsigned>(i)));
      const std::size_t number = user_.add(*faces_.back(), node_);
      if (i == 0) first_ = number;
    }
    return count;
  }

 private:
  class Face final : public InitiatorFace {
   public:
    Face(TargetSocketOf& holder, unsigned index) : holder_(holder), index_(index) {}
    std::string name() const override { return holder_.name(); }
    ::tlm::tlm_sync_enum nb_transport_bw(::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) override {
      return holder_.back(index_).nb_transport_bw(p, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
      holder_.back(index_).invalidate_direct_mem_ptr(first, last);
    }

   private:
    TargetSocketOf& holder_;
    unsigned index_;
  };
  ::tlm::tlm_bw_transport_if<>& back(unsigned index) {
    if constexpr (kMulti) {
      return *socket[static_cast<int>(index)];
    } else {
      return *socket.operator->();
    }
  }

  NodeId node_;
  std::vector<std::unique_ptr<Face>> faces_;
};

/// What initiator sockets call: `id` counts the targets bound to one.
class InitiatorCalls {
 public:
  explicit InitiatorCalls(SocketUser& user) : user_(user) {}
  ::tlm::tlm_sync_enum nb_transport_bw(int id, ::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    return user_.nb_transport_bw(first_ + static_cast<std::size_t>(id), p, phase, delay);
  }
  void invalidate(int id, sc_dt::uint64 first, sc_dt::uint64 last) {
    user_.invalidate_direct_mem_ptr(first_ + static_cast<std::size_t>(id), first, last);
  }

 protected:
  SocketUser& user_;
  std::size_t first_ = 0;
};

/// For targets.
template <class Socket, bool kMulti>
class InitiatorSocketOf final : public SocketHolder, public InitiatorCalls {
 public:
  InitiatorSocketOf(const std::string& short_name, SocketUser& user, NodeId node)
      : SocketHolder(short_name), InitiatorCalls(user), socket(short_name.c_str()), node_(node) {
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
    const auto count = static_cast<std::size_t>(socket.size());
    for (std::size_t i = 0; i < count; ++i) {
      faces_.push_back(std::make_unique<Face>(*this, static_cast<unsigned>(i)));
      const std::size_t number = user_.add(*faces_.back(), node_);
      if (i == 0) first_ = number;
    }
    return count;
  }

 private:
  class Face final : public TargetFace {
   public:
    Face(InitiatorSocketOf& holder, unsigned index) : holder_(holder), index_(index) {}
    std::string name() const override { return holder_.name(); }
    ::tlm::tlm_sync_enum nb_transport_fw(::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) override {
      return forward().nb_transport_fw(p, phase, delay);
    }
    void b_transport(::tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
      forward().b_transport(p, delay);
    }
    bool get_direct_mem_ptr(::tlm::tlm_generic_payload& p, ::tlm::tlm_dmi& dmi) override {
      return forward().get_direct_mem_ptr(p, dmi);
    }
    unsigned transport_dbg(::tlm::tlm_generic_payload& p) override { return forward().transport_dbg(p); }

   private:
    ::tlm::tlm_fw_transport_if<>& forward() { return *holder_.socket[static_cast<int>(index_)]; }
    InitiatorSocketOf& holder_;
    unsigned index_;
  };

  NodeId node_;
  std::vector<std::unique_ptr<Face>> faces_;
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
