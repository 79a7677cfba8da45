// Stream graphs.
#include "traffic/streams/stream_graph.h"

#include "tb/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const braid::fuzz::InputFile file(data, size);
  braid::fuzz::check([&] { (void)braid::traffic::read_stream_graph(file.name()); });
  return 0;
}
