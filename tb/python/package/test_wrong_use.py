"""Wrong use, as a user of the installed package meets it: one line with the hierarchical name and what to do. (More of
pins: tb/tests/pins.)"""

import subprocess
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, SCRATCH, run

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Wrong LANGUAGES CXX)
find_package(Braid REQUIRED COMPONENTS tlm)
foreach(name sockets pin clock)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE Braid::tlm)
endforeach()
"""
SOCKETS = """#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdio>
#include <string>
#include "models/experiment/simulation.h"
#include "models/tlm/sockets/interconnect.h"
using namespace braid;
struct Cpu : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
  std::string what;
  SC_HAS_PROCESS(Cpu);
  Cpu(const sc_core::sc_module_name& name, std::string w) : sc_module(name), what(w) { SC_THREAD(run); }
  void run() {
    tlm::tlm_generic_payload p;
    sc_core::sc_time t;
    unsigned char data[8] = {};
    p.set_read();
    p.set_address(what == "over" ? 0x1ffe : 0x1000);
    p.set_data_ptr(what == "null" ? nullptr : data);
    p.set_data_length(4);
    p.set_streaming_width(4);
    socket->b_transport(p, t);
    std::printf("answer: %s\\n", p.get_response_string().c_str());
  }
};
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
};
int sc_main(int, char** arguments) {
  const std::string what = arguments[1];
  models::Experiment e;
  e.set("topology.width", 4).set("topology.height", 4);
  e.open("tlm");
  e.set("tlm.map", what == "overlap" ? "5: 0x1000 +4K, 10: 0x1800 +1M" :
                    what == "range" ? "5: 0x1000 +4K, 10: 0x9000 +4K" : "5: 0x1000 +4K");
  models::Simulation simulation(e);
  if (what == "late") sc_core::sc_start(3, sc_core::SC_NS);
  models::Interconnect net("net", simulation.engine());
  Cpu cpu("cpu", what);
  Memory rom("rom");
  if (what != "initiator") cpu.socket.bind(net.target<32>(0));
  if (what == "entrance") net.target<32>(3);
  if (what == "exit") net.initiator<32>(7);
  if (what != "memory") net.initiator<32>(5).bind(rom.socket);
  sc_core::sc_start(1, sc_core::SC_US);
  return 0;
}
"""
#: What is done wrong, and what is said of it.
SAID = {
    "initiator": "port not bound: port 'cpu.socket'",  # SystemC's own
    "entrance": "net.target_3: is bound to nothing; bind a module of yours to it, or do not ask for the socket",
    "exit": "net.initiator_7: is bound to nothing; bind a module of yours to it, or do not ask for the socket",
    "memory": "port not bound: port 'rom.socket_port_0'",  # too
    "range": "net: 0x9000 .. 0x9fff of node 10 leads to no target; bind one to initiator(10)",
    "overlap": "net: tlm.map: 0x1000 .. 0x1fff of node 5 and 0x1800 .. 0x1017ff of node 10 overlap; expected ranges "
    "apart from each other",
    "over": "net.target_0: 4 bytes from 0x1ffe on go over the end of 0x1000 .. 0x1fff of node 5; cut the payload "
    "there, or mend tlm.map",
    "null": "net.target_0: null data pointer; set_data_ptr() to get_data_length() bytes",
    "late": "network: made at 3 ns, after its first cycles; make it before the first sc_start",
}


#: What a user of tb/examples/one_router does wrong: a pin forgotten; a clock that comes a delta cycle later.
PINS = {
    "pin": (("    router.credit_i(credit_i);\n", ""),),
    "clock": (
        ("    router.clk_i(clock);\n", "    SC_METHOD(copy);\n    sensitive << clock;\n    router.clk_i(late);\n"),
        ("  BraidRouter<32> router;\n", "  BraidRouter<32> router;\n  void copy() { late.write(clock.read()); }\n"),
        ("  int cycle = 0,", '  sc_core::sc_signal<bool> late{"late"};\n  int cycle = 0,'),
    ),
}
SAID_OF_PINS = {
    "pin": "testbench.router: credit_i_0 is not bound: credits from whoever takes flits of port 0",
    "clock": "testbench.router: cycle 2: a delta cycle is missed: an input changed in the time step of a rising edge "
    "before clk_i rose here. Bind clk_i to the clock of the modules around it",
}


def one_router(wrong: str) -> str:
    """The example with something done wrong."""
    text = (EXAMPLES / "one_router" / "main.cpp").read_text()
    for right, instead in PINS[wrong]:
        assert text.count(right) == 1, right
        text = text.replace(right, instead)
    return text


@pytest.fixture(scope="session")
def programs(installed: Path) -> Path:
    """Built once against the installed package."""
    folder = SCRATCH / "wrong_use"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "CMakeLists.txt").write_text(PROJECT)
    (folder / "sockets.cpp").write_text(SOCKETS)
    for wrong in PINS:
        (folder / f"{wrong}.cpp").write_text(one_router(wrong))
    run("cmake", "-S", folder, "-B", folder / "own", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", folder / "own")
    return folder / "own"


def complaint(*words: object) -> str:
    """What is printed by a program that must fail."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stdout + done.stderr


def test_right_use_is_answered(programs: Path) -> None:
    assert "answer: TLM_OK_RESPONSE" in run(programs / "sockets", "nothing")


@pytest.mark.parametrize("wrong", SAID)
def test_what_is_wrong_with_sockets_is_said_by_name_with_what_to_do(wrong: str, programs: Path) -> None:
    said = complaint(programs / "sockets", wrong)
    assert SAID[wrong] in said
    assert "answer" not in said


@pytest.mark.parametrize("wrong", PINS)
def test_what_is_wrong_with_pins_is_said_by_name_with_what_to_do(wrong: str, programs: Path) -> None:
    assert SAID_OF_PINS[wrong] in complaint(programs / wrong)
