// A waveform file: signals are declared once, then their values are written whenever they change.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace braid::models {

/// Names for a signal's values, written once beside the save files as STEM.NAME.txt.
struct SignalValues {
  std::string name;
  std::vector<std::string> values;  ///< from 0 up
  std::size_t first_stall = 0;      ///< of a row of stalls: values from here on say why nothing moves
};

/// What a person asks of a waveform. Each that is answered by a signal has a save file of its own, STEM.NAME.gtkw.
struct Question {
  std::string name;
  std::string text;
};

struct Signal {
  enum class Kind : std::uint8_t {
    kNumber,
    kPacket,  ///< names a packet (packet_number()); 0: none
    kStall,   ///< why the packet of this scope stays where it is; its values have first_stall
    kPhase,   ///< not 0 while that goes on which the question is about: the save file opens on those cycles
  };
  std::string scope;  ///< of the hierarchy, parts joined by dots
  std::string name;
  unsigned bits = 1;
  std::uint64_t value = 0;
  bool shown = false;  ///< the save file opens on it
  const SignalValues* values = nullptr;
  Kind kind = Kind::kNumber;
  const Question* question = nullptr;  ///< it helps to answer; null: none
  const Question* second = nullptr;    ///< ... and this one
  std::uint64_t follows = 0;           ///< of a phase: the packet whose place it is

  Signal* answers(const Question& asked) {
    (question == nullptr ? question : second) = &asked;
    return this;
  }
  bool helps(const Question& asked) const { return question == &asked || second == &asked; }
};

/// "router_1_0.east.vc0" in parts.
std::vector<std::string> scope_parts(const std::string& scope);

/// A packet in a row of kind kPacket, by its source node and its number there: the bits of one word, 0 for no packet.
constexpr unsigned kPacketBits = 52;
inline std::uint64_t packet_number(std::uint64_t source, std::uint32_t sequence) {
  return ((source + 1) << 32) | sequence;
}
/// "SOURCE.SEQUENCE" as in the packet log and in watch.what; "-" for none.
std::string packet_text(std::uint64_t number);

class WaveFile {
 public:
  virtual ~WaveFile() = default;
  /// After the last signal is declared. `signals` keeps its addresses for the life of the file.
  virtual void declare(std::deque<Signal>& signals) = 0;
  /// Values as of `cycle`.
  virtual void write(std::uint64_t cycle) = 0;
  /// Throws std::runtime_error if it is known already that not all of it was written, and then leaves nothing.
  virtual void check() = 0;
  /// It is whole, and there from now on. Throws std::runtime_error with the reason if not all of it was written. What
  /// is not finished leaves nothing.
  virtual void finish() = 0;
};

/// What a waveform and the files beside it are called among the outputs of a run.
constexpr const char* kWaveFiles = "trace.file";

/// A cycle in a waveform's own unit of time, which is 1 ns, or 1 ps if a cycle is no whole number of ns.
std::uint64_t wave_time(std::uint64_t cycle, std::uint64_t period_ps);

/// Claims it. Throws InputError for another ending than .vcd and .fst, or a file that cannot be written.
void check_wave_file(const std::string& file);

/// By the file's ending: .vcd or .fst (GTKWave's compressed format). Throws as
/// check_wave_file() does. `period_ps`: of a cycle.
std::unique_ptr<WaveFile> open_wave_file(const std::string& file, std::uint64_t period_ps);

}  // namespace braid::models
