"""The commands serve and keys."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interactions.errors import InputError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from app.settings import Settings

DRAIN_SECONDS = 15  # for requests under way when the service stops
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]*@")
_SECRET = re.compile(r"key|secret|token|password")


def load_settings(asked: dict[str, Any]) -> Settings:
    """Settings of the environment and of the command line. Raises InputError (``bad_setting``)."""
    from pydantic import ValidationError

    from app.settings import Settings

    try:
        return Settings(**{name: value for name, value in asked.items() if value is not None})
    except ValidationError as error:
        told = "; ".join(f"MISI_ORACLE_{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        raise InputError(told, code="bad_setting") from error


def shown(name: str, value: Any) -> str:
    """A setting for people: of secrets only whether they are set, of an address no password."""
    if value is None:
        return ""
    if hasattr(value, "get_secret_value") or (_SECRET.search(name) and not isinstance(value, Path)):
        return "(set, not shown)"
    return _PASSWORD.sub(r"\1:***@", str(value))


def print_config(settings: Settings) -> None:
    for name in type(settings).model_fields:
        print(f"MISI_ORACLE_{name.upper()}={shown(name, getattr(settings, name))}")


def serve(options: argparse.Namespace) -> int:
    from app.example import FOLDER

    asked = {
        "host": options.host,
        "port": options.port,
        "http_workers": options.workers,
        "example": FOLDER if options.example else None,
    }
    settings = load_settings(asked)
    if options.print_config:
        print_config(settings)
        return 0
    _greet(settings)
    _run(settings)
    return 0


def _greet(settings: Settings) -> None:
    from app.example import example_upload

    address = f"http://{settings.host}:{settings.port}"
    print(f"{address}/docs", file=sys.stderr)
    if settings.example is not None:
        known = example_upload(settings.example).id
        print(f"curl {address}/v1/structures/{known}/hydrogen-bonds", file=sys.stderr)


def _run(settings: Settings) -> None:
    import uvicorn

    from app.logs import config
    from app.patience import PatientProtocol
    from app.protection import known_keys

    known_keys(settings)  # a wrong line of keys ends the command here, not each worker for ever
    if settings.http_workers > 1 and settings.database == ":memory:":
        raise InputError("several HTTP workers cannot share a database in memory", code="bad_setting")
    common: dict[str, Any] = {
        "http": PatientProtocol,
        "host": settings.host,
        "port": settings.port,
        "log_config": config(settings.log_level),
    }
    common |= {"access_log": False, "server_header": False, "timeout_graceful_shutdown": DRAIN_SECONDS}
    if settings.http_workers == 1:
        uvicorn.run(served(settings), **common)
        return
    with ExitStack() as cleanup:
        if settings.example is not None:
            os.environ["MISI_ORACLE_EXAMPLE"] = str(settings.example)
        _share_metrics(cleanup)
        uvicorn.run("app.serving:served", factory=True, workers=settings.http_workers, **common)


def served(settings: Settings | None = None) -> FastAPI:
    """The application of a process that does nothing but serve.

    What is loaded by now stays for ever. Looking through it for garbage would hold up all requests for some 90 ms.
    """
    from app.main import create_app

    app = create_app(settings)
    gc.collect()
    gc.freeze()
    return app


def _share_metrics(cleanup: ExitStack) -> None:
    """A folder where the workers add up their metrics, started empty."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="misi-oracle-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    from app.metrics import clear

    clear(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))


def new_key(options: argparse.Namespace) -> int:
    from app import keys

    secret, line = keys.new_key(options.role, options.name)
    print(secret)
    print("the key above is shown only once; configure this line:", file=sys.stderr)
    print(line)
    return 0


def add_commands(commands: Any, positive: Any) -> None:
    """The commands of this module, for app.cli."""
    command = commands.add_parser("serve", help="start the service")
    command.add_argument("--host")
    command.add_argument("--port", type=int)
    command.add_argument("--workers", type=positive, metavar="N", help="processes that answer requests")
    command.add_argument("--example", action="store_true", help="load the example complex")
    command.add_argument("--print-config", action="store_true", help="print the settings, without secrets, and end")
    command.set_defaults(run=serve)

    command = commands.add_parser("keys", help="make API keys")
    actions = command.add_subparsers(required=True, metavar="ACTION")
    new = actions.add_parser("new", help="print a new key once, and the line to configure")
    new.add_argument("--role", required=True, choices=("read", "write", "admin"))
    new.add_argument("--name", default="client", help="to tell keys apart (default: client)")
    new.set_defaults(run=new_key)
