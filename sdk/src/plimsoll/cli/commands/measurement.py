"""``plimsoll measurement``: results of another tool, in the form of ``workload.measurements``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll import UnreadableFile, read_measurement
from plimsoll.cli import page
from plimsoll.cli.exit_status import ANSWERED
from plimsoll.cli.failures import refused
from plimsoll.cli.fields import FIELDS
from plimsoll.cli.machines import machine_of
from plimsoll.names import FIELDS_OF_MEASUREMENTS

_SAID = sorted(FIELDS_OF_MEASUREMENTS & FIELDS.keys())

_PARAMS: list[click.Parameter] = [
    click.Argument(["file"], type=click.Path(dir_okay=False)),
    click.Option(["--on", "machine"], metavar="MACHINE", help="The machine that it ran on, as in `plimsoll estimate`."),
    click.Option(
        ["--tokens-per-sample"], type=click.FloatRange(min=0, min_open=True), metavar="NUMBER",
        help="Tokens of a sample: turns samples/s into tokens/s.",
    ),
    *(
        click.Option([FIELDS[name].option, name], metavar=FIELDS[name].kind.upper(), help=FIELDS[name].help)
        for name in _SAID
    ),
]  # fmt: skip


@click.command(params=_PARAMS)
def measurement(file: str, machine: str | None, tokens_per_sample: float | None, **said: str | None) -> int:
    """Print the measurements of FILE as JSON for --measurement.

    FILE is a result of vllm bench serve, sglang.bench_serving, trtllm-bench, genai-perf, llama-bench, the Hugging
    Face Trainer, PyTorch Lightning or nvidia-smi, recognised by its content. The values that it lacks are named on
    standard error.
    """
    given: dict[str, Any] = {name: FIELDS[name].value(text) for name, text in said.items() if text is not None}
    try:
        found = read_measurement(
            file, None if machine is None else machine_of(machine), tokens_per_sample=tokens_per_sample, **given
        )
    except UnreadableFile as error:
        raise refused(str(error)) from error
    if any("on" not in one for one in found.measurements):
        raise refused(f"{file}: {found.tool} does not say the hardware; add --on, such as --on aws/g5.xlarge")
    page.as_json(found.measurements[0] if len(found.measurements) == 1 else found.measurements)
    for one in found.unseen:
        click.echo(f"plimsoll: {found.tool} does not say {one}", err=True)
    return ANSWERED
