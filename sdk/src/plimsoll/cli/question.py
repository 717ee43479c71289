"""A question from a file and options, and the option or place that a JSON pointer into it refers to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plimsoll.cli.documents import read_document
from plimsoll.cli.failures import guess, refused
from plimsoll.cli.fields import FIELDS, MEASUREMENT, PATHS
from plimsoll.errors import UnreadableFile
from plimsoll.measurements import measurements_of

MEMBERS = ("workload", "constraints", "objective", "limit", "group")
# Members of a plan of `plimsoll check` beside its question.
PLAN_MEMBERS = ("snapshot", "baseline", "limits")
# Query parameters that are not part of a question.
_ELSEWHERE = {"format": "--output", "snapshot": "--snapshot"}


@dataclass(frozen=True)
class Question:
    """The members of a question; ``said`` are the options given, ``file`` is the source of the rest."""

    members: dict[str, Any]
    said: frozenset[str] = frozenset()
    file: str | None = None
    snapshot: str | None = None
    machines: tuple[str, ...] = field(default=())

    @property
    def whole(self) -> Any:
        """Its members as one question of a batch, which the service checks."""
        return self.members

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the client's methods except the workload."""
        return {name: value for name, value in self.members.items() if name != "workload"}

    @property
    def for_given_machines(self) -> dict[str, Any]:
        """The arguments without the number of recommendations."""
        return {name: value for name, value in self.arguments.items() if name != "limit"}

    @property
    def workload(self) -> Any:
        """The workload, which the service checks."""
        return self.members["workload"]

    def prices(self, snapshot: str | None) -> str | None:
        """Return the version of the prices to use: the option's, even if empty, before the file's."""
        return self.snapshot if snapshot is None else snapshot

    def place(self, pointer: str) -> str:
        """Return the option that a fault's pointer refers to, else its place in the file."""
        parts = tuple(pointer.strip("/").split("/"))
        if parts[0] == "on":
            return self._machine(parts[1:])
        if parts[:2] == ("workload", "measurements") and MEASUREMENT in self.said:
            return ": ".join((f"--{MEASUREMENT}", *parts[2:]))
        for name, path in PATHS.items():
            if parts[: len(path)] == path and (name in self.said or self.file is None):
                return FIELDS[name].option
        if parts[0] in _ELSEWHERE:
            return _ELSEWHERE[parts[0]]
        return f"{self.file}: {pointer}" if self.file is not None else pointer

    def _machine(self, parts: tuple[str, ...]) -> str:
        if not parts:
            return "MACHINE"
        if parts[0].isdigit() and int(parts[0]) < len(self.machines):
            return ": ".join((self.machines[int(parts[0])], *parts[1:]))
        return ": ".join((*self.machines, *parts))


def question_of(file: str | None, options: Mapping[str, Any], machines: tuple[str, ...] = ()) -> Question:
    """Return the question of a file, overridden by options; raises ``click.ClickException``."""
    document = read_document(file) if file is not None else {"workload": {}}
    return question_from(document, file, options, machines)


def question_from(
    document: Any, file: str | None, options: Mapping[str, Any], machines: tuple[str, ...] = ()
) -> Question:
    """Return the question of a document, overridden by options."""
    asked = members_of(document, file)
    options = dict(options)
    files = options.pop(MEASUREMENT, ())
    said = {name: _value(name, value) for name, value in options.items() if value not in (None, ())}
    for name, value in said.items():
        _put(asked, PATHS[name], value, file)
    if not asked["workload"]:
        raise refused("describe the work: --task training --model resnet50, or --workload FILE")
    if files:
        asked["workload"] = _with_measurements(asked["workload"], files)
    members = {name: asked[name] for name in MEMBERS if name in asked}
    snapshot = asked.get("snapshot")
    return Question(
        members,
        frozenset((*said, MEASUREMENT) if files else said),
        file,
        None if snapshot is None else str(snapshot),
        machines,
    )


def _with_measurements(workload: Mapping[str, Any], files: Sequence[str]) -> dict[str, Any]:
    """Return the workload with the measurements of the files behind its own."""
    found = list(workload.get("measurements") or ())
    for file in files:
        try:
            found += measurements_of(read_document(file), file)
        except UnreadableFile as error:
            raise refused(str(error)) from error
    return {**workload, "measurements": found}


def members_of(document: Any, file: str | None) -> dict[str, Any]:
    """Return the members of a question, a plan or a bare workload; raises ``click.ClickException``."""
    if not isinstance(document, Mapping):
        raise refused(f"{file}: an object expected, such as a workload")
    if "plans" in document:
        raise refused(f"{file}: holds several plans, which `plimsoll check` reads")
    if "workload" not in document:
        return {"workload": dict(document)}
    known = (*MEMBERS, *PLAN_MEMBERS)
    faults = [f"  {file}: /{name}: unknown member{guess(name, known)}" for name in document if name not in known]
    faults += [
        f"  {file}: /{name}: must be an object"
        for name in ("workload", "constraints")
        if not isinstance(document.get(name, {}), Mapping)
    ]
    if faults:
        raise refused("\n".join(["the question cannot be read:", *faults]))
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in document.items()}


def _value(name: str, given: Any) -> Any:
    if isinstance(given, tuple):
        return [part for text in given for part in FIELDS[name].value(text)]
    return FIELDS[name].value(given) if isinstance(given, str) else given


def _put(document: dict[str, Any], path: tuple[str, ...], value: Any, file: str | None) -> None:
    *parents, last = path
    for depth, parent in enumerate(parents):
        below = document.get(parent)
        if below is not None and not isinstance(below, Mapping):
            raise refused(f"{file}: /{'/'.join(parents[: depth + 1])}: must be an object")
        document[parent] = dict(below or {})
        document = document[parent]
    document[last] = value
