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

void report_wrong_use(const std::string& who, const std::string& what) {
  SC_REPORT_ERROR("/braid/tlm/use", (who + ": " + what).c_str());
}

Interconnect::Interconnect(const sc_core::sc_module_name& name, Engine& engine)
    : sc_module(name),
      engine_(engine),
      carrier_(carrier_of(engine, this->name())),
      map_(read_map(engine.settled(), this->name())),
      actions_("actions", [this](const Action& action) { act(action); }) {
  engine_.watch(*this);
}
Interconnect::~Interconnect() = default;

void Interconnect::check_node(const char* kind, std::size_t node) const {
  const std::size_t nodes = engine_.settled().topology().node_count();
  if (node < nodes) return;
  report_wrong_use(name(), fmt::format("{}({}): no such node; expected 0 to {}", kind, node, nodes - 1));
  throw InputError(fmt::format("node {}: expected 0 to {}", node, nodes - 1));
}

std::size_t Interconnect::add(InitiatorFace& face, NodeId node) {
  requesters_.push_back({&face, node});
  return requesters_.size() - 1;
}

std::size_t Interconnect::add(TargetFace& face, NodeId node) {
  responders_.push_back({&face, node});
  return responders_.size() - 1;
}

void Interconnect::end_of_elaboration() {
  for (const auto& socket : sockets_) {
    if (socket->enlist() > 0) continue;
    report_wrong_use(socket->name(), "is bound to nothing; bind a module of yours to it, or do not ask for the socket");
  }
  lead_ranges();
}

/// To each range of the map the target that takes it.
void Interconnect::lead_ranges() {
  std::map<NodeId, std::size_t> ranges, seen;
  for (const AddressRange& range : map_.ranges()) ++ranges[range.node];
  for (const AddressRange& range : map_.ranges()) {
    std::vector<std::size_t> targets;
    for (std::size_t r = 0; r < responders_.size(); ++r) {
      if (responders_[r].node == range.node) targets.push_back(r);
    }
    if (targets.empty()) {
      report_wrong_use(
          name(), fmt::format("{} leads to no target; bind one to initiator({})", to_text(range), range.node.value));
    } else if (targets.size() > 1 && targets.size() != ranges[range.node]) {
      report_wrong_use(name(), fmt::format("node {} has {} targets and {} ranges in tlm.map; expected a range each",
                                           range.node.value, targets.size(), ranges[range.node]));
    }
    const std::size_t place = seen[range.node]++;
    responder_of_range_.push_back(targets.empty() ? 0 : targets[std::min(place, targets.size() - 1)]);
  }
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

/// Debug and direct memory access are no traffic: they take no time and no flits.
unsigned Interconnect::transport_dbg(Payload& p) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  if (range == nullptr) return 0;
  const unsigned length = p.get_data_length();
  const std::uint64_t room = range->last - address;  // one less than the bytes to the range's end
  p.set_address(address - range->first);
  if (length > room) p.set_data_length(static_cast<unsigned>(room + 1));
  const unsigned count = responders_[responder_of_range_[range_number(*range)]].face->transport_dbg(p);
  p.set_address(address);
  p.set_data_length(length);
  return count;
}

bool Interconnect::get_direct_mem_ptr(Payload& p, ::tlm::tlm_dmi& dmi) {
  const std::uint64_t address = p.get_address();
  const AddressRange* range = map_.find(address);
  dmi.init();
  if (range == nullptr || !carrier_->options().dmi) {
    dmi.set_start_address(carrier_->options().dmi ? address : 0);
    dmi.set_end_address(carrier_->options().dmi ? address : ~sc_dt::uint64{0});
    return false;
  }
  p.set_address(address - range->first);
  const bool granted = responders_[responder_of_range_[range_number(*range)]].face->get_direct_mem_ptr(p, dmi);
  p.set_address(address);
  const std::uint64_t most = range->last - range->first;
  dmi.set_start_address(range->first + std::min<std::uint64_t>(dmi.get_start_address(), most));
  dmi.set_end_address(range->first + std::min<std::uint64_t>(dmi.get_end_address(), most));
  return granted;
}

void Interconnect::invalidate_direct_mem_ptr(std::size_t r, sc_dt::uint64 first, sc_dt::uint64 last) {
  for (const AddressRange& range : map_.ranges()) {
    const std::uint64_t most = range.last - range.first;
    if (responder_of_range_[range_number(range)] != r || first > most) continue;
    for (const Requester& requester : requesters_) {
      requester.face->invalidate_direct_mem_ptr(range.first + first, range.first + std::min<std::uint64_t>(last, most));
    }
  }
}

}  // namespace braid::models
