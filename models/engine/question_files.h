// One GTKWave save file a question of those who read a waveform (docs/waveforms.md): which rows answer it, in what
// order, on what cycles and with which markers. What rows showed is noted while the waveform is written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/observe/save_file.h"
#include "models/observe/signals.h"

namespace braid::models {

class QuestionFiles {
 public:
  /// After the last signal is declared. `waveform`: the file that they go beside. Claims what may be written.
  QuestionFiles(const std::string& waveform, std::uint64_t period_ps, const SignalTable& table);

  /// Looks at the rows as of a cycle that is in the waveform.
  void note(std::uint64_t cycle);
  /// A watched packet that was not under way in any cycle so far; 0: none.
  std::uint64_t unseen_packet() const;
  ValueNames& names() { return names_; }

  /// Writes a file for each question that a row answers, `cycle` the row on top. After the waveform is complete.
  void write(const Signal& cycle);

 private:
  using Change = std::pair<std::uint64_t, std::uint64_t>;  // cycle, value from then on
  /// What a row has shown.
  struct Row {
    const Signal* signal;
    std::uint64_t last = 0;
    bool changed = false;
    std::vector<std::uint64_t> cycles_of;  // stalls: [value]
    std::vector<Change> changes;           // phases
    bool is(Signal::Kind kind) const { return signal->kind == kind; }
    std::uint64_t stalled() const;
  };
  /// A watched packet in a row of packets.
  struct Sighting {
    std::uint64_t packet;
    std::size_t row;
    std::uint64_t cycle;  // the first
  };
  struct Stalled;
  /// Those that rows help to answer, in the order of the rows.
  std::vector<const Question*> questions() const;
  void note_packet(std::size_t row, std::uint64_t cycle);
  void open(SaveFile& save, const std::vector<const Row*>& phases, const std::string& name) const;
  void write_packet(const Signal& cycle);
  void write_packet_rows(SaveFile& save, const Row& place) const;
  void write_stalls(const Signal& cycle);
  void write_stalls_of(SaveFile& save, const std::vector<const Row*>& rows) const;
  void write_other(const Question& question, const Signal& cycle);

  std::string waveform_;
  std::uint64_t period_ps_;
  ValueNames names_;
  std::vector<Row> rows_;  // those with a question, and all rows of packets
  std::vector<std::uint64_t> watched_;
  std::vector<Sighting> sightings_;
  std::uint64_t first_cycle_ = 0, last_cycle_ = 0;
  bool begun_ = false;
};

}  // namespace braid::models
