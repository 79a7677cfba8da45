// Figures as a table for people.
#pragma once

#include "routing/base/figures.h"

namespace braid::tb {

/// A line a figure; parts that have parts of their own, or several of a kind, under a heading. Of a saturated run the
/// figures that know of delivered packets only are marked.
void print_report(const Report& report, bool saturated = false);

}  // namespace braid::tb
