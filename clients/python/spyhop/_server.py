"""The ``spyhop`` program as a child process."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from ._results import SpyhopError


class Server:
    """``spyhop serve`` on a free port of loopback; ``url`` is where it listens.

    The program is ``binary``, else $SPYHOP, else ``spyhop`` on the PATH. ``settings`` are
    environment variables, for example ``{"WEB_ROBOTS": "on"}``.
    """

    def __init__(self, binary: str | None = None, settings: dict[str, str] | None = None, timeout: float = 20) -> None:
        program = binary or os.environ.get("SPYHOP") or shutil.which("spyhop")
        if not program:
            raise SpyhopError("the program spyhop was not found", type="InvalidInput", hint="install it, or give the URL of a server: Client(\"http://127.0.0.1:7749\")")
        self._dir = tempfile.TemporaryDirectory(prefix="spyhop-")
        ready, log = Path(self._dir.name, "url"), Path(self._dir.name, "log")
        with log.open("wb") as errors:
            try:
                self._process = subprocess.Popen(
                    [program, "serve", "--listen", "127.0.0.1:0", "--ready-file", str(ready)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **(settings or {})})
            except OSError as e:
                self._dir.cleanup()
                raise SpyhopError(f"cannot start {program}: {e.strerror}", type="InvalidInput", hint="check the path of the program") from e
        end = time.monotonic() + timeout
        while not (ready.exists() and ready.read_text().strip()):
            if self._process.poll() is not None or time.monotonic() > end:
                said = log.read_text(errors="replace").strip()[-500:]
                self.close()
                raise SpyhopError(f"spyhop serve did not start: {said or 'no message'}", hint="run spyhop doctor")
            time.sleep(0.01)
        self.url = ready.read_text().strip()

    def close(self) -> None:
        """Stops the process. It may be called twice."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._dir.cleanup()
