# Routers in SystemVerilog as libraries that `braid` loads when `router.implementation = "rtl"` asks for them (docs/rtl.md):
#
#   braid_rtl_router(NAME wormhole              # the library wormhole.so, its manifest wormhole.json, the target rtl_wormhole
#     SOURCES wormhole.sv fifo.sv TOP wormhole  # what Verilator reads; a class Vwormhole for PINS
#     PINS pins.cpp                             # C++: the pins, as models/rtl/router_library.h and wires.h have them
#     PORTS 5 VCS 2 DEPTH 4                     # of router.vcs, router.buffer_depth; ports of the topology's largest router
#     [FLIT_WIDTH 64]                           # at least that
#     [ROUTING x_first]                         # the one routing.algorithm that it fits; else any
#     [PARAMETERS Vcs=2 Depth=4]                # of TOP
#     [INCLUDE_DIRS dir...] [VERILATOR_ARGS -Wno-fatal...] [OPT -O2]
#     [FOLDER dir])                             # of library and manifest; else rtl/ in the build folder of this CMakeLists.txt
#
# The manifest is written when CMake configures, the library built by its target only: no target of `all` needs it.
include_guard(GLOBAL)

# As a script: the files that Verilator has made, in two to compile: what runs often, and the rest.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  include(${FOLDER}/${PREFIX}.cmake)
  foreach(speed FAST SLOW)
    string(TOLOWER ${speed} name)
    set(text "")
    foreach(file ${${PREFIX}_CLASSES_${speed}} ${${PREFIX}_SUPPORT_${speed}})
      string(APPEND text "#include \"${file}\"\n")
    endforeach()
    file(WRITE ${FOLDER}/${PREFIX}_${name}.cpp "${text}")
  endforeach()
  return()
endif()

find_program(BRAID_VERILATOR verilator HINTS $ENV{VERILATOR_ROOT}/bin)
if(BRAID_VERILATOR AND NOT BRAID_VERILATOR_ROOT)
  execute_process(COMMAND ${BRAID_VERILATOR} --getenv VERILATOR_ROOT
    OUTPUT_VARIABLE braid_verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(BRAID_VERILATOR_ROOT ${braid_verilator_root} CACHE PATH "Verilator's own folder")
endif()

# Verilator's runtime, compiled once for all routers of a project; each library has the parts that it needs for itself.
function(braid_verilated_runtime)
  if(TARGET braid_verilated)
    return()
  endif()
  set(parts verilated verilated_threads verilated_random)
  if(BRAID_VERILATOR_COVERAGE)
    list(APPEND parts verilated_cov)
  endif()
  set(sources)
  foreach(part ${parts})
    if(EXISTS ${BRAID_VERILATOR_ROOT}/include/${part}.cpp)
      list(APPEND sources ${BRAID_VERILATOR_ROOT}/include/${part}.cpp)
    endif()
  endforeach()
  add_library(braid_verilated STATIC EXCLUDE_FROM_ALL ${sources})
  braid_verilated_options(braid_verilated)
  target_compile_options(braid_verilated PRIVATE -O2)
endfunction()

# What is alike for the runtime and for what Verilator makes.
function(braid_verilated_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON EXPORT_COMPILE_COMMANDS OFF)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE -w -g0 ${BRAID_VERILATED_OPTIONS})
  target_compile_definitions(${target} PUBLIC VM_COVERAGE=$<BOOL:${BRAID_VERILATOR_COVERAGE}> VM_SC=0 VM_TRACE=0
    VM_TRACE_VCD=0 VM_TRACE_FST=0)
  target_include_directories(${target} SYSTEM PUBLIC ${BRAID_VERILATOR_ROOT}/include ${BRAID_VERILATOR_ROOT}/include/vltstd)
endfunction()

# One Verilated module as an object library: the class PREFIX. SOURCES and INCLUDE_DIRS are absolute.
function(braid_verilate target)
  if(NOT BRAID_VERILATOR)
    return()
  endif()
  cmake_parse_arguments(ARG "" "PREFIX;TOP;OPT" "SOURCES;INCLUDE_DIRS;VERILATOR_ARGS" ${ARGN})
  braid_verilated_runtime()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${ARG_PREFIX}.dir)
  list(TRANSFORM ARG_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE includes)
  set(read ${ARG_SOURCES})
  foreach(directory ${ARG_INCLUDE_DIRS})
    file(GLOB found CONFIGURE_DEPENDS ${directory}/*.sv ${directory}/*.svh ${directory}/*.v ${directory}/*.vh)
    list(APPEND read ${found})
  endforeach()
  list(REMOVE_DUPLICATES read)
  set(made ${folder}/${ARG_PREFIX}_fast.cpp ${folder}/${ARG_PREFIX}_slow.cpp)
  add_custom_command(OUTPUT ${made}
    COMMAND ${BRAID_VERILATOR} --cc --make cmake --prefix ${ARG_PREFIX} --Mdir ${folder} --top-module ${ARG_TOP} ${includes}
            ${ARG_VERILATOR_ARGS} ${ARG_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPREFIX=${ARG_PREFIX} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${read} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} VERBATIM
    COMMENT "Verilating ${ARG_PREFIX}")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${made})
  braid_verilated_options(${target})
  target_include_directories(${target} SYSTEM PUBLIC ${folder})
  set_source_files_properties(${folder}/${ARG_PREFIX}_fast.cpp PROPERTIES COMPILE_OPTIONS "${ARG_OPT}")
  set_source_files_properties(${folder}/${ARG_PREFIX}_slow.cpp PROPERTIES COMPILE_OPTIONS -O0)
endfunction()

# The command that builds a target, as a user types it.
function(braid_build_command variable target)
  cmake_path(GET CMAKE_BINARY_DIR FILENAME preset)
  if(PROJECT_NAME STREQUAL "Braid" AND CMAKE_BINARY_DIR STREQUAL ${CMAKE_SOURCE_DIR}/build/${preset})
    set(${variable} "scripts/build ${preset} ${target}" PARENT_SCOPE)
  else()
    set(${variable} "cmake --build ${CMAKE_BINARY_DIR} --target ${target}" PARENT_SCOPE)
  endif()
endfunction()

# NAME.json, with the words of hw/points.json. SHAPE: key and value, in turn.
function(braid_router_manifest name folder)
  braid_build_command(command rtl_${name})
  set(shape "")
  set(values ${ARGN})
  while(values)
    list(POP_FRONT values key value)
    if(NOT value MATCHES "^[0-9]+$")
      set(value "\"${value}\"")
    endif()
    string(APPEND shape "${separator}\"${key}\": ${value}")
    set(separator ", ")
  endwhile()
  file(CONFIGURE OUTPUT ${folder}/${name}.json CONTENT [[{
  "name": "@name@",
  "library": "@name@.so",
  "build": "@command@",
  "shape": {@shape@}
}
]] @ONLY)
endfunction()

# The library of PINS and of the object libraries VERILATED (none: a router in C++), and its manifest. SHAPE as above.
function(braid_router_library name)
  cmake_parse_arguments(ARG "" "FOLDER" "PINS;VERILATED;SHAPE" ${ARGN})
  braid_router_manifest(${name} ${ARG_FOLDER} ${ARG_SHAPE})
  if(ARG_VERILATED AND NOT BRAID_VERILATOR)
    add_custom_target(rtl_${name} COMMAND ${CMAKE_COMMAND} -E echo
      "rtl_${name}: needs Verilator 5 (Debian: apt-get install verilator), then configure anew" COMMAND false VERBATIM)
    return()
  endif()
  add_library(rtl_${name} MODULE EXCLUDE_FROM_ALL ${ARG_PINS})
  foreach(part ${ARG_VERILATED})
    target_sources(rtl_${name} PRIVATE $<TARGET_OBJECTS:${part}>)
    target_include_directories(rtl_${name} SYSTEM PRIVATE $<TARGET_PROPERTY:${part},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  find_package(Threads REQUIRED)
  target_link_libraries(rtl_${name} PRIVATE $<TARGET_NAME_IF_EXISTS:braid_verilated> Braid::router_library Threads::Threads)
  set_target_properties(rtl_${name} PROPERTIES PREFIX "" SUFFIX .so OUTPUT_NAME ${name} UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${ARG_FOLDER} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(braid_rtl_router)
  cmake_parse_arguments(ARG "" "NAME;TOP;PORTS;VCS;DEPTH;FLIT_WIDTH;ROUTING;OPT;FOLDER"
    "SOURCES;PINS;PARAMETERS;INCLUDE_DIRS;VERILATOR_ARGS" ${ARGN})
  foreach(needed NAME TOP PORTS VCS DEPTH SOURCES PINS)
    if(NOT ARG_${needed})
      message(FATAL_ERROR "braid_rtl_router: ${needed} is missing")
    endif()
  endforeach()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "braid_rtl_router(NAME ${ARG_NAME}): unknown ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  foreach(default FLIT_WIDTH=64 OPT=-O2 FOLDER=${CMAKE_CURRENT_BINARY_DIR}/rtl)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" ignored ${default})
    if(NOT ARG_${CMAKE_MATCH_1})
      set(ARG_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(shape ports ${ARG_PORTS} vcs ${ARG_VCS} depth ${ARG_DEPTH} flit_width ${ARG_FLIT_WIDTH})
  if(ARG_ROUTING)
    list(APPEND shape routing ${ARG_ROUTING})
  endif()
  list(TRANSFORM ARG_SOURCES REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  list(TRANSFORM ARG_INCLUDE_DIRS REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)
  braid_verilate(rtl_${ARG_NAME}_verilated PREFIX V${ARG_TOP} TOP ${ARG_TOP} OPT ${ARG_OPT} SOURCES ${ARG_SOURCES}
    INCLUDE_DIRS ${ARG_INCLUDE_DIRS} VERILATOR_ARGS ${ARG_PARAMETERS} ${ARG_VERILATOR_ARGS})
  braid_router_library(${ARG_NAME} FOLDER ${ARG_FOLDER} PINS ${ARG_PINS} VERILATED rtl_${ARG_NAME}_verilated SHAPE ${shape})
endfunction()
