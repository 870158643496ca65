"""API keys: who may do what. Only sha256 digests are kept; a key has 256 random bits, so no salt is needed."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interactions.errors import InputError, UnknownName

ROLES = ("read", "write", "admin")  # each may do what those before it may
PREFIX = "misi_"
_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9_.-]{1,64})\s+(?P<role>\S+)\s+sha256:(?P<digest>[0-9a-f]{64})(?:\s+(?P<rate>\d+(?:\.\d+)?))?"
)


@dataclass(frozen=True)
class Key:
    """A known key. ``rate``: its own requests a second, None for that of the settings."""

    name: str
    role: str
    digest: str
    rate: float | None = None

    def allows(self, role: str) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def new_key(role: str, name: str) -> tuple[str, str]:
    """A fresh key and the line to configure. Raises UnknownName for a role, InputError (``bad_key``) for a name."""
    secret = PREFIX + secrets.token_urlsafe(32)
    line = f"{name} {role} sha256:{digest_of(secret)}"
    parse_line(line, 1)
    return secret, line


def parse_line(line: str, number: int) -> Key:
    found = _LINE.fullmatch(line.strip())
    if found is None:
        raise InputError(f"API keys, line {number}: expected 'name role sha256:digest [rate]'", code="bad_key")
    if found["role"] not in ROLES:
        raise UnknownName("role", found["role"], ROLES)
    return Key(found["name"], found["role"], found["digest"], float(found["rate"]) if found["rate"] else None)


def parse(text: str) -> tuple[Key, ...]:
    """Keys of lines split by line breaks or ``;``; ``#`` starts a comment.

    Raises InputError (``bad_key``) where a line is no key, a name stands twice, or none is named: a setting that is
    there but empty must not open the service.
    """
    lines = [line.split("#")[0].strip() for line in re.split(r"[\n;]", text)]
    keys = tuple(parse_line(line, number) for number, line in enumerate(lines, 1) if line)
    if not keys:
        raise InputError("API keys are configured but none is named; unset the setting to go without", code="bad_key")
    if len({key.name for key in keys}) < len(keys):
        raise InputError("API keys: a name stands twice", code="bad_key")
    return keys


def configured(text: str | None, path: Path | None) -> tuple[Key, ...]:
    """Keys of the setting and of the file together; empty only where neither is set."""
    texts = [] if text is None else [text]
    if path is not None:
        try:
            texts.append(path.read_text("utf-8"))
        except OSError as error:
            raise InputError(f"the file of API keys cannot be read: {error.strerror}", code="bad_key") from error
    return parse("\n".join(texts)) if texts else ()


def find(keys: Sequence[Key], secret: str) -> Key | None:
    """The key with this secret; every digest is compared, each in constant time."""
    digest = digest_of(secret)
    found = None
    for key in keys:
        if hmac.compare_digest(key.digest, digest):
            found = key
    return found
