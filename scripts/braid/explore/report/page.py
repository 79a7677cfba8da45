"""The page: sections of pictures and tables in one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from braid.explore.report.drawing import Picture

STYLE = """
:root{--ink:#1b1f24;--faint:#8a919a;--paper:#fff;--mark:#fff3c4;--line:#d8dce1}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ea;--faint:#8b949e;--paper:#15181c;--mark:#4a3f12;--line:#343a41}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:1rem 1.5rem 4rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:1.6rem;margin:.4rem 0}h2{font-size:1.15rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line)}
nav a{margin-right:1rem}a{color:inherit}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(520px,1fr));gap:1.2rem}
figure{margin:0;border:1px solid var(--line);border-radius:6px;padding:.8rem}
figure:focus-visible,summary:focus-visible{outline:3px solid #56b4e9}
figcaption{font-weight:600;margin-bottom:.4rem}
svg{width:100%;height:auto;max-height:560px}
svg text{fill:var(--ink);font-family:"DejaVu Sans",Verdana,sans-serif}
[data-tip]{cursor:pointer}[data-tip].at{stroke:var(--ink)!important;stroke-width:2.5px!important}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}th,td{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--line)}
th:first-child,td:first-child,td.word{text-align:left}tr.marked{background:var(--mark)}
td.wrap{text-align:left;white-space:pre-wrap;font-family:monospace;font-size:.85em}
.note{color:var(--faint)}
#tip{position:fixed;display:none;background:var(--ink);color:var(--paper);padding:.2rem .5rem;border-radius:4px;
font-size:.85rem;pointer-events:none;max-width:30rem;z-index:9}
@media print{:root{--ink:#000;--faint:#666;--paper:#fff;--mark:#eee;--line:#bbb}body{max-width:none;font-size:11px}
figure,tr{break-inside:avoid}nav,#tip{display:none!important}
.figures{grid-template-columns:1fr 1fr}details:not([open])>:not(summary){display:block}}
"""

#: A point says what it is when it is pointed at; in a picture that has the focus the arrow keys go from point to point.
SCRIPT = """
(()=>{const tip=document.getElementById('tip');let at=null;
const hide=()=>{tip.style.display='none';if(at)at.classList.remove('at');at=null};
const show=(mark,x,y)=>{hide();at=mark;mark.classList.add('at');tip.textContent=mark.dataset.tip;
tip.style.display='block';tip.style.left=Math.min(x+14,innerWidth-tip.offsetWidth-8)+'px';
tip.style.top=Math.min(y+14,innerHeight-tip.offsetHeight-8)+'px'};
document.addEventListener('mousemove',e=>{const mark=e.target.closest&&e.target.closest('[data-tip]');
if(mark)show(mark,e.clientX,e.clientY);else if(at&&!at.closest('figure:focus'))hide()});
document.querySelectorAll('figure').forEach(figure=>{let n=-1;
figure.addEventListener('blur',hide);
figure.addEventListener('keydown',e=>{const step={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1}[e.key];
if(e.key==='Escape')hide();if(!step)return;
const marks=figure.querySelectorAll('[data-tip]');if(!marks.length)return;e.preventDefault();
n=(n+step+marks.length)%marks.length;const box=marks[n].getBoundingClientRect();
show(marks[n],box.right,box.bottom)})});})();
"""


@dataclass
class Section:
    """A heading, pictures with their claims, and HTML under them."""

    title: str
    pictures: list[tuple[str, Picture]] = field(default_factory=list)
    html: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Has it nothing to show?"""
        return not self.pictures and not self.html


def note(text: str) -> str:
    """A sentence beside what is shown."""
    return f'<p class="note">{escape(text)}</p>'


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], marked: Iterable[bool] = ()) -> str:
    """Cells are text or numbers; `marked` rows are in colour."""
    marks = iter(marked)
    body = []
    for row in rows:
        style = ' class="marked"' if next(marks, False) else ""
        body.append(f"<tr{style}>{''.join(map(_cell, row))}</tr>")
    heads = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"<td>{value:.5g}</td>"
    if isinstance(value, int):
        return f"<td>{value}</td>"
    text = "" if value is None else str(value)
    return f'<td class="{"wrap" if len(text) > 60 else "word"}">{escape(text)}</td>'


def folded(title: str, body: str) -> str:
    """Shown when asked for, and in print."""
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def _figure(claim: str, picture: Picture, number: int) -> str:
    caption = escape(claim)
    return (
        f'<figure tabindex="0" aria-label="{escape(claim, quote=True)}"><figcaption>{caption}</figcaption>'
        f"{picture.svg(number)}</figure>"
    )


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole file."""
    shown = [section for section in sections if not section.empty]
    links = "".join(f'<a href="#s{n}">{escape(section.title)}</a>' for n, section in enumerate(shown))
    body, number = [], 0
    for n, section in enumerate(shown):
        figures = []
        for claim, picture in section.pictures:
            figures.append(_figure(claim, picture, number))
            number += 1
        grid = f'<div class="figures">{"".join(figures)}</div>' if figures else ""
        body.append(f'<section id="s{n}"><h2>{escape(section.title)}</h2>{grid}{"".join(section.html)}</section>')
    head = "".join(f"<p>{escape(line)}</p>" for line in lead)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{head}<nav>{links}</nav>{''.join(body)}"
        f'<div id="tip" role="status"></div><script>{SCRIPT}</script></body></html>\n'
    )
