"""Chromium without a window, told what to do over a pipe by its DevTools protocol. The site's search runs in a worker:
`chromium --dump-dom` prints the page before that worker has answered, so a test must wait for the answer."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

#: Where Chromium reads commands, and where it writes answers (`--remote-debugging-pipe`).
COMMANDS, ANSWERS = 3, 4
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
    "--remote-debugging-pipe",
]


class BrowserError(Exception):
    """The browser ended, refused a command, or a page did not become what was waited for."""


class Browser:
    """One tab of one Chromium with a profile of its own; ends with the `with` block."""

    def __init__(self, program: str = "chromium") -> None:
        """Starts it."""
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self._write = os.pipe()
        self._read, answers = os.pipe()

        def pipes() -> None:
            # First away from 3 and 4, where one of the pipes may lie already.
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, ANSWERS + 1) for end in (commands, answers)]
            os.dup2(ends[0], COMMANDS)
            os.dup2(ends[1], ANSWERS)

        self._process = subprocess.Popen(  # the pipes have to be there in the child before it begins
            [program, *FLAGS, f"--user-data-dir={self._profile.name}"],
            preexec_fn=pipes,
            close_fds=False,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._number = 0
        self._received = b""
        self._session: str | None = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the browser, whatever happened."""
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

    def open(self, address: str) -> None:
        """Goes to a page; what is on the page comes later. Nothing of the page before can be taken for it."""
        for url in ("about:blank", address):
            self._ask("Page.navigate", url=url)

    def wait_for(self, expression: str, seconds: float = 30) -> Any:
        """The value of a JavaScript expression as soon as it is neither false, empty nor null."""
        end = time.monotonic() + seconds
        while not (value := self._evaluated(expression)):
            if time.monotonic() > end:
                raise BrowserError(f"after {seconds:g} s there is still no {expression}")
            time.sleep(0.02)
        return value

    def _evaluated(self, expression: str) -> Any:
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def screenshot(self, file: Path) -> None:
        """A PNG of what the window shows."""
        file.write_bytes(base64.b64decode(self._ask("Page.captureScreenshot")["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        command: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            command["sessionId"] = self._session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass  # something that happened on the page
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            received = os.read(self._read, 1 << 16)
            if not received:
                raise BrowserError("the browser ended")
            self._received += received
        message, self._received = self._received.split(b"\0", 1)
        return json.loads(message)
