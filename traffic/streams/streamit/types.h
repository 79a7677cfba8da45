// Types of anonymous filters that do not give them, and how wide items of a type are.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "traffic/streams/hierarchy.h"
#include "traffic/streams/streamit/value.h"

namespace braid::traffic::streamit {

/// Gives every filter whose types are not known ("") those of its neighbours; where none knows, its output is of its
/// input's type.
void infer_types(Structure& program);

/// Of 32 bits: a complex number has two, a struct or an array those of its parts, all else one.
std::uint64_t words_of(const Value& value);
/// Gives every filter the words of its types' items; a type that is not in `words` has one.
void set_words(Structure& program, const std::map<std::string, std::uint64_t>& words);

}  // namespace braid::traffic::streamit
