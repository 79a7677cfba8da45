#include "models/observe/save_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "models/observe/output_file.h"
#include "routing/base/break_off.h"

namespace braid::models {
namespace {

constexpr std::size_t kMarkers = 26;  // A to Z
constexpr unsigned kWindowWidth = 1400, kWindowHeight = 800, kLabelWidth = 330;
constexpr double kWavesWidth = kWindowWidth - kLabelWidth - 80;  // pixels; GTKWave zooms in steps of 200

// Rows in a save file: GTKWave's trace flags.
constexpr unsigned kHex = 0x22, kDecimal = 0x24, kTranslated = 0x2000, kBlank = 0x200;
constexpr unsigned kGroupBegins = 0x800000, kGroupEnds = 0x1000000, kFolded = 0x400000, kFoldedEnd = 0x1000;

/// Colours of the reasons of a stall, in turn. The background of moving packets stays black.
constexpr std::array<const char*, 6> kColours{"red", "orange", "purple", "brown", "blue", "dim gray"};

std::string stem_of(const std::string& waveform) { return waveform.substr(0, waveform.rfind('.')); }
std::string absolute(const std::string& file) { return std::filesystem::absolute(file).lexically_normal().string(); }

/// GTKWave compares with what it would show: hexadecimal with all its digits.
unsigned digits_of(unsigned bits) { return (bits + 3) / 4; }

std::string colour_of(const Signal& signal, std::size_t value) {
  if (signal.kind != Signal::Kind::kStall || value < signal.values->first_stall) return "";
  return fmt::format("?{}?", kColours[(value - signal.values->first_stall) % kColours.size()]);
}

}  // namespace

std::string row_label(const Signal& signal) {
  std::string label = signal.scope + " " + signal.name;
  if (label.rfind("router_", 0) == 0) label.erase(0, 7);
  std::replace(label.begin(), label.end(), '.', ' ');
  return label;
}

ValueNames::ValueNames(const std::string& waveform) : stem_(absolute(stem_of(waveform))) {}

/// STEM.NAME.txt; with_digits: where another width of the same values has that name.
std::string ValueNames::name_for(const Signal& signal, bool with_digits) const {
  const std::string what = signal.kind == Signal::Kind::kPacket ? "packets" : signal.values->name;
  if (with_digits) return fmt::format("{}.{}.{}.txt", stem_, what, digits_of(signal.bits));
  return fmt::format("{}.{}.txt", stem_, what);
}

void ValueNames::claim(const std::deque<Signal>& signals) const {
  std::set<std::string> names;
  std::set<std::pair<const SignalValues*, unsigned>> known;  // of signals with names: values and digits make the name
  for (const Signal& s : signals) {
    routing::BreakOff::look();
    const bool packets = s.kind == Signal::Kind::kPacket;
    if (!packets && s.values == nullptr) continue;
    if (!known.insert({packets ? nullptr : s.values, digits_of(s.bits)}).second) continue;
    names.insert({name_for(s, false), name_for(s, true)});
  }
  for (const std::string& name : names) claim_output(name, kWaveFiles);
}

std::string ValueNames::file_of(const Signal& signal) {
  const bool packets = signal.kind == Signal::Kind::kPacket;
  if (!packets && signal.values == nullptr) return "";
  const unsigned digits = digits_of(signal.bits);
  std::string& name = written_[{signal.values, digits}];
  if (!name.empty()) return name;
  const auto same = [&](const auto& other) { return other.second == name_for(signal, false); };
  name = name_for(signal, std::any_of(written_.begin(), written_.end(), same));
  OutputFile output(name);
  std::ostream& out = output.out();
  if (packets) {
    out << fmt::format("{:0{}x} -\n", 0, digits);
    for (const std::uint64_t p : packets_) out << fmt::format("{:0{}x} {}\n", p, digits, packet_text(p));
  } else {
    for (std::size_t v = 0; v < signal.values->values.size(); ++v) {
      out << fmt::format("{:0{}x} {}{}\n", v, digits, colour_of(signal, v), signal.values->values[v]);
    }
  }
  output.finish();
  return name;
}

std::string SaveFile::name_for(const std::string& waveform, const std::string& question) {
  return stem_of(waveform) + (question.empty() ? "" : "." + question) + ".gtkw";
}

SaveFile::SaveFile(const std::string& waveform, ValueNames& names, const std::string& question)
    : waveform_(waveform),
      root_(waveform.substr(stem_of(waveform).size()) == ".vcd" ? "SystemC." : ""),
      name_(name_for(waveform, question)),
      names_(names) {}

void SaveFile::open_on(std::uint64_t first, std::uint64_t last) {
  first_ = first;
  last_ = last;
}

void SaveFile::mark(std::uint64_t time, const std::string& text) {
  if (marks_.size() < kMarkers) marks_.emplace_back(time, text);
}

void SaveFile::begin_group(const std::string& title, bool open) {
  rows_ += fmt::format("@{:x}\n-{}\n", kGroupBegins | kBlank | (open ? 0 : kFolded), title);
  groups_.emplace_back(title, open);
}

void SaveFile::end_group() {
  const auto& [title, open] = groups_.back();
  rows_ += fmt::format("@{:x}\n-{}\n", kGroupEnds | kBlank | (open ? 0 : kFolded | kFoldedEnd), title);
  groups_.pop_back();
}

void SaveFile::comment(const std::string& text) { rows_ += fmt::format("@{:x}\n-{}\n", kBlank, text); }

void SaveFile::show(const Signal& signal) {
  const std::string names = names_.file_of(signal);
  if (names.empty()) {
    rows_ += fmt::format("@{:x}\n", kDecimal);
  } else {
    rows_ += fmt::format("@{:x}\n^1 {}\n", kHex | kTranslated, names);
  }
  write_row(signal);
}

void SaveFile::show_hex(const Signal& signal) {
  rows_ += fmt::format("@{:x}\n", kHex);
  write_row(signal);
}

void SaveFile::write_row(const Signal& signal) {
  rows_ += fmt::format("+{{{}}} {}{}.{}", row_label(signal), root_, signal.scope, signal.name);
  if (signal.bits > 1) rows_ += fmt::format("[{}:0]", signal.bits - 1);
  rows_ += '\n';
}

void SaveFile::close() {
  while (!groups_.empty()) end_group();
  OutputFile output(name_);
  std::ostream& out = output.out();
  out << fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n", absolute(waveform_), absolute(name_));
  out << fmt::format("[timestart] {}\n[size] {} {}\n[pos] 0 0\n", first_, kWindowWidth, kWindowHeight);
  if (first_ != last_) {
    const double zoom = -std::log2(static_cast<double>(last_ - first_) * 200 / kWavesWidth);
    out << fmt::format("*{:.6f} {}", zoom, marks_.empty() ? first_ : marks_.front().first);
    for (std::size_t m = 0; m < kMarkers; ++m) out << (m < marks_.size() ? fmt::format(" {}", marks_[m].first) : " -1");
    out << "\n";
    for (std::size_t m = 0; m < marks_.size(); ++m) {
      out << fmt::format("[markername] {}{}\n", static_cast<char>('A' + m), marks_[m].second);
    }
  }
  out << fmt::format("[sst_expanded] 0\n[signals_width] {}\n", kLabelWidth) << rows_;
  output.finish();
}

}  // namespace braid::models
