# libbraid_steps.so: networks that others step, and runs, without SystemC (models/steps). Its users see braid.h,
# step_network.h and what these throw, and nothing else of it.
add_library(braid_steps_alone OBJECT models/steps/alone.cpp)
target_link_libraries(braid_steps_alone PUBLIC braid_options ${models_libraries})
add_library(braid_steps SHARED)
target_link_libraries(braid_steps PRIVATE braid_steps_alone ${braid_without_systemc})
set_target_properties(braid_steps PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/cmake/steps.map)
if(NOT SKBUILD)  # a wheel holds no links from name to name
  set_target_properties(braid_steps PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
target_include_directories(braid_steps INTERFACE ${PROJECT_SOURCE_DIR})
target_link_options(braid_steps PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/scripts/cmake/steps.map LINKER:--as-needed)
