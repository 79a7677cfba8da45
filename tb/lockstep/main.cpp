// braid_lockstep: model and RTL of one router side by side under constrained-random traffic, over parameter points.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>

#include "models/rtl/lockstep.h"
#include "models/rtl/router_folders.h"
#include "models/rtl/router_library.h"
#include "tb/lockstep/stimulus.h"

namespace po = boost::program_options;

namespace braid::lockstep {
namespace {

using models::hybrid::RouterManifest;

struct Options {
  std::vector<std::string> points;
  std::string folder;        // of the libraries; "": where every program looks
  std::uint64_t cycles = 0;  // of all points together
  std::uint64_t seed = 1;
  std::string wave;  // of a difference
  bool cover = false;
  bool show = false;  // the last cycles of the run as a waveform
};

/// The RTL of one point, with its assertions.
std::unique_ptr<models::hybrid::PinRouter> load_point(const RouterManifest& point) {
  std::unique_ptr<models::hybrid::WiredRouter> router = models::hybrid::load_router(point, true);
  auto* const with_registers = dynamic_cast<models::hybrid::PinRouter*>(router.get());
  if (with_registers == nullptr) throw InputError("--point " + point.name + ": its registers cannot be seen");
  router.release();  // NOLINT(bugprone-unused-return-value): returned
  return std::unique_ptr<models::hybrid::PinRouter>(with_registers);
}

/// The named points, or all of hw/, in the order of their names.
std::vector<RouterManifest> chosen_points(const Options& options) {
  Configuration where;
  if (!options.folder.empty()) where.set("router.rtl_folder", options.folder);
  std::vector<RouterManifest> all = models::hybrid::known_routers(where);
  std::vector<std::string> names;
  for (const RouterManifest& point : all) names.push_back(point.name);
  for (const std::string& name : options.points) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(unknown_name("point", name, names));
  }
  const auto left_out = [&](const RouterManifest& point) {
    const auto& wanted = options.points;
    return wanted.empty() ? point.any_arbiter : std::find(wanted.begin(), wanted.end(), point.name) == wanted.end();
  };
  all.erase(std::remove_if(all.begin(), all.end(), left_out), all.end());
  return all;
}

/// Runs one point in episodes, each from reset in mid-flight. Returns the cycles run.
std::uint64_t run_point(const RouterManifest& point, std::uint64_t cycles, const Options& options, Cover& cover) {
  const std::uint64_t seed = options.seed;
  std::unique_ptr<models::hybrid::PinRouter> router = load_point(point);
  std::uint64_t done = 0;
  for (std::uint64_t episode = 0; done < cycles; ++episode) {
    const std::uint64_t episode_seed = mix64(seed + episode * 1000003);
    const std::uint64_t length = std::min<std::uint64_t>(cycles - done, 500 + episode_seed % 4000);
    Episode run(point.shape, episode_seed, "lockstep." + point.name, std::move(router), options.wave, cover);
    try {
      run.run(length);
    } catch (const std::exception& e) {
      throw models::hybrid::LockstepError(
          fmt::format("{}\npoint {}, seed {}, episode {}: {}", e.what(), point.name, seed, episode, run.describe()));
    }
    done += length;
    if (options.show && done == cycles) fmt::print("waveform of both: {}\n", run.save_waves());
    router = run.release();
    ++cover["episodes (reset in mid-flight)"];
  }
  return done;
}

int run(const Options& options) {
  const std::vector<RouterManifest> chosen = chosen_points(options);
  Cover cover;
  std::uint64_t total = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint64_t share = options.cycles * (i + 1) / chosen.size() - options.cycles * i / chosen.size();
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t done = run_point(chosen[i], share, options, cover);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    total += done;
    fmt::print("{:16} {:>10} router-cycles, seed {}, 0 differences, {:.0f} cycles/s\n", chosen[i].name, done,
               options.seed, static_cast<double>(done) / seconds);
    std::fflush(stdout);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (options.cover) {
    for (const auto& [what, count] : cover) fmt::print("cover {:40} {}\n", what, count);
  }
  fmt::print("{} points, {} router-cycles, 0 differences, {:.1f} s\n", chosen.size(), total, seconds);
  return 0;
}

}  // namespace
}  // namespace braid::lockstep

int main(int argc, char* argv[]) {
  using namespace braid;
  lockstep::Options options;
  po::options_description known("braid_lockstep: model and RTL of one router, compared every cycle");
  known.add_options()("help", "this")("point", po::value(&options.points), "parameter point of hw/points.json (all)")(
      "rtl", po::value(&options.folder), "folder of the libraries, where this program's own are not meant")(
      "cycles", po::value(&options.cycles)->default_value(100000), "router-cycles of all points together")(
      "seed", po::value(&options.seed)->default_value(1), "of all that is random")(
      "wave", po::value(&options.wave)->default_value("lockstep.fst"), "waveform of a difference (FST)")(
      "show", po::bool_switch(&options.show), "write the last cycles of both even without a difference")(
      "cover", po::bool_switch(&options.cover), "print the functional cover points");
  try {
    po::variables_map values;
    po::store(po::parse_command_line(argc, argv, known), values);
    po::notify(values);
    if (values.count("help") != 0) {
      std::cout << known;
      return 0;
    }
    return lockstep::run(options);
  } catch (const InputError& e) {
    fmt::print(stderr, "braid_lockstep: {}\n", e.what());
    return 2;
  } catch (const po::error& e) {
    fmt::print(stderr, "braid_lockstep: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "braid_lockstep: {}\n", e.what());
    return 1;
  }
}
