// A pipeline, splitjoin or feedback loop from the streams in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traffic/streams/hierarchy.h"
#include "traffic/streams/streamit/interpreter.h"
#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

/// A structure with what goes in and out of it; "": not known.
struct Made {
  Structure structure;
  std::string input, output;
};

/// What stands in the body of a stream that is no filter.
struct Parts {
  std::vector<Made> children;
  std::vector<Place> places;  ///< where each child is added
  std::optional<Distribution> split, join;
  std::optional<std::vector<std::uint64_t>> split_weights, join_weights;
  std::optional<Made> body, loop;
  std::uint64_t enqueued = 0;
};

/// The word of the language.
const char* to_string(StreamKind kind);

/// Fills `made`, whose ends are what `stream` says of itself, from its parts. Throws InputError: parts are missing, too
/// many, or do not fit one another or the stream.
void compose(const Session& session, const Stream& stream, Parts parts, Made& made);

}  // namespace braid::traffic::streamit
