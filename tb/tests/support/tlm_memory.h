// Initiators and targets for tests of the interconnect: a memory that does what the generic payload says, and a client
// that sends requests without waiting for their answers.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/tlm/sockets/payload_pool.h"

namespace braid::test {

/// What a memory does: byte enables, streaming width.
inline void carry_out(::tlm::tlm_generic_payload& p, std::vector<unsigned char>& bytes) {
  const std::uint64_t address = p.get_address();
  const unsigned width = p.get_streaming_width();
  for (unsigned i = 0; i < p.get_data_length(); ++i) {
    const unsigned char* enables = p.get_byte_enable_ptr();
    if (enables != nullptr && enables[i % p.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    unsigned char& there = bytes.at(address + i % width);
    if (p.is_write()) {
      there = p.get_data_ptr()[i];
    } else {
      p.get_data_ptr()[i] = there;
    }
  }
  p.set_response_status(::tlm::TLM_OK_RESPONSE);
}

template <unsigned kBits = 32>
struct TestMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<TestMemory, kBits> socket{"socket"};
  std::vector<unsigned char> bytes;
  sc_core::sc_time latency;
  bool waits = true;  ///< for the latency; else it annotates it
  ::tlm::tlm_response_status status = ::tlm::TLM_OK_RESPONSE;
  std::vector<std::uint64_t> addresses;
  std::function<void(::tlm::tlm_generic_payload&)> seen;

  explicit TestMemory(const sc_core::sc_module_name& name, std::size_t size = 4096,
                      const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME)
      : sc_module(name), bytes(size), latency(delay) {
    socket.register_b_transport(this, &TestMemory::b_transport);
    socket.register_transport_dbg(this, &TestMemory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &TestMemory::get_direct_mem_ptr);
  }
  void b_transport(::tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    addresses.push_back(p.get_address());
    if (seen) seen(p);
    if (waits && latency != sc_core::SC_ZERO_TIME) {
      wait(latency + delay);
      delay = sc_core::SC_ZERO_TIME;
    } else {
      delay += latency;
    }
    carry_out(p, bytes);
    p.set_response_status(status);
  }
  unsigned transport_dbg(::tlm::tlm_generic_payload& p) {
    const std::size_t count = std::min<std::size_t>(p.get_data_length(), bytes.size() - p.get_address());
    std::memcpy(p.get_data_ptr(), bytes.data() + p.get_address(), count);
    return static_cast<unsigned>(count);
  }
  bool get_direct_mem_ptr(::tlm::tlm_generic_payload&, ::tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(bytes.data());
    dmi.set_start_address(0);
    dmi.set_end_address(bytes.size() - 1);
    dmi.allow_read_write();
    return true;
  }
};

/// Issues what `next` makes, with gaps that `gap` makes; ends responses at once, or a while later.
template <unsigned kBits = 32>
struct TestClient : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<TestClient, kBits> socket{"socket"};
  std::function<void()> thread;
  models::PayloadPool<> pool;
  std::function<void(::tlm::tlm_generic_payload&)> answered;
  std::function<sc_core::sc_time()> response_delay;  ///< none: TLM_COMPLETED at BEGIN_RESP
  std::size_t invalidations = 0;

  SC_HAS_PROCESS(TestClient);
  explicit TestClient(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &TestClient::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &TestClient::invalidated);
    SC_THREAD(act);
    SC_METHOD(end_responses);
    sensitive << end_;
    dont_initialize();
  }
  /// From the thread: a request, as soon as the one before has had its END_REQ.
  void send(::tlm::tlm_generic_payload& p, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    while (request_ != nullptr) wait(request_ended_);
    request_ = &p;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
    const auto status = socket->nb_transport_fw(p, phase, delay);
    if (status == ::tlm::TLM_ACCEPTED) return;
    EXPECT_EQ(status, ::tlm::TLM_UPDATED);
    EXPECT_EQ(phase, ::tlm::END_REQ);
    request_ = nullptr;
  }
  void b(::tlm::tlm_command command, std::uint64_t address, void* data, unsigned length,
         ::tlm::tlm_response_status expected = ::tlm::TLM_OK_RESPONSE) {
    ::tlm::tlm_generic_payload p;
    fill(p, command, address, data, length);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    EXPECT_EQ(p.get_response_status(), expected) << p.get_response_string();
  }
  static void fill(::tlm::tlm_generic_payload& p, ::tlm::tlm_command command, std::uint64_t address, void* data,
                   unsigned length) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(length);
    p.set_streaming_width(length);
    p.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  }

 private:
  void act() {
    if (thread) thread();
  }
  ::tlm::tlm_sync_enum nb_transport_bw(::tlm::tlm_generic_payload& p, ::tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (request_ == &p) {
      request_ = nullptr;
      request_ended_.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase != ::tlm::BEGIN_RESP) return ::tlm::TLM_ACCEPTED;
    if (answered) answered(p);
    if (!response_delay) {
      p.release();
      return ::tlm::TLM_COMPLETED;
    }
    ending_ = &p;
    end_.notify(response_delay());
    return ::tlm::TLM_ACCEPTED;
  }
  void end_responses() {
    ::tlm::tlm_phase phase = ::tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(*ending_, phase, delay);
    ending_->release();
  }
  void invalidated(sc_dt::uint64, sc_dt::uint64) { ++invalidations; }

  ::tlm::tlm_generic_payload* request_ = nullptr;
  ::tlm::tlm_generic_payload* ending_ = nullptr;
  sc_core::sc_event request_ended_{"request_ended"}, end_{"end"};
};

}  // namespace braid::test
