#include "models/experiment/recorded_trace.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "models/fabric/trace_options.h"
#include "models/observe/output_file.h"
#include "models/workload/synthetic/synthetic_sources.h"
#include "traffic/replay/trace.h"

namespace braid::models {

namespace {

/// Makes records of packets, which come by cycle of creation, source and sequence: as a trace has them.
class Recorder {
 public:
  Recorder(const Network& network, traffic::TraceWriter& out) : out_(out) {
    for (const auto& workload : network.workloads()) {
      sources_.push_back(dynamic_cast<const SyntheticSources*>(workload.get()));
      has_replies_ = has_replies_ || (sources_.back() != nullptr && sources_.back()->has_replies());
    }
  }

  void add(const PacketRecord& record, const Packet& p) {
    one_.id = next_id_++;
    one_.cycle = p.created;
    one_.source = static_cast<std::uint32_t>(p.source.value);
    one_.destination = static_cast<std::uint32_t>(p.destination.value);
    one_.flits = p.length_flits;
    one_.traffic_class = p.traffic_class;
    one_.after.clear();
    one_.delay = 0;
    if (has_replies_) depend(record, p);
    out_.add(one_);
  }

 private:
  struct Request {
    std::uint64_t id = 0, delivered = 0;
  };
  /// A reply on its request. Requests are kept until they are answered: as many as the network and its queues hold.
  void depend(const PacketRecord& record, const Packet& p) {
    const SyntheticSources* made_by = p.workload == kNoWorkload ? nullptr : sources_[p.workload];
    if (made_by == nullptr || !made_by->has_replies()) return;
    const auto answers = SyntheticSources::answered_request(p);
    if (!answers) {
      if (record.delivered) requests_[{p.source, p.sequence}] = {one_.id, *record.delivered};
      return;
    }
    const auto request = requests_.find({p.destination, *answers});
    if (request == requests_.end()) return;  // of before a checkpoint
    one_.after.push_back(request->second.id);
    one_.delay = p.created - request->second.delivered;
    requests_.erase(request);
  }

  traffic::TraceWriter& out_;
  std::vector<const SyntheticSources*> sources_;  // [Packet::workload] null: another workload
  bool has_replies_ = false;
  std::uint64_t next_id_ = 0;
  traffic::TraceRecord one_;
  std::map<std::pair<NodeId, std::uint32_t>, Request> requests_;  // by source and sequence
};

}  // namespace

void claim_trace(const Experiment& experiment) {
  const std::string file = record_options().read(experiment).trace;
  if (file.empty()) return;
  (void)traffic::is_binary_trace(file);
  for (std::size_t i = 0; i < experiment.times("traffic"); ++i) {
    const SyntheticOptions options = synthetic_options().read(experiment.of_class(i));
    if (options.request_reply && options.outstanding > 0) {
      throw InputError(
          "traffic.outstanding: a trace has no word for a request that is made and held back: expected 0, or no "
          "record.trace");
    }
  }
  claim_output(file, "record.trace");
}

void write_trace(const std::string& file, const Network& network) {
  OutputFile output(file);
  const traffic::TraceHeader header{network.topology().node_count(), network.traffic_classes()};
  const auto writer = traffic::is_binary_trace(file) ? traffic::binary_trace_writer(output.out(), header)
                                                     : traffic::text_trace_writer(output.out(), header);
  Recorder recorder(network, *writer);
  network.packet_log()->each(network.store(),
                             [&](const PacketRecord& record, const Packet& packet) { recorder.add(record, packet); });
  writer->end();
  output.finish();
}

}  // namespace braid::models
