#include "models/rtl/router_image.h"

#include <fmt/format.h>

namespace braid::models::hybrid {

RouterImage::RouterImage(const RouterShape& shape) : shape_(shape), flit_words_(1 + shape.flit_words()) {
  const std::size_t slots =
      std::size_t{shape.vcs} * shape.depth + (shape.circuits ? shape.circuit_lanes * shape.circuit_depth : 0);
  port_words_ = shape.vcs * kVcFields + 2 * (shape.lanes() + shape.circuit_lanes) + kPortFields +
                (kPortFlits + slots) * flit_words_;
  words_.assign(kRouterFields + shape.ports * port_words_, 0);
}

std::vector<RouterImage::Name> RouterImage::names(const RouterShape& shape) {
  static constexpr const char* kVcNames[] = {"state",      "out_vc",           "last_port",
                                             "candidates", "va_input_arbiter", "va_output_arbiter"};
  static constexpr const char* kPortNames[] = {"circuit_lane_arbiter",
                                               "circuit_output_arbiter",
                                               "free_vcs",
                                               "sa_vc_arbiter",
                                               "sa_output_arbiter",
                                               "sa_accept_arbiter",
                                               "st_valid",
                                               "st_output",
                                               "credit_o"};
  static constexpr const char* kRouterNames[] = {
      "setup.search",        "setup.in_port",   "setup.tried",       "setup.waiting",
      "setup.control_latch", "control_valid_o", "control_message_o", "outcome_o"};
  static constexpr const char* kFlitNames[] = {"latch", "st_flit", "link_o"};
  std::vector<Name> names;
  for (const char* name : kRouterNames) names.push_back({name, -1});
  const auto flit = [&](const std::string& name, int port) {
    names.push_back({name + ".mark", port});
    for (std::uint32_t w = 0; w < shape.flit_words(); ++w) names.push_back({fmt::format("{}.data{}", name, w), port});
  };
  for (std::uint32_t p = 0; p < shape.ports; ++p) {
    const int port = static_cast<int>(p);
    for (std::uint32_t v = 0; v < shape.vcs; ++v) {
      for (const char* name : kVcNames) names.push_back({fmt::format("port{}.vc{}.{}", p, v, name), port});
    }
    for (const char* what : {"credits", "count"}) {
      for (std::uint32_t l = 0; l < shape.lanes(); ++l)
        names.push_back({fmt::format("port{}.lane{}.{}", p, l, what), port});
    }
    for (const char* what : {"circuit_out", "circuit_in"}) {
      for (std::uint32_t c = 0; c < shape.circuit_lanes; ++c) {
        const std::string lane = shape.circuit_lanes == 1 ? "" : fmt::format("lane{}.", shape.vcs + c);
        names.push_back({fmt::format("port{}.{}{}", p, lane, what), port});
      }
    }
    for (const char* name : kPortNames) names.push_back({fmt::format("port{}.{}", p, name), port});
    for (const char* name : kFlitNames) flit(fmt::format("port{}.{}", p, name), port);
    for (std::uint32_t l = 0; l < shape.lanes(); ++l) {
      const std::uint32_t depth = l < shape.vcs ? shape.depth : shape.circuit_depth;
      for (std::uint32_t i = 0; i < depth; ++i) flit(fmt::format("port{}.lane{}.slot{}", p, l, i), port);
    }
  }
  return names;
}

}  // namespace braid::models::hybrid
