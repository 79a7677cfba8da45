// Whether a run writes down what it sends, as a trace to replay (docs/traces.md).
#pragma once

#include <string>

#include "routing/base/options.h"

namespace braid::models {

struct RecordOptions {
  std::string trace;  ///< .trace or .btrace; empty: none
};
const OptionTable<RecordOptions>& record_options();
inline bool records_trace(const Configuration& configuration) {
  return !record_options().read(configuration).trace.empty();
}

}  // namespace braid::models
