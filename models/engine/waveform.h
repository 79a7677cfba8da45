// Waveforms of the stage registers, as VCD or FST, with GTKWave save files beside them: one for a first look, one for
// each question that the chosen policies can answer (docs/waveforms.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/engine/network.h"

namespace braid::models {

struct WaveformOptions {
  std::string file;             ///< .vcd or .fst; empty: no trace
  std::string routers = "all";  ///< "all" or router names with blanks between
  std::uint64_t from_cycle = 0;
  std::uint64_t to_cycle = 2000;
};
const OptionTable<WaveformOptions>& waveform_options();

/// Throws InputError: unknown router name, file that cannot be written or is neither .vcd nor .fst, no cycle at all.
void check_waveform(const routing::Topology& topology, const WaveformOptions& options);

class Waveform {
 public:
  /// Throws as check_waveform() does, and where the network has no signals at all.
  Waveform(const Network& network, const WaveformOptions& options);
  ~Waveform();

  /// Writes what changed. After every cycle, when the registers are settled.
  void sample(std::uint64_t cycle);
  /// Throws std::runtime_error if it cannot be written on (a full disk) and, once its last cycle is written, InputError
  /// if a watched packet was not under way in any of them.
  void check() const;
  /// Finishes the file and writes the save files; throws as check() does, but not after a deadlock. The first opens on
  /// what is worth a first look, or after a deadlock on the channels of its lines (Verdict::waiting). A trace that is
  /// never closed leaves nothing.
  void close(const std::vector<std::string>& waiting = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace braid::models
