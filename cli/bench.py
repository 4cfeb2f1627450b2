"""The command that times the reader, the live table and the rules on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.common import Finite, open_reader, progress
from cli.rules import bench_rules, bench_rules_text

STANDIN = "a stand-in (no reference file given: a graph laid out as YOLO11n is, 2.6 M parameters, 3.2 GMAC, random weights)"


@click.command()
@click.option(
    "--reference", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.onnx",
    help="The network to time beside the reader; without it a stand-in laid out as YOLO11n is.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure.")
@click.option("--runs", type=click.IntRange(3, 1000), default=15, show_default=True, help="Of each, taken in turn.")
@click.option("--rules", "of_rules", is_flag=True, help="Time the rules of the games beside python-chess instead.")
@click.option("--hints", "of_hints", is_flag=True, help="Time first hints, and the referee beside a hint, instead.")
@click.option("--seconds", type=Finite(0.1), default=5.0, show_default=True, help="For each game, with --rules.")
@click.option("--rounds", type=click.IntRange(1, 100), default=2, show_default=True, help="Games either way, with --hints.")
def bench(reference: Path | None, as_json: bool, runs: int, of_rules: bool, of_hints: bool, seconds: float, rounds: int) -> None:
    """Time the reader here beside a reference network, on one thread and on two; or the rules of the games, or hints."""
    if of_hints:
        from trials.hint_timing import time_hints

        with progress("Timing", rounds + 1) as done:
            timed = time_hints(open_reader(threads=2), rounds, done)
        click.echo(json.dumps(timed.as_object()) if as_json else "\n".join(timed.as_text()))
        return
    if of_rules:
        told = bench_rules(seconds)
        click.echo(json.dumps(told) if as_json else "\n".join(bench_rules_text(told)))
        return
    from trials import bench as timing
    from trials.table_timing import time_table
    from vision.photo_reader import PhotoReader

    try:
        network = reference.read_bytes() if reference else _standin()
        open_reader(threads=1)  # says in one sentence what is missing, before anything takes time
        photo = timing.table_photo(timing.TIMED_SIZE)
        with progress("Timing", len(timing.THREADS) + 2) as done:
            timings = timing.bench(lambda threads: PhotoReader(open_reader(threads)).read, photo, network, runs, done)
            memory_mb = timing.peak_memory_mb(timing.table_photo(timing.PHONE_SIZE))
            done()
            table = time_table(open_reader(threads=2), timing.open_reference(network, 2), runs)
            done()
    except (OSError, ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    name = str(reference) if reference else STANDIN
    if as_json:
        click.echo(json.dumps(timing.as_object(timings, name, memory_mb) | table.as_object()))
    else:
        click.echo("\n".join([*timing.as_text(timings, name, memory_mb), *table.as_text()]))


def _standin() -> bytes:
    try:
        from trials.standin import standin_model
    except ImportError as error:
        raise click.ClickException(
            "The stand-in network is built with onnx, which is missing: pip install 'kibitz[bench]', or name a --reference."
        ) from error
    return standin_model()


COMMANDS = (bench,)
