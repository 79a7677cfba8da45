// Traces of both forms, for eight nodes and a window of 16 packets.
#include "tb/fuzz/reader.h"
#include "traffic/replay/ordered_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const braid::fuzz::InputFile file(data, size);
  braid::fuzz::check([&] {
    braid::traffic::OrderedTrace trace({file.name(), 8, 16, false});
    braid::traffic::OrderedTrace::Next next;
    while (trace.next(next)) {
    }
  });
  return 0;
}
