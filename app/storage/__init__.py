"""What the service keeps: structures, label sets, questions, runs with their scores, and jobs."""

from app.storage.errors import StorageError
from app.storage.records import Item, Job, LabelKey, Question, Run, Score, Upload
from app.storage.sql import SQLStore, open_store
from app.storage.store import Store

__all__ = [
    "Item",
    "Job",
    "LabelKey",
    "Question",
    "Run",
    "SQLStore",
    "Score",
    "StorageError",
    "Store",
    "Upload",
    "open_store",
]
