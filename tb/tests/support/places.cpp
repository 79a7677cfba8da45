#include "tb/tests/support/places.h"

namespace braid::test {

const char* const kSourceFolder = BRAID_SOURCE_DIR;
const char* const kReleasedProgram = BRAID_PROGRAM;
const char* const kSanitizedProgram = BRAID_SANITIZED_PROGRAM;
const char* const kPluginFolder = BRAID_PLUGINS;
const char* const kRouterFolder = BRAID_TEST_ROUTERS;

}  // namespace braid::test
