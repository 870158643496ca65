"""The FastAPI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI

from app import description, docs, errors
from app.example import example_upload
from app.jobs.base import Tools
from app.jobs.runner import Place, Runner
from app.protection import protect
from app.questions import Questions
from app.results import Fresh, Results
from app.routes import answers, compat, health, jobs, labels, metrics, questions, runs, structures, verify
from app.sealing import Sealer
from app.settings import Settings
from app.storage import open_store
from app.worker_process import Limits
from app.workers import Pool, Rules, Threads

NICE = 19
BULK_SECONDS = 600.0  # of a call of a job


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    app.state.sealer.ready()
    store = await to_thread.run_sync(open_store, settings.database, settings.storage_seconds)
    app.state.store = store
    app.state.results = Results(settings.cache_bytes)
    app.state.selectors = Fresh()
    app.state.questions = Questions(store, max(settings.max_questions, settings.max_batch_rows))
    app.state.pool = pool_of(settings)
    if settings.example is not None:
        await to_thread.run_sync(store.add, example_upload(settings.example))
    app.state.runner = Runner(Tools(store, app.state.sealer), bulk_place(settings))
    app.state.pool.start()
    app.state.runner.start()
    try:
        yield
    finally:
        await app.state.runner.stop()
        await to_thread.run_sync(app.state.pool.stop)
        await to_thread.run_sync(store.close)


def pool_of(settings: Settings) -> Pool | Threads:
    """Workers as the settings say; threads where there are to be none."""
    if settings.workers == 0:
        return Threads()
    limits = Limits(memory=settings.job_memory_bytes)
    return Pool(Rules(settings.workers, settings.job_seconds, settings.job_queue, limits))


def bulk_place(settings: Settings) -> Place:
    """Where jobs run: niced, beside the workers that answer requests."""
    if settings.workers == 0:
        return Place(Threads(), 1, settings.job_lease)
    limits = Limits(memory=settings.job_memory_bytes, nice=NICE)
    rules = Rules(settings.bulk_workers, BULK_SECONDS, settings.bulk_workers, limits)
    return Place(Pool(rules), settings.bulk_workers, settings.job_lease)


def create_app(settings: Settings | None = None) -> FastAPI:
    """A new application; nothing is shared between two of them."""
    settings = settings or Settings()
    app = FastAPI(title="misi-oracle", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.state.sealer = Sealer(settings.secret and settings.secret.get_secret_value())
    protect(app, settings)
    errors.install(app)
    for module in (health, labels, metrics, structures, questions, verify, answers, jobs, runs, compat):
        app.include_router(module.router)
    description.install(app)
    docs.install(app)
    return app
