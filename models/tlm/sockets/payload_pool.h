// A memory manager for generic payloads, with reference counts as TLM-2.0 has them: a payload whose last user releases
// it goes back, without its extensions, and is used again. For Braid's own payloads and for users' initiators.
#pragma once

#include <cstddef>
#include <memory>
#include <tlm>
#include <vector>

namespace braid::models {

/// `Payload`: a tlm_generic_payload or what is derived from it.
template <class Payload = ::tlm::tlm_generic_payload>
class PayloadPool final : public ::tlm::tlm_mm_interface {
 public:
  /// A payload with default attributes that its caller holds (one reference). Lives as long as the pool at most.
  Payload& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Payload>());
      all_.back()->set_mm(this);
      free_.push_back(all_.back().get());
    }
    Payload& payload = *free_.back();
    free_.pop_back();
    set_defaults(payload);
    payload.acquire();
    return payload;
  }
  void free(::tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(static_cast<Payload*>(payload));
  }
  /// Payloads that somebody holds.
  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  static void set_defaults(::tlm::tlm_generic_payload& p) {
    p.set_command(::tlm::TLM_IGNORE_COMMAND);
    p.set_address(0);
    p.set_data_ptr(nullptr);
    p.set_data_length(0);
    p.set_streaming_width(0);
    p.set_byte_enable_ptr(nullptr);
    p.set_byte_enable_length(0);
    p.set_dmi_allowed(false);
    p.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    p.set_gp_option(::tlm::TLM_MIN_PAYLOAD);
  }

  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> free_;
};

}  // namespace braid::models
