// What the user says of rates that change from call to call: `--rate Filter=1.5`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

/// A positive number as it was written: numerator / denominator in lowest terms.
struct MeanRate {
  std::string filter, which;  ///< of a declaration; "push", "pop", "peek" or "" of whichever rate it is that changes
  std::string text;           ///< as given
  std::uint64_t numerator = 1, denominator = 1;
  bool used = false;
};

/// Of "Filter=1.5 Other.push=2", blanks between. Throws InputError.
std::vector<MeanRate> read_mean_rates(const std::string& text);
/// Throws InputError at a mean of a rate that does not change, or is not there: it would be lost in silence.
void check_all_used(const std::vector<MeanRate>& means, const std::map<std::string, const Stream*>& streams);

}  // namespace braid::traffic::streamit
