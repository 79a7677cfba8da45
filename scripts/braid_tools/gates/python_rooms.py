"""The folder check of scripts/braid_tools: a room uses the files at the top and itself, nobody an entry point."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "scripts/braid_tools"

#: Which rooms a room, or a file at the top, may use as well. Whatever is not here uses no room but its own.
MAY_USE = {
    # A room inside a room: what nightly and mutation share is in the outer one.
    "gates/mutation": ["gates"],
}


def room(module: str) -> str:
    """A module's folder; of a file at the top, the file."""
    folder, _, file = module.rpartition("/")
    return folder or file


def is_entry(tree: ast.Module, path: Path) -> bool:
    """Is it run by name? It has a main() or stands under `if __name__ == "__main__"`."""
    return path.name == "__main__.py" or any(
        (isinstance(node, ast.FunctionDef) and node.name == "main")
        or (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))
        for node in tree.body
    )


def imports(tree: ast.Module, modules: dict[str, ast.Module]) -> Iterator[str]:
    """The modules of the package that one imports, wherever in it."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            top, *words = name.split(".")
            if top != Path(PACKAGE).name:
                continue
            while words and "/".join(words) not in modules:  # a name in a module
                words.pop()
            yield "/".join(words)


def violations(root: Path) -> list[str]:
    """One line for each import that is not allowed, and one for a circle of modules."""
    folder = root / PACKAGE
    paths = {str(p.relative_to(folder).with_suffix("")): p for p in sorted(folder.rglob("*.py"))}
    modules = {name: ast.parse(path.read_text()) for name, path in paths.items() if path.name != "__init__.py"}
    entries = {name for name, tree in modules.items() if is_entry(tree, paths[name])}
    lines = []
    graph: dict[str, set[str]] = {}
    for user, tree in modules.items():
        for used in sorted(set(imports(tree, modules)) - {""}):
            graph.setdefault(user, set()).add(used)
            if used in entries:
                lines.append(f"{user} imports {used}, an entry point")
            if "/" in used and room(used) not in (room(user), *MAY_USE.get(room(user), [])):
                lines.append(f"{user} imports {used}: {room(user)} may not use {room(used)}")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        lines.append("circle of modules: " + " imports ".join(error.args[1][::-1]))
    return lines
