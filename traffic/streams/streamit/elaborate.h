// From syntax to the structure of streams.
#pragma once

#include "traffic/streams/hierarchy.h"
#include "traffic/streams/streamit/sources.h"
#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

/// Throws InputError.
Structure elaborate(const Program& program, const Sources& sources);

}  // namespace braid::traffic::streamit
