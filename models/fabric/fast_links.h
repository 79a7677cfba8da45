// Links of more flits a cycle than one (routing/topology/link_speeds.h): which fabrics move that many.
#pragma once

namespace braid::models {

/// A fabric that has it asks for the speeds of its links; every other one is refused a network with such links.
class HasFastLinks {
 public:
  virtual ~HasFastLinks() = default;
};

}  // namespace braid::models
