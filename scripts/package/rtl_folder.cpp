// Compiled into programs of users' and tests' that load routers in RTL (Braid::rtl): where the package, or the build
// tree, has those of hw/points.json.
#include "models/rtl/router_folders.h"

namespace {

[[maybe_unused]] const bool braid_rtl_folder_added = braid::models::hybrid::add_rtl_folder(BRAID_RTL_FOLDER);

}  // namespace
