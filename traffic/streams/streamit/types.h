// Types of anonymous filters that do not give them.
#pragma once

#include "traffic/streams/hierarchy.h"

namespace braid::traffic::streamit {

/// Gives every filter whose types are not known ("") those of its neighbours; where none knows, its output is of its
/// input's type.
void infer_types(Structure& program);

}  // namespace braid::traffic::streamit
