# braid_stamp.h: what plugins (`braid --plugin`) and the program must have in common. Made anew when a header changes.
file(GLOB_RECURSE installed_headers CONFIGURE_DEPENDS routing/*.h traffic/*.h models/*.h)
set(braid_stamp ${PROJECT_BINARY_DIR}/generated/braid_stamp.h)
add_custom_command(OUTPUT ${braid_stamp}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUT=${braid_stamp}
          -P ${PROJECT_SOURCE_DIR}/scripts/cmake/stamp.cmake
  DEPENDS ${installed_headers} scripts/cmake/stamp.cmake scripts/package/braid_stamp.h.in VERBATIM)
add_custom_target(braid_stamp_header DEPENDS ${braid_stamp})
set(stamped braid_program braid_models_setup braid_modules_setup)  # checkpoints, too, are for those who have the same
if(BRAID_SANITIZED_TESTS)
  list(APPEND stamped braid_program_sanitized braid_models_setup_sanitized braid_modules_setup_sanitized)
endif()
foreach(target ${stamped})
  target_sources(${target} PRIVATE ${braid_stamp})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  add_dependencies(${target} braid_stamp_header)
endforeach()
set_source_files_properties(models/experiment/checkpoint_file.cpp models/rtl/router_library.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)

# What a router's library (BraidRtlRouter.cmake) and a program that loads routers need of Braid's build tree; the installed
# package has the same (BraidConfig.cmake.in).
set(BRAID_RTL_FOLDER ${PROJECT_BINARY_DIR}/rtl)
add_library(braid_router_library INTERFACE)
add_library(Braid::router_library ALIAS braid_router_library)
target_sources(braid_router_library INTERFACE ${PROJECT_SOURCE_DIR}/scripts/package/router_stamp.cpp)
target_include_directories(braid_router_library INTERFACE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(braid_router_library INTERFACE braid_options)
add_library(braid_rtl_loader INTERFACE)
target_sources(braid_rtl_loader INTERFACE ${PROJECT_SOURCE_DIR}/scripts/package/rtl_folder.cpp)
target_compile_definitions(braid_rtl_loader INTERFACE BRAID_RTL_FOLDER="${BRAID_RTL_FOLDER}")
target_link_options(braid_rtl_loader INTERFACE LINKER:--export-dynamic)  # routers take what they need from the program
