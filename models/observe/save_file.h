// GTKWave save files: on which rows of a waveform, and on which of its cycles, GTKWave opens.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/observe/wave_file.h"

namespace braid::models {

/// Files that name the values of rows (GTKWave's translate filter files), shared by the save files of one waveform.
/// Each is written when a row first asks for it.
class ValueNames {
 public:
  /// Beside `waveform`: STEM.NAME.txt.
  explicit ValueNames(const std::string& waveform);
  /// A packet that was in a row of packets; all of them before the first save file.
  void add_packet(std::uint64_t number) { packets_.insert(number); }
  /// The file for a row; empty if it has plain numbers.
  std::string file_of(const Signal& signal);
  /// Claims what file_of() may write for these rows.
  void claim(const std::deque<Signal>& signals) const;

 private:
  std::string name_for(const Signal& signal, bool with_digits) const;

  std::string stem_;
  std::set<std::uint64_t> packets_;
  std::map<std::pair<const void*, unsigned>, std::string> written_;  // [names, digits]
};

class SaveFile {
 public:
  /// Beside `waveform`, a .vcd or .fst file: the same name with .gtkw, or with .QUESTION.gtkw.
  static std::string name_for(const std::string& waveform, const std::string& question = "");
  SaveFile(const std::string& waveform, ValueNames& names, const std::string& question = "");

  /// The times, in the waveform's unit, on which it opens.
  void open_on(std::uint64_t first, std::uint64_t last);
  /// A named marker; there are 26, and what is more is not marked.
  void mark(std::uint64_t time, const std::string& text);
  /// What follows, to end_group(), folds away; open or closed at first.
  void begin_group(const std::string& title, bool open = true);
  void end_group();
  void comment(const std::string& text);

  /// A decimal number, or where its values have names those; labelled with its scope, as GTKWave shows leaf names
  /// alone.
  void show(const Signal& signal);
  /// A hexadecimal number.
  void show_hex(const Signal& signal);

  const std::string& name() const { return name_; }
  /// Writes it. Rows that were begun are ended.
  void close();

 private:
  void write_row(const Signal& signal);

  std::string waveform_, root_, name_;
  ValueNames& names_;
  std::vector<std::pair<std::string, bool>> groups_;  // open ones: title, unfolded
  std::vector<std::pair<std::uint64_t, std::string>> marks_;
  std::uint64_t first_ = 0, last_ = 0;  // no range if equal
  std::string rows_;
};

/// How a row is labelled: "1_0 east vc0 state" of router_1_0.east.vc0.state.
std::string row_label(const Signal& signal);

}  // namespace braid::models
