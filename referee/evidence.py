"""Pictures that prove decisions: JPEG files named by their content, the oldest dropped when they grow too large."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import cv2

from vision.frame import Image


class Evidence:
    """A folder of pictures. budget: bytes that all of them may take."""

    def __init__(self, folder: Path, budget: int = 500_000_000) -> None:
        self.folder, self.budget = folder, budget
        folder.mkdir(parents=True, exist_ok=True)
        self._used = sum(file.stat().st_size for file in folder.glob("*.jpg"))

    def keep(self, image: Image, quality: int = 80) -> str:
        """Store a (H, W, 3) BGR picture; its name, the same for the same picture."""
        fine, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not fine:
            raise ValueError(f"a picture of shape {image.shape} cannot be stored as JPEG")
        data = coded.tobytes()
        name = sha256(data).hexdigest()[:32]
        file = self.folder / f"{name}.jpg"
        if not file.exists():
            part = file.with_suffix(".part")
            part.write_bytes(data)
            part.replace(file)
            self._used += len(data)
            self._make_room(file)
        return name

    def file(self, name: str) -> Path | None:
        """The file of a picture, None where it has been dropped; ValueError for what is no name."""
        if len(name) != 32 or not all(sign in "0123456789abcdef" for sign in name):
            raise ValueError(f"not the name of a picture: {name!r}")
        file = self.folder / f"{name}.jpg"
        return file if file.exists() else None

    def _make_room(self, newest: Path) -> None:
        if self._used <= self.budget:
            return
        for file in sorted(self.folder.glob("*.jpg"), key=lambda each: each.stat().st_mtime):
            if self._used <= self.budget:
                break
            if file != newest:
                self._used -= file.stat().st_size
                file.unlink()
