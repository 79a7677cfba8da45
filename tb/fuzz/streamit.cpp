// StreamIt programs: read, flattened, and their steady state.
#include "traffic/streams/streamit/streamit.h"

#include "tb/fuzz/reader.h"
#include "traffic/streams/flat_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const braid::fuzz::InputFile file(data, size);
  braid::fuzz::check([&] {
    const braid::traffic::Structure program = braid::traffic::read_streamit({file.name()});
    (void)braid::traffic::flatten(program, file.name()).repetitions();
  });
  return 0;
}
