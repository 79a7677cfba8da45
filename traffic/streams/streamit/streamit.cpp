#include "traffic/streams/streamit/streamit.h"

#include "traffic/streams/streamit/elaborate.h"
#include "traffic/streams/streamit/parser.h"
#include "traffic/streams/streamit/sources.h"

namespace braid::traffic {

Structure read_streamit(const std::vector<std::string>& files, const std::string& mean_rates) {
  streamit::Sources sources;
  const streamit::Program program = streamit::parse(files, sources);
  return streamit::elaborate(program, sources, mean_rates);
}

}  // namespace braid::traffic
