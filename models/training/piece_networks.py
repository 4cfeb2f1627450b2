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

RADII, ANGLES = 18, 64
"""A piece's crop unwrapped around its middle: rings from the middle outwards, and directions."""

KINDS, SUITS, VALUES, COLOURS, TRAITS = 6, 4, 6, 11, 48
"""What the reader says: kinds (coin's suit side, coin's value side, die, pawn, chip, none of them), suits, values, colours
of chips, and traits: a direction in which pieces of one set that show the same lie close together."""

NAMED = KINDS + SUITS + VALUES + COLOURS


class PieceFinder(nn.Module):
    """Table view (n, 3, h, w) BGR 0..1, sides multiples of 16, to maps (n, MAPS, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.eighth = nn.Sequential(_step(3, 16, 2), _step(16, 32, 2), _step(32, 56, 2), Residual(56))
        self.sixteenth = nn.Sequential(_step(56, 88, 2), Residual(88), Residual(88))
        self.down = nn.Sequential(nn.Conv2d(88, 56, 1, bias=False), nn.BatchNorm2d(56))
        self.merge = Residual(56)
        self.maps = nn.Conv2d(56, MAPS * 4, 1)
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


class _Around(nn.Module):
    """A convolution that knows that the last angle lies beside the first."""

    def __init__(self, inside: int, outside: int, stride: tuple[int, int] = (1, 1), bend: bool = True) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 3, stride, (1, 0), bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.bend = bend

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm(self.conv(torch.cat([x[..., -1:], x, x[..., :1]], dim=3)))
        return torch.relu(out) if self.bend else out


class _ResidualAround(nn.Module):
    """Two of them around a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = _Around(channels, channels), _Around(channels, channels, bend=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class PieceReader(nn.Module):
    """Unwrapped crops (n, 3, RADII, ANGLES) BGR 0..1 to scores (n, NAMED + TRAITS); the traits have length 1.

    A turned piece is the same picture shifted along the angles; the features' mean and maximum over all angles do not
    change then, so the network need not learn that a 3 lying on its side is a 3.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _Around(3, 20), _Around(20, 40, (2, 2)), _Around(40, 64, (2, 2)), _ResidualAround(64),
            _Around(64, 96, (1, 2)), _ResidualAround(96),
        )  # fmt: skip
        rings = -(-RADII // 4)
        self.mix = nn.Sequential(nn.Dropout(0.05), nn.Linear(2 * 96 * rings, 192), nn.ReLU(inplace=True))
        self.head = nn.Linear(192, NAMED + TRAITS)
        self.sharpness = nn.Parameter(torch.tensor(2.5))

    def forward(self, x: Tensor) -> Tensor:
        around = self.body(x)
        flat = torch.cat([around.mean(dim=3), around.amax(dim=3)], dim=1).flatten(1)
        out = self.head(self.mix(flat))
        return torch.cat([out[:, :NAMED], nn.functional.normalize(out[:, NAMED:], dim=1)], dim=1)
