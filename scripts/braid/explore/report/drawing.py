"""Pictures for a page: SVG of matplotlib in the page's colours, whose points say what they are."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours that stand for the page's own, light or dark: matplotlib writes them, `svg` puts the variables there.
INK, FAINT, PAPER = "#010203", "#040506", "#070809"
_VARIABLES = {INK: "var(--ink)", FAINT: "var(--faint)", PAPER: "var(--paper)", "#000000": "var(--ink)"}

_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "braid",
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "figure.facecolor": "none",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "font.size": 9,
}


class Picture:
    """One picture. `tips`: what the marks of an artist say, by its name."""

    def __init__(self, width: float = 6.4, height: float = 3.8, rows: int = 1, columns: int = 1) -> None:
        import matplotlib as mpl
        from matplotlib.figure import Figure

        with mpl.rc_context(_SETTINGS):
            self.figure = Figure(figsize=(width, height), layout="constrained")
            self.all_axes = list(self.figure.subplots(rows, columns, squeeze=False).flat)
        self._tips: dict[str, list[str]] = {}

    @property
    def axes(self) -> Axes:
        """The first."""
        return self.all_axes[0]

    def say(self, artist: Any, tips: Sequence[str]) -> None:
        """What each mark of an artist says when it is pointed at, in their order."""
        name = f"tips-{len(self._tips)}"
        artist.set_gid(name)
        self._tips[name] = list(tips)

    def svg(self, number: int) -> str:
        """The picture; `number`: among those of the page."""
        import matplotlib as mpl
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        text = io.StringIO()
        with mpl.rc_context(_SETTINGS):
            FigureCanvasSVG(self.figure).print_svg(text, metadata={"Date": None, "Creator": None})
        body = text.getvalue()
        body = body[body.index("<svg") :]
        body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
        for name, tips in self._tips.items():
            body = _with_tips(body, name, tips)
        for colour, variable in _VARIABLES.items():
            body = body.replace(colour, variable)
        body = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{number}-", body)
        body = re.sub(r'<svg[^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" role="img">', body, count=1)
        return re.sub(r"\s*\n\s*", "\n", body)


def _with_tips(svg: str, name: str, tips: Sequence[str]) -> str:
    """Every mark of a group gets its text: the `use` elements, or where there are none the paths."""
    begin = svg.find(f'<g id="{name}">')
    if begin < 0:  # nothing was drawn
        return svg
    end = _end_of_group(svg, begin)
    group = svg[begin:end]
    tag = "use" if "<use " in group else "path"
    head, drawn = ("", group) if "</defs>" not in group else _after_defs(group)
    rest = iter(tips)

    def marked(match: re.Match[str]) -> str:
        tip = next(rest, None)
        return match[0] if tip is None else f'<{tag} data-tip="{escape(tip, quote=True)}" '

    return svg[:begin] + head + re.sub(rf"<{tag} ", marked, drawn) + svg[end:]


def _after_defs(group: str) -> tuple[str, str]:
    place = group.rindex("</defs>") + len("</defs>")
    return group[:place], group[place:]


def _end_of_group(svg: str, begin: int) -> int:
    depth = 0
    for match in re.finditer(r"<g\b[^>]*?(/?)>|</g>", svg[begin:]):
        depth += -1 if match[0] == "</g>" else 0 if match[1] else 1
        if depth == 0:
            return begin + match.end()
    raise ValueError("a group without an end")


def thinned(count: int, most: int) -> list[int]:
    """Of `count` places at most `most`, in even steps, first and last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(n * (count - 1) / (most - 1)) for n in range(most)})
