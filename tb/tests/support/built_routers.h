// The points of hw/points.json whose libraries are built (rtl_NAME).
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "models/rtl/router_folders.h"

namespace braid::test {

inline std::vector<models::hybrid::RouterManifest> built_routers() {
  std::vector<models::hybrid::RouterManifest> all = models::hybrid::known_routers({});
  const auto missing = [](const auto& router) { return !std::filesystem::exists(router.library); };
  all.erase(std::remove_if(all.begin(), all.end(), missing), all.end());
  return all;
}

inline bool is_built(const std::string& name) {
  const std::vector<models::hybrid::RouterManifest> all = built_routers();
  return std::any_of(all.begin(), all.end(), [&](const auto& router) { return router.name == name; });
}

}  // namespace braid::test
