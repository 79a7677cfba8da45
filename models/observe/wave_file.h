// A waveform file: signals are declared once, then their values are written whenever they change.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace braid::models {

/// Names for a signal's values, written once beside the save file as STEM.NAME.txt.
struct SignalValues {
  std::string name;
  std::vector<std::string> values;  ///< from 0 up
};

struct Signal {
  std::string scope;  ///< of the hierarchy, parts joined by dots
  std::string name;
  unsigned bits = 1;
  std::uint64_t value = 0;
  bool shown = false;  ///< the save file opens on it
  const SignalValues* values = nullptr;
};

class WaveFile {
 public:
  virtual ~WaveFile() = default;
  /// After the last signal is declared. `signals` keeps its addresses for the life of the file.
  virtual void declare(std::deque<Signal>& signals) = 0;
  /// Values as of `cycle`.
  virtual void write(std::uint64_t cycle) = 0;
};

/// Throws InputError for another ending than .vcd and .fst, or a file that cannot be written.
void check_wave_file(const std::string& file);

/// By the file's ending: .vcd (SystemC's own tracing) or .fst (GTKWave's compressed format). Throws as
/// check_wave_file() does. `period_ps`: of a cycle.
std::unique_ptr<WaveFile> open_wave_file(const std::string& file, std::uint64_t period_ps);

}  // namespace braid::models
