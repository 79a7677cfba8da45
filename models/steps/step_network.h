// A network that others step, cycle by cycle: for a simulator, a script or a testbench of one's own. It holds no
// SystemC kernel, so that there may be any number of them in a process, and needs none to be linked
// (libbraid_steps.so). The same for C: braid.h; for Python: braid.Network.
//
//   braid::models::StepNetwork network("mesh.toml", {"router.vcs=2"});
//   network.send({0, 63, 4});
//   network.step(100);
//   for (const auto& arrival : network.arrivals()) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace braid::models {

/// Between two calls every register has settled: what stands there is what cycle now() - 1 left. What is sent then
/// counts as created in that cycle, and its head leaves in cycle now() at the earliest. Not for two
/// threads at once; two networks may run in two threads.
class StepNetwork {
 public:
  static constexpr std::uint32_t kNoTag = UINT32_MAX;

  struct Packet {
    std::uint32_t source = 0, destination = 0;  ///< nodes
    std::uint32_t flits = 1;                    ///< 1 to 65535
    std::uint32_t traffic_class = 0;            ///< place in traffic_classes()
    std::uint32_t tag = kNoTag;                 ///< comes with it
  };
  struct Arrival : Packet {
    std::uint64_t cycle = 0;     ///< in which its tail came
    std::uint64_t created = 0;   ///< cycle
    std::uint64_t injected = 0;  ///< cycle in which its head was on the injection link
    std::uint32_t routers = 0;   ///< that it passed
    std::uint32_t sequence = 0;  ///< counts the packets of its source
  };
  /// Of router_arrays: routers, the most ports a router has, virtual channels.
  struct Shape {
    std::size_t routers = 0, ports = 0, vcs = 0;
  };

  /// Reads an experiment file, and settings over it ("section.key=value"). Workloads that it names send along; it need
  /// not have any. Throws InputError (routing/base/input_error.h) for what braid check would refuse, and where a
  /// network needs SystemC: router.implementation other than "model", modules in [stage], a section [tlm].
  explicit StepNetwork(const std::string& file, const std::vector<std::string>& settings = {});
  /// The same from text; `name` is the file's in messages, and where relative names of files start.
  static StepNetwork from_text(const std::string& text, const std::string& name = "experiment",
                               const std::vector<std::string>& settings = {});
  ~StepNetwork();
  StepNetwork(StepNetwork&& other) noexcept;
  StepNetwork& operator=(StepNetwork&& other) noexcept;

  /// Cycles that have run.
  std::uint64_t now() const;
  std::size_t nodes() const;
  const std::vector<std::string>& traffic_classes() const;

  /// Puts a packet into its source's queue, which takes any number. Throws InputError.
  void send(const Packet& packet);
  /// How many packets sent at this node now would have their heads on a link in the next cycle: its free local ports.
  std::uint32_t capacity(std::uint32_t node) const;
  /// Runs `cycles` cycles. Throws DeadlockError (models/engine/deadlock_error.h) as a run does.
  void step(std::uint64_t cycles = 1);
  /// Takes what has arrived of the packets that were sent by send(), by cycle, then by destination; `most` of them.
  std::vector<Arrival> arrivals(std::size_t most = SIZE_MAX);
  /// From now on packets of the experiment's own workloads are among the arrivals, too.
  void report_all_arrivals();
  /// From now on step() hands each arrival over in its cycle, and arrivals() has none. The callback may send. Empty: no
  /// longer.
  void on_arrival(std::function<void(const Arrival&)> callback);
  /// Is any packet under way: sent and not yet arrived, waiting ones included?
  bool busy() const;
  std::uint64_t packets_sent() const, packets_arrived() const;
  /// Over all packets that have arrived, in any order: equal for equal traffic, whoever ran the cycles.
  std::uint64_t packet_hash() const;

  /// A checkpoint file, as braid run --checkpoint writes it. What arrivals() has not taken is in it.
  void save(const std::string& file);
  /// Goes on where a checkpoint of the same configuration was made. Throws InputError; then it is as it was.
  void restore(const std::string& file);

  /// vcs is 0 where the family of routers has no buffers at its ports, 1 where they have no virtual channels.
  Shape shape() const;
  /// [router][port][vc] what the buffers of the input ports hold. Throws InputError where the family has none.
  void occupancy(std::uint16_t* into) const;
  /// [router][port][vc] room behind the output ports, as their routers know it; Fabric::kUnlimitedCredits: no limit.
  /// Throws InputError where the family has no credits.
  void credits(std::uint16_t* into) const;
  /// Of both: "flits", or "packets" where a buffer holds a whole one.
  const char* buffer_unit() const;
  /// [router][port] flits sent over the links that leave, since cycle 0.
  void link_flits(std::uint64_t* into) const;
  /// The topology as JSON: routers, nodes, links.
  std::string topology() const;
  /// The resolved configuration as JSON.
  std::string configuration() const;

 private:
  struct Parts;
  explicit StepNetwork(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace braid::models
