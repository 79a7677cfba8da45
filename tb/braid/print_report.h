// Figures as a table for people.
#pragma once

#include "routing/base/figures.h"

namespace braid::tb {

/// A line a figure; parts that have parts of their own, or several of a kind, under a heading.
void print_report(const Report& report);

}  // namespace braid::tb
