# The installed package (docs/package.md): the program, headers, one static library a part, files for CMake and pkg-config.
# Policies register themselves, so whoever uses a part links all of its object files: BraidConfig.cmake sees to that.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(braid_parts)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # cpack would build the tests; `ninja braid_package` builds what is installed

# A part as a static library of the object files of the targets that follow.
function(braid_part part)
  add_library(braid_package_${part} STATIC)
  target_link_libraries(braid_package_${part} PRIVATE ${ARGN})
  set_target_properties(braid_package_${part} PROPERTIES OUTPUT_NAME braid_${part} LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package)
  install(TARGETS braid_package_${part} ARCHIVE COMPONENT library)
  set(braid_parts ${braid_parts} ${part} PARENT_SCOPE)
endfunction()

braid_part(routing braid_routing braid_routing_setup)
braid_part(traffic braid_traffic braid_traffic_setup)
braid_part(fst braid_fst)  # not linked whole: Verilator's own writer may be in the same program
braid_part(models braid_models braid_models_setup braid_stepped braid_modules braid_modules_setup)
braid_part(program braid_program)
file(GLOB_RECURSE tlm_headers CONFIGURE_DEPENDS models/tlm/*.h)
if(tlm_headers)
  list(APPEND braid_parts tlm)  # its object files are among those of the models
endif()
list(APPEND braid_parts steps)  # libbraid_steps.so
list(APPEND braid_parts icnt)  # libbraid_icnt.a, on its own
list(APPEND braid_parts rtl)  # programs that load routers in RTL, and the function that makes libraries of routers

install(TARGETS braid RUNTIME COMPONENT program)
set(include_folder ${CMAKE_INSTALL_INCLUDEDIR}/braid)
install(DIRECTORY routing traffic models DESTINATION ${include_folder} COMPONENT library FILES_MATCHING PATTERN "*.h")
include(scripts/cmake/moved_headers.cmake)
install(FILES tb/braid/commands.h DESTINATION ${include_folder}/tb/braid COMPONENT library)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
install(DIRECTORY hw DESTINATION ${CMAKE_INSTALL_DATADIR}/braid COMPONENT library)
install(FILES ${braid_stamp} DESTINATION ${include_folder} COMPONENT library)

set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Braid)
configure_package_config_file(scripts/cmake/BraidConfig.cmake.in ${PROJECT_BINARY_DIR}/package/BraidConfig.cmake
  INSTALL_DESTINATION ${cmake_folder} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/BraidConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/BraidConfig.cmake ${PROJECT_BINARY_DIR}/package/BraidConfigVersion.cmake
  scripts/cmake/FindSystemC.cmake scripts/cmake/FindClp.cmake scripts/cmake/FindCbc.cmake scripts/cmake/BraidRtlRouter.cmake
  scripts/package/plugin_stamp.cpp scripts/package/router_stamp.cpp scripts/package/rtl_folder.cpp DESTINATION ${cmake_folder} COMPONENT library)

# The points of hw/points.json that are built by then, routers and single stages, each with its manifest.
install(CODE "
  foreach(folder rtl rtl/stages)
    string(REGEX REPLACE \"^rtl\" \"${BRAID_RTL_FOLDER}\" built \"\${folder}\")
    file(GLOB libraries \"\${built}/*.so\")
    foreach(one IN LISTS libraries)
      string(REGEX REPLACE \"[.]so$\" .json manifest \"\${one}\")
      file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/braid/\${folder}\" TYPE FILE FILES \"\${one}\" \"\${manifest}\")
      get_filename_component(name \"\${one}\" NAME)
      if(CMAKE_INSTALL_DO_STRIP)
        execute_process(COMMAND strip \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/braid/\${folder}/\${name}\"
          COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()
  endforeach()" COMPONENT program)

# Two archives of debugging information weigh more than all else: `cmake --install --strip` takes it out of them, too.
install(CODE [[
  if(CMAKE_INSTALL_DO_STRIP)
    file(GLOB archives "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib*/libbraid_*.a"
      "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/*/libbraid_*.a")
    foreach(archive ${archives})
      execute_process(COMMAND strip --strip-debug ${archive} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
  endif()]] COMPONENT library)
install(TARGETS braid_steps LIBRARY COMPONENT library)
install(TARGETS braid_icnt ARCHIVE COMPONENT library)
include(scripts/cmake/pkgconfig.cmake)

# `ninja braid_package`: what `cmake --install` needs, without the tests.
add_custom_target(braid_package DEPENDS braid braid_steps braid_icnt)
list(TRANSFORM braid_parts PREPEND braid_package_ OUTPUT_VARIABLE part_targets)
list(REMOVE_ITEM part_targets braid_package_tlm braid_package_rtl braid_package_steps braid_package_icnt)
add_dependencies(braid_package ${part_targets})
include(scripts/cmake/cpack.cmake)
