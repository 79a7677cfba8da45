# COIN-OR's linear program solver: Debian's coinor-libclp-dev has no CMake package. Defines Clp::clp.
find_path(Clp_INCLUDE_DIR ClpSimplex.hpp PATH_SUFFIXES coin coin-or)
find_library(Clp_LIBRARY Clp)
find_library(Clp_CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY Clp_CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::clp)
  add_library(Clp::clp UNKNOWN IMPORTED)
  set_target_properties(Clp::clp PROPERTIES
    IMPORTED_LOCATION ${Clp_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Clp_INCLUDE_DIR})
  target_link_libraries(Clp::clp INTERFACE ${Clp_CoinUtils_LIBRARY})
endif()
