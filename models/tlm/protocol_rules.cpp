#include "models/tlm/protocol_rules.h"

namespace braid::models {

const std::vector<ProtocolRuleText>& protocol_rules() {
  using R = ProtocolRule;
  static const std::vector<ProtocolRuleText> rules{
      {R::kMemoryManager, "memory_manager", "14.5", "a transaction of nb_transport has a memory manager"},
      {R::kReferenceCount, "reference_count", "14.5", "a transaction with a memory manager has been acquired"},
      {R::kMemoryManagerChanged, "memory_manager_changed", "14.5",
       "the memory manager stays what it was while the transaction is in flight"},
      {R::kExtensionLeft, "extension_left", "14.5",
       "without a memory manager whoever sets an extension clears it before returning"},
      {R::kReusedInFlight, "reused_in_flight", "14.5", "a transaction object is not used again while it is in flight"},
      {R::kDataPointer, "data_pointer", "14.11", "the data pointer is not null, unless the command is ignore"},
      {R::kDataLength, "data_length", "14.12", "the data length is at least 1, unless the command is ignore"},
      {R::kByteEnableLength, "byte_enable_length", "14.14", "byte enables have a length of at least 1"},
      {R::kStreamingWidth, "streaming_width", "14.15", "the streaming width is at least 1"},
      {R::kDmiHint, "dmi_hint", "14.16", "a request begins with the DMI hint false"},
      {R::kInitialStatus, "initial_status", "14.17", "a request begins with TLM_INCOMPLETE_RESPONSE"},
      {R::kPayloadOption, "payload_option", "14.8", "what is transported has the option TLM_MIN_PAYLOAD"},
      {R::kAttributeModified, "attribute_modified", "14.7",
       "command, pointers, lengths and streaming width stay what they were while the transaction is in flight"},
      {R::kWriteDataModified, "write_data_modified", "14.7", "nobody changes the data of a write in flight"},
      {R::kByteEnablesModified, "byte_enables_modified", "14.7", "nobody changes byte enables in flight"},
      {R::kNoResponseStatus, "no_response_status", "14.17", "a response has a status: carried out, or an error"},
      {R::kResponseModified, "response_modified", "14.7", "status and data of a response stay until it ends"},
      {R::kPhaseDirection, "phase_direction", "15.2.3",
       "BEGIN_REQ and END_RESP come from the initiator, END_REQ and BEGIN_RESP from the target"},
      {R::kPhaseOrder, "phase_order", "15.2.4", "phases come in order: BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP"},
      {R::kUnknownTransaction, "unknown_transaction", "15.2.4", "what goes on has begun, and is not over"},
      {R::kRequestExclusion, "request_exclusion", "15.2.6", "no BEGIN_REQ before the END_REQ of the request before"},
      {R::kResponseExclusion, "response_exclusion", "15.2.6",
       "no BEGIN_RESP before the END_RESP of the response before"},
      {R::kTimeDecreased, "time_decreased", "15.2.7",
       "the time of a transaction, annotation included, never goes back"},
      {R::kAcceptedButChanged, "accepted_but_changed", "11.1.2", "TLM_ACCEPTED leaves phase and delay as they were"},
      {R::kCompletedTooEarly, "completed_too_early", "15.2.4",
       "an initiator completes a transaction at BEGIN_RESP, not before"},
      {R::kWaitInNonBlocking, "wait_in_non_blocking", "11.1.2", "nb_transport does not call wait"},
      {R::kBlockingInMethod, "blocking_in_method", "11.1.1", "b_transport is called from threads, not from methods"},
      {R::kMixedInterfaces, "mixed_interfaces", "15.2.10",
       "a transaction in flight stays with b_transport, or with nb_transport"},
      {R::kDmiDescriptor, "dmi_descriptor", "11.2.5",
       "what is granted has a pointer, an access, and a range with the address asked for"},
      {R::kDmiInvalidation, "dmi_invalidation", "11.2.6", "an invalidated range begins before it ends"},
      {R::kDmiReentered, "dmi_reentered", "11.2.6", "invalidate_direct_mem_ptr does not call get_direct_mem_ptr"},
      {R::kDebugPointer, "debug_pointer", "11.3.4", "transport_dbg with a length has a data pointer"},
      {R::kDebugCount, "debug_count", "11.3.4", "transport_dbg returns no more bytes than were asked for"},
  };
  return rules;
}

}  // namespace braid::models
