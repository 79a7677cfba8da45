// Circuits of a network of hybrid routers: how they are set up and changed, and what would have stood.
#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/planned_paths.h"
#include "models/families/hybrid/setup_twin.h"

namespace braid::models::hybrid {

void Fabric::set_up_circuits(CircuitUser& user) {
  user_ = &user;
  if (options_.searches == Searches::kParallel) {
    wanted_ = user.circuits();
    parallel_ = std::make_unique<ParallelSetup>(context_.topology, bank_, setup_units_, user, options_,
                                                read_seed(context_.configuration));
    return;
  }
  wanted_ = apart_at_shared_ports(context_.topology, options_.circuit_lanes, user.circuits());
  setup_requests_ = std::make_unique<SetupRequests>(
      context_.topology, bank_, setup_units_, wanted_,
      [this](RouterId r) -> Slice& { return *slices_[context_.slicing.slice_of_router[r.value]]; }, forks_.get());
  Options orders = options_;
  if (options_.setup_paths != kByRouters) {
    setup_requests_->follow(planned_paths(context_.topology, context_.configuration, options_.setup_paths, wanted_));
    orders.setup_retries = 0;  // what sees all of the network has tried them
  }
  sequencer_ = std::make_unique<SetupSequencer>(*setup_requests_, user, orders, read_seed(context_.configuration));
  if (options_.reroute == Reroute::kNone) return;
  rerouting_ = std::make_unique<Rerouting>(*setup_requests_, *sequencer_, user, options_);
}

models::CircuitChanges& Fabric::change_circuits() {
  if (options_.searches == Searches::kParallel) {
    throw InputError(
        "setup.searches = \"parallel\": a section [change] has the holder of the set-up token search: expected "
        "\"one_at_a_time\"");
  }
  if (options_.multicast) {
    throw InputError(
        "stream.multicast = \"routers\": the branches of a tree do not move, and a section [change] moves circuits: "
        "expected \"none\"");
  }
  if (rerouting_) {
    throw InputError(
        "setup.reroute: the set-up token has one holder, and a section [change] wants it; expected \"none\"");
  }
  if (options_.setup_paths != kByRouters) {
    throw InputError("setup.paths = \"" + options_.setup_paths +
                     "\" installs circuits once, and a section [change] has the routers search: expected \"routers\"");
  }
  if (!stand_ins_.empty()) {
    throw InputError(
        "change: circuits of a program that changes are of routers that are the model's; expected " +
        std::string(options_.implementation == kModelled ? "no section [stage]" : "router.implementation = \"model\""));
  }
  changes_ = std::make_unique<CircuitChanger>(*setup_requests_, *sequencer_, *user_, options_.setup_token_cycles);
  return *changes_;
}

SetupResults Fabric::setup_results() const {
  if (!sequencer_ && !parallel_) return {};
  SetupResults results = parallel_ ? parallel_->results() : sequencer_->results();
  if (results.fell_back_to_packets) results.lanes_that_would_do = lanes_that_would_do(wanted_);
  return results;
}

bool Fabric::circuits_would_stand(const std::vector<CircuitRequest>& requests) const {
  return hybrid::circuits_would_stand(context_.topology, options_, context_.configuration, requests);
}

std::uint32_t Fabric::lanes_that_would_do(const std::vector<CircuitRequest>& requests) const {
  if (forks_) return 0;  // what stands without trees says nothing of them
  Options more = options_;
  more.circuit_lanes = least_lanes(context_.topology, requests);  // still more would not move a link out of the way
  if (more.circuit_lanes <= options_.circuit_lanes || more.circuit_lanes > kMostCircuitLanes) return 0;
  const bool stand = hybrid::circuits_would_stand(context_.topology, more, context_.configuration, requests);
  return stand ? more.circuit_lanes : 0;
}

}  // namespace braid::models::hybrid
