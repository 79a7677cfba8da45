// The StreamIt reader (docs/streamit.md): programs as their authors wrote them, elaborated.
#pragma once

#include <string>
#include <vector>

#include "traffic/streams/hierarchy.h"

namespace braid::traffic {

/// The program that these files make together, with what they include: the void->void stream that no other adds, or
/// the last of those. Throws InputError with its place: what is not StreamIt, an unknown name, a wrong number of
/// arguments, a rate, weight or length that is not known or not possible, streams that do not fit together, dynamic
/// rates and portals, code that does not end.
Structure read_streamit(const std::vector<std::string>& files);

}  // namespace braid::traffic
