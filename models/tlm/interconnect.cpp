#include "models/tlm/interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "routing/base/input_error.h"

namespace braid::models {
namespace {

Carrier* carrier_of(Engine& engine, const std::string& who) {
  auto* carrier = engine.settled().workload<Carrier>();
  if (carrier == nullptr) {
    report_wrong_use(who, "the network carries no transactions: the experiment needs a section [tlm]");
    throw InputError("nothing for sockets to bind to: expected a section [tlm]");
  }
  return carrier;
}

}  // namespace

Interconnect::Interconnect(const sc_core::sc_module_name& name, Engine& engine)
    : InterconnectBase(name, engine.settled().topology().node_count(),
                       tlm_options().read(engine.settled().configuration())),
      engine_(engine),
      carrier_(carrier_of(engine, this->name())),
      actions_("actions", *this, &Interconnect::act) {
  lead(engine.settled().configuration());
  engine_.watch(*this);
}
Interconnect::~Interconnect() = default;

void Interconnect::act(const Action& action) {
  if (transactions_[action.slot].serial != action.serial) return;  // a time-out of what is long over
  switch (action.event) {
    case Event::kBeginRequest:
      return begin(action.slot);
    case Event::kEndResponse:
      return end_response(action.slot);
    case Event::kTimeout:
      return time_out(action.slot);
    case Event::kEndRequest:
      return end_request(action.slot);
    case Event::kBeginResponse:
      return target_responds(action.slot, true);
    case Event::kCompleted:
      return target_responds(action.slot, false);
  }
}

std::string Interconnect::in_hand() const {
  if (in_use() == 0) return {};
  return fmt::format("{} has {} transactions under way: expected none", name(), in_use());
}

void Interconnect::left(const Carrier::Message& message) {
  if (message.kind == Carrier::kResponse) {
    end_target_response(message.handle);
  } else {
    request_left(message.handle);
  }
}

void Interconnect::arrived(const Carrier::Message& message) {
  if (message.kind == Carrier::kResponse) {
    response_arrived(message);
  } else {
    request_arrived(message);
  }
}

}  // namespace braid::models
