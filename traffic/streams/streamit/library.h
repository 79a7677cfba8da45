// The functions every StreamIt program may call, and what all that a work function does is estimated to take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/streams/streamit/value.h"

namespace braid::traffic::streamit {

/// Cycles, as MIT's StreamIt compiler estimates them for a processor of RAW (its WorkConstants): measured there, not
/// for every machine's. Reading a local variable and assigning take nothing.
struct WorkTable {
  std::uint64_t peek = 3, pop = 3, push = 3;
  std::uint64_t integer_operation = 1, float_operation = 2;
  std::uint64_t float_division = 32;
  std::uint64_t field = 2;   ///< of the filter's, read or written
  std::uint64_t branch = 1;  ///< if, ?:, break, continue: beside the mean of both sides
  std::uint64_t call = 10;   ///< of a function, beside its body or its figure
  std::uint64_t print = 3;
  std::uint64_t unknown_call = 60;  ///< of C code, and of library functions without a figure of their own
  std::uint64_t repeats = 5;        ///< of a loop whose number of rounds is not known
};
constexpr WorkTable kWork{};

struct LibraryFunction {
  std::string name;
  std::size_t least = 1, most = 1;  ///< arguments
  std::uint64_t work = 0;           ///< cycles
  bool effect = false;              ///< not the same on every call, or seen outside: prints, random numbers
};

const LibraryFunction* library_function(const std::string& name);
std::vector<std::string> library_names();

/// Its value of arguments that fit in number; unknown where theirs are or it cannot be told before the program runs.
Value call_library(const LibraryFunction& function, const std::vector<Value>& arguments);

}  // namespace braid::traffic::streamit
