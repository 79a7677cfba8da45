#include "models/rtl/router_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace braid::models::hybrid {
namespace {

namespace fs = std::filesystem;

std::vector<std::string>& added_folders() {
  static std::vector<std::string> folders;
  return folders;
}

void expect_folder(const std::string& folder, const std::string& whose) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  throw InputError(whose + " = \"" + folder + "\": no such folder; expected one with routers in RTL (docs/rtl.md)");
}

std::vector<std::string> environment_folders() {
  const char* const path = std::getenv("BRAID_RTL_PATH");
  std::istringstream words(path == nullptr ? "" : path);
  std::vector<std::string> folders;
  for (std::string folder; std::getline(words, folder, ':');) {
    if (folder.empty()) continue;
    expect_folder(folder, "BRAID_RTL_PATH");
    folders.push_back(folder);
  }
  return folders;
}

/// Added or beside the program: in its build tree, where it is installed. Those that are there.
std::vector<std::string> own_folders() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<std::string> all = added_folders();
  all.push_back((here / "rtl").string());
  all.push_back((here.parent_path() / "lib" / "braid" / "rtl").string());
  std::vector<std::string> folders;
  for (const std::string& folder : all) {
    const bool twice = std::any_of(folders.begin(), folders.end(),
                                   [&](const std::string& other) { return fs::equivalent(folder, other, ignored); });
    if (!twice && fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

std::vector<std::string> searched_folders(const Configuration& configuration) {
  const std::string folder = rtl_options().read(configuration).folder;
  if (!folder.empty()) {
    expect_folder(folder, "router.rtl_folder");
    return {folder};
  }
  std::vector<std::string> folders = environment_folders();
  const std::vector<std::string> own = own_folders();
  folders.insert(folders.end(), own.begin(), own.end());
  return folders;
}

[[noreturn]] void refuse_shape(const RouterShape& wanted, const std::vector<RouterManifest>& known,
                               const std::vector<std::string>& folders) {
  std::string there;
  for (const RouterManifest& m : known) {
    if (m.shape.flit_width >= wanted.flit_width) there += (there.empty() ? "" : ", ") + m.describe();
  }
  throw InputError(
      fmt::format("router.implementation: no Verilated router has {}; there are: {}; looked in {}; add a line to "
                  "hw/points.json, or "
                  "a router of your own (docs/rtl.md)",
                  describe(wanted), there.empty() ? "none" : there,
                  folders.empty() ? "no folder" : fmt::format("{}", fmt::join(folders, ", "))));
}

}  // namespace

const OptionTable<RtlOptions>& rtl_options() {
  static const OptionTable<RtlOptions> table = OptionTable<RtlOptions>("router").file(
      "rtl_folder", &RtlOptions::folder,
      "folder of the Verilated routers; empty: those of BRAID_RTL_PATH, then the program's own");
  return table;
}

bool add_rtl_folder(const std::string& folder) {
  added_folders().push_back(folder);
  return true;
}

std::vector<RouterManifest> known_routers(const Configuration& configuration) {
  std::vector<RouterManifest> all;
  for (const std::string& folder : searched_folders(configuration)) {
    for (RouterManifest& manifest : manifests_in(folder)) all.push_back(std::move(manifest));
  }
  return all;
}

std::vector<RouterManifest> known_stages(const Configuration& configuration) {
  std::vector<RouterManifest> all;
  for (const std::string& folder : searched_folders(configuration)) {
    const fs::path stages = fs::path(folder) / "stages";
    std::error_code ignored;
    if (!fs::is_directory(stages, ignored)) continue;
    for (RouterManifest& manifest : manifests_in(stages.string())) all.push_back(std::move(manifest));
  }
  return all;
}

RouterManifest fitting_stages(const std::string& stage, const Options& options, const Configuration& configuration,
                              const routing::Topology& topology) {
  RouterShape wanted = router_shape(options, configuration, topology);
  wanted.routing = pin_shape(options, configuration, topology).routing;  // stages know no torus
  for (const RouterManifest& manifest : known_stages(configuration)) {
    if (manifest.fits(wanted)) return manifest;
  }
  throw InputError(
      fmt::format("stage.{}: no library of Verilated stages has {}; add a line to hw/points.json "
                  "(docs/hardware-view/replaced.md)",
                  stage, describe(wanted)));
}

RouterManifest fitting_router(const Options& options, const Configuration& configuration,
                              const routing::Topology& topology, std::uint32_t flit_width) {
  RouterShape wanted = pin_shape(options, configuration, topology);
  wanted.flit_width = flit_width;
  const std::vector<RouterManifest> known = known_routers(configuration);
  const RouterShape own = with_rtl_routing(wanted, configuration, topology);
  const auto found = std::find_if(known.begin(), known.end(), [&](const RouterManifest& manifest) {
    return manifest.fits(manifest.any_arbiter ? wanted : own);
  });
  // What hw/ cannot be at all is said before what is not there.
  if (found == known.end() || !found->any_arbiter) router_shape(options, configuration, topology);
  if (found == known.end()) refuse_shape(own, known, searched_folders(configuration));
  return *found;
}

}  // namespace braid::models::hybrid
