"""Everything that stands between a request and its route, in one place and in order."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from app import keys
from app.envelope import Envelope
from app.guard import Guard
from app.limit import FORM_OVERHEAD, UploadLimit
from app.metrics import Metrics
from app.settings import Settings
from app.unpack import Unpack

SEEN_BY_SCRIPTS = ("etag", "location", "retry-after", "x-request-id")


def known_keys(settings: Settings) -> tuple[keys.Key, ...]:
    text = None if settings.api_keys is None else settings.api_keys.get_secret_value()
    return keys.configured(text, settings.api_keys_file)


def protect(app: FastAPI, settings: Settings) -> None:
    """Middlewares; the last one added meets the request first."""
    app.state.metrics = Metrics()
    app.add_middleware(UploadLimit, limit=settings.max_upload_bytes, patience=settings.patience)
    app.add_middleware(Unpack, limit=2 * settings.max_upload_bytes + FORM_OVERHEAD)
    app.add_middleware(Guard, keys=known_keys(settings), rate=settings.rate_limit, burst=settings.rate_burst)
    origins = [origin.strip() for origin in settings.cors_origins.split(",") if origin.strip()]
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-encoding", "content-type", "if-none-match", "x-api-key"],
            expose_headers=list(SEEN_BY_SCRIPTS),
        )
    app.add_middleware(Envelope, metrics=app.state.metrics)
