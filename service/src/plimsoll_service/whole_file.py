"""Files that are replaced in one step: readers see the old content or the new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

PRIVATE, PUBLIC = 0o600, 0o644
_PERMISSIONS = 0o777


def write_whole(path: Path, content: bytes, mode: int = PRIVATE, *, keep: bool = False) -> None:
    """Write a file, in a directory that is made if it is missing; ``keep``: with the owner and permissions it has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.stat() if keep and path.exists() else None
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), before.st_mode & _PERMISSIONS if before else mode)
            if before and (before.st_uid, before.st_gid) != (os.getuid(), os.getgid()):
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
