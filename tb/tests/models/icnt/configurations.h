// Configurations for the cases: the sizes of GPGPU-Sim's tested ones, whose files are all one crossbar.
#pragma once

#include <string>

#include "models/icnt/icnt.h"

namespace braid::models::icnt {

/// Of `vcs` channels, all of them for each kind.
inline std::string with_vcs(unsigned vcs) {
  std::string text = "num_vcs = " + std::to_string(vcs) + ";\n";
  for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"})
    text += std::string(kind) + "_begin_vc = 0; " + kind + "_end_vc = " + std::to_string(vcs - 1) + ";\n";
  return text;
}

/// A crossbar; later statements of `more` count.
inline std::string crossbar(unsigned k, const std::string& more = "") {
  return "sim_type = gpgpusim; topology = fly; k = " + std::to_string(k) +
         "; n = 1; routing_function = dest_tag; subnets = 2; use_map = 0; flit_size = 40;\n"
         "routing_delay = 0; internal_speedup = 2.0; vc_buf_size = 64;\n" +
         with_vcs(1) + more;
}

/// Buffers as the Volta files have them.
inline const char* const kLarge =
    "vc_buf_size = 256; input_buffer_size = 256; ejection_buffer_size = 256; boundary_buffer_size = 256;\n";

/// 28 shaders and 8 memories.
inline std::string mesh6x6(const std::string& more = "") {
  return "sim_type = gpgpusim; topology = mesh; k = 6; n = 2; routing_function = dor; subnets = 2; use_map = 1;\n"
         "memory_node_map = {2,7,10,12,21,25,28,35}; flit_size = 32; vc_buf_size = 8; input_buffer_size = 16;\n"
         "ejection_buffer_size = 8; boundary_buffer_size = 16; routing_delay = 0;\n" +
         with_vcs(2) + more;
}

/// 56 shaders and 8 memories; other allocators, channels shorter than their credits' way, routing in a cycle of its
/// own.
inline std::string mesh8x8(const std::string& more = "") {
  return "sim_type = gpgpusim; topology = mesh; k = 8; n = 2; routing_function = dor; subnets = 2; use_map = 1;\n"
         "memory_node_map = {3,14,17,28,32,45,50,63}; flit_size = 40; vc_buf_size = 4; input_buffer_size = 32;\n"
         "ejection_buffer_size = 8; boundary_buffer_size = 8; routing_delay = 1; credit_delay = 1;\n"
         "vc_allocator = separable_input_first; sw_allocator = separable_input_first;\n" +
         with_vcs(4) + more;
}

/// 4 cores and 32 memories on one net, 16 channels in four ranges that overlap.
inline std::string one_net(const std::string& more = "") {
  return "sim_type = gpgpusim; topology = fly; k = 36; n = 1; routing_function = dest_tag; subnets = 1; use_map = 0;\n"
         "flit_size = 64; vc_buf_size = 64; input_buffer_size = 256; boundary_buffer_size = 64;\n" +
         more;
}

inline Interconnect network(const std::string& text, unsigned shaders, unsigned memories) {
  return Interconnect::from_text(text, "test.icnt", shaders, memories);
}

}  // namespace braid::models::icnt
