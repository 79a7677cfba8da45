#include "models/workload/streams/source_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>

#include "routing/base/input_error.h"

namespace braid::models {
namespace {

constexpr const char* kAllSources = "all";
constexpr double kLeastRate = 0.001;  // items a kilocycle: a million cycles' worth is an integer

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("stream.rates = \"{}\": {}", text, why));
}

/// Of a source that puts out so many items in a firing: not more than one firing a cycle.
std::uint64_t millirate_of(std::string_view number, std::uint64_t items, const std::string& text) {
  double rate = 0;
  const double most = 1000.0 * static_cast<double>(items);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rate);
  if (error != std::errc() || end != number.data() + number.size() || !(rate >= kLeastRate && rate <= most)) {
    refuse(text,
           fmt::format("\"{}\" is no rate of a source that puts out {} items in a firing; expected {} to {} items "
                       "a kilocycle",
                       number, items, kLeastRate, most));
  }
  return static_cast<std::uint64_t>(std::llround(rate * 1000.0));
}

/// Copies that a duplicating splitter makes are the same items.
std::uint64_t items_of_a_firing(const traffic::StreamGraph& graph, std::uint32_t actor) {
  std::uint64_t items = 0;
  std::set<std::uint32_t> groups;
  for (const traffic::StreamEdge& e : graph.edges) {
    if (e.from == actor && (!e.group || groups.insert(*e.group).second)) items += e.push;
  }
  return items;
}

std::vector<std::uint32_t> sources_of(const traffic::StreamGraph& graph) {
  std::vector<bool> fed(graph.actors.size());
  for (const traffic::StreamEdge& e : graph.edges) fed[e.to] = true;
  std::vector<std::uint32_t> all;
  for (std::uint32_t a = 0; a < fed.size(); ++a) {
    if (!fed[a]) all.push_back(a);
  }
  return all;
}

std::uint32_t source_named(const std::string& name, const std::vector<std::uint32_t>& sources, const std::string& text,
                           const traffic::StreamGraph& graph) {
  std::vector<std::string> names;
  for (const std::uint32_t a : sources) {
    if (graph.actors[a].name == name) return a;
    names.push_back(graph.actors[a].name);
  }
  const bool fed = std::any_of(graph.actors.begin(), graph.actors.end(), [&](const auto& a) { return a.name == name; });
  if (fed) refuse(text, fmt::format("actor {} has inputs, which set its rate; expected an actor without", name));
  refuse(text, fmt::format("unknown actor \"{}\"{}", name, did_you_mean(name, names)));
}

}  // namespace

std::vector<RatedSource> read_rates(const std::string& text, const traffic::StreamGraph& graph) {
  std::vector<RatedSource> all;
  std::istringstream words(text);
  const std::vector<std::uint32_t> sources = sources_of(graph);
  const auto add = [&](std::uint32_t actor, std::string_view number) {
    const bool twice = std::any_of(all.begin(), all.end(), [&](const RatedSource& r) { return r.actor == actor; });
    if (twice) refuse(text, fmt::format("actor {} has two rates", graph.actors[actor].name));
    const std::uint64_t items = items_of_a_firing(graph, actor);
    all.push_back({actor, items, millirate_of(number, items, text)});
  };
  for (std::string word; words >> word;) {
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos) refuse(text, fmt::format("\"{}\"; expected NAME=RATE", word));
    const std::string name = word.substr(0, equals), number = word.substr(equals + 1);
    if (name != kAllSources) {
      add(source_named(name, sources, text, graph), number);
      continue;
    }
    if (sources.empty()) refuse(text, "no actor is without inputs");
    for (const std::uint32_t actor : sources) add(actor, number);
  }
  return all;
}

const FigureTable<StreamRateResult>& stream_rate_figures() {
  using R = StreamRateResult;
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("actor", "", "of stream.rates", &R::actor)
          .add("held", "", "each of its firings was put out before the next one was due, in all measured cycles",
               &R::held)
          .add("asked_items_per_kilocycle", "items/kilocycle", "as stream.rates says; copies count once", &R::asked)
          .add("put_out_items_per_kilocycle", "items/kilocycle", "into its queues while measuring", &R::put_out)
          .add("late_firings", "", "that became due while the one before was owed", &R::late_firings)
          .add("asked_gap_cycles", "cycles", "from a firing that is due to the next, at most", &R::asked_gap_cycles)
          .add("worst_gap_cycles", "cycles",
               "longest from a firing that was put out to the next, or to the end of the measured cycles",
               &R::worst_gap_cycles)
          .add("deepest_queue_items", "items", "most that were due and owed, or in the fullest of its queues, together",
               &R::deepest_queue_items);
  return table;
}

void SourceRate::begin_cycle(bool ready) {
  if (!started_) {
    started_ = ready;
    owed_ = ready ? 1 : 0;
    return;
  }
  phase_ += of_.millirate;
  if (phase_ < needed_) return;
  phase_ -= needed_;
  if (owed_ > 0) ++seen_.late;
  ++owed_;
}

void SourceRate::put_out(std::uint64_t cycle) {
  if (last_put_out_ != 0) seen_.worst_gap = std::max(seen_.worst_gap, cycle - last_put_out_);
  last_put_out_ = cycle;
  --owed_;
  ++seen_.firings;
}

void SourceRate::end_cycle(std::uint64_t cycle, std::uint64_t queued) {
  now_ = cycle;
  seen_.deepest = std::max(seen_.deepest, queued + owed_ * of_.items);
}

SourceRate::Seen SourceRate::seen_with_open_gap() const {
  Seen seen = seen_;
  if (last_put_out_ != 0) seen.worst_gap = std::max(seen.worst_gap, now_ - last_put_out_);
  return seen;
}

StreamRateResult SourceRate::result(const traffic::StreamGraph& graph, std::uint64_t measured_cycles) const {
  StreamRateResult r;
  r.actor = graph.actors[of_.actor].name;
  r.asked = static_cast<double>(of_.millirate) / 1000.0;
  r.put_out = 1000.0 * static_cast<double>(reported_.firings * of_.items) / static_cast<double>(measured_cycles);
  r.held = started_ && reported_.late == 0;
  r.late_firings = reported_.late;
  r.asked_gap_cycles = (needed_ + of_.millirate - 1) / of_.millirate;
  r.worst_gap_cycles = reported_.worst_gap;
  r.deepest_queue_items = reported_.deepest;
  return r;
}

}  // namespace braid::models
