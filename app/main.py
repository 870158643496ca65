"""The FastAPI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from anyio import to_thread
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from app import errors
from app.example import example_upload
from app.limit import UploadLimit
from app.routes import health, labels, structures
from app.settings import Settings
from app.storage import open_store


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.store = await to_thread.run_sync(open_store, app.state.settings.database)
    if app.state.settings.example is not None:
        await to_thread.run_sync(app.state.store.add, example_upload(app.state.settings.example))
    try:
        yield
    finally:
        await to_thread.run_sync(app.state.store.close)


def docs() -> HTMLResponse:
    return HTMLResponse((files("app") / "docs.html").read_text("utf-8"))


def create_app(settings: Settings | None = None) -> FastAPI:
    """A new application; nothing is shared between two of them."""
    settings = settings or Settings()
    app = FastAPI(title="misi-oracle", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.add_middleware(UploadLimit, limit=settings.max_upload_bytes)
    errors.install(app)
    for module in (health, labels, structures):
        app.include_router(module.router)
    app.add_api_route("/docs", docs, include_in_schema=False)
    return app
