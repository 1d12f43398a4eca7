"""Chromium without a window and without a network, to look at pages as people do.

It is driven by its DevTools protocol over two pipes: JSON, each message ended by a null byte
(https://chromedevtools.github.io/devtools-protocol/). Nothing but the standard library is needed.
"""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

CHROMIUM = (
    ""
    if os.environ.get("HEARTS_SIM_NO_BROWSER")
    else shutil.which("chromium") or shutil.which("chromium-browser") or ""
)

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
)  # fmt: skip

# The protocol wants the pipes as descriptors 3 and 4.
START = "import os, sys; os.dup2({}, 3); os.dup2({}, 4); os.execv(sys.argv[1], sys.argv[1:])"

LONGEST = 60.0


class Browser:
    """A browser with one page; `close` ends it."""

    def __init__(self, profile: Path) -> None:
        reading, self._out = os.pipe()
        self._in, writing = os.pipe()
        # Above 4, so that neither is overwritten by the other.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (reading, writing)]
        command = [CHROMIUM, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", START.format(*ends), *command],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (reading, writing, *ends):
            os.close(end)
        self._numbers = itertools.count(1)
        self._rest = b""
        self._session = ""
        self.errors: list[str] = []
        self.requests: list[str] = []
        page = next(
            target
            for target in self._ask("Target.getTargets")["targetInfos"]
            if target["type"] == "page"
        )
        found = self._ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = found["sessionId"]
        for part in ("Page", "Runtime", "Network", "Log"):
            self._ask(f"{part}.enable")

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(
        self, path: Path, *, width: int = 1280, dark: bool = False, media: str = "screen"
    ) -> None:
        """Open a file from disk; what it asks for and complains about is in the lists."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.errors.clear()
        self.requests.clear()
        self._ask("Page.navigate", url=path.as_uri())
        end = time.monotonic() + LONGEST
        while self.run("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < end, f"{path} was not loaded"
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press a key and let it go."""
        text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {})
        for kind in ("rawKeyDown", "char", "keyUp") if text else ("rawKeyDown", "keyUp"):
            self._ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code="Space" if key == " " else key,
                windowsVirtualKeyCode=code,
                **text,
            )

    def allow(self, permission: str) -> None:
        """Grant the page a permission that it would have to ask for."""
        self._ask("Browser.grantPermissions", permissions=[permission])
        self._ask("Page.bringToFront")

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Write what is seen as PNG."""
        found = self._ask(
            "Page.captureScreenshot", captureBeyondViewport=whole, **self._clip(whole)
        )
        path.write_bytes(base64.b64decode(found["data"]))

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "scale": 1, **{k: size[k] for k in ("width", "height")}}}

    def pdf(self, path: Path) -> None:
        """Write the page as it is printed."""
        found = self._ask(
            "Page.printToPDF", printBackground=False, paperWidth=8.27, paperHeight=11.7
        )
        path.write_bytes(base64.b64decode(found["data"]))

    def _ask(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer; events that come before it are noted."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._note(answer)

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + LONGEST
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(end - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, f"the browser has ended with {self._process.poll()}"
            self._rest += data
        message, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(message)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        method, found = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(found["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(found["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and found["type"] in ("error", "warning"):
            self.errors.append(str(found["args"]))
        elif method == "Log.entryAdded" and found["entry"]["level"] in ("error", "warning"):
            self.errors.append(str(found["entry"]))
