# Headers that have moved since 0.1.0 began: the package has them under their old names, too, so that what includes them
# there still compiles. `scripts/package/moved_headers.txt` has a line for each: the old name, the new name.
file(STRINGS scripts/package/moved_headers.txt moved_headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS scripts/package/moved_headers.txt)
foreach(line IN LISTS moved_headers)
  separate_arguments(names UNIX_COMMAND "${line}")
  list(GET names 0 old)
  list(GET names 1 new)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${new} OR EXISTS ${PROJECT_SOURCE_DIR}/${old})
    message(FATAL_ERROR "scripts/package/moved_headers.txt: ${old} has not moved to ${new}")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/moved/${old} @ONLY CONTENT
    "// Moved; kept for those who include it here.\n#pragma once\n#include <braid/@new@>\n")
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/moved/ DESTINATION ${include_folder} COMPONENT library)
