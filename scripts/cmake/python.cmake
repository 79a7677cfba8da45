# braid._core, what `import braid` (scripts/braid) asks of libbraid_steps.so. For every Python from 3.11 on: its part that
# differs with Python's version is the package nanobind-backend.
option(BRAID_PYTHON "Build braid._core, if nanobind is there" ON)
if(BRAID_PYTHON)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python AND NOT SKBUILD)
    set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  endif()
  find_package(Python 3.11 COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_package(nanobind 3.1 CONFIG)
  endif()
endif()
if(NOT nanobind_FOUND)
  message(STATUS "braid._core is not built: it needs python3-dev and nanobind (scripts/requirements/test.txt)")
  return()
endif()
nanobind_add_module(braid_core_module BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11 NB_SUPPRESS_WARNINGS
  scripts/braid/core.cpp)
target_include_directories(braid_core_module PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(braid_core_module PRIVATE -Wall -Wextra)
target_link_libraries(braid_core_module PRIVATE braid_steps)
set_target_properties(braid_core_module PROPERTIES OUTPUT_NAME _core UNITY_BUILD OFF INSTALL_RPATH "$ORIGIN"
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/braid)
add_custom_target(python DEPENDS braid_core_module braid)

# The package of `pip install .`: scripts/braid and these three, which find each other.
install(TARGETS braid_core_module braid_steps LIBRARY DESTINATION braid COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS braid RUNTIME DESTINATION braid/bin COMPONENT python EXCLUDE_FROM_ALL)
