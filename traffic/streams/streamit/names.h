// Are all names of a program known, also where it never comes?
#pragma once

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {

/// Throws InputError at the first variable, function, type or stream that is not declared, and where a function or a
/// stream gets a wrong number of arguments.
Place check_names(const Session& session);

}  // namespace braid::traffic::streamit
