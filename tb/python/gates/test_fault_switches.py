"""Faults behind switches: a program with all of them does, with one on, what the program with that fault alone does."""

import os
import subprocess
from pathlib import Path

import pytest
from braid_tools.gates.mutation import fresh, switches, together
from braid_tools.gates.mutation.faults import Fault

#: Statements and expressions of all kinds; it prints a line a function.
PROGRAM = """
#include <cstdio>
#include <string>
#include <vector>

namespace {
constexpr int kSize = 3;
constexpr int twice(int a) { return 2 * a + 1; }
struct Counter {
  int step = 2;
  std::vector<int> table = {1, 2 + 3, 4};
  explicit Counter(int begin) : at_(begin + 1), limit_(10) {}
  int next() { return at_ += step; }
  bool done() const { return at_ >= limit_; }  // a comment with a ; and a {
 private:
  int at_;
  int limit_;
};

int loop(int n) {
  int sum = 0;
  for (int i = 1; i < n; ++i) {
    if (i % 2 == 0) continue;
    else if (i > 7) break;
    sum += i;
  }
  return sum;
}

int branches(int a) {
  switch (a) {
    case 0: return 5;
    case 1: a += 7; break;
    default: --a;
  }
  if (a < 3)
    a = 3;
  else
    a = 9 - a;
  return a;
}

int lambdas(const std::vector<int>& values) {
  int total = 0;
  const auto add = [&](int v) { total += v; if (v > 2) total += 1; };
  for (const int v : values) add(v);
  const auto longer = [](int a, int b) {
    return a - b;
  };
  return longer(total, 2) + (values.empty() ? 1 : 2);
}

std::string words(int n) {
  std::string text = "a;{";
  while (text.size() < 6 && n-- > 0) text += '{';
  do {
    text += "}";
  } while (text.size() < 5);
  return text;
}
}  // namespace

int main() {
  Counter counter(3);
  while (!counter.done()) std::printf("%d ", counter.next());
  std::printf("%d %d\\n", counter.table[1], twice(kSize));
  for (int n = 0; n < 12; n += 5) std::printf("%d ", loop(n));
  for (int n = 0; n < 4; ++n) std::printf("%d ", branches(n));
  std::printf("%d %d %s\\n", lambdas({}), lambdas({1, 2, 3}), words(2).c_str());
}
"""
COMMAND = ["g++", "-std=c++17", "-O0", "-w"]


def all_faults(text: str) -> list[Fault]:
    """Every change that could be drawn, of every line."""
    lines = text.split("\n")
    found = []
    for at, line in enumerate(lines):
        for change in fresh.changes(line):
            old = fresh.around(lines, at, text)
            if text.count(old) == 1:
                new = old[: len(old) - len(line)] + change.line
                found.append(Fault(f"{at + 1}: {change.what}", "", "main.cpp", old, new))
    return found


def compiled(folder: Path, name: str, text: str) -> tuple[Path | None, str]:
    (folder / f"{name}.cpp").write_text(text)
    command = [*COMMAND, "-I", folder, folder / f"{name}.cpp", "-o", folder / name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (folder / name if done.returncode == 0 else None), done.stderr


def said(program: Path, fault: int = -1) -> tuple[int, str]:
    """(exit status, what it prints); one that does not end is stopped, and its output cut."""
    limits = ["timeout", "-s", "KILL", "2", "prlimit", "--core=0", "--as=1000000000", program]
    done = subprocess.run(limits, capture_output=True, check=False, env=os.environ | {"BRAID_SEEDED": str(fault)})
    return done.returncode, done.stdout.decode(errors="replace")[:200]


def test_a_switch_does_what_the_fault_alone_does(tmp_path: Path) -> None:
    faults = dict(enumerate(all_faults(PROGRAM)))
    assert len(faults) > 60
    (tmp_path / "braid_seeded.h").write_text(switches.HEADER.replace("COUNT", str(len(faults))))
    inside = dict(faults)
    for _ in range(5):  # what the compiler does not take is taken out, by its line
        text, numbers = switches.with_switches(PROGRAM, inside)
        program, errors = compiled(tmp_path, "all", text)
        if program is not None:
            break
        wrong = {n for m in together.ERROR.finditer(errors) for n in switches.numbers_at(text, int(m[2]))}
        assert wrong
        inside = {n: f for n, f in inside.items() if n not in wrong}
    assert program is not None
    assert len(numbers) >= 0.8 * len(faults), [f.name for n, f in faults.items() if n not in numbers]
    right, _ = compiled(tmp_path, "right", PROGRAM)
    assert right is not None
    assert said(program) == said(right)
    for number in sorted(numbers)[::6]:
        alone, _ = compiled(tmp_path, "alone", faults[number].seeded(PROGRAM))
        if alone is not None:
            assert said(program, number) == said(alone), faults[number].name
    reached = tmp_path / "reached"
    reached.write_bytes(bytes(len(faults)))
    subprocess.run([program], env=os.environ | {"BRAID_SEEDED_REACHED": str(reached)}, check=True, capture_output=True)
    passed = {n for n, byte in enumerate(reached.read_bytes()) if byte}
    for number in numbers - passed:
        assert said(program, number) == said(right), faults[number].name


@pytest.mark.parametrize(
    ("text", "old", "new", "there"),
    [
        ("int f(int a) {\n  return a < 3;\n}\n", "a < 3", "a <= 3", True),
        (
            "constexpr int f(int a) {\n  return a < 3;\n}\n",
            "a < 3",
            "a <= 3",
            False,
        ),  # may be evaluated by the compiler
        ("void f();\n", "void f();", "", False),
        ("enum class A { a = 1, b = 2 };\n", "1", "7", True),  # as above
        ("int f(int a) {\n  int b = 2, c = a + 1;\n  return b * c;\n}\n", "a + 1", "a - 1", True),
        ("int f() { return 1;\n", "1", "2", False),  # a bracket is missing
        ("template <class T> int f(T a) {\n  if constexpr (kA<T>) { return a < 3; }\n}\n", "a < 3", "a <= 3", True),
        ("void f(int a) {\n  g(a);\n  h(a);\n  i(a);\n}\n", "g(a);\n  h(a);", "h(a);\n  g(a);", True),
        ("void f(int a) {\n  g(a);\n  int b = a;\n  h(b);\n}\n", "int b = a;\n  h(b);", "h(a);\n  int b = a;", False),
        ("void f(int a) {\n  g(a);\n  h(a);\n}\n", "h(a);\n}", "h(a);\n  return;\n}", True),
        ("constexpr int kA = 3;\nint f(int a) {\n  return a < kA;\n}\n", "kA = 3", "kA = 4", True),
        ("int f(int a) {\n  constexpr int kA = 3;\n  return a < kA;\n}\n", "kA = 3", "kA = 4", True),
    ],
)
def test_what_can_be_switched(text: str, old: str, new: str, there: bool) -> None:
    assert switches.with_switches(text, {4: Fault("f", "", "a.cpp", old, new)})[1] == ({4} if there else set())


def test_statements_that_change_places_are_switched_as_one(tmp_path: Path) -> None:
    text = '#include <cstdio>\nint main() {\n  int a = 1;\n  a += 2;\n  a *= 3;\n  std::printf("%d", a);\n}\n'
    fault = Fault("f", "", "main.cpp", "a += 2;\n  a *= 3;", "a *= 3;\n  a += 2;")
    (tmp_path / "braid_seeded.h").write_text(switches.HEADER.replace("COUNT", "1"))
    program, errors = compiled(tmp_path, "two", switches.with_switches(text, {0: fault})[0])
    assert program is not None, errors
    assert (said(program)[1], said(program, 0)[1]) == ("9", "5")


@pytest.mark.parametrize(
    ("text", "old", "new", "right", "faulty"),
    [
        ("int f(int a) { const int b = a, c = a + 1; return b * c; }", "c = a + 1", "c = a", "12", "9"),
        ("constexpr int kA = 3; int f(int a) { return a < kA; }", "kA = 3", "kA = 4", "0", "1"),
        (
            "struct S { int a = 0; }; int f(int a) {\n  return a == 0 ? S{}.a\n : S{a + 1}.a; }",
            "a == 0",
            "a > 60",
            "4",
            "4",
        ),
        ("int f(int a) { if (a == 3) return 1; return 2; }", "a == 3", "a > 60", "1", "2"),
    ],
)
def test_a_switch_keeps_all_around_it(text: str, old: str, new: str, right: str, faulty: str, tmp_path: Path) -> None:
    (tmp_path / "braid_seeded.h").write_text(switches.HEADER.replace("COUNT", "1"))
    whole = f'#include <cstdio>\n{text}\nint main() {{\n  std::printf("%d", f(3));\n}}\n'
    switched, inside = switches.with_switches(whole, {0: Fault("f", "", "main.cpp", old, new)})
    program, errors = compiled(tmp_path, "around", switched)
    assert program is not None, errors + switched
    assert inside == {0}
    assert (said(program)[1], said(program, 0)[1]) == (right, faulty)


def test_faults_that_cross_are_not_both_inside() -> None:
    text = "int f(int a) {\n  a += 1;\n  a += 2;\n  a += 3;\n  return a;\n}\n"
    two = {
        0: Fault("f", "", "a.cpp", "a += 1;\n  a += 2;", "a += 2;\n  a += 1;"),
        1: Fault("g", "", "a.cpp", "a += 2;\n  a += 3;", "a += 5;"),
    }
    assert switches.with_switches(text, {1: two[1]})[1] in (set(), {1})
    assert len(switches.with_switches(text, two)[1]) < 2
