"""Settings, read from the environment with the prefix MISI_ORACLE_."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator may tune. Sizes are in bytes."""

    model_config = SettingsConfigDict(env_prefix="MISI_ORACLE_", hide_input_in_errors=True)

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "misi-oracle.sqlite3"  # path, :memory:, or a sqlite or postgresql URL
    storage_seconds: float = Field(30.0, gt=0, allow_inf_nan=False)  # to wait for a lock of the database
    max_upload_bytes: int = 50_000_000
    patience: float = Field(30.0, gt=0, allow_inf_nan=False)  # s for the head of a request, and for its body
    api_keys: SecretStr | None = None  # lines "name role sha256:digest [rate]", also split by ;
    api_keys_file: Path | None = None  # the same lines
    rate_limit: float | None = Field(None, gt=0, allow_inf_nan=False)  # requests a second of a key
    rate_burst: int = Field(20, ge=1)
    cors_origins: str = ""  # split by commas; empty: no other site may call from a browser
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    http_workers: int = Field(1, ge=1)
    workers: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=0)  # processes that label; 0: threads
    job_seconds: float = Field(60.0, gt=0, allow_inf_nan=False)  # then a job is stopped
    job_memory_bytes: int = Field(4_000_000_000, ge=0)  # address space of a worker; 0: no limit
    bulk_workers: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1)  # niced processes of jobs
    job_lease: float = Field(15.0, gt=0, allow_inf_nan=False)  # s that a worker of jobs may be silent
    job_queue: int = Field(64, ge=1)  # jobs that may wait; further ones are refused
    cache_bytes: int = Field(64_000_000, ge=0)  # answers that are kept
    example: Path | None = None  # folder with 2izf_receptor.pdb.gz and 2izf_ligand.sdf, loaded at start
    secret: SecretStr | None = None  # key of sealed questions; without it they open in one process alone
    reveal_truth: bool = False  # whether callers may ask for item-by-item verdicts and whole question records
    max_batch_rows: int = 10_000
    max_batch_bytes: int = 64_000_000
    max_row_bytes: int = 1_000_000
    max_questions: int = 100_000  # kept in memory
