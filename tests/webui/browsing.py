"""What browser tests share: Chromium without a window, a server for an app, and the sizes of devices."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from webui.server import Limits, TableServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="Chromium and chromedriver are not installed (Debian: chromium chromium-driver)"
)

PHONE = (390, 844)
DESK = (1280, 800)
TELEVISION = (1920, 1080)

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
)  # fmt: skip


def open_chromium(folder: Path, *flags: str) -> Any:
    """A browser that keeps its things in that folder and logs what goes wrong."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*QUIET, f"--user-data-dir={folder}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.accept_insecure_certs = True
    return Chrome(options=options, service=ChromeService(str(DRIVER)))


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The app on a free port of this machine; gives its address."""
    server = TableServer("127.0.0.1", 0, Limits(connections=16))
    threading.Thread(target=server.run, args=(app,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        if live := app.extensions.get("live"):
            live.closing.set()
        server.stop()


class Screen:
    """A device that shows a page. patience: seconds that anything is waited for."""

    patience = 30.0

    def __init__(self, browser: Any, url: str) -> None:
        self.browser, self.url = browser, url

    def resize(self, size: tuple[int, int], dark: bool = False) -> None:
        """Be a phone, a desk or a television."""
        touch = size[0] < 600
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 2 if touch else 1, "mobile": touch}
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})

    def open(self, path: str) -> None:
        """Another page."""
        self.browser.get(f"{self.url}{path}")

    @contextmanager
    def after(self, script: str) -> Iterator[None]:
        """Every page that is opened meanwhile runs this first."""
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        try:
            yield
        finally:
            self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)

    def open_whole(self, path: str) -> None:
        """Open a page, and wait for all that it shows at first; on the table the entering of plays is opened, too."""
        self.open(path)
        if path.startswith("/table"):
            self.until(lambda: self.find_all('[data-ready="true"]'))
        if path == "/table" and not self.find(".dock").is_displayed():
            self.find("#enter").click()
        if path == "/setup":
            self.until(lambda: self.find_all("[data-picture-of] svg"))
        if path == "/review":
            self.until(lambda: self.find_all("#review[data-shown]"))

    def until(self, fact: Callable[[], Any]) -> Any:
        """Waits until something is so; AssertionError, with what the page says, where it does not become so."""
        try:
            return WebDriverWait(self.browser, self.patience, poll_frequency=0.05).until(lambda _: fact())
        except TimeoutException:
            raise AssertionError(f"waited in vain before a page that says:\n{self.text('body')}\n{self.complaints()}") from None

    def find(self, css: str) -> Any:
        """The first element."""
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def find_all(self, css: str) -> Any:
        """Every element."""
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def text(self, css: str) -> str:
        """What it says, as a person reads it."""
        return str(self.browser.execute_script("return arguments[0].innerText", self.find(css))).strip()

    def press(self, key: str) -> None:
        """Press what has that data-key, once it is there."""
        self.until(lambda: self.keyed(key))
        self.browser.execute_script(
            """const node = document.querySelector(`[data-key="${CSS.escape(arguments[0])}"]`);
            node.scrollIntoView({block: "center"}); node.focus(); node.dispatchEvent(new MouseEvent("click", {bubbles: true}))""",
            key,
        )

    def keyed(self, key: str) -> Any:
        """What has that data-key."""
        quoted = key.replace('"', '\\"')
        return self.find_all(f'[data-key="{quoted}"]')

    def touch(self, *keys: str) -> None:
        """Touch what has one of these data-keys, as a finger does: where something else covers it, that is an error."""
        self.until(lambda: any(map(self.keyed, keys)))
        node = next(found for key in keys for found in self.keyed(key))
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", node)
        node.click()

    def shot(self, file: Path) -> None:
        """The whole page as a picture."""
        self.browser.save_screenshot(str(file))

    def complaints(self) -> list[str]:
        """What the browser logged as wrong since the last time."""
        return [line["message"] for line in self.browser.get_log("browser") if line["level"] == "SEVERE"]
