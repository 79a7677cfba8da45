// The rules of TLM-2.0's base protocol (IEEE 1666-2011, clauses 11, 14 and 15) that can be seen between an initiator
// socket and a target socket, and a monitor that holds one such hop to them. The monitor is told of every call and
// return; sockets are ProtocolChecker's (models/tlm/protocol_checker.h).
//
// Not seen from one hop, so not among the rules: that responses take the way of the requests back over several hops
// (15.2.11), and that a target carries out requests to overlapping addresses in their order (15.2.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tlm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace braid::models {

enum class ProtocolRule : std::uint8_t {
  kMemoryManager,
  kReferenceCount,
  kMemoryManagerChanged,
  kExtensionLeft,
  kReusedInFlight,
  kDataPointer,
  kDataLength,
  kByteEnableLength,
  kStreamingWidth,
  kDmiHint,
  kInitialStatus,
  kPayloadOption,
  kAttributeModified,
  kWriteDataModified,
  kByteEnablesModified,
  kNoResponseStatus,
  kResponseModified,
  kPhaseDirection,
  kPhaseOrder,
  kUnknownTransaction,
  kRequestExclusion,
  kResponseExclusion,
  kTimeDecreased,
  kAcceptedButChanged,
  kCompletedTooEarly,
  kWaitInNonBlocking,
  kBlockingInMethod,
  kMixedInterfaces,
  kDmiDescriptor,
  kDmiInvalidation,
  kDmiReentered,
  kDebugPointer,
  kDebugCount,
};
constexpr std::size_t kProtocolRules = static_cast<std::size_t>(ProtocolRule::kDebugCount) + 1;

struct ProtocolRuleText {
  ProtocolRule rule;
  const char* name;    ///< as in reports: /braid/tlm/NAME
  const char* clause;  ///< of IEEE 1666-2011
  const char* text;    ///< what must hold
};
/// All rules, in the order of ProtocolRule.
const std::vector<ProtocolRuleText>& protocol_rules();

/// What happened on one hop. Calls come in pairs around the real ones: before(), the call, after().
class ProtocolMonitor {
 public:
  using Payload = ::tlm::tlm_generic_payload;
  /// `name`: the hierarchical name for reports, asked when there is one to make.
  explicit ProtocolMonitor(std::function<std::string()> name) : name_(std::move(name)) {}

  struct NonBlocking {  ///< arguments as they came
    ::tlm::tlm_phase phase;
    sc_core::sc_time delay, now;
    std::uint64_t delta;
  };
  NonBlocking before_fw(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void after_fw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status);
  NonBlocking before_bw(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void after_bw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status);

  void before_blocking(const Payload& trans, const sc_core::sc_time& delay);
  void after_blocking(const Payload& trans, const sc_core::sc_time& delay);

  void before_dmi();
  void after_dmi(std::uint64_t address, const ::tlm::tlm_dmi& descriptor, bool granted);
  void before_invalidation(std::uint64_t first, std::uint64_t last);
  void after_invalidation() { --invalidating_; }

  void before_debug(const Payload& trans);
  void after_debug(const Payload& trans, unsigned count);

  /// Reports so far, each of one breach.
  std::uint64_t count(ProtocolRule rule) const { return counts_[static_cast<std::size_t>(rule)]; }
  std::uint64_t count() const;
  /// Transactions that have begun, and that are over, on this hop.
  std::uint64_t begun() const { return begun_; }
  std::uint64_t completed() const { return completed_; }
  std::size_t in_flight() const { return in_flight_.size(); }

 private:
  /// A transaction on this hop, as it was when it came.
  struct Flight {
    ::tlm::tlm_phase_enum phase = ::tlm::UNINITIALIZED_PHASE;
    bool blocking = false, has_manager = false;
    bool answered = false;  // has response status and data
    ::tlm::tlm_command command = ::tlm::TLM_IGNORE_COMMAND;
    const unsigned char* data = nullptr;
    const unsigned char* byte_enables = nullptr;
    unsigned length = 0, byte_enable_length = 0, streaming_width = 0;
    std::uint64_t data_hash = 0, byte_enable_hash = 0;
    ::tlm::tlm_response_status status = ::tlm::TLM_INCOMPLETE_RESPONSE;
    std::vector<bool> extensions;
    sc_core::sc_time time;  // local time of the last call or return
  };
  void report(ProtocolRule rule, const Payload* trans, const std::string& what);
  void check_manager(const Payload& trans, const char* where);
  void check_request(const Payload& trans, const char* where);
  void begin(const Payload& trans, bool blocking, const sc_core::sc_time& delay);
  void check_unmodified(const Payload& trans, const Flight& flight);
  void check_time(const Payload& trans, Flight& flight, const sc_core::sc_time& delay, const char* where);
  void answer(const Payload& trans, Flight& flight, const char* where);
  void forward_phase(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                     const char* where);
  void backward_phase(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                      const char* where);
  void check_not_waited(const Payload& trans, const NonBlocking& call, const char* where);
  void check_return(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                    const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status, const char* where);
  void end(const Payload& trans);

  std::function<std::string()> name_;
  std::unordered_map<const Payload*, Flight> in_flight_;
  const Payload* request_ = nullptr;   // whose BEGIN_REQ has no END_REQ yet
  const Payload* response_ = nullptr;  // whose BEGIN_RESP has no END_RESP yet
  std::size_t invalidating_ = 0;
  std::uint64_t begun_ = 0, completed_ = 0;
  std::uint64_t counts_[kProtocolRules] = {};
};

}  // namespace braid::models
