"""Self-contained questions: the truth travels with the question, encrypted, and cannot be forged.

A token is ``mo1.`` and, in URL-safe base64, a nonce and the AES-256-GCM ciphertext of id, kind, complex and answer,
filled up in steps of 512 bytes: its length tells a list of two dozen bonds from a short answer, nothing more.
"""

from __future__ import annotations

import base64
import logging
import os
from functools import cached_property, lru_cache

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.questions import Question
from interactions.errors import InputError

PREFIX = "mo1."
MIN_SECRET = 16  # characters
MAX_TOKEN = 1 << 18  # characters
_STEP = 512  # bytes: plain texts are filled up to a multiple
_NONCE = 12  # bytes
_PURPOSE = b"misi-oracle sealed question 1"
_CACHED = 16_384  # opened tokens: a rollout asks for each many times

logger = logging.getLogger(__name__)


class Sealer:
    """Seals and opens questions with a key made from a secret; without a secret, with a key of this process alone."""

    def __init__(self, secret: str | None) -> None:
        self._secret = secret
        self.open_sealed = lru_cache(_CACHED)(self._open)

    @cached_property
    def _cipher(self) -> AESGCM:
        return AESGCM(_key(self._secret))

    def ready(self) -> None:
        """Makes the key, and warns where there is no secret. Raises InputError (``weak_secret``)."""
        _ = self._cipher

    def seal(self, question: Question) -> str:
        """A token that only this secret makes and opens."""
        plain = orjson.dumps([question.id, question.kind, question.complex, question.answer])
        filled = plain.ljust(-(-len(plain) // _STEP) * _STEP)
        nonce = os.urandom(_NONCE)
        return PREFIX + base64.urlsafe_b64encode(nonce + self._cipher.encrypt(nonce, filled, _PURPOSE)).decode()

    def _open(self, token: str) -> Question:
        """The question of a token. Raises InputError (``bad_seal``) for one that was forged, altered, or sealed
        with another secret."""
        data = _bytes(token)
        try:
            plain = self._cipher.decrypt(data[:_NONCE], data[_NONCE:], _PURPOSE)
        except (InvalidTag, ValueError) as error:
            raise _refused() from error
        return Question(*orjson.loads(plain))


def _key(secret: str | None) -> bytes:
    if secret is None:
        logger.warning("no MISI_ORACLE_SECRET: sealed questions open in this process alone, and until it ends")
        return AESGCM.generate_key(256)
    if len(secret) < MIN_SECRET:
        raise InputError(f"MISI_ORACLE_SECRET has fewer than {MIN_SECRET} characters", code="weak_secret")
    return HKDF(SHA256(), 32, salt=None, info=_PURPOSE).derive(secret.encode())


def _bytes(token: str) -> bytes:
    if not token.startswith(PREFIX) or len(token) > MAX_TOKEN:
        raise _refused()
    text = token[len(PREFIX) :]
    try:
        data = base64.b64decode(text, altchars=b"-_", validate=True)
    except ValueError as error:
        raise _refused() from error
    if base64.urlsafe_b64encode(data).decode() != text:  # loose bits at the end would give a second spelling
        raise _refused()
    return data


def _refused() -> InputError:
    return InputError("the sealed question was not made here, or was altered", code="bad_seal")
