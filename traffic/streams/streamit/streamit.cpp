#include "traffic/streams/streamit/streamit.h"
#include "routing/base/input_error.h"
namespace braid::traffic {
Structure read_streamit(const std::vector<std::string>& files) { throw InputError({files.front(), 0, 0}, "no reader yet"); }
}  // namespace braid::traffic
