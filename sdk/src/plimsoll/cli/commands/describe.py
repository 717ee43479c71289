"""``plimsoll describe``: a model as the ``model`` object of a request."""

from __future__ import annotations

import click

from plimsoll import NotInstalled, UnreadableFile
from plimsoll import describe as described
from plimsoll.cli import page
from plimsoll.cli.exit_status import ANSWERED
from plimsoll.cli.failures import refused


def _shape(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise refused(f"--shape: whole numbers with commas expected, such as 3,224,224, not '{text}'")
    return tuple(int(part) for part in parts)


@click.command()
@click.argument("source")
@click.option("--shape", metavar="NUMBERS", help="Shape of one sample, such as 3,224,224, or 128 for 128 tokens.")
@click.option("--family", metavar="TEXT", help="The model's family, where it is not recognised, such as cnn.")
@click.option("--name", metavar="TEXT", help="Its name in the answer.")
def describe(source: str, shape: str | None, family: str | None, name: str | None) -> int:
    """Print the model object of SOURCE as JSON.

    SOURCE is a Hugging Face config.json or its folder, a .safetensors, .onnx, .keras or .h5 file, or a PyTorch module
    as PACKAGE.MODULE:FACTORY. Values that were not found are named on standard error.
    """
    try:
        found = described(source, shape=_shape(shape), family=family, name=name)
    except (NotInstalled, UnreadableFile) as error:
        raise refused(str(error)) from error
    page.as_json(found.model)
    for one in found.unseen:
        click.echo(f"plimsoll: not seen: {one}", err=True)
    return ANSWERED
