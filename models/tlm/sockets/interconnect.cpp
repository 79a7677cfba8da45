#include "models/tlm/sockets/interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/styles/packet_timing.h"
#include "routing/base/input_error.h"

namespace braid::models {
namespace {

[[noreturn]] void refuse_sockets(const std::string& who, const std::string& why) {
  report_wrong_use(who, why);
  throw InputError(why);  // where SC_ERROR throws nothing
}

Carrier* carrier_of(Engine& engine, const std::string& who) {
  Network& network = engine.settled();
  auto* carrier = network.workload<Carrier>();
  if (carrier == nullptr) {
    refuse_sockets(who, "the network carries no transactions: the experiment needs a section [tlm]");
  }
  const std::string style = style_options().read(network.configuration()).style;
  if (style != kCycleAccurate) {
    refuse_sockets(who, fmt::format("tlm.style = \"{}\" has the sockets of EstimatedInterconnect; expected \"{}\"",
                                    style, kCycleAccurate));
  }
  if (!carrier->claim()) {
    refuse_sockets(who, "the network has an Interconnect; expected one, with all its sockets");
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
