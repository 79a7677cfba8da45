"""libbraid_icnt.a: nothing of SystemC nor of the rest of Braid in it, and the names of GPGPU-Sim's and ONNXim's classes
over it, in C++11."""

import subprocess
from pathlib import Path

from braid_tools.program import BRAID, ROOT

LIBRARY = BRAID.parent / "libbraid_icnt.a"
CROSSBAR = ROOT / "tb" / "examples" / "gpu_network" / "crossbar.icnt"

GPGPUSIM = """
enum mf_type { READ_REQUEST, WRITE_REQUEST, READ_REPLY, WRITE_ACK };
class mem_fetch {
 public:
  mf_type get_type() const { return READ_REQUEST; }
};
#include <models/icnt/gpgpusim.h>

int main(int, char** word) {
  g_icnt_interface = InterconnectInterface::New(word[1]);
  g_icnt_interface->CreateInterconnect(28, 24);
  g_icnt_interface->Init();
  mem_fetch request;
  if (!g_icnt_interface->HasBuffer(0, 8)) return 3;
  g_icnt_interface->Push(0, 28, &request, 8);
  g_icnt_interface->DisplayState(stdout);
  unsigned transfers = 0;
  for (; g_icnt_interface->Pop(28) != &request; ++transfers) g_icnt_interface->Advance();
  std::cout << transfers << " transfers, busy " << g_icnt_interface->Busy() << "\\n";
  g_icnt_interface->DisplayOverallStats();
  g_icnt_interface->Push(0, 1, &request, g_icnt_interface->GetFlitSize());
}
"""

ONNXIM = """
#include <models/icnt/onnxim.h>

using namespace braid::models::icnt;

struct Access {
  unsigned size;
  bool write, request;
};
struct Traits {
  static unsigned bytes(const Access* access) { return access->write == access->request ? access->size : 8; }
  static Kind kind(const Access* access) {
    if (access->request) return access->write ? kWriteRequest : kReadRequest;
    return access->write ? kWriteReply : kReadReply;
  }
};

int main(int, char** word) {
  NpuInterconnect<Access, Traits> network(word[1], 28, 24);
  Access write = {160, true, true};
  unsigned pushed = 0;
  for (; !network.is_full(3, &write); ++pushed) network.push(3, 30, &write);
  unsigned cycles = 0, popped = 0;
  for (; popped < pushed; ++cycles, network.cycle())
    for (; !network.is_empty(30); network.pop(30)) popped += network.top(30) == &write;
  std::cout << pushed << " of 4 flits in " << cycles << " cycles, running " << network.running() << "\\n";
  network.print_stats();
}
"""


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "seat.cpp"
    source.write_text(text)
    program = folder / "seat"
    words = [
        "g++",
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        f"-I{ROOT}",
        source,
        LIBRARY,
        "-o",
        program,
    ]
    subprocess.run(words, check=True)
    return subprocess.run([program, CROSSBAR], capture_output=True, text=True, check=False)


def test_it_stands_alone() -> None:
    shown = subprocess.run(["nm", "-C", LIBRARY], capture_output=True, text=True, check=True).stdout.splitlines()
    needed = {line.split(maxsplit=1)[1] for line in shown if line.strip().startswith("U ")}
    assert needed
    assert [name for name in needed if "sc_core" in name or "boost" in name or "fmt::" in name] == []
    own = {line.split(maxsplit=2)[2] for line in shown if " T " in line}
    assert any(name.startswith("braid::models::icnt::Interconnect::transfer()") for name in own)
    assert [name for name in needed - own if name.startswith("braid::")] == []


def test_gpgpusims_calls(tmp_path: Path) -> None:
    done = run(GPGPUSIM, tmp_path)
    assert done.stdout.splitlines()[:2] == ["braid_icnt device 0: 1 flits to inject", "6 transfers, busy 0"]
    assert "braid_icnt subnet 0: 6 cycles, 1 packets (1 flits) pushed, 1 complete" in done.stdout
    assert done.returncode == 2
    assert done.stderr == (
        f"{CROSSBAR}: from device 0 to device 1: with subnets = 2 shaders send to memories and memories to shaders\n"
    )


def test_onnxims_calls(tmp_path: Path) -> None:
    done = run(ONNXIM, tmp_path)
    assert done.returncode == 0, done.stderr
    # 256 flits fit the input buffer; the last packet of 4 flits is 63 packets behind the first.
    assert done.stdout.splitlines()[0] == f"64 of 4 flits in {6 + 3 + 63 * 4 + 1} cycles, running 0"
