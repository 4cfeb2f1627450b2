"""A phone before the start page: it chooses photos, taps, types and loses its Wi-Fi."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains

from tests.webui.browsing import PHONE, Screen


class Phone(Screen):
    """What a person does with the start page on a phone."""

    patience = 60.0

    def __init__(self, browser: Any, url: str, folder: Path) -> None:
        super().__init__(browser, url)
        self.folder = folder
        self.resize(PHONE)

    def connect(self, connected: bool) -> None:
        """Within reach of the Wi-Fi or not."""
        conditions = {"offline": not connected, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    def open(self, view: str = "count") -> None:
        """The page anew, as after closing and opening it."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.url}#{view}")
        self.until(lambda: self.find("#view-count").get_attribute("data-state"))

    def press(self, key: str) -> None:
        """Press the button with that data-key."""
        button = self.find(f'[data-key="{key}"]')
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def choose(self, *photos: bytes) -> None:
        """Choose photo files and wait until they are read."""
        files = []
        for number, photo in enumerate(photos, 1):
            files.append(self.folder / f"photo{number}.jpg")
            files[-1].write_bytes(photo)
        self.find("#choose-photos").send_keys("\n".join(map(str, files)))
        self.until(lambda: self.find("#view-count").get_attribute("aria-busy") == "false")
        self.until(lambda: not self.find_all(".photo[data-status=reading]"))

    def tap(self, photo: int, x: int, y: int) -> None:
        """Tap a photo at this place, in its own pixels."""
        overlay = self.find_all(".overlay")[photo]
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", overlay)
        left, top = self.browser.execute_script(
            "const p = new DOMPoint(arguments[1], arguments[2]).matrixTransform(arguments[0].getScreenCTM());"
            "return [p.x, p.y]", overlay, x, y,
        )  # fmt: skip
        touch = {"x": round(left), "y": round(top), "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **touch})

    def type(self, *keys: str) -> None:
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, key: str) -> None:
        """Press Tab until the element with that data-key has the focus."""
        for _ in range(80):
            if self.focus == key:
                return
            self.type(Keys.TAB)
        raise AssertionError(f"Tab never reaches {key}")

    @property
    def focus(self) -> Any:
        return self.browser.switch_to.active_element.get_attribute("data-key")

    @property
    def total(self) -> str:
        return str(self.find("#total").text)

    @property
    def tiles(self) -> list[str]:
        return [name.text for name in self.find_all(".tile-name")]

    @property
    def heard(self) -> str:
        return str(self.find("#announcer").get_property("textContent")).strip()

    @property
    def row_of_totals(self) -> list[str]:
        return [cell.text for cell in self.find_all("tfoot td b")]
