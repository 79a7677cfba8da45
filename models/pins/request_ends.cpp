#include "models/pins/request_ends.h"

namespace braid::models::pins {

void RequestEnds::check_requests(bool circuits) {
  const char* why = "requests to the router's set-up unit: this experiment has circuits";
  expect(request_valid_o, circuits, why);
  expect(request_port_o, circuits, why);
  expect(request_lane_o, circuits, why);
  expect(request_kind_o, circuits, why);
  expect(request_search_o, circuits, why);
  expect(request_destination_o, circuits, why);
  expect(outcome_valid_i, circuits, "how a search has ended: this experiment has circuits");
  expect(outcome_success_i, circuits, "how a search has ended: this experiment has circuits");
  watch(outcome_valid_i);
}

void RequestEnds::write_request(const hybrid::ControlWires& request, bool all) {
  request_valid_o.write(request.valid);
  if (!request.valid && !all) return;
  request_port_o.write(request.port);
  request_lane_o.write(request.circuit);
  request_kind_o.write(static_cast<unsigned>(request.kind));
  request_search_o.write(request.search);
  request_destination_o.write(request.destination);
}

void RequestEnds::read_outcome(hybrid::WireOutputs& router) const {
  router.outcome = outcome_valid_i.read();
  router.success = outcome_success_i.read();
}

}  // namespace braid::models::pins
