"""Settings, read from the environment with the prefix MISI_ORACLE_."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator may tune. Sizes are in bytes."""

    model_config = SettingsConfigDict(env_prefix="MISI_ORACLE_")

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "misi-oracle.sqlite3"
    max_upload_bytes: int = 50_000_000
    example: Path | None = None  # folder with 2izf_receptor.pdb.gz and 2izf_ligand.sdf, loaded at start
    secret: SecretStr | None = None  # key of sealed questions; without it they open in one process alone
    reveal_truth: bool = False  # whether callers may ask for item-by-item verdicts and whole question records
    max_batch_rows: int = 10_000
    max_batch_bytes: int = 64_000_000
    max_row_bytes: int = 1_000_000
    max_questions: int = 100_000  # kept in memory
