"""What Lighthouse gives the pages, as a phone and as a desk: `python -m tests.webui.lighthouse` (needs npx)."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.webui.browsing import CHROMIUM, serving
from tests.webui.faketable import FakeCamera, dealt, seeing, tagged_table
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys

FLAGS = ("--quiet", "--chrome-flags=--headless --no-sandbox --disable-gpu", "--output=json",
         "--only-categories=performance,accessibility,best-practices")  # fmt: skip


def main() -> None:
    """A line a page and device: the scores in per cent."""
    running = dealt("euronimoes", 2, 12)[0]
    running.camera = seeing()
    nobody: Any = None
    app = create_app(nobody, own_names=lambda: ["localhost", "127.0.0.1"], lan_hosts=lambda: ("127.0.0.1",), table=running,
                     keys=Keys(), stand=CameraStand(lambda name: FakeCamera(tagged_table())))  # fmt: skip
    with serving(app) as url, tempfile.TemporaryDirectory() as folder:
        for path in ("/table", "/", "/setup", "/rules", "/review", "/guide"):
            for device in ("phone", "desk"):
                file = Path(folder) / "told.json"
                more = ["--preset=desktop"] if device == "desk" else []
                subprocess.run(["npx", "--yes", "lighthouse", url + path, *FLAGS, f"--output-path={file}", *more], check=True,
                               env={**os.environ, "CHROME_PATH": str(CHROMIUM)})  # fmt: skip
                scores = {name: each["score"] for name, each in json.loads(file.read_text())["categories"].items()}
                print(f"{path:8} {device:6} " + "  ".join(f"{name} {100 * score:.0f}" for name, score in scores.items()))


if __name__ == "__main__":
    main()
