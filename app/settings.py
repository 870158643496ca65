"""Settings, read from the environment with the prefix MISI_ORACLE_."""

from __future__ import annotations

from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator may tune. Sizes are in bytes."""

    model_config = SettingsConfigDict(env_prefix="MISI_ORACLE_")

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "misi-oracle.sqlite3"  # path, :memory:, or a sqlite or postgresql URL
    max_upload_bytes: int = 50_000_000
    example: Path | None = None  # folder with 2izf_receptor.pdb.gz and 2izf_ligand.sdf, loaded at start
