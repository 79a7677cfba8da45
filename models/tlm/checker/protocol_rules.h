// The rules of TLM-2.0's base protocol (IEEE 1666-2011, clauses 11, 14 and 15) that can be seen between an initiator
// socket and a target socket, and a monitor that holds one such hop to them. The monitor is told of every call and
// return; sockets are ProtocolChecker's (models/tlm/checker/protocol_checker.h). Which rules of these clauses one hop
// does not show: docs/tlm.md, "The checker".
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
  kIgnorableOutside,
  kPhaseRepeated,
  kNestedCall,
  kWaitInNonBlocking,
  kBlockingInMethod,
  kMixedInterfaces,
  kDmiInitial,
  kDmiCommand,
  kDmiDescriptor,
  kDmiInvalidation,
  kDmiReentered,
  kDebugPointer,
  kDebugCount,
  kDirectModified,
  kDirectOption,
  kDirectWaited,
};
constexpr std::size_t kProtocolRules = static_cast<std::size_t>(ProtocolRule::kDirectWaited) + 1;

struct ProtocolRuleText {
  ProtocolRule rule;
  const char* name;    ///< as in reports: /braid/tlm/NAME
  const char* clause;  ///< of IEEE 1666-2011; with the item where it is known (docs/tlm.md, "The checker")
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

  struct Moment {
    sc_core::sc_time now;
    std::uint64_t delta;
    static Moment present() { return {sc_core::sc_time_stamp(), sc_core::sc_delta_count()}; }
    bool is_past() const { return now != sc_core::sc_time_stamp() || delta != sc_core::sc_delta_count(); }
  };
  /// While it lives, a call goes on: also one that an exception ends.
  class Inside {
   public:
    explicit Inside(std::size_t& depth) : depth_(&depth) { ++depth; }
    Inside(Inside&& other) noexcept : depth_(std::exchange(other.depth_, nullptr)) {}
    Inside& operator=(Inside&&) = delete;
    ~Inside() {
      if (depth_ != nullptr) --*depth_;
    }

   private:
    std::size_t* depth_;
  };
  struct NonBlocking {  ///< arguments as they came
    ::tlm::tlm_phase phase;
    sc_core::sc_time delay;
    Moment moment;
    Inside inside;
  };
  NonBlocking before_fw(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void after_fw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status);
  NonBlocking before_bw(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void after_bw(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status);

  void before_blocking(const Payload& trans, const sc_core::sc_time& delay);
  void after_blocking(const Payload& trans, const sc_core::sc_time& delay);
  /// The call was unwound, so there is no such transaction any more.
  void unwound(const Payload& trans) { in_flight_.erase(&trans); }

  struct Direct {  ///< of DMI and debug: as the payload came
    ::tlm::tlm_command command;
    const unsigned char* data;
    unsigned length;
    std::uint64_t data_hash, address;
    ::tlm::tlm_gp_option option;
    Moment moment;
  };
  Direct before_dmi(const Payload& trans, const ::tlm::tlm_dmi& descriptor);
  void after_dmi(const Payload& trans, const Direct& call, const ::tlm::tlm_dmi& descriptor, bool granted);
  struct Invalidation {
    Moment moment;
    Inside inside;
  };
  Invalidation before_invalidation(std::uint64_t first, std::uint64_t last);
  void after_invalidation(const Invalidation& call);

  Direct before_debug(const Payload& trans);
  void after_debug(const Payload& trans, const Direct& call, unsigned count);

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
    unsigned last_phase = ::tlm::UNINITIALIZED_PHASE;  // ignorable ones included
    bool blocking = false, has_manager = false;
    bool answered = false;  // has response status and data
    ::tlm::tlm_command command = ::tlm::TLM_IGNORE_COMMAND;
    ::tlm::tlm_gp_option option = ::tlm::TLM_MIN_PAYLOAD;
    const unsigned char* data = nullptr;
    const unsigned char* byte_enables = nullptr;
    unsigned length = 0, byte_enable_length = 0, streaming_width = 0;
    std::uint64_t data_hash = 0, byte_enable_hash = 0;
    ::tlm::tlm_response_status status = ::tlm::TLM_INCOMPLETE_RESPONSE;
    std::vector<bool> extensions;
    sc_core::sc_time time;  // local time of the last call or return
  };
  static std::uint64_t hash_of(const unsigned char* bytes, unsigned length);
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
  void ignorable_phase(const Payload& trans, const ::tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                       const char* where);
  void check_not_nested(const Payload& trans, std::size_t depth, const char* where, const char* in);
  void check_direct(const Payload& trans, const Direct& call, const char* where);
  void check_return(const Payload& trans, const NonBlocking& call, const ::tlm::tlm_phase& phase,
                    const sc_core::sc_time& delay, ::tlm::tlm_sync_enum status, const char* where);
  void end(const Payload& trans);

  std::function<std::string()> name_;
  std::unordered_map<const Payload*, Flight> in_flight_;
  const Payload* request_ = nullptr;                           // whose BEGIN_REQ has no END_REQ yet
  const Payload* response_ = nullptr;                          // whose BEGIN_RESP has no END_RESP yet
  std::size_t forward_ = 0, backward_ = 0, invalidating_ = 0;  // calls that go on, one in another
  std::uint64_t begun_ = 0, completed_ = 0;
  std::uint64_t counts_[kProtocolRules] = {};
};

}  // namespace braid::models
