#include "routing/paths/disjoint/flow_program.h"

#include <CbcHeuristic.hpp>
#include <CbcHeuristicDiveCoefficient.hpp>
#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglProbing.hpp>
#include <CglZeroHalf.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "routing/paths/disjoint/free_channels.h"
#include "routing/paths/solver_events.h"

namespace braid::routing {
namespace {

/// Thrown to the solver when its time is over.
struct TimeIsOver : std::exception {};

using Commodity = std::vector<std::uint32_t>;  // demands

std::vector<Commodity> commodities_of(const std::vector<Demand>& demands) {
  std::map<RouterId, Commodity> by_from, by_to;
  for (std::uint32_t d = 0; d < demands.size(); ++d) {
    by_from[demands[d].from].push_back(d);
    by_to[demands[d].to].push_back(d);
  }
  std::vector<Commodity> all;
  for (const auto& [router, commodity] : by_from.size() <= by_to.size() ? by_from : by_to) all.push_back(commodity);
  return all;
}

class FlowProgram {
 public:
  FlowProgram(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
              const FlowLimits& limits, const OnProgress& progress)
      : topology_(topology),
        channels_(channels),
        demands_(demands),
        commodities_(commodities_of(demands)),
        limits_(limits),
        progress_(progress) {
    for (const Demand& d : demands) {
      for (const RouterId end : {d.from, d.to}) {
        if (distances_.count(end) == 0) distances_[end] = topology.distances_to(end);
      }
    }
  }

  FlowAnswer solve() {
    load();
    answer_.finished = answer_.by_relaxation = true;
    solver_.initialSolve();
    if (is_stopped() || solver_.isProvenPrimalInfeasible()) return answer_;
    if (!solver_.isProvenOptimal()) throw std::runtime_error("the solver gave a linear program up");
    const double most = static_cast<double>(limits_.fewer_than) - 1.0;
    if (limits_.fewer_than > 0 && solver_.getObjValue() > most + kTolerance) return answer_;
    if (is_whole(solver_.getColSolution())) {
      take_paths(solver_.getColSolution());
    } else {
      answer_.by_relaxation = false;
      search();
    }
    return answer_;
  }

 private:
  static constexpr double kTolerance = 1e-6;
  struct Column {
    std::uint32_t commodity, channel;
  };

  std::size_t flow_row(std::size_t commodity, RouterId r) const {
    return commodity * topology_.router_count() + r.value;
  }

  /// A column for each channel of use to each commodity. Rows: what leaves a router less what comes in is what starts
  /// there less what ends, for each commodity; a channel carries one path.
  void load() {
    const std::size_t flow_rows = commodities_.size() * topology_.router_count();
    const std::size_t rows = flow_rows + channels_.count();
    std::vector<double> low(rows), high(rows);
    for (std::size_t k = 0; k < commodities_.size(); ++k) {
      for (const std::uint32_t d : commodities_[k]) {
        low[flow_row(k, demands_[d].from)] += 1.0;
        low[flow_row(k, demands_[d].to)] -= 1.0;
      }
    }
    std::copy(low.begin(), low.begin() + static_cast<std::ptrdiff_t>(flow_rows), high.begin());
    std::fill(high.begin() + static_cast<std::ptrdiff_t>(flow_rows), high.end(), 1.0);
    std::vector<int> row_of, column_of;
    std::vector<double> entry;
    for (std::uint32_t k = 0; k < commodities_.size(); ++k) {
      for (std::uint32_t c = 0; c < channels_.count(); ++c) {
        if (!is_of_use(k, c)) continue;
        const std::size_t crossed[] = {flow_row(k, channels_[c].from), flow_row(k, channels_[c].to), flow_rows + c};
        for (const std::size_t row : crossed) row_of.push_back(static_cast<int>(row));
        for (int i = 0; i < 3; ++i) column_of.push_back(static_cast<int>(columns_.size()));
        entry.insert(entry.end(), {1.0, -1.0, 1.0});
        columns_.push_back({k, c});
      }
    }
    CoinPackedMatrix matrix(true, row_of.data(), column_of.data(), entry.data(),
                            static_cast<CoinBigIndex>(entry.size()));
    matrix.setDimensions(static_cast<int>(rows), static_cast<int>(columns_.size()));
    const std::vector<double> zero(columns_.size(), 0.0), one(columns_.size(), 1.0);
    quiet(solver_);
    solver_.loadProblem(matrix, zero.data(), one.data(), one.data(), low.data(), high.data());
    for (std::size_t i = 0; i < columns_.size(); ++i) solver_.setInteger(static_cast<int>(i));
    const SolverEvents events([this] { look_up(); }, thrown_);
    solver_.getModelPtr()->passInEventHandler(&events);
  }

  /// Can a path of the commodity take it without more of a detour than there may be in all?
  bool is_of_use(std::uint32_t commodity, std::uint32_t channel) const {
    const Channels::Channel& c = channels_[channel];
    return std::any_of(commodities_[commodity].begin(), commodities_[commodity].end(), [&](std::uint32_t d) {
      const std::vector<std::uint32_t>&from = distances_.at(demands_[d].from), &to = distances_.at(demands_[d].to);
      if (c.to == demands_[d].from || c.from == demands_[d].to) return false;
      const std::size_t detour = from[c.from.value] + 1 + to[c.to.value] - to[demands_[d].from.value];
      return detour <= spare();
    });
  }

  /// Channels beyond the shortest paths' that all paths together may take.
  std::size_t spare() const {
    if (limits_.fewer_than == 0) return std::numeric_limits<std::size_t>::max();
    std::size_t shortest = 0;
    for (const Demand& d : demands_) shortest += distances_.at(d.to)[d.from.value];
    return limits_.fewer_than > shortest ? limits_.fewer_than - 1 - shortest : 0;
  }

  static void quiet(OsiSolverInterface& solver) {
    solver.messageHandler()->setLogLevel(0);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
  }

  void search() {
    CbcModel model(solver_);
    quiet(*model.solver());
    model.setLogLevel(0);
    if (limits_.fewer_than > 0) model.setCutoff(static_cast<double>(limits_.fewer_than) - 0.5);
    CglProbing probing;
    CglGomory gomory;
    CglZeroHalf halves;
    model.addCutGenerator(&probing, -1, "probing");  // as long as it helps
    model.addCutGenerator(&gomory, -1, "gomory");
    model.addCutGenerator(&halves, -1, "halves");
    CbcRounding rounding(model);
    CbcHeuristicDiveCoefficient dive(model);
    model.addHeuristic(&rounding, "rounding");
    model.addHeuristic(&dive, "dive");
    SearchEvents events([this, &model] { look_up(static_cast<std::size_t>(model.getNodeCount())); }, thrown_);
    model.passInEventHandler(&events);
    model.branchAndBound();
    answer_.nodes = static_cast<std::uint64_t>(model.getNodeCount());
    if (!is_stopped() && model.status() != 0) throw std::runtime_error("the solver gave an integer program up");
    if (model.bestSolution() != nullptr) take_paths(model.bestSolution());
  }

  void look_up(std::size_t nodes = 0) const {
    tell(progress_, "node", nodes);
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > limits_.seconds) {
      throw TimeIsOver();
    }
  }

  /// Rethrows what progress has thrown.
  bool is_stopped() {
    if (!thrown_) return false;
    try {
      std::rethrow_exception(thrown_);
    } catch (const TimeIsOver&) {
      answer_.finished = answer_.by_relaxation = false;
    }
    return true;
  }

  static bool is_one(double x) { return x > 0.5; }
  bool is_whole(const double* x) const {
    return std::all_of(x, x + columns_.size(), [](double v) { return v < kTolerance || v > 1.0 - kTolerance; });
  }

  /// Walks each commodity's channels, each once. Whoever comes to a router where a path is still to end ends there.
  void take_paths(const double* x) {
    answer_.paths.assign(demands_.size(), {});
    std::vector<std::unordered_map<RouterId, std::vector<std::uint32_t>>> out_of(commodities_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      if (is_one(x[i])) out_of[column.commodity][channels_[column.channel].from].push_back(column.channel);
    }
    for (std::size_t k = 0; k < commodities_.size(); ++k) {
      std::vector<std::uint32_t> left = commodities_[k];
      while (!left.empty()) {
        const RouterId from = demands_[left.front()].from;
        const auto ends = [&](RouterId r) {
          return std::find_if(left.begin(), left.end(), [&](std::uint32_t d) { return demands_[d].to == r; });
        };
        std::vector<std::uint32_t> path;
        RouterId here = from;
        while (ends(here) == left.end()) {
          std::vector<std::uint32_t>& out = out_of[k][here];
          if (out.empty()) throw std::logic_error("flow_program: a flow ends on its way");
          path.push_back(out.back());
          out.pop_back();
          here = channels_[path.back()].to;
        }
        const auto mine = std::find_if(left.begin(), left.end(), [&](std::uint32_t d) {
          return demands_[d].from == from && demands_[d].to == here;
        });
        if (mine == left.end()) throw std::logic_error("flow_program: a flow ends where none of its paths does");
        answer_.paths[*mine] = path;
        left.erase(mine);
      }
    }
  }

  const Topology& topology_;
  const Channels& channels_;
  const std::vector<Demand>& demands_;
  std::vector<Commodity> commodities_;
  FlowLimits limits_;
  const OnProgress& progress_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::unordered_map<RouterId, std::vector<std::uint32_t>> distances_;  // of each demand's ends
  std::vector<Column> columns_;
  std::exception_ptr thrown_;  // by look_up(), out of the solver
  OsiClpSolverInterface solver_;
  FlowAnswer answer_;
};

}  // namespace

FlowAnswer solve_flow_program(const Topology& topology, const Channels& channels, const std::vector<Demand>& demands,
                              const FlowLimits& limits, const OnProgress& progress) {
  return FlowProgram(topology, channels, demands, limits, progress).solve();
}

}  // namespace braid::routing
