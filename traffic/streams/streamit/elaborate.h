// From syntax to the structure of streams.
#pragma once

#include <string>

#include "traffic/streams/hierarchy.h"
#include "traffic/streams/streamit/sources.h"
#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

/// `mean_rates` as read_streamit() has them. Throws InputError.
Structure elaborate(const Program& program, const Sources& sources, const std::string& mean_rates);

}  // namespace braid::traffic::streamit
