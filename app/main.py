"""The FastAPI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app import description, docs, errors
from app.example import example_upload
from app.protection import protect
from app.routes import health, labels, metrics, structures
from app.settings import Settings
from app.store import SQLiteStore


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.store = SQLiteStore(app.state.settings.database)
    if app.state.settings.example is not None:
        app.state.store.add(example_upload(app.state.settings.example))
    try:
        yield
    finally:
        app.state.store.close()


def create_app(settings: Settings | None = None) -> FastAPI:
    """A new application; nothing is shared between two of them."""
    settings = settings or Settings()
    app = FastAPI(title="misi-oracle", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    protect(app, settings)
    errors.install(app)
    for module in (health, labels, metrics, structures):
        app.include_router(module.router)
    description.install(app)
    docs.install(app)
    return app
