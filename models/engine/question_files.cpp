#include "models/engine/question_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "models/observe/output_file.h"
#include "routing/base/break_off.h"

namespace braid::models {
namespace {

constexpr std::size_t kOpenRows = 40;  // groups that begin behind so many rows are folded at first

std::string title_of(std::string part) {
  if (part.rfind("router_", 0) == 0) part[6] = ' ';
  return part;
}

/// Rows in nested groups, as deep as their scopes.
class Nest {
 public:
  explicit Nest(SaveFile& save) : save_(save) {}
  void show(const Signal& signal) {
    const std::vector<std::string> scope = scope_parts(signal.scope);
    std::size_t common = 0;
    while (common < open_.size() && common < scope.size() && open_[common] == scope[common]) ++common;
    for (; open_.size() > common; open_.pop_back()) save_.end_group();
    for (; open_.size() < scope.size(); open_.push_back(scope[open_.size()])) {
      save_.begin_group(title_of(scope[open_.size()]), rows_ < kOpenRows);
    }
    save_.show(signal);
    ++rows_;
  }
  void end() {
    for (; !open_.empty(); open_.pop_back()) save_.end_group();
  }

 private:
  SaveFile& save_;
  std::vector<std::string> open_;
  std::size_t rows_ = 0;
};

}  // namespace

QuestionFiles::QuestionFiles(const std::string& waveform, std::uint64_t period_ps, const SignalTable& table)
    : waveform_(waveform), period_ps_(period_ps), names_(waveform) {
  for (const Signal& s : table.signals()) {
    routing::BreakOff::look();
    if (s.follows != 0) watched_.push_back(s.follows);
    if (s.question == nullptr && s.kind != Signal::Kind::kPacket) continue;
    Row row;
    row.signal = &s;
    if (s.kind == Signal::Kind::kStall) row.cycles_of.resize(s.values->values.size());
    rows_.push_back(std::move(row));
  }
  names_.claim(table.signals());
  claim_output(SaveFile::name_for(waveform), kWaveFiles);
  for (const Question* question : questions()) claim_output(SaveFile::name_for(waveform, question->name), kWaveFiles);
}

std::vector<const Question*> QuestionFiles::questions() const {
  std::vector<const Question*> all;
  for (const Row& row : rows_) {
    routing::BreakOff::look();
    for (const Question* question : {row.signal->question, row.signal->second}) {
      if (question != nullptr && std::find(all.begin(), all.end(), question) == all.end()) all.push_back(question);
    }
  }
  return all;
}

std::uint64_t QuestionFiles::Row::stalled() const {
  return std::accumulate(cycles_of.begin() + static_cast<std::ptrdiff_t>(signal->values->first_stall), cycles_of.end(),
                         std::uint64_t{0});
}

void QuestionFiles::note(std::uint64_t cycle) {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    const std::uint64_t value = row.signal->value;
    if (row.is(Signal::Kind::kStall)) ++row.cycles_of[value];
    const bool before = begun_ || row.is(Signal::Kind::kPhase) || row.is(Signal::Kind::kPacket);
    if (before && value == row.last) continue;  // packets and phases begin with none
    row.changed = row.changed || before;
    row.last = value;
    if (row.is(Signal::Kind::kPhase)) row.changes.emplace_back(cycle, value);
    if (row.is(Signal::Kind::kPacket)) note_packet(r, cycle);
  }
  if (!begun_) first_cycle_ = cycle;
  begun_ = true;
  last_cycle_ = cycle;
}

void QuestionFiles::note_packet(std::size_t row, std::uint64_t cycle) {
  const std::uint64_t packet = rows_[row].last;
  if (packet == 0) return;
  names_.add_packet(packet);
  if (rows_[row].signal->name == "held_by") return;  // there another packet waits for it
  if (std::find(watched_.begin(), watched_.end(), packet) == watched_.end()) return;
  const auto same = [&](const Sighting& s) { return s.packet == packet && s.row == row; };
  if (std::none_of(sightings_.begin(), sightings_.end(), same)) sightings_.push_back({packet, row, cycle});
}

std::uint64_t QuestionFiles::unseen_packet() const {
  for (const Row& row : rows_) {
    if (row.signal->follows == 0 || !row.changes.empty()) continue;
    const auto seen = [&](const Sighting& s) { return s.packet == row.signal->follows; };
    if (std::none_of(sightings_.begin(), sightings_.end(), seen)) return row.signal->follows;
  }
  return 0;
}

void QuestionFiles::write(const Signal& cycle) {
  for (const Question* question : questions()) {
    if (question == &kWherePacket) {
      write_packet(cycle);
    } else if (question == &kWhyStalled) {
      write_stalls(cycle);
    } else {
      write_other(*question, cycle);
    }
  }
}

/// On the cycles from the first to the last in which any phase goes on, a twentieth more at both ends; a marker at each
/// change of a phase, or if they are too many at the first and the last of all.
void QuestionFiles::open(SaveFile& save, const std::vector<const Row*>& phases, const std::string& name) const {
  std::vector<std::pair<std::uint64_t, std::string>> marks;
  for (const Row* phase : phases) {
    for (const auto& [cycle, value] : phase->changes) {
      const SignalValues* values = phase->signal->values;
      marks.emplace_back(cycle, values == nullptr ? std::to_string(value) : values->values[value]);
    }
  }
  std::sort(marks.begin(), marks.end());
  std::uint64_t first = first_cycle_, last = last_cycle_;
  if (!marks.empty()) {
    first = marks.front().first;
    const bool goes_on =
        std::any_of(phases.begin(), phases.end(), [](const Row* p) { return !p->changes.empty() && p->last != 0; });
    if (!goes_on) last = marks.back().first;
    const std::uint64_t margin = (last - first) / 20 + 1;
    first -= std::min(first - first_cycle_, margin);
    last += std::min(last_cycle_ - last, margin);
  }
  if (marks.size() > 26) marks = {{marks.front().first, name + " begins"}, {marks.back().first, name + " ends"}};
  save.open_on(wave_time(first, period_ps_), wave_time(last, period_ps_));
  for (const auto& [at, text] : marks) save.mark(wave_time(at, period_ps_), text);
}

void QuestionFiles::write_packet(const Signal& cycle) {
  SaveFile save(waveform_, names_, kWherePacket.name);
  std::vector<const Row*> places;
  for (const Row& row : rows_) {
    if (row.signal->follows != 0) places.push_back(&row);
  }
  open(save, places, "packet");
  save.show(cycle);
  for (const Row* place : places) write_packet_rows(save, *place);
  save.close();
}

/// Where it is, then the rows on which it showed, in that order, each with its row of stalls, or with what else answers
/// the question of a mechanism that has the packet; a group a router.
void QuestionFiles::write_packet_rows(SaveFile& save, const Row& place) const {
  save.begin_group("packet " + packet_text(place.signal->follows));
  save.show(*place.signal);
  std::string group;
  for (const Sighting& s : sightings_) {
    if (s.packet != place.signal->follows) continue;
    const Signal& row = *rows_[s.row].signal;
    const std::string router = scope_parts(row.scope).front();
    if (router != group) {
      if (!group.empty()) save.end_group();
      save.begin_group(title_of(router));
      group = router;
    }
    save.show(row);
    for (const Row& other : rows_) {
      if (&other == &rows_[s.row] || other.signal->scope != row.scope || row.question == nullptr) continue;
      const bool of_it =
          row.question == &kWhyStalled ? other.is(Signal::Kind::kStall) : other.signal->question == row.question;
      if (of_it) save.show(*other.signal);
    }
  }
  if (!group.empty()) save.end_group();
  save.end_group();
}

/// A scope, and what is in it, by the cycles stalled.
struct QuestionFiles::Stalled {
  std::string scope;
  std::uint64_t cycles = 0;
  std::vector<const Row*> rows;

  static void sort(std::vector<Stalled>& list) {
    std::stable_sort(list.begin(), list.end(), [](const Stalled& a, const Stalled& b) { return a.cycles > b.cycles; });
  }
  /// Cuts `rows` of stalls by the first `depth` parts of their scopes.
  static std::vector<Stalled> cut(const std::vector<const Row*>& rows, std::size_t depth) {
    std::vector<Stalled> list;
    for (const Row* row : rows) {
      std::vector<std::string> parts = scope_parts(row->signal->scope);
      parts.resize(std::min(parts.size(), depth));
      const std::string scope = fmt::format("{}", fmt::join(parts, "."));
      if (list.empty() || list.back().scope != scope) list.push_back({scope, 0, {}});
      list.back().rows.push_back(row);
      list.back().cycles += row->stalled();
    }
    sort(list);
    return list;
  }
  std::string title() const { return fmt::format("{}: {} stalled", title_of(scope_parts(scope).back()), cycles); }
};

void QuestionFiles::write_stalls(const Signal& cycle) {
  SaveFile save(waveform_, names_, kWhyStalled.name);
  open(save, {}, "");
  save.show(cycle);
  std::vector<const Row*> stalled;
  for (const Row& row : rows_) {
    if (row.is(Signal::Kind::kStall) && row.stalled() > 0) stalled.push_back(&row);
  }
  if (stalled.empty()) save.comment("no packet was held up in these cycles");
  bool open_group = true;
  for (const Stalled& router : Stalled::cut(stalled, 1)) {
    save.begin_group(router.title(), open_group);
    for (const Stalled& port : Stalled::cut(router.rows, 2)) {
      save.begin_group(port.title(), open_group);
      write_stalls_of(save, port.rows);
      save.end_group();
    }
    save.end_group();
    open_group = false;
  }
  save.close();
}

/// Each row of stalls, and under it what else answers the question in its scope.
void QuestionFiles::write_stalls_of(SaveFile& save, const std::vector<const Row*>& rows) const {
  for (const Row* row : rows) {
    std::vector<std::string> reasons;
    const SignalValues& values = *row->signal->values;
    for (std::size_t v = values.first_stall; v < row->cycles_of.size(); ++v) {
      if (row->cycles_of[v] > 0) reasons.push_back(fmt::format("{} {}", row->cycles_of[v], values.values[v]));
    }
    save.comment(fmt::format("{}", fmt::join(reasons, ", ")));
    save.show(*row->signal);
    for (const Row& other : rows_) {
      if (&other != row && other.signal->question == &kWhyStalled && other.signal->scope == row->signal->scope) {
        save.show(*other.signal);
      }
    }
  }
}

void QuestionFiles::write_other(const Question& question, const Signal& cycle) {
  SaveFile save(waveform_, names_, question.name);
  std::vector<const Row*> phases, rows, moving;
  for (const Row& row : rows_) {
    if (!row.signal->helps(question)) continue;
    rows.push_back(&row);
    if (row.is(Signal::Kind::kPhase)) phases.push_back(&row);
    if (row.changed || row.is(Signal::Kind::kPhase)) moving.push_back(&row);
  }
  open(save, phases, question.name);
  save.show(cycle);
  Nest nest(save);
  for (const Row* row : moving.empty() ? rows : moving) nest.show(*row->signal);
  nest.end();
  save.close();
}

}  // namespace braid::models
