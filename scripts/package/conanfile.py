"""Conan 2 recipe: `conan create scripts/package`. What Braid links is Debian's (system_requirements), as everywhere in
Braid; a consumer finds Braid's own BraidConfig.cmake (docs/package.md)."""

import re
from pathlib import Path
from typing import ClassVar

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.system.package_manager import Apt

NEEDED = [
    "libsystemc-dev",
    "libboost1.81-dev",
    "libboost-json1.81-dev",
    "libboost-program-options1.81-dev",
    "libfmt-dev",
    "libtomlplusplus-dev",
    "zlib1g-dev",
    "libexpat1-dev",
    "coinor-libclp-dev",
    "coinor-libcbc-dev",
]
TO_BUILD = ["verilator"]  # its copy of GTKWave's FST writer, and the RTL
SOURCES = ["CMakeLists.txt", "LICENSE", "hw", "models", "routing", "scripts/cmake", "scripts/package", "tb/braid"]
SOURCES += ["tb/CMakeLists.txt", "tb/lockstep", "tb/rtl", "tb/support", "traffic"]


class Braid(ConanFile):
    """The library and the program, built from this tree."""

    name = "braid"
    license = "Apache-2.0"
    description = "Routers that carry streams and packets over one network"
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    options: ClassVar = {"rtl": [True, False], "points": ["ANY"]}
    default_options: ClassVar = {"rtl": False, "points": ""}  # points of hw/points.json, with ; between; empty: all

    def set_version(self):
        """That of CMakeLists.txt."""
        text = (Path(self.recipe_folder) / ".." / ".." / "CMakeLists.txt").resolve().read_text()
        self.version = re.search(r"project\(Braid VERSION (\S+)", text)[1]

    def export_sources(self):
        """From the root of the tree."""
        root = (Path(self.recipe_folder) / ".." / "..").resolve()
        for name in SOURCES:
            pattern = f"{name}/*" if (root / name).is_dir() else name
            copy(self, pattern, src=str(root), dst=self.export_sources_folder, excludes="*/test_package/build/*")

    def validate(self):
        """SystemC of Debian is built as C++17."""
        check_min_cppstd(self, 17)

    def system_requirements(self):
        """Debian's packages: checked, or installed where tools.system.package_manager:mode = install."""
        Apt(self).install([*NEEDED, *TO_BUILD])

    def configure(self):
        """Without the RTL it has no points."""
        if not self.options.rtl:
            self.options.rm_safe("points")

    def layout(self):
        """CMake's usual folders."""
        cmake_layout(self)

    def generate(self):
        """Braid's own switches."""
        toolchain = CMakeToolchain(self)
        switches = {"TESTS": False, "BENCHMARKS": False, "RTL": bool(self.options.rtl)}
        toolchain.cache_variables.update({f"BRAID_{name}": value for name, value in switches.items()})
        if self.options.rtl:
            toolchain.cache_variables["BRAID_RTL_POINTS"] = str(self.options.points)
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.generate()

    def build(self):
        """What is installed, without tests."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="braid_package")
        if self.options.rtl:
            cmake.build(target="rtl")

    def package(self):
        """As `cmake --install` does."""
        CMake(self).install()

    def package_info(self):
        """Consumers use Braid's own files, not ones that Conan would make up."""
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/Braid"]
        self.cpp_info.bindirs = ["bin"]
