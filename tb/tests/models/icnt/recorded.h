// Traffic that intersim2 has carried (GPGPU-Sim's sources of March 2024, as they are but for subnets = 1, where a
// shader's pop was made to look at the only net): ClosedLoop's hash over every pop there. An equal hash is an equal
// run, cycle by cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/models/icnt/closed_loop.h"
#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {

struct Recorded {
  std::string name, text;
  Load load;
  std::uint64_t hash;  ///< of intersim2's run
};

inline std::vector<Recorded> recorded() {
  const std::string four = with_vcs(4) + "input_buffer_size = 64; ";
  return {
      {"crossbar_of_27", crossbar(27), {15, 12, 20}, 0x61ce7d7e59510391},
      {"crossbar_of_27_saturated", crossbar(27), {15, 12, 60}, 0x640ee02eb14867ab},
      {"crossbar_of_52", crossbar(52, kLarge), {28, 24, 27}, 0xd1285b6d08b1f69a},
      {"crossbar_of_52_skewed", crossbar(52, kLarge), {28, 24, 20, 64, 3000, 30}, 0x94669c33b5dfa8f0},
      {"crossbar_of_144", crossbar(144, kLarge), {80, 64, 28, 64, 1500}, 0x72c420dd87ddbeb8},
      {"speedup_1", crossbar(52, "internal_speedup = 1.0;"), {28, 24, 50}, 0x51f5b70d39729c21},
      {"speedup_1_5", crossbar(52, "internal_speedup = 1.5;"), {28, 24, 50}, 0x6b362a0dc52379d0},
      {"four_channels", crossbar(52, four + "internal_speedup = 1.0;"), {28, 24, 50}, 0x1a4db19e8582d53a},
      {"input_speedup_2",
       crossbar(52, four + "input_speedup = 2; internal_speedup = 1.0;"),
       {28, 24, 50},
       0x6fbdca7fdbc78a52},
      {"input_speedup_4",
       crossbar(52, four + "input_speedup = 4; internal_speedup = 2.0;"),
       {28, 24, 50},
       0x1406ca31a5036530},
      {"islip_of_three_rounds",
       crossbar(52, four + "vc_allocator = islip(3); sw_allocator = islip(3);"),
       {28, 24, 50},
       0xe9a42789e4467bc0},
      {"tail_credits",
       crossbar(27, with_vcs(2) + "wait_for_tail_credit = 1; vc_buf_size = 8;"),
       {15, 12, 40},
       0x170c6af14627f65a},
      {"routed_in_a_step",
       crossbar(27, "routing_delay = 1; credit_delay = 3; vc_buf_size = 6;"),
       {15, 12, 40},
       0xff4eaf1cf11378ee},
      {"fly_of_two_stages", crossbar(6, "n = 2; use_map = 0;" + with_vcs(3)), {20, 16, 30}, 0x0104cdcd44168d0b},
      {"torus_5x5", torus(5, 2, with_vcs(2)), {15, 10, 20, 64, 2000}, 0xbdf36f53bd3d058b},
      {"torus_5x5_saturated", torus(5, 2, with_vcs(2)), {15, 10, 60, 64, 2000}, 0x62c154f9dad76215},
      {"torus_of_short_links",
       torus(5, 2, with_vcs(2) + "use_noc_latency = 0; internal_speedup = 2.0;"),
       {15, 10, 60, 64, 2000},
       0x6b32f151339972e2},
      {"torus_3x3x3_saturated",
       torus(3, 3,
             with_vcs(4) + "routing_delay = 1; credit_delay = 1; vc_buf_size = 4; "
                           "vc_allocator = separable_input_first; sw_allocator = separable_input_first;"),
       {17, 10, 50, 64, 2000},
       0x5a77f4cab879d2f3},
      {"torus_whose_halves_overlap",
       torus(7, 2,
             with_vcs(3) + "wait_for_tail_credit = 1; input_speedup = 3; vc_allocator = islip(2); "
                           "sw_allocator = islip(2);"),
       {30, 19, 10, 64, 2000},
       0x221083b008d29a01},
      {"torus_one_net", torus(7, 2, "subnets = 1;"), {30, 19, 15, 64, 1500}, 0x42b6ed9fc7fe098e},
      {"anynet_tree", anynet("recorded_tree.any", kTree, with_vcs(2)), {7, 4, 20, 64, 2000}, 0x8573c97f0c43bb09},
      {"anynet_tree_saturated",
       anynet("recorded_tree.any", kTree,
              with_vcs(4) + "routing_delay = 1; credit_delay = 2; vc_buf_size = 5; "
                            "sw_allocator = separable_input_first;"),
       {7, 4, 60, 64, 2000, 30},
       0x03bef40f59735208},
      {"anynet_meshed",
       anynet("recorded_meshed.any", kMeshed,
              with_vcs(4) + "vc_buf_size = 32; ejection_buffer_size = 32; boundary_buffer_size = 32; "
                            "input_buffer_size = 32;"),
       {5, 4, 60, 64, 2000},
       0x0a31eda341d4094a},
      {"mesh_6x6", mesh6x6(), {28, 8, 6}, 0x585c4f9f3852b8af},
      {"mesh_6x6_saturated", mesh6x6(), {28, 8, 20}, 0x9d35e0a6dfa429a2},
      {"mesh_6x6_islip_2",
       mesh6x6(with_vcs(4) + "vc_allocator = islip(2); sw_allocator = islip(2);"),
       {28, 8, 20},
       0xab154bfc0aeaedaa},
      {"mesh_8x8", mesh8x8(), {56, 8, 4}, 0x1e1f185b68ecae3e},
      {"mesh_8x8_saturated", mesh8x8(), {56, 8, 15, 64, 2500}, 0x35ffb5833e08bf09},
      {"mesh_8x8_input_speedup_2", mesh8x8("input_speedup = 2;"), {56, 8, 6, 64, 2500, 10}, 0xe627c44b82ac5dcb},
      {"ranges_apart",
       crossbar(27, four + "read_request_end_vc = 1; write_request_begin_vc = 2; read_reply_end_vc = 1;" +
                        "write_reply_begin_vc = 2; vc_buf_size = 2;"),
       {15, 12, 60},
       0xaac19e3e6b566cd1},
      {"one_net", one_net(), {4, 32, 35, 128}, 0x903b80e3ad3e8fce},
      {"one_net_saturated", one_net(), {4, 32, 90, 128}, 0x4cc8b7d76d1c332d},
  };
}

}  // namespace braid::models::icnt
