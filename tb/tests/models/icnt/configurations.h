// Configurations for the cases: the sizes of GPGPU-Sim's tested ones, whose files are all one crossbar.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
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

/// k^n nodes on rings; a link takes two cycles unless use_noc_latency = 0.
inline std::string torus(unsigned k, unsigned n, const std::string& more = "") {
  return "sim_type = gpgpusim; topology = torus; k = " + std::to_string(k) + "; n = " + std::to_string(n) +
         "; routing_function = dim_order; subnets = 2; use_map = 0; flit_size = 40;\n"
         "vc_buf_size = 8; input_buffer_size = 16; ejection_buffer_size = 8; boundary_buffer_size = 16;\n"
         "routing_delay = 0;\n" +
         more;
}

/// What a file lists, which is written.
inline std::string anynet(const std::string& name, const std::string& listing, const std::string& more = "") {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_" + name;
  std::ofstream(file) << listing;
  return "sim_type = gpgpusim; topology = anynet; network_file = " + file +
         "; routing_function = min; subnets = 2; use_map = 0; flit_size = 40;\n"
         "vc_buf_size = 8; input_buffer_size = 16; ejection_buffer_size = 8; boundary_buffer_size = 16;\n"
         "routing_delay = 0;\n" +
         more;
}

/// Eleven nodes on a tree of six routers; links of 1 to 7 cycles, two of them longer one way than the other.
inline const char* const kTree =
    "router 0 node 0 node 1 router 1 3 router 2\n"
    "router 1 node 2 node 3 node 4\n"
    "router 2 node 5 router 3 7\n"
    "router 3 node 6 node 7 router 2 2 router 4\n"
    "node 8 router 4\n\n"
    "router 5 router 4 2\n"
    "node 9 router 5\nrouter 5 node 10\n";
/// Nine nodes; two routers have none. Several shortest ways are as long as others.
inline const char* const kMeshed =
    "router 0 node 0 node 1 router 1 4 router 3 2\n"
    "router 1 router 2 2 router 4\n"
    "router 2 router 3 router 7\n"
    "router 3 node 2 node 3 router 4 2\n"
    "router 4 node 4 router 1 2 router 5 4\n"
    "router 5 router 1 4 router 6\n"
    "router 6 router 3 4 router 7\n"
    "router 7 node 5 node 6 node 7 router 8 2\n"
    "router 8 node 8 router 0 2 router 4\n";

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
