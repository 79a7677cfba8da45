#include "models/icnt/keys.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace braid::models::icnt {

namespace {

constexpr auto kRead = Key::Use::kRead;
constexpr auto kOnly = Key::Use::kOnly;
constexpr auto kNoEffect = Key::Use::kNoEffect;

constexpr Key kKeys[] = {
    {"topology", kRead, "torus"},
    {"k", kRead, "8"},
    {"n", kRead, "2"},
    {"use_noc_latency", kRead, "1"},
    {"network_file", kRead, ""},
    {"routing_function", kRead, "none"},
    {"subnets", kRead, "1"},
    {"use_map", kRead, "1"},
    {"memory_node_map", kRead, ""},
    {"flit_size", kRead, "32"},
    {"num_vcs", kRead, "16"},
    {"vc_buf_size", kRead, "8"},
    {"input_buffer_size", kRead, "0"},
    {"ejection_buffer_size", kRead, "0"},
    {"boundary_buffer_size", kRead, "16"},
    {"read_request_begin_vc", kRead, "0"},
    {"read_request_end_vc", kRead, "5"},
    {"write_request_begin_vc", kRead, "2"},
    {"write_request_end_vc", kRead, "7"},
    {"read_reply_begin_vc", kRead, "8"},
    {"read_reply_end_vc", kRead, "13"},
    {"write_reply_begin_vc", kRead, "10"},
    {"write_reply_end_vc", kRead, "15"},
    {"vc_allocator", kRead, "islip"},
    {"sw_allocator", kRead, "islip"},
    {"routing_delay", kRead, "1"},
    {"credit_delay", kRead, "0"},
    {"input_speedup", kRead, "1"},
    {"output_speedup", kRead, "1"},
    {"internal_speedup", kRead, "1.0"},
    {"wait_for_tail_credit", kRead, "0"},
    {"sim_type", kRead, "latency"},

    {"router", kOnly, "iq"},
    {"c", kOnly, "1"},
    {"vc_alloc_delay", kOnly, "1"},
    {"sw_alloc_delay", kOnly, "1"},
    {"st_prepare_delay", kOnly, "0"},
    {"st_final_delay", kOnly, "1"},
    {"speculative", kOnly, "0"},
    {"noq", kOnly, "0"},
    {"hold_switch_for_packet", kOnly, "0"},
    {"vc_busy_when_full", kOnly, "0"},
    {"vc_prioritize_empty", kOnly, "0"},
    {"vc_shuffle_requests", kOnly, "0"},
    {"output_buffer_size", kOnly, "-1"},
    {"buf_size", kOnly, "-1"},
    {"buffer_policy", kOnly, "private"},
    {"priority", kOnly, "none"},
    {"classes", kOnly, "1"},
    {"link_failures", kOnly, "0"},

    // Allocators are made without their configuration: islip(2) has two rounds, alloc_iters = 2 changes nothing.
    {"alloc_iters", kNoEffect, ""},
    {"arb_type", kNoEffect, ""},
    {"read_request_subnet", kNoEffect, ""},
    {"read_reply_subnet", kNoEffect, ""},
    {"write_request_subnet", kNoEffect, ""},
    {"write_reply_subnet", kNoEffect, ""},
    {"perfect_icnt", kNoEffect, ""},
    {"fixed_lat_per_hop", kNoEffect, ""},
    {"output_extra_latency", kNoEffect, ""},
    {"network_count", kNoEffect, ""},
    {"enable_link_stats", kNoEffect, ""},
    {"MATLAB_OUTPUT", kNoEffect, ""},
    {"DISPLAY_LAT_DIST", kNoEffect, ""},
    {"DISPLAY_HOP_DIST", kNoEffect, ""},
    {"DISPLAY_PAIR_LATENCY", kNoEffect, ""},
    {"output_delay", kNoEffect, ""},
    {"in_ports", kNoEffect, ""},
    {"out_ports", kNoEffect, ""},
    {"x", kNoEffect, ""},
    {"y", kNoEffect, ""},
    {"xr", kNoEffect, ""},
    {"yr", kNoEffect, ""},
    {"fail_seed", kNoEffect, ""},
    {"vct", kNoEffect, ""},
    {"spec_check_elig", kNoEffect, ""},
    {"spec_check_cred", kNoEffect, ""},
    {"spec_mask_by_reqs", kNoEffect, ""},
    {"spec_sw_allocator", kNoEffect, ""},
    {"private_bufs", kNoEffect, ""},
    {"private_buf_size", kNoEffect, ""},
    {"private_buf_start_vc", kNoEffect, ""},
    {"private_buf_end_vc", kNoEffect, ""},
    {"max_held_slots", kNoEffect, ""},
    {"feedback_aging_scale", kNoEffect, ""},
    {"feedback_offset", kNoEffect, ""},
    {"vc_priority_donation", kNoEffect, ""},
    {"channel_file", kNoEffect, ""},
    // traffic, which the caller is
    {"traffic", kNoEffect, ""},
    {"class_priority", kNoEffect, ""},
    {"perm_seed", kNoEffect, ""},
    {"injection_rate", kNoEffect, ""},
    {"injection_rate_uses_flits", kNoEffect, ""},
    {"injection_process", kNoEffect, ""},
    {"burst_alpha", kNoEffect, ""},
    {"burst_beta", kNoEffect, ""},
    {"burst_r1", kNoEffect, ""},
    {"packet_size", kNoEffect, ""},
    {"packet_size_rate", kNoEffect, ""},
    {"batch_size", kNoEffect, ""},
    {"batch_count", kNoEffect, ""},
    {"max_outstanding_requests", kNoEffect, ""},
    {"use_read_write", kNoEffect, ""},
    {"write_fraction", kNoEffect, ""},
    {"read_request_size", kNoEffect, ""},
    {"write_request_size", kNoEffect, ""},
    {"read_reply_size", kNoEffect, ""},
    {"write_reply_size", kNoEffect, ""},
    {"seed", kNoEffect, ""},
    // runs and their reports, which are the caller's
    {"warmup_periods", kNoEffect, ""},
    {"sample_period", kNoEffect, ""},
    {"max_samples", kNoEffect, ""},
    {"measure_stats", kNoEffect, ""},
    {"pair_stats", kNoEffect, ""},
    {"latency_thres", kNoEffect, ""},
    {"warmup_thres", kNoEffect, ""},
    {"acc_warmup_thres", kNoEffect, ""},
    {"stopping_thres", kNoEffect, ""},
    {"acc_stopping_thres", kNoEffect, ""},
    {"sim_count", kNoEffect, ""},
    {"include_queuing", kNoEffect, ""},
    {"print_activity", kNoEffect, ""},
    {"print_csv_results", kNoEffect, ""},
    {"deadlock_warn_timeout", kNoEffect, ""},
    {"viewer_trace", kNoEffect, ""},
    {"watch_file", kNoEffect, ""},
    {"watch_flits", kNoEffect, ""},
    {"watch_packets", kNoEffect, ""},
    {"watch_transactions", kNoEffect, ""},
    {"watch_out", kNoEffect, ""},
    {"stats_out", kNoEffect, ""},
    {"sent_packets_out", kNoEffect, ""},
    {"sim_power", kNoEffect, ""},
    {"power_output_file", kNoEffect, ""},
    {"tech_file", kNoEffect, ""},
    {"channel_width", kNoEffect, ""},
    {"channel_sweep", kNoEffect, ""},
};

/// Letters to change, to put in or to leave out.
std::size_t edits(const std::string& one, const std::string& other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

const Key* find_key(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& key) { return name == key.name; });
  return found == std::end(kKeys) ? nullptr : found;
}

std::string nearest_key(const std::string& name) {
  return std::min_element(
             std::begin(kKeys), std::end(kKeys),
             [&](const Key& one, const Key& other) { return edits(name, one.name) < edits(name, other.name); })
      ->name;
}

}  // namespace braid::models::icnt
