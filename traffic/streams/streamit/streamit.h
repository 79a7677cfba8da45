// The StreamIt reader (docs/streamit.md): programs as their authors wrote them, elaborated.
#pragma once

#include <string>
#include <vector>

#include "traffic/streams/hierarchy.h"

namespace braid::traffic {

/// The program that these files make together, with what they include: the void->void stream that no other adds, or
/// the last of those. Throws InputError with its place: what is not StreamIt, an unknown name, a wrong number of
/// arguments, a rate, weight or length that is not known or not possible, streams that do not fit together, code that
/// does not end; rates that change from call to call, unless `mean_rates` gives their means: "Filter=1.5 Other.pop=2".
Structure read_streamit(const std::vector<std::string>& files, const std::string& mean_rates = "");

}  // namespace braid::traffic
