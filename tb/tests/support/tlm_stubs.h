// A hop of TLM-2.0 with a checker on it: an initiator and a target whose every answer a test sets.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/tlm/checker/protocol_checker.h"

namespace braid::test {

using Payload = tlm::tlm_generic_payload;

struct StubExtension : tlm::tlm_extension<StubExtension> {
  tlm_extension_base* clone() const override { return new StubExtension(*this); }
  void copy_from(const tlm_extension_base&) override {}
};

/// Keeps every transaction: tests look at them afterwards.
struct StubPool : tlm::tlm_mm_interface {
  void free(Payload*) override {}
};

template <unsigned kBits>
class StubInitiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(StubInitiator);
  tlm::tlm_initiator_socket<kBits> socket{"socket"};
  std::function<void()> thread, method;
  sc_core::sc_event start_method;
  std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)> non_blocking;
  std::function<void()> invalidated;

  explicit StubInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
    SC_THREAD(act);
    SC_METHOD(act_as_method);
    sensitive << start_method;
    dont_initialize();
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return non_blocking ? non_blocking(trans, phase, delay) : tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {
    if (invalidated) invalidated();
  }

 private:
  void act() {
    if (thread) thread();
  }
  void act_as_method() { method(); }
};

template <unsigned kBits>
class StubTarget final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<kBits> socket{"socket"};
  std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)> non_blocking;
  std::function<void(Payload&, sc_core::sc_time&)> blocking;
  std::function<bool(Payload&, tlm::tlm_dmi&)> dmi;
  std::function<void(Payload&)> debugged;
  unsigned debug_count = 0;

  explicit StubTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return non_blocking ? non_blocking(trans, phase, delay) : tlm::TLM_ACCEPTED;
  }
  void b_transport(Payload& trans, sc_core::sc_time& delay) override {
    if (blocking) return blocking(trans, delay);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(Payload& trans, tlm::tlm_dmi& descriptor) override { return dmi && dmi(trans, descriptor); }
  unsigned transport_dbg(Payload& trans) override {
    if (debugged) debugged(trans);
    return debug_count;
  }
};

template <unsigned kBits>
class Hop final : public sc_core::sc_module {
 public:
  StubInitiator<kBits> initiator{"initiator"};
  models::ProtocolChecker<kBits> checker{"checker"};
  StubTarget<kBits> target{"target"};
  StubPool pool;
  std::array<unsigned char, 16> data{};
  std::array<unsigned char, 4> enables{0xff, 0xff, 0xff, 0xff};

  explicit Hop(const sc_core::sc_module_name& name = "hop") : sc_module(name) {
    initiator.socket.bind(checker.target_socket);
    checker.initiator_socket.bind(target.socket);
    reports().clear();
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions&) {
      reports().emplace_back(r.get_msg_type(), r.get_msg());
    });
  }
  /// What was reported: (type, text).
  static std::vector<std::pair<std::string, std::string>>& reports() {
    static std::vector<std::pair<std::string, std::string>> all;
    return all;
  }
  /// The initiator's thread does it.
  void run(const std::function<void()>& act) {
    bool done = false;
    initiator.thread = [&] { act(), done = true; };
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_TRUE(done) << "the initiator's thread is stuck";
  }

  /// A read of four bytes, managed and acquired.
  Payload& payload() {
    Payload& trans = unacquired();
    trans.acquire();
    return trans;
  }
  Payload& unacquired() {
    Payload& trans = unmanaged();
    trans.set_mm(&pool);
    return trans;
  }
  Payload& unmanaged() {
    reset(payloads_.emplace_back());
    return payloads_.back();
  }
  void reset(Payload& trans) {
    trans.set_read();
    trans.set_data_ptr(data.data());
    trans.set_data_length(4);
    trans.set_streaming_width(4);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  template <class Change>
  Payload& with(Change change) {
    Payload& trans = payload();
    change(trans);
    return trans;
  }
  tlm::tlm_sync_enum fw(Payload& trans, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return initiator.socket->nb_transport_fw(trans, phase, delay);
  }
  tlm::tlm_sync_enum bw(Payload& trans, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return target.socket->nb_transport_bw(trans, phase, delay);
  }
  sc_core::sc_time b(Payload& trans, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    initiator.socket->b_transport(trans, delay);
    return delay;
  }
  bool dmi(std::uint64_t address) {
    return dmi(with([&](Payload& trans) { trans.set_address(address); }));
  }
  bool dmi(Payload& trans, tlm::tlm_dmi descriptor = {}) {
    return initiator.socket->get_direct_mem_ptr(trans, descriptor);
  }
  void invalidate(std::uint64_t first, std::uint64_t last) { target.socket->invalidate_direct_mem_ptr(first, last); }
  unsigned debug(Payload& trans) { return initiator.socket->transport_dbg(trans); }

 private:
  std::deque<Payload> payloads_;
};

}  // namespace braid::test
