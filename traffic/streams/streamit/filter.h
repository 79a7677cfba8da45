// One instance of a filter.
#pragma once

#include "traffic/streams/hierarchy.h"
#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {

/// Rates, state and work of a filter whose parameters (and what an anonymous one sees of the stream around it) stand
/// in `environment`. Types as the stream has them; "" is not known. Throws InputError.
Filter instantiate(Session& session, const Stream& declaration, Environment environment, const std::string& input,
                   const std::string& output);

/// Braid's own: Identity, FileReader, FileWriter.
bool is_built_in(const std::string& name);
Filter built_in(const std::string& name, const std::string& type);
const std::vector<std::string>& built_in_names();

}  // namespace braid::traffic::streamit
