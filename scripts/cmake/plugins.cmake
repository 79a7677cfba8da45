# braid_stamp.h: what plugins (`braid --plugin`) and the program must have in common. Made anew when a header changes.
file(GLOB_RECURSE installed_headers CONFIGURE_DEPENDS routing/*.h traffic/*.h models/*.h)
set(braid_stamp ${PROJECT_BINARY_DIR}/generated/braid_stamp.h)
add_custom_command(OUTPUT ${braid_stamp}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUT=${braid_stamp}
          -P ${PROJECT_SOURCE_DIR}/scripts/cmake/stamp.cmake
  DEPENDS ${installed_headers} scripts/cmake/stamp.cmake scripts/package/braid_stamp.h.in VERBATIM)
add_custom_target(braid_stamp_header DEPENDS ${braid_stamp})
foreach(target braid_program braid_models_setup)  # checkpoints, too, are for those who have the same
  target_sources(${target} PRIVATE ${braid_stamp})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  add_dependencies(${target} braid_stamp_header)
endforeach()
set_source_files_properties(models/experiment/checkpoint_file.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
