"""The pages behind the four doors, and the recipes: what they look like, that all they say of commands is true, and
that the site is whole."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from braid_tools.gates.user_project import NotAsWrittenError, commands, follow
from braid_tools.program import BRAID, ROOT
from braid_tools.site.browser import Browser
from braid_tools.site.searches import missed, served

DOCS = ROOT / "docs"
DOORS = ["explore", "cosimulate", "regress", "debug"]
RECIPES = sorted((DOCS / "recipes").glob("*.md"))
PAGES = [DOCS / "index.md", *(page for door in DOORS for page in sorted((DOCS / door).glob("*.md"))), *RECIPES]
MOST_PAGES, MOST_LINES, RECIPES_AT_LEAST = 7, 75, 12
POINT = BRAID.parent / "rtl" / "mesh_packet.so"


def in_the_shell(folder: Path) -> dict[str, str]:
    """The environment of somebody who reads the pages: braid and this Python are found, the window has 100 columns."""
    path = [str(BRAID.absolute().parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {
        **os.environ,
        "PATH": ":".join(path),
        "COLUMNS": "100",
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT / "scripts"),
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_its_commands_print_what_it_says(page: Path, tmp_path: Path) -> None:
    if "implementation=rtl" in page.read_text() and not POINT.exists():
        pytest.skip("needs: scripts/build release rtl_mesh_packet")
    followed = follow(page, tmp_path, tmp_path / "reader", in_the_shell(tmp_path))
    assert followed or "tb/examples" in page.read_text()  # whose READMEs have tests of their own


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_it_asks_shows_and_is_short(page: Path) -> None:
    """A question, a command in the first lines, three screens at most."""
    lines = page.read_text().splitlines()
    assert re.fullmatch(r"# .+\?", lines[0])
    assert any(line.startswith("```") for line in lines[1:6])
    assert len(lines) <= MOST_LINES


def test_a_door_has_few_pages() -> None:
    for door in DOORS:
        assert 1 <= len(list((DOCS / door).glob("*.md"))) <= MOST_PAGES
    assert len(RECIPES) - 1 >= RECIPES_AT_LEAST


def test_the_index_of_recipes_has_their_questions() -> None:
    index = (DOCS / "recipes" / "index.md").read_text()
    for recipe in RECIPES:
        if recipe.stem != "index":
            assert f"| {recipe.read_text().splitlines()[0].removeprefix('# ')} | [" in index, recipe.stem


def test_a_command_that_prints_something_else_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ cat <<'END'\none\n\ntwo\nEND\none\nthree\n```\n")
    assert [command.line for command in commands(page.read_text())] == ["cat <<'END'\none\n\ntwo\nEND"]
    with pytest.raises(NotAsWrittenError, match="three"):
        follow(page, tmp_path, tmp_path / "reader", in_the_shell(tmp_path))


def test_every_toml_and_python_text_is_well_formed() -> None:
    for page in PAGES:
        for language, text in re.findall(r"^```(toml|python)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            compile(text, page.name, "exec") if language == "python" else tomllib.loads(text)


def site(docs: Path, out: Path, nav: str | None = None) -> subprocess.CompletedProcess[str]:
    """Built from another folder of pages, strictly; `nav`: with other places of pages."""
    configuration = (ROOT / "scripts" / "site.yml").read_text()
    configuration = configuration.replace("../docs", str(docs)).replace("../build/site", str(out))
    configuration = configuration.replace("braid_tools/", f"{ROOT}/scripts/braid_tools/")
    if nav is not None:
        configuration = configuration.partition("nav:\n")[0] + f"nav: {nav}\n"
    file = out.parent / "site.yml"
    file.write_text(configuration)
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(file)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages in a tree where links out of docs/ lead to the same files."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE",
        "hw",
        "tb",
        "scripts",
        "traffic",
        "models",
        "routing",
    ):
        (tree / name).symlink_to(ROOT / name)
    shutil.copytree(DOCS, tree / "docs")
    return tree / "docs"


@pytest.fixture(scope="module")
def built(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all pages, built strictly."""
    folder = tmp_path_factory.mktemp("built") / "site"
    done = site(copy, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_site_is_whole(built: Path) -> None:
    """Every link leads somewhere, every page has its place, nothing is fetched from anywhere."""
    for page in DOCS.rglob("*.md"):
        assert (built / page.relative_to(DOCS)).with_suffix(".html").exists()
    html = (built / "index.html").read_text()
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//', html)
    for door in ("Explore", "Co-simulate", "Regress", "Debug", "Background"):
        assert door in html


def test_the_index_of_the_search_has_every_page_and_puts_the_doors_first(built: Path) -> None:
    entries = json.loads((built / "search" / "search_index.json").read_text())["docs"]
    pages = {entry["location"]: entry for entry in entries if "#" not in entry["location"]}
    assert set(pages) == {str(page.relative_to(DOCS).with_suffix(".html")) for page in DOCS.rglob("*.md")}
    for location, page in pages.items():
        assert ("boost" in page) == (location.split("/")[0] in [*DOORS, "recipes"]), location
        assert page["title"]


def test_the_search_finds_what_is_asked_for(built: Path) -> None:
    """In the browser, as a reader types it: from a server, and from the disk."""
    if shutil.which("chromium") is None:
        pytest.skip("needs the package chromium, as scripts/nightly site has it")
    with served(built) as address, Browser() as browser:
        assert missed(browser, address) == []
        assert missed(browser, built.as_uri()) == []


def test_a_search_that_finds_something_else_is_noticed(built: Path, tmp_path: Path) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("needs the package chromium, as scripts/nightly site has it")
    shutil.copytree(built, tmp_path / "site")
    index = tmp_path / "site" / "search" / "search_index.json"
    for file in (index, index.with_suffix(".js")):  # from a server, and from the disk
        file.write_text(re.sub("networkx", "otherworks", file.read_text(), flags=re.IGNORECASE))
    with served(tmp_path / "site") as address, Browser() as browser:
        for place in (address, (tmp_path / "site").as_uri()):
            assert [line.partition(":")[0] for line in missed(browser, place)] == ["networkx"]


def test_a_link_that_leads_nowhere_fails(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Home\n\n[nowhere](nowhere.md)\n")
    done = site(docs, tmp_path / "site", nav="[index.md]")
    assert done.returncode != 0
    assert "nowhere.md" in done.stdout + done.stderr
    (docs / "index.md").write_text("# Home\n\n[somewhere](index.md)\n")
    assert site(docs, tmp_path / "site", nav="[index.md]").returncode == 0
