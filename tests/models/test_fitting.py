"""The training loop: one that was stopped goes on as if it had not been."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training import fitting  # noqa: E402
from models.training.fitting import begun, done_of, fit  # noqa: E402

STEPS = 6


def network() -> Any:
    torch.manual_seed(3)
    return torch.nn.Linear(4, 2)


def loss_of(model: Any, step: int) -> tuple[Any, dict[str, float]]:
    seen = torch.randn(8, 4, generator=torch.Generator().manual_seed(step))
    loss = (model(seen) - seen[:, :2]).square().mean()
    return loss, {"loss": loss.item()}


def test_what_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "KEPT_EVERY", 2)
    whole = fit(network(), loss_of, tmp_path / "whole.pt", STEPS, 0.05)

    def pulled_out(model: Any, step: int) -> tuple[Any, dict[str, float]]:
        if step == 4:
            raise KeyboardInterrupt
        return loss_of(model, step)

    out = tmp_path / "stopped.pt"
    with pytest.raises(KeyboardInterrupt):
        fit(network(), pulled_out, out, STEPS, 0.05)
    assert done_of(out, STEPS) == 2 and done_of(out, STEPS + 1) == 0
    gone_on = fit(network(), loss_of, out, STEPS, 0.05)
    assert torch.equal(gone_on.weight, whole.weight) and done_of(out, STEPS) == STEPS
    assert not torch.equal(whole.weight, network().weight)


def test_a_network_begins_from_the_averaged_weights_of_another(tmp_path: Path) -> None:
    learned = fit(network(), loss_of, tmp_path / "first.pt", STEPS, 0.05)
    assert torch.equal(begun(network(), tmp_path / "first.pt").weight, learned.weight)
