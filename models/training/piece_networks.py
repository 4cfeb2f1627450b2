"""The two networks for piecepack pieces and chips: one finds them on the straightened table, the other reads one of them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.networks import Residual, _step

CELL = 4
"""Pixels a cell of the finder's output is wide."""

HEATS = 3
"""Heat of discs (coins and chips), dice, pawns."""

MAPS = 8
"""What the finder says per cell: the three heats; from the cell's middle, in units of REACH pixels, the middle of the
upper face (2) and of the foot (2); the logarithm of the upper face's radius over RADIUS pixels."""

REACH, RADIUS = 16.0, 10.0

CROP = 40
"""Pixels that a piece's crop is wide and high."""

KINDS, SUITS, VALUES, COLOURS, TRAITS = 6, 4, 6, 11, 48
"""What the reader says: kinds (coin's suit side, coin's value side, die, pawn, chip, none of them), suits, values, colours
of chips, and traits: a direction in which pieces of one set that show the same lie close together."""

NAMED = KINDS + SUITS + VALUES + COLOURS


class PieceFinder(nn.Module):
    """Table view (n, 3, h, w) BGR 0..1, sides multiples of 16, to maps (n, MAPS, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.eighth = nn.Sequential(_step(3, 12, 2), _step(12, 24, 2), _step(24, 40, 2), _step(40, 40))
        self.sixteenth = nn.Sequential(_step(40, 64, 2), Residual(64), Residual(64))
        self.down = nn.Sequential(nn.Conv2d(64, 40, 1, bias=False), nn.BatchNorm2d(40))
        self.merge = Residual(40)
        self.maps = nn.Conv2d(40, MAPS * 4, 1)
        self.shuffle = nn.PixelShuffle(2)
        with torch.no_grad():
            assert self.maps.bias is not None
            self.maps.bias.zero_()
            self.maps.bias[: HEATS * 4] = -4.0  # pieces are rare: start by seeing none

    def forward(self, x: Tensor) -> Tensor:
        eighth = self.eighth(x)
        up = nn.functional.interpolate(self.down(self.sixteenth(eighth)), scale_factor=2.0, mode="nearest")
        maps: Tensor = self.shuffle(self.maps(self.merge(torch.relu(eighth + up))))
        if self.training:
            return maps
        return torch.cat([torch.sigmoid(maps[:, :HEATS]), maps[:, HEATS:]], dim=1)


class PieceReader(nn.Module):
    """Crops (n, 3, CROP, CROP) BGR 0..1 to scores (n, NAMED + TRAITS); the traits have length 1."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _step(3, 12), _step(12, 24, 2), _step(24, 40, 2), Residual(40), _step(40, 72, 2), Residual(72),
            nn.Flatten(), nn.Dropout(0.05), nn.Linear(72 * 16, 160), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.head = nn.Linear(160, NAMED + TRAITS)
        self.sharpness = nn.Parameter(torch.tensor(2.5))

    def forward(self, x: Tensor) -> Tensor:
        out = self.head(self.body(nn.functional.interpolate(x, size=32, mode="bilinear")))
        return torch.cat([out[:, :NAMED], nn.functional.normalize(out[:, NAMED:], dim=1)], dim=1)
