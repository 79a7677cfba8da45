# find_package(Braid): Braid::braid carries all policies, so it is linked whole. The Verilated RTL stays with the program:
# "router.implementation" of the library is "model" unless its user brings routers of their own (models/rtl/pin_router.h).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
add_library(braid_core STATIC)
set(installed_folders ${braid_core})
list(REMOVE_ITEM installed_folders braid_rtl)
target_link_libraries(braid_core PRIVATE ${installed_folders})
set_target_properties(braid_core PROPERTIES OUTPUT_NAME braid LINKER_LANGUAGE CXX)
install(TARGETS braid RUNTIME)
# The program as a library: a user's main() calls braid::tb::run_program, with policies of their own linked beside it.
add_library(braid_commands STATIC)
target_link_libraries(braid_commands PRIVATE braid_program)
set_target_properties(braid_commands PROPERTIES OUTPUT_NAME braid_program LINKER_LANGUAGE CXX)
install(FILES $<TARGET_FILE:braid_commands> DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES tb/braid/commands.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/braid/tb/braid)
install(FILES $<TARGET_FILE:braid_core> DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY routing traffic models DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/braid FILES_MATCHING PATTERN "*.h")
configure_package_config_file(scripts/cmake/BraidConfig.cmake.in ${PROJECT_BINARY_DIR}/BraidConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Braid PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/BraidConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/BraidConfig.cmake ${PROJECT_BINARY_DIR}/BraidConfigVersion.cmake
  scripts/cmake/FindSystemC.cmake scripts/cmake/FindClp.cmake scripts/cmake/FindCbc.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Braid)
