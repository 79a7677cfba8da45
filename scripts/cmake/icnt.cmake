# libbraid_icnt.a: the network in the seat of GPGPU-Sim's intersim2 (models/icnt), for others' builds: no SystemC, no other
# library, headers in C++11.
braid_folder(braid_icnt_parts PATTERNS models/icnt/*.cpp PCH <string> <vector>)
add_library(braid_icnt STATIC)
target_link_libraries(braid_icnt PRIVATE braid_icnt_parts)
set_target_properties(braid_icnt PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(braid_icnt INTERFACE ${PROJECT_SOURCE_DIR})
