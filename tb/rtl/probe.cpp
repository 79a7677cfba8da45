#include "tb/rtl/probe.h"

#include <algorithm>

#include "models/rtl/router_pins.h"
#include "tb/rtl/router_words.h"

namespace braid::rtl {
namespace {

using models::hybrid::flit_mark;
using models::hybrid::RouterImage;
using Words = const std::uint64_t*;

ProbeSizes sizes_of(const models::hybrid::RouterShape& s) {
  ProbeSizes sizes{};
  sizes.ports = s.ports;
  sizes.vcs = s.vcs;
  sizes.lanes = s.lanes();
  sizes.depth = s.depth;
  sizes.circuit_depth = s.circuit_depth;
  sizes.circuit_lanes = s.circuit_lanes;
  sizes.flit_words = s.flit_words();
  return sizes;
}

// One source: hw/words.toml. The model's enums are its own; they have the same values.
template <class Rtl, class Model>
constexpr bool same(Rtl a, Model b) {
  return static_cast<unsigned>(a) == static_cast<unsigned>(b);
}
static_assert(same(VcState::kIdle, models::hybrid::VcState::kIdle) &&
              same(VcState::kNeedsRoute, models::hybrid::VcState::kNeedsRoute) &&
              same(VcState::kWaitsForVc, models::hybrid::VcState::kWaitsForVc) &&
              same(VcState::kActive, models::hybrid::VcState::kActive));
static_assert(same(ControlKind::kProbe, models::hybrid::ControlKind::kProbe) &&
              same(ControlKind::kBacktrack, models::hybrid::ControlKind::kBacktrack) &&
              same(ControlKind::kAcknowledge, models::hybrid::ControlKind::kAcknowledge) &&
              same(ControlKind::kTearDown, models::hybrid::ControlKind::kTearDown));

bool bit(std::uint64_t word, unsigned i) { return ((word >> i) & 1) != 0; }

/// The image has 1 + the number of a row where there is one, else 0.
std::uint64_t one_plus_if(std::uint64_t valid, std::uint64_t row) { return valid != 0 ? row + 1 : 0; }

class Reader {
 public:
  explicit Reader(RouterImage& image) : image_(image), shape_(image.shape()), sizes_(sizes_of(shape_)) {}

  void read(Words router) {
    for (unsigned p = 0; p < shape_.ports; ++p) read_port(router + at_.port + p * at_port_.words, p);
    if (shape_.circuits) read_setup(router);
  }

 private:
  void read_port(Words port, unsigned p) {
    for (unsigned v = 0; v < shape_.vcs; ++v) read_vc(port + at_port_.vc + v * at_vc_.words, p, v);
    if (shape_.circuits) {
      for (unsigned c = 0; c < shape_.circuit_lanes; ++c) {
        read_circuit_lane(port + at_port_.lane + c * at_lane_.words, p, c);
      }
      image_.port(p, RouterImage::kCircuitLaneArbiter) = port[at_port_.circuit_lane_arbiter];
      image_.port(p, RouterImage::kCircuitOutputArbiter) = port[at_port_.circuit_output_arbiter];
    }
    image_.port(p, RouterImage::kFreeVcs) = port[at_port_.free_vcs];
    image_.port(p, RouterImage::kSaVcArbiter) = port[at_port_.sa_vc_arbiter];
    image_.port(p, RouterImage::kSaOutputArbiter) = port[at_port_.sa_output_arbiter];
    image_.port(p, RouterImage::kSaAcceptArbiter) = port[at_port_.sa_accept_arbiter];
    for (unsigned l = 0; l < shape_.lanes(); ++l) image_.credits(p, l) = port[at_port_.credits + l];
    if (port[at_port_.st_valid] != 0) {
      image_.port(p, RouterImage::kStValid) = 1;
      image_.port(p, RouterImage::kStOutput) =
          port[at_port_.st_out_port] << 16 | port[at_port_.st_out_lane] << 8 | port[at_port_.st_in_lane];
      put_flit(image_.flit(p, RouterImage::kStFlit), port[at_port_.st_head] != 0, port[at_port_.st_tail] != 0,
               port[at_port_.st_out_lane], port + at_port_.st_data);
    }
    if (port[at_port_.latch_valid] != 0) {
      put_flit(image_.flit(p, RouterImage::kLatch), port[at_port_.latch_head] != 0, port[at_port_.latch_tail] != 0,
               port[at_port_.latch_lane], port + at_port_.latch_data);
    }
  }

  void read_vc(Words vc, unsigned p, unsigned v) {
    const auto state = static_cast<VcState>(vc[at_vc_.state]);
    image_.vc(p, v, RouterImage::kState) = vc[at_vc_.state];
    if (state == VcState::kActive)
      image_.vc(p, v, RouterImage::kOutVc) = (vc[at_vc_.out_port] + 1) << 8 | vc[at_vc_.out_vc];
    image_.vc(p, v, RouterImage::kLastPort) = vc[at_vc_.out_port];
    if (state == VcState::kWaitsForVc) image_.vc(p, v, RouterImage::kCandidates) = vc[at_vc_.candidates];
    image_.vc(p, v, RouterImage::kVaInputArbiter) = vc[at_vc_.va_input_arbiter];
    image_.vc(p, v, RouterImage::kVaOutputArbiter) = vc[at_vc_.va_output_arbiter];
    image_.count(p, v) = vc[at_vc_.count];
    put_buffer(p, v, shape_.depth, vc[at_vc_.read], vc[at_vc_.heads], vc[at_vc_.tails], vc + at_vc_.data);
  }

  void read_circuit_lane(Words lane, unsigned p, unsigned c) {
    image_.count(p, shape_.vcs + c) = lane[at_lane_.count];
    put_buffer(p, shape_.vcs + c, shape_.circuit_depth, lane[at_lane_.read], lane[at_lane_.heads], lane[at_lane_.tails],
               lane + at_lane_.data);
    image_.circuit_out(p, c) = one_plus_if(lane[at_lane_.out_valid], lane[at_lane_.out_row]);
    image_.circuit_in(p, c) = one_plus_if(lane[at_lane_.in_valid], lane[at_lane_.in_row]);
  }

  void read_setup(Words router) {
    if (router[at_.search] != 0) {
      image_.router(RouterImage::kSearch) = router[at_.search];
      image_.router(RouterImage::kSearchPort) = router[at_.search_row] + 1;
      image_.router(RouterImage::kSearchTried) = router[at_.search_tried];
    }
    image_.router(RouterImage::kWaiting) = one_plus_if(router[at_.waiting], router[at_.waiting_row]);
    if (router[at_.control_valid] != 0) {
      image_.router(RouterImage::kControlLatch) = 1 | router[at_.control_port] << 8 | router[at_.control_kind] << 12 |
                                                  router[at_.control_search] << 16 |
                                                  router[at_.control_destination] << 32;
    }
  }

  /// The flits of a lane, oldest first: a ring that begins at `read`.
  void put_buffer(unsigned p, unsigned lane, unsigned depth, std::uint64_t read, std::uint64_t heads,
                  std::uint64_t tails, Words data) {
    for (unsigned i = 0; i < image_.count(p, lane) && i < depth; ++i) {
      const auto place = static_cast<unsigned>((read + i) % depth);
      put_flit(image_.slot(p, lane, i), bit(heads, place), bit(tails, place), lane, data + place * sizes_.flit_words);
    }
  }

  void put_flit(std::uint64_t* flit, bool head, bool tail, std::uint64_t lane, Words data) const {
    flit[0] = flit_mark(head, tail, static_cast<std::uint32_t>(lane));
    std::copy(data, data + sizes_.flit_words, flit + 1);
  }

  RouterImage& image_;
  const models::hybrid::RouterShape& shape_;
  ProbeSizes sizes_;
  ProbeVc at_vc_{sizes_};
  ProbeLane at_lane_{sizes_};
  ProbePort at_port_{sizes_};
  ProbeRouter at_{sizes_};
};

}  // namespace

void read_probe(const std::uint64_t* words, models::hybrid::RouterImage& image) { Reader(image).read(words); }

}  // namespace braid::rtl
