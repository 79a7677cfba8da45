// What is to be undone where the stack of a call is unwound: by an exception, or since its thread is killed or reset
// (sc_process_handle, sc_unwind_exception).
#pragma once

#include <cstdint>
#include <tlm>

namespace braid::models {

/// On the stack of a blocking call. Where that is unwound before it is `done`, by an exception or since its thread is
/// killed or reset, it calls withdraw().
template <class Withdraw>
class BlockingGuard {
 public:
  BlockingGuard(const bool& done, Withdraw withdraw) : done_(done), withdraw_(withdraw) {}
  ~BlockingGuard() {
    if (!done_) withdraw_();
  }
  BlockingGuard(const BlockingGuard&) = delete;
  BlockingGuard& operator=(const BlockingGuard&) = delete;

 private:
  const bool& done_;
  Withdraw withdraw_;
};

/// While it lives the payload's address is one behind `first`, as targets count; then, however the call ended, its own.
class OffsetAddress {
 public:
  OffsetAddress(::tlm::tlm_generic_payload& p, std::uint64_t first) : p_(p), address_(p.get_address()) {
    p_.set_address(address_ - first);
  }
  ~OffsetAddress() { p_.set_address(address_); }
  OffsetAddress(const OffsetAddress&) = delete;
  OffsetAddress& operator=(const OffsetAddress&) = delete;

 private:
  ::tlm::tlm_generic_payload& p_;
  std::uint64_t address_;
};

}  // namespace braid::models
