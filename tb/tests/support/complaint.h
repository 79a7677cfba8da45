// What is refused, as text.
#pragma once

#include <string>

#include "routing/base/input_error.h"

namespace braid::test {

/// What `work` complains of with such an error, or "".
template <class Error = InputError, class Work>
std::string complaint(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace braid::test
