// From texts to syntax.
#pragma once

#include <string>
#include <vector>

#include "traffic/streams/streamit/sources.h"
#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

/// Reads the files and what they include (beside the file that does), each once, as one program. Throws InputError
/// where the text is not StreamIt's: what was expected there.
Program parse(const std::vector<std::string>& files, Sources& sources);

}  // namespace braid::traffic::streamit
