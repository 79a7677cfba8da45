# Debian packages: `cpack -G DEB` in the build folder. braid: the program; libbraid-dev: headers and static libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME braid)
set(CPACK_PACKAGE_VENDOR Braid)
set(CPACK_PACKAGE_CONTACT "The authors of Braid <braid@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)  # with the static libraries: install.cmake
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME braid)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libbraid-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Simulates routers that carry streams and packets over one network.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers, static libraries and files for CMake and pkg-config.")
# What BraidConfig.cmake looks for. braid: plugins are made for the program of the same build.
string(JOIN ", " CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "braid (= ${PROJECT_VERSION})" libsystemc-dev libboost1.81-dev
  libboost-json1.81-dev libboost-program-options1.81-dev libfmt-dev libtomlplusplus-dev zlib1g-dev libexpat1-dev
  coinor-libclp-dev coinor-libcbc-dev)
include(CPack)
