# No -std: it would override one of the user's that stands before. SystemC is told what it was built with instead.
# pkg-config: braid (the whole library), braid-program, braid-plugin, braid-rtl, braid-steps,
# braid-icnt. The prefix is found from the file's own place, so the package may be moved.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})

# NAME DESCRIPTION REQUIRES LIBS
function(braid_pkgconfig name description requires libs)
  string(CONFIGURE [=[
prefix=${pcfiledir}/@up@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
bindir=${prefix}/@CMAKE_INSTALL_BINDIR@
plugin_stamp=${libdir}/cmake/Braid/plugin_stamp.cpp

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
@requires@
Cflags: -DSC_CPLUSPLUS=201703L -I${includedir}/braid -I${includedir}
Libs: @libs@
]=] text @ONLY)
  file(WRITE ${PROJECT_BINARY_DIR}/package/${name}.pc "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endfunction()

# One word each: pkg-config may sort or merge words, but not what stands between commas.
function(braid_whole variable)
  string(REGEX REPLACE "([a-z]+)" "-lbraid_\\1" libraries "${ARGN}")
  string(REPLACE ";" "," libraries "${libraries}")
  set(${variable} "-L\${libdir} -Wl,--whole-archive,${libraries},--no-whole-archive" PARENT_SCOPE)
endfunction()

braid_whole(whole models traffic routing)
braid_pkgconfig(braid "${PROJECT_DESCRIPTION}" "Requires: systemc, fmt, tomlplusplus, expat, zlib, cbc, clp"
  "${whole} -lbraid_fst -lboost_json -ldl -pthread")
braid_whole(whole program)
braid_pkgconfig(braid-program "The braid program without its main()" "Requires: braid"
  "${whole} -lboost_program_options -Wl,--export-dynamic")
braid_pkgconfig(braid-plugin "For libraries that braid --plugin loads; with \${plugin_stamp} among their sources"
  "Requires.private: systemc, fmt" "")
braid_pkgconfig(braid-steps "Networks that others step, without SystemC" "" "-L\${libdir} -lbraid_steps")
braid_pkgconfig(braid-icnt "A network in the seat of GPGPU-Sim's intersim2" "" "-L\${libdir} -lbraid_icnt")
braid_pkgconfig(braid-rtl "For programs that load routers in RTL, by BRAID_RTL_PATH" "Requires: braid"
  "-Wl,--export-dynamic")
