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

AddressMap read_map(const Network& network, const std::string& who) {
  try {
    return {address_map_options().read(network.configuration()).map, network.topology().node_count()};
  } catch (const InputError& e) {
    report_wrong_use(who, e.what());
    return {};
  }
}

}  // namespace

Interconnect::Interconnect(const sc_core::sc_module_name& name, Engine& engine)
    : InterconnectBase(name, engine.settled().topology().node_count()),
      engine_(engine),
      carrier_(carrier_of(engine, this->name())),
      actions_("actions", [this](const Action& action) { act(action); }) {
  lead(read_map(engine.settled(), this->name()), carrier_->options().dmi);
  engine_.watch(*this);
}
Interconnect::~Interconnect() = default;

void Interconnect::end_of_elaboration() {
  InterconnectBase::end_of_elaboration();
  for (const auto& [face, node] : initiators()) requesters_.push_back({face, node});
  for (const auto& [face, node] : targets()) responders_.push_back({face, node});
}

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
