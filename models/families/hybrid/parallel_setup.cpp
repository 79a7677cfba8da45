#include "models/families/hybrid/parallel_setup.h"

#include <algorithm>
#include <stdexcept>

#include "models/families/hybrid/token_order.h"

namespace braid::models::hybrid {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// The most links between two routers, of those that reach each other.
std::uint64_t longest_distance(const routing::Topology& topology) {
  std::uint32_t longest = 0;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (const std::uint32_t d : topology.distances_to(RouterId{r})) {
      if (d < topology.router_count()) longest = std::max(longest, d);
    }
  }
  return longest;
}

}  // namespace

ParallelSetup::ParallelSetup(const routing::Topology& topology, RouterBank& bank, SetupUnits& around, CircuitUser& user,
                             const Options& options, std::uint64_t seed)
    : topology_(topology),
      bank_(bank),
      user_(user),
      circuits_(user.circuits()),
      retries_(options.setup_retries),
      random_(seed, "setup.order"),
      agreement_cycles_(2 * longest_distance(topology) * (1 + bank.wiring().max_link_latency_cycles)),
      units_(topology, bank, around, options.share_reserved_links, circuits_),
      order_(in_token_order(circuits_)),
      sources_(circuits_.size()) {
  results_.attempted = true;
  results_.orders_tried = 1;
}

void ParallelSetup::step(std::uint64_t cycle) {
  if (phase_ == Phase::kDone) return;
  if (phase_ == Phase::kToBegin) return begin_order(cycle);
  units_.step(cycle, *this);
  phase_ == Phase::kSearching ? go_on_searching(cycle) : go_on_tearing_down(cycle);
}

void ParallelSetup::begin_order(std::uint64_t cycle) {
  phase_ = Phase::kSearching;
  order_began_ = cycle;
  finished_ = {{0, 0}};
  agreed_at_ = kNever;
  units_.begin_order(ages());
  choose_lanes();
  for (const std::uint32_t stream : order_) {
    sources_[stream].attempt = 0;
    begin_attempt(cycle, stream);
  }
}

/// Each stream of a node, oldest first, has an injection lane of its own while there are any.
void ParallelSetup::choose_lanes() {
  for (Source& source : sources_) source.lane = kNone;
  std::vector<bool> taken(bank_.input_vc_count());
  for (const std::uint32_t stream : order_) {
    const VcIndex lane =
        bank_.first_lane(topology_.nodes[circuits_[stream].source.value], [&](VcIndex in) { return !taken[in]; });
    if (lane != kNone) taken[lane] = true;
    sources_[stream].lane = lane;
  }
}

void ParallelSetup::begin_attempt(std::uint64_t cycle, std::uint32_t stream) {
  Source& source = sources_[stream];
  source.finished = known_finished(cycle);
  if (source.lane == kNone) return came_back(cycle, stream);
  if (source.attempt == most_attempts_) return fail(cycle, stream);
  source.state = State::kSearching;
  units_.search(cycle, stream, ++source.attempt, source.lane);
}

/// A rip-up of the source's own goes before whatever comes back to it.
void ParallelSetup::expect_searching() const {
  if (phase_ != Phase::kSearching) throw std::logic_error("set-up: an answer to a search that is torn down");
}

void ParallelSetup::found(std::uint64_t cycle, std::uint32_t stream) {
  expect_searching();
  Source& source = sources_[stream];
  source.state = State::kFound;
  source.found_cycle = cycle;
}

/// Where all older streams had finished when the attempt began, nothing but their circuits was in its way.
void ParallelSetup::came_back(std::uint64_t cycle, std::uint32_t stream) {
  expect_searching();
  Source& source = sources_[stream];
  source.state = State::kCameBack;
  if (source.finished < order_.size() && order_[source.finished] == stream) fail(cycle, stream);
}

void ParallelSetup::ripped_up(std::uint64_t cycle, std::uint32_t stream) {
  if (phase_ == Phase::kSearching) return begin_attempt(cycle, stream);
  sources_[stream].state = State::kIdle;
}

void ParallelSetup::fail(std::uint64_t cycle, std::uint32_t stream) {
  sources_[stream].state = State::kCameBack;
  if (agreed_at_ != kNever) return;
  results_.failed_stream = circuits_[stream].name;
  agreed_at_ = cycle + agreement_cycles_;
}

void ParallelSetup::go_on_searching(std::uint64_t cycle) {
  gather(cycle);
  if (cycle >= agreed_at_) return begin_tear_down(cycle);
  const std::uint32_t known = known_finished(cycle);
  if (known == order_.size()) return end_set_up(cycle, true);
  for (const std::uint32_t stream : order_) {
    const Source& source = sources_[stream];
    if (source.state == State::kCameBack && known > source.finished) begin_attempt(cycle, stream);
  }
}

void ParallelSetup::begin_tear_down(std::uint64_t cycle) {
  phase_ = Phase::kTearingDown;
  agreed_at_ = kNever;
  for (std::uint32_t stream = 0; stream < sources_.size(); ++stream) {
    Source& source = sources_[stream];
    if (source.state == State::kCameBack) {
      source.state = State::kIdle;
    } else {
      units_.rip_up(cycle, stream, source.attempt, source.lane);
    }
  }
  go_on_tearing_down(cycle);
}

void ParallelSetup::go_on_tearing_down(std::uint64_t cycle) {
  if (agreed_at_ == kNever) {
    const auto idle = [](const Source& source) { return source.state == State::kIdle; };
    if (!units_.quiet() || !std::all_of(sources_.begin(), sources_.end(), idle)) return;
    agreed_at_ = cycle + agreement_cycles_;
  }
  if (cycle < agreed_at_) return;
  if (results_.orders_tried > retries_) return end_set_up(cycle, false);
  shuffle(order_, random_);
  ++results_.orders_tried;
  begin_order(cycle);
}

void ParallelSetup::end_set_up(std::uint64_t cycle, bool success) {
  results_ = results();
  phase_ = Phase::kDone;
  results_.fell_back_to_packets = !success;
  if (success) results_.failed_stream.clear();
  results_.total_cycles = cycle;
  for (std::size_t i = 0; success && i < order_.size(); ++i) {
    const VcIndex lane = sources_[order_[i]].lane;
    const PortIndex link = bank_.upstream[bank_.port_of_vc(lane)];
    user_.circuit_found(order_[i], bank_.local_port_of_injection(link), bank_.circuit_of(lane));
  }
  user_.set_up(success);
}

SetupResults ParallelSetup::results() const {
  SetupResults results = results_;
  const SearchCounts& counts = units_.counts();
  results.at_once = SearchesAtOnce{counts.searches, counts.backtracks, counts.rip_ups, counts.waits};
  if (phase_ == Phase::kDone) return results;
  for (const std::uint32_t stream : order_) {
    const Source& source = sources_[stream];
    if (source.state != State::kFound || units_.being_ripped_up(stream)) continue;
    const CircuitRequest& request = circuits_[stream];
    results.circuits.push_back({request.name, request.source, request.destination, units_.path(source.lane),
                                source.found_cycle - order_began_, units_.backtracks(stream)});
  }
  return results;
}

std::uint32_t ParallelSetup::count_finished() const {
  const auto unfinished = std::find_if(order_.begin(), order_.end(), [&](std::uint32_t stream) {
    return sources_[stream].state != State::kFound || units_.being_ripped_up(stream);
  });
  return static_cast<std::uint32_t>(unfinished - order_.begin());
}

/// What the leaves of the tree give in this cycle. Once all older streams have finished nobody is left who could rip
/// them up, so it never falls.
void ParallelSetup::gather(std::uint64_t cycle) {
  const std::uint32_t now = count_finished();
  if (now != finished_.back().streams) finished_.push_back({cycle, now});
  while (finished_.size() > 1 && finished_[1].cycle + agreement_cycles_ <= cycle) finished_.pop_front();
}

std::uint32_t ParallelSetup::known_finished(std::uint64_t cycle) const {
  std::uint64_t known = 0;
  for (const Finished& f : finished_) {
    if (f.cycle + agreement_cycles_ <= cycle) known = f.streams;
  }
  return static_cast<std::uint32_t>(known);
}

std::vector<std::uint32_t> ParallelSetup::ages() const {
  std::vector<std::uint32_t> ages(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) ages[order_[i]] = i;
  return ages;
}

void check_searches(const Options& options, const Configuration& configuration) {
  if (options.searches == Searches::kOneAtATime) return;
  const std::string key = "setup.searches = \"parallel\"";
  if (options.reroute != Reroute::kNone) {
    throw InputError(key + ": setup.reroute moves circuits with the token; expected \"one_at_a_time\"");
  }
  if (options.setup_paths != kByRouters) {
    throw InputError(key + ": setup.paths = \"" + options.setup_paths +
                     "\" has the token install paths; expected \"routers\" beside it");
  }
  const Configuration::Given* schedule = configuration.find("simulation.schedule");
  if (schedule != nullptr && schedule->value == OptionValue(std::string("process_per_stage"))) {
    throw InputError(key +
                     ": simulation.schedule = \"process_per_stage\" has modules for one search; expected \"static\"");
  }
}

namespace {

/// Wants to know only whether they stand.
class Asks final : public CircuitUser {
 public:
  explicit Asks(const std::vector<CircuitRequest>& requests) : requests_(requests) {}
  std::vector<CircuitRequest> circuits() const override { return requests_; }
  void circuit_found(std::size_t, std::size_t, std::uint32_t) override {}
  void set_up(bool success) override { success_ = success; }
  bool success() const { return success_; }

 private:
  const std::vector<CircuitRequest>& requests_;
  bool success_ = false;
};

}  // namespace

bool parallel_setup_would_stand(const routing::Topology& topology, const Options& options, std::uint64_t seed,
                                const std::vector<CircuitRequest>& requests) {
  RouterBank bank(topology, options, 1);
  SetupUnits around(topology, bank, options.share_reserved_links);
  Asks user(requests);
  ParallelSetup setup(topology, bank, around, user, options, seed);
  for (std::uint64_t cycle = 0; !setup.done(); ++cycle) setup.step(cycle);
  return user.success();
}

}  // namespace braid::models::hybrid
