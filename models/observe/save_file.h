// A GTKWave save file: the signals of a waveform that are worth a first look.
#pragma once

#include <fstream>
#include <set>
#include <string>

#include "models/observe/wave_file.h"

namespace braid::models {

class SaveFile {
 public:
  /// Beside `waveform`, a .vcd or .fst file: the same name with .gtkw.
  explicit SaveFile(const std::string& waveform);

  /// A decimal number, or where its values have names those, which are written beside it as STEM.NAME.txt.
  void show(const Signal& signal);
  /// A hexadecimal number, labelled with its scope.
  void show_hex(const Signal& signal);

  const std::string& name() const { return name_; }

 private:
  void write_path(const Signal& signal);
  std::string values_file(const SignalValues& values);

  std::string stem_, root_, name_;
  std::ofstream out_;
  std::set<const SignalValues*> written_;
};

}  // namespace braid::models
