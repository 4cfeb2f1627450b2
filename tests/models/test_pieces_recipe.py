"""The whole recipe of the networks for pieces, tiny: what comes out runs; and what the reader is taught about sets."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from calibration.profile import Profile  # noqa: E402
from models.training import piece_crops  # noqa: E402
from models.training.piece_crops import MOST, Pictures, mine, unwrapped  # noqa: E402
from models.training.piece_data import PieceShard, _write, load_shards  # noqa: E402
from models.training.piece_networks import PieceFinder  # noqa: E402
from models.training.piece_networks import PieceReader as MarksNetwork  # noqa: E402
from models.training.pieces import PLANS, as_bytes, run  # noqa: E402
from models.training.thaw import thaw  # noqa: E402
from models.training.train_pieces import set_loss  # noqa: E402
from vision.piece_crops import CROP, crop_window  # noqa: E402
from vision.piece_crops import unwrapped as vision_unwrapped  # noqa: E402
from vision.piece_finds import DISC_MM, FORMS, PAWN_MM  # noqa: E402
from vision.pieces import PieceReader  # noqa: E402


def test_the_recipe_makes_networks_and_resumes(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    profile = Profile((320, 240), np.diag([1.0, 1.0, 1.0]), (0, 0, 320, 240), "corners", 0.0)
    reader = PieceReader(threads=1, models=out)
    reader.read(np.full((240, 320, 3), 90, np.uint8), profile)
    before = (work / "reader.pt").stat().st_mtime_ns
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    assert (work / "reader.pt").stat().st_mtime_ns == before  # finished work is kept


def test_a_shipped_network_can_be_trained_on() -> None:
    models = Path(__file__).parents[2] / "models"
    views = np.random.default_rng(1).integers(0, 255, (4, 96, 96, 3)).astype(np.uint8)
    tensor = torch.from_numpy(views).permute(0, 3, 1, 2).float() / 255
    network = thaw(PieceFinder(), models / "pieces.onnx", tensor).eval()
    shipped = onnxruntime.InferenceSession(str(models / "pieces.onnx")).run(None, {"picture": views[:1]})[0]
    with torch.no_grad():
        again = network(tensor[:1]).numpy()
    assert np.abs(again - shipped).mean() < 0.1 * np.abs(shipped).mean()  # 8 bits and folded norms, no more
    network.train()
    with torch.no_grad():
        taught = torch.sigmoid(network(tensor)[:1, :3]).numpy()
    assert np.abs(taught - again[:, :3]).max() < 0.2
    with pytest.raises(ValueError, match="does not hold the layers of PieceReader"):
        thaw(MarksNetwork(), models / "pieces.onnx", torch.zeros(2, 3, 18, 64))


def test_sides_that_look_alike_cost_more_than_sides_that_differ() -> None:
    apart = torch.eye(4)[None, [0, 0, 1, 1, 2, 2]]
    names = torch.tensor([[5, 5, 6, 6, 7, 7]])
    crowded = torch.nn.functional.normalize(apart + 2.0, dim=2)
    sharpness = torch.tensor(2.5)
    assert float(set_loss(apart, names, sharpness)) < 0.1 < float(set_loss(crowded, names, sharpness))
    # of another edition the same sides may look alike
    two, other = torch.cat([apart, apart]), torch.cat([names, torch.tensor([[8, 8, 5, 5, 6, 6]])])
    assert float(set_loss(two, other, sharpness)) == pytest.approx(float(set_loss(apart, names, sharpness)))
    # a crop on its own has nobody to be named by, and what is no piece is not asked
    assert float(set_loss(apart[:, :1], names[:, :1], sharpness)) == 0.0
    assert float(set_loss(apart, torch.full((1, 6), -1), sharpness)) == 0.0


@pytest.fixture(scope="module")
def drawn() -> tuple[PieceShard, Pictures]:
    with TemporaryDirectory() as folder:
        _write(Path(folder), 3, 1, 5)
        shard = load_shards(Path(folder))[0]
        out = Pictures(len(shard.images), torch.device("cpu"))
        out.add(shard, np.random.default_rng(1))
    return shard, out


def test_crops_to_learn_from_are_cut_as_those_that_are_read(drawn: tuple[PieceShard, Pictures]) -> None:
    shard, pictures = drawn
    warp = np.array([[1.3, -0.4, 180.0], [0.5, 1.2, 160.0], [0.0004, 0.0002, 1.0]])
    ours = pictures.cut(torch.tensor([2]), torch.from_numpy(warp[None].astype(np.float32)), CROP)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    theirs = cv2.warpPerspective(np.array(shard.images[2]), warp, (CROP, CROP), flags=flags)[None]
    assert np.abs(as_bytes(ours).astype(int) - theirs).mean() < 1.0
    rings = as_bytes(unwrapped(torch.from_numpy(theirs).permute(0, 3, 1, 2).float() / 255)).astype(int)
    assert np.abs(rings - vision_unwrapped(theirs)).mean() < 1.0


def test_windows_to_learn_from_lie_where_those_that_are_read_do(
    drawn: tuple[PieceShard, Pictures], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, pictures = drawn
    for name in ("SIZE_OFF", "PLACE_OFF", "PAWN_OFF"):
        monkeypatch.setattr(piece_crops, name, 0.0)
    things, kind = pictures.things[0], pictures.kind[0]
    for form, word in enumerate(FORMS):
        at = next(k for k in range(MOST) if piece_crops.FORM_OF[kind[k].clamp(max=4)] == form)
        own = torch.tensor([form])
        middle, half = piece_crops._windows(things[at : at + 1], own, own, torch.Generator())
        top, foot, radius = (part.numpy() for part in (things[at, :2], things[at, 2:4], things[at, 4]))
        high = {"disc": DISC_MM, "die": 2 * radius, "pawn": float(things[at, 5])}[word]
        foot = top + (foot - top) * high / float(things[at, 5])
        if word == "pawn":
            top = foot + (top - foot) * PAWN_MM / high
        wanted, reach = crop_window(word, top, foot, float(radius * np.exp(0.04)))
        assert middle[0].numpy() == pytest.approx(wanted, abs=0.1)  # dice are as high as wide, and seen 4 % larger
        assert float(half[0]) == pytest.approx(float(reach), rel=1e-4)


def test_what_the_finder_takes_for_pieces_becomes_something_to_tell_from_them(drawn: tuple[PieceShard, Pictures]) -> None:
    _, pictures = drawn

    def sees_a_coin_in_every_sixth_cell(_: Any, shown: tuple[Any], maps: Any) -> Any:
        maps = torch.zeros_like(maps)
        maps[:, 0, 3::6, 3::6] = 0.9
        return maps

    finder = PieceFinder()
    finder.register_forward_hook(sees_a_coin_in_every_sixth_cell)
    before = pictures.kind.clone()
    laid = (before < piece_crops.EMPTY).sum()
    assert mine(pictures, finder) > 20
    assert (pictures.kind < piece_crops.EMPTY).sum() == laid
    new = (before == piece_crops.VOID) & (pictures.kind == piece_crops.EMPTY)
    assert new.sum() > 20
    for index in range(pictures.count):
        pieces = pictures.things[index][before[index] < piece_crops.EMPTY]
        for spot in pictures.things[index][new[index]]:
            assert ((pieces[:, :2] - spot[:2]).norm(dim=1) > 0.5 * pieces[:, 4]).all()
