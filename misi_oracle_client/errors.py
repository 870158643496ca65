"""What can go wrong in a client; a bad model answer is no error."""

from __future__ import annotations


class ClientError(Exception):
    """``code`` is the service's machine code, or ``unavailable`` where it could not be reached in all tries."""

    def __init__(self, code: str, message: str, status: int | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status
