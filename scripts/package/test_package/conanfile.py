"""What `conan create` does with what it has made: a consumer's program, with the RTL where the package has it."""

from io import StringIO
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class BraidTest(ConanFile):
    """Builds mesh.cpp and runs it."""

    settings = "os", "compiler", "build_type", "arch"
    generators = "VirtualRunEnv"

    def requirements(self):
        """The package under test."""
        self.requires(self.tested_reference_str)

    def layout(self):
        """CMake's usual folders."""
        cmake_layout(self)

    def generate(self):
        """No presets of a user's beside the sources."""
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self):
        """By find_package(Braid), as in any project."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        """Model and RTL run the same packets."""
        if not can_run(self):
            return
        with_rtl = bool(self.dependencies["braid"].options.rtl)
        program = Path(self.build_folder) / self.cpp.build.bindir / "mesh"
        said = {}
        for implementation in ("model", "rtl") if with_rtl else ("model",):
            output = StringIO()
            self.run(f"{program} {implementation}", stdout=output, env="conanrun")
            said[implementation] = output.getvalue().strip().splitlines()[-1]
            self.output.info(f"{implementation}: {said[implementation]}")
        if len(set(said.values())) != 1:
            raise ConanException(f"model and RTL differ: {said}")
