// What the hybrid router leaves open to an experiment: the parameters of its RTL, and where a stand-in sits.
#pragma once

#include <cstdint>
#include <string>

#include "routing/base/options.h"

namespace braid::models::hybrid {

/// Which circuits move while the program runs.
enum class Reroute : std::uint8_t { kNone, kEach, kAll };

/// How many streams' searches are under way at a time.
enum class Searches : std::uint8_t { kOneAtATime, kParallel };

/// Of an input port: each VC has its own, or all share a pool (shared_buffers.h).
enum class Buffers : std::uint8_t { kPrivate, kShared };

constexpr std::uint32_t kMostCircuitLanes = 16;
constexpr std::uint32_t kMostSpeedup = 16;
constexpr const char* kByRouters = "routers";  ///< who finds paths: their set-up units

/// What runs the cycles of the static schedule: the stages over lists (slice.h), or over planes (cycle_engine.h).
enum class EngineChoice : std::uint8_t { kAuto, kLists, kPlanes };

struct Options {
  std::string implementation = "model";  ///< StandIn; "model": none
  std::string rtl_routers = "all";       ///< where it sits: "all" or names with blanks between
  std::string stage_routers = "all";     ///< ... where stages of somebody else's sit
  std::uint32_t vcs = 4;                 ///< 1 .. 16: router.vcs, which routing declares
  Buffers buffers = Buffers::kPrivate;
  std::uint32_t buffer_depth = 8;         ///< flits per VC, 1 .. 256; if shared, the most that a VC may hold
  std::uint32_t reserved_depth = 1;       ///< if shared: flits per VC that are its own, 1 .. 64 ...
  std::uint32_t shared_depth = 28;        ///< ... and flits per port for whichever VC needs them
  bool buffer_bypass = false;             ///< a flit may ask for the switch (SA) in the cycle of its BW
  bool lookahead = false;                 ///< a head may ask for a VC in the cycle of its BW
  bool speculative = false;               ///< a head may ask for the switch in the cycle of its VA
  std::uint32_t input_speedup = 1;        ///< ports of the crossbar for an input port, 1 .. 16
  std::uint32_t output_speedup = 1;       ///< ... for an output port, 1 .. 16
  double internal_speedup = 1;            ///< RC, VA, SA and ST so many times a cycle, 1 .. 16
  std::uint32_t output_buffer = 0;        ///< flits that wait for an output's link, with which SA stops; 0: any number
  std::uint32_t credit_delay_cycles = 2;  ///< from the cycle a flit leaves a buffer (ST) until the credit counts, >= 2
  std::string vc_allocator = "separable_input_first";
  std::string switch_allocator = "separable_input_first";
  std::string arbiter = "round_robin";
  EngineChoice engine = EngineChoice::kAuto;
  std::uint32_t islip_iterations = 1;      ///< of iSLIP allocators in a cycle, 1 .. 16
  bool multicast = false;                  ///< stream.multicast = "routers": circuits fork
  bool circuits = false;                   ///< interface.switching = "circuit", which stream programs declare
  std::uint32_t circuit_buffer_depth = 5;  ///< flits per circuit that comes in at a port, 1 .. 64
  std::uint32_t circuit_lanes = 1;         ///< circuits that may start, and that may end, at a local port, 1 .. 16
  std::uint32_t circuit_burst_flits = 0;   ///< before a packet's flit that waits goes first; 0: any number
  bool share_reserved_links = true;        ///< packets may use the idle cycles of a link that a circuit holds
  std::string setup_paths = kByRouters;    ///< or a finder of disjoint paths, in software
  Searches searches = Searches::kOneAtATime;
  std::uint32_t setup_retries = 8;       ///< further orders tried after a stream found no path
  std::uint32_t setup_token_cycles = 1;  ///< for the set-up token to move on by one stream
  Reroute reroute = Reroute::kNone;
  std::uint64_t reroute_at_cycle = 10000;  ///< from whose end on, once the circuits stand
  std::uint64_t reroute_every_cycles = 0;  ///< from the begin of a round to that of the next; 0: one round
  std::string avoid_links;                 ///< ROUTER.PORT with blanks between: the circuits' new paths avoid these
};

/// Flits that a VC may hold: the read pointer of its buffer has 8 bits (router_bank.h).
constexpr std::uint32_t kMostDepth = 256;
/// ... where VCs share buffers, and where planes run the routers: these counters have 7 bits.
constexpr std::uint32_t kMostCountedIn7Bits = 127;

const OptionList& option_list();
/// Are there circuits: of stream programs, of stream writes?
/// For streams, or for tlm.circuits.
bool has_stream_circuits(const Configuration& configuration);
bool has_listed_circuits(const Configuration& configuration);
bool has_circuits(const Configuration& configuration);
/// The key of a speed-up above 1, "router.input_speedup = 2"; empty: the crossbar has a port for each of the router's
/// and runs at the links' speed.
std::string speedup_of(const Options& options);
/// Throws InputError where there is one: `why` somebody cannot have it, and what is expected beside 1 ("", or ", or
/// ...").
void refuse_speedups(const Options& options, const std::string& why, const std::string& expected = "");
/// What both iSLIP allocators declare.
const OptionList& islip_options();
/// Throws InputError.
Options read_options(const Configuration& configuration);

}  // namespace braid::models::hybrid
