// Where the tests find what they run and read. Texts of one object, so that no case's object depends on the folder of
// its clone.
#pragma once

namespace braid::test {

extern const char* const kSourceFolder;      ///< of the checkout
extern const char* const kReleasedProgram;   ///< braid
extern const char* const kSanitizedProgram;  ///< ... with sanitizers
extern const char* const kPluginFolder;      ///< of the tests' plugins
extern const char* const kRouterFolder;      ///< of the tests' Verilated routers

}  // namespace braid::test
