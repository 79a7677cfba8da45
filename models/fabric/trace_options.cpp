#include "models/fabric/trace_options.h"

namespace braid::models {

const OptionTable<RecordOptions>& record_options() {
  static const OptionTable<RecordOptions> table =
      OptionTable<RecordOptions>("record")
          .text("trace", &RecordOptions::trace,
                "what is sent as a trace to replay, .trace (text) or .btrace (binary); empty: none")
          .of_results();
  return table;
}

}  // namespace braid::models
