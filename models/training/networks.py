"""The three networks: one finds halves of tiles in a picture, one reads a straightened tile, one tells tiles on others."""

from __future__ import annotations

import torch
from torch import Tensor, nn

CELL = 4
"""Pixels a cell of the detector's output is wide."""

MAPS = 10
"""What the detector says per cell: heat of face halves, heat of back halves; then, in units of REACH pixels from
the cell's middle: the half's centre (2), the partner half's centre from there (2), the half's two outer corners (4)."""

REACH = 16.0

TILE_WIDTH, TILE_HEIGHT, MARGIN = 112, 64, 8
"""A straightened tile: both halves 48 pixels, with a margin of its surroundings."""

KINDS = 3
"""What a straightened tile may be: a face, a back, or no tile at all."""

COUNTS = 16


def _step(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions around a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _step(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Detector(nn.Module):
    """Picture (n, 3, h, w) BGR 0..1, sides multiples of 32, to maps (n, MAPS, h / 4, w / 4).

    Plain convolutions at strides 2 to 32 and one way back up to 8; a pixel shuffle brings the answer to stride 4.
    While training it also returns (n, 16, h / 4, w / 4) pip-count scores, so that it learns what pips are.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_step(3, 16, 2), _step(16, 32, 2), _step(32, 32))
        self.eighth = nn.Sequential(_step(32, 64, 2), Residual(64))
        self.sixteenth = nn.Sequential(_step(64, 96, 2), Residual(96), Residual(96))
        self.coarse = nn.Sequential(_step(96, 112, 2), Residual(112))
        self.down_coarse = nn.Sequential(nn.Conv2d(112, 96, 1, bias=False), nn.BatchNorm2d(96))
        self.merge_sixteenth = _step(96, 96)
        self.down_sixteenth = nn.Sequential(nn.Conv2d(96, 64, 1, bias=False), nn.BatchNorm2d(64))
        self.merge_eighth = nn.Sequential(Residual(64), _step(64, 64))
        self.maps = nn.Conv2d(64, MAPS * 4, 1)
        self.counts = nn.Conv2d(64, COUNTS * 4, 1)
        self.shuffle = nn.PixelShuffle(2)
        with torch.no_grad():
            assert self.maps.bias is not None
            self.maps.bias.zero_()
            self.maps.bias[:8] = -4.0  # halves are rare: start by seeing none

    def features(self, x: Tensor) -> Tensor:
        eighth = self.eighth(self.stem(x))
        sixteenth = self.sixteenth(eighth)
        up = nn.functional.interpolate(self.down_coarse(self.coarse(sixteenth)), scale_factor=2.0, mode="nearest")
        sixteenth = self.merge_sixteenth(torch.relu(sixteenth + up))
        up = nn.functional.interpolate(self.down_sixteenth(sixteenth), scale_factor=2.0, mode="nearest")
        out: Tensor = self.merge_eighth(torch.relu(eighth + up))
        return out

    def forward(self, x: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        features = self.features(x)
        maps: Tensor = self.shuffle(self.maps(features))
        if not self.training:
            return torch.cat([torch.sigmoid(maps[:, :2]), maps[:, 2:]], dim=1)
        return maps, self.shuffle(self.counts(features))


class TileReader(nn.Module):
    """Straightened tiles (n, 3, 64, 112) BGR 0..1 to scores (n, 35): kinds, first half's counts, second half's."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(3, 24, 2), _step(24, 32), _step(32, 48, 2), Residual(48), _step(48, 80, 2), Residual(80),
            nn.Conv2d(80, 40, 1, bias=False), nn.BatchNorm2d(40), nn.ReLU(inplace=True), nn.Flatten(),
        )
        inside = 40 * (TILE_WIDTH // 8) * (TILE_HEIGHT // 8)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(inside, 128), nn.ReLU(inplace=True),
                                  nn.Linear(128, KINDS + 2 * COUNTS))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out


class UpperReader(nn.Module):
    """Places with what is around them (n, 3, 64, 96) BGR 0..1 to scores (n, 3): a joint, a tile on the table, one on others."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(3, 16, 2), _step(16, 24), _step(24, 40, 2), Residual(40), _step(40, 64, 2), Residual(64),
            nn.Conv2d(64, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True), nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(24 * 12 * 8, 96), nn.ReLU(inplace=True), nn.Linear(96, 3))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out
