// A memory as many platforms have it: b_transport with a latency, debug access.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};

  Memory(const sc_core::sc_module_name& name, std::size_t bytes, sc_core::sc_time latency)
      : sc_module(name), bytes_(bytes), latency_(latency) {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
  }
  /// FNV-1a of what is in it.
  std::uint64_t hash() const {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const unsigned char byte : bytes_) h = (h ^ byte) * 0x100000001b3ULL;
    return h;
  }

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay += latency_;
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (p.get_address() + p.get_data_length() > bytes_.size()) return;
    unsigned char* const here = bytes_.data() + p.get_address();
    if (p.is_write()) std::copy_n(p.get_data_ptr(), p.get_data_length(), here);
    if (p.is_read()) std::copy_n(here, p.get_data_length(), p.get_data_ptr());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    const auto room = static_cast<unsigned>(bytes_.size() - std::min<std::uint64_t>(p.get_address(), bytes_.size()));
    const unsigned count = std::min(p.get_data_length(), room);
    std::copy_n(bytes_.data() + p.get_address(), count, p.get_data_ptr());
    return count;
  }

  std::vector<unsigned char> bytes_;
  sc_core::sc_time latency_;
};
