"""Label sets that are kept: a label asked for again is read, not computed, and its bytes are the same."""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from app.storage import LabelKey, StorageError, Store
from app.work import Wish

logger = logging.getLogger(__name__)

CODE = (".py", ".toml", ".json", ".txt")


def keep_label(store: Store, key: LabelKey, body: bytes) -> bytes:
    """The bytes that stand under the key from now on; a label that cannot be kept is answered all the same."""
    try:
        return store.add_label(key, body)
    except StorageError as error:
        logger.warning("a label set was not kept: %s", error.code)
        return body


def label_key(structure: str, selector: str, wish: Wish, part: str) -> LabelKey:
    """The key of a part of a label set: every field of the wish counts. Raises UnknownName for unknown criteria."""
    others = {name: value for name, value in vars(wish).items() if name not in ("criteria", "profile", "hydrogens")}
    return LabelKey(structure, selector, criteria_digest(wish), wish.hydrogens, f"{part} {others}", code_version())


def criteria_digest(wish: Wish) -> str:
    """``all`` stands for every profile of the library, which the version covers."""
    from interactions.criteria import load

    if wish.profile is not None:
        return sha256(wish.profile).hexdigest()
    return "all" if wish.criteria == "all" else load(wish.criteria).digest


@cache
def code_version() -> str:
    """The release and a digest of the library's own files: a changed rule never answers with an old label."""
    from interactions import __version__

    digest = sha256()
    for name, data in sorted(_sources(files("interactions"), "")):
        digest.update(f"{name} {len(data)} ".encode() + data)
    return f"{__version__}+{digest.hexdigest()[:16]}"


def _sources(folder: Traversable, at: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        name = f"{at}/{item.name}"
        if item.is_dir():
            found += _sources(item, name)
        elif name.endswith(CODE):
            found.append((name, item.read_bytes()))
    return found
