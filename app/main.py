"""The FastAPI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from app import errors
from app.example import example_upload
from app.limit import UploadLimit
from app.questions import MemoryQuestions
from app.routes import compat, health, labels, questions, structures, verify
from app.sealing import Sealer
from app.settings import Settings
from app.store import SQLiteStore


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.sealer.ready()
    app.state.store = SQLiteStore(app.state.settings.database)
    if app.state.settings.example is not None:
        app.state.store.add(example_upload(app.state.settings.example))
    try:
        yield
    finally:
        app.state.store.close()


def docs() -> HTMLResponse:
    return HTMLResponse((files("app") / "docs.html").read_text("utf-8"))


def create_app(settings: Settings | None = None) -> FastAPI:
    """A new application; nothing is shared between two of them."""
    settings = settings or Settings()
    app = FastAPI(title="misi-oracle", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.state.questions = MemoryQuestions(settings.max_questions)
    app.state.sealer = Sealer(settings.secret and settings.secret.get_secret_value())
    app.add_middleware(UploadLimit, limit=settings.max_upload_bytes)
    errors.install(app)
    for module in (health, labels, structures, questions, verify, compat):
        app.include_router(module.router)
    app.add_api_route("/docs", docs, include_in_schema=False)
    return app
