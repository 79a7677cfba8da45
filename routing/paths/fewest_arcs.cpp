#include "routing/paths/fewest_arcs.h"

#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglZeroHalf.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

#include "routing/paths/solver_events.h"

namespace braid::routing {
namespace {

constexpr double kTolerance = 1e-6;
using Clock = std::chrono::steady_clock;

class CycleProgram {
 public:
  CycleProgram(std::size_t vertices, const std::vector<Arc>& arcs, double seconds, const OnProgress& progress)
      : arcs_(arcs),
        progress_(progress),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        out_(vertices) {
    for (std::uint32_t i = 0; i < arcs.size(); ++i) out_[arcs[i].from].push_back(i);
    lp_.messageHandler()->setLogLevel(0);
    lp_.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    for (const Arc& arc : arcs) {
      lp_.addCol(0, nullptr, nullptr, 0.0, arc.fixed ? 0.0 : 1.0, static_cast<double>(arc.weight));
      lp_.setInteger(lp_.getNumCols() - 1);
    }
  }

  FewestArcs solve(const std::vector<bool>& known) {
    FewestArcs answer{false, 0, known};
    for (std::size_t i = 0; i < arcs_.size(); ++i) best_ += known[i] ? arcs_[i].weight : 0;
    if (best_ == 0) return {true, 0, known};
    lp_.initialSolve();
    while (cut_fractions()) lp_.resolve();
    for (;;) {  // an integer program whose answer leaves no cycle is the least
      answer.bound = std::max(answer.bound, bound_of_relaxation());
      if (answer.bound >= best_) break;
      if (is_over()) return answer;
      const std::optional<std::vector<double>> whole = whole_answer();
      if (is_over()) return answer;
      if (!whole) break;  // nothing lighter than what is known
      answer.bound = std::max(answer.bound, weight_of(*whole));
      if (!add_cycles(*whole)) {
        for (std::size_t i = 0; i < arcs_.size(); ++i) answer.removed[i] = (*whole)[i] > 0.5;
        best_ = weight_of(*whole);
        break;
      }
      lp_.resolve();
      while (cut_fractions()) lp_.resolve();
    }
    answer.proven = true;
    answer.bound = best_;
    return answer;
  }

 private:
  bool is_over() {
    tell(progress_, "cycle", rows_.size());
    return cut_short_ || Clock::now() > end_;
  }
  std::uint64_t bound_of_relaxation() const {
    if (!lp_.isProvenOptimal()) throw std::runtime_error("the solver gave a linear program up");
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(lp_.getObjValue() - kTolerance)));
  }
  std::uint64_t weight_of(const std::vector<double>& x) const {
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < arcs_.size(); ++i) weight += x[i] > 0.5 ? arcs_[i].weight : 0;
    return weight;
  }

  /// Cycles that the present fractions leave. False: there are none, or the time is over.
  bool cut_fractions() {
    if (is_over()) return false;
    return add_cycles(std::vector<double>(lp_.getColSolution(), lp_.getColSolution() + arcs_.size()));
  }

  /// A row for each arc that closes a cycle of less than one arc in all, a shortest such cycle. Is there any new one?
  bool add_cycles(const std::vector<double>& x) {
    bool any = false;
    for (std::uint32_t i = 0; i < arcs_.size(); ++i) {
      if (x[i] > 1.0 - kTolerance) continue;
      std::vector<int> cycle = shortest(arcs_[i].to, arcs_[i].from, x, 1.0 - kTolerance - x[i]);
      if (cycle.empty()) continue;
      cycle.push_back(static_cast<int>(i));
      std::sort(cycle.begin(), cycle.end());
      if (!rows_.insert(cycle).second) continue;
      any = true;
      const std::vector<double> one(cycle.size(), 1.0);
      lp_.addRow(static_cast<int>(cycle.size()), cycle.data(), one.data(), 1.0, COIN_DBL_MAX);
    }
    return any;
  }
  /// Arcs of a way shorter than `most`; none if there is none.
  std::vector<int> shortest(std::uint32_t from, std::uint32_t to, const std::vector<double>& x, double most) const {
    std::vector<double> distance(out_.size(), std::numeric_limits<double>::infinity());
    std::vector<int> by(out_.size(), -1);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> frontier;
    distance[from] = 0.0;
    frontier.emplace(0.0, from);
    while (!frontier.empty()) {
      const auto [here, v] = frontier.top();
      frontier.pop();
      if (here > distance[v]) continue;
      if (v == to) break;
      for (const std::uint32_t i : out_[v]) {
        const double there = here + std::max(0.0, x[i]);
        if (there >= most || there >= distance[arcs_[i].to]) continue;
        distance[arcs_[i].to] = there;
        by[arcs_[i].to] = static_cast<int>(i);
        frontier.emplace(there, arcs_[i].to);
      }
    }
    std::vector<int> way;
    if (std::isinf(distance[to])) return way;
    for (std::uint32_t v = to; v != from; v = arcs_[static_cast<std::size_t>(by[v])].from) way.push_back(by[v]);
    return way;
  }

  /// The lightest whole answer to the cycles so far; none if it is no lighter than what is known, or time is over.
  std::optional<std::vector<double>> whole_answer() {
    CbcModel model(lp_);
    model.solver()->messageHandler()->setLogLevel(0);
    model.setLogLevel(0);
    model.setCutoff(static_cast<double>(best_) - 0.5);
    model.setMaximumSeconds(std::max(0.01, std::chrono::duration<double>(end_ - Clock::now()).count()));
    CglGomory gomory;
    CglZeroHalf halves;
    model.addCutGenerator(&gomory, -1, "gomory");
    model.addCutGenerator(&halves, -1, "halves");
    SearchEvents events([this] { tell(progress_, "cycle", rows_.size()); }, thrown_);
    model.passInEventHandler(&events);
    model.branchAndBound();
    if (thrown_) std::rethrow_exception(thrown_);
    cut_short_ = model.status() != 0;  // what it has is no bound
    if (model.bestSolution() == nullptr) return std::nullopt;
    return std::vector<double>(model.bestSolution(), model.bestSolution() + arcs_.size());
  }

  const std::vector<Arc>& arcs_;
  const OnProgress& progress_;
  Clock::time_point end_;
  bool cut_short_ = false;
  std::exception_ptr thrown_;                    // by who was told of progress, out of the solver
  std::vector<std::vector<std::uint32_t>> out_;  // [vertex] arcs
  std::uint64_t best_ = 0;                       // weight of the lightest set known
  OsiClpSolverInterface lp_;                     // a column for each arc, a row for each cycle
  std::set<std::vector<int>> rows_;
};

}  // namespace

FewestArcs fewest_arcs(std::size_t vertices, const std::vector<Arc>& arcs, const std::vector<bool>& known,
                       double seconds, const OnProgress& progress) {
  return CycleProgram(vertices, arcs, seconds, progress).solve(known);
}

}  // namespace braid::routing
