"""What the service asks of a store. What a call has returned from outlives a kill of the process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from app.storage.records import Item, Job, JobState, LabelKey, Question, Run, Score, Upload


class Store(Protocol):
    """Every method blocks: call it off the event loop.

    All raise StorageError (``storage_busy``, ``storage_full``, ``storage_unavailable``) where the database cannot
    answer, and InputError (``unknown_reference``) for a record whose structure or run is not kept.
    """

    def add(self, upload: Upload) -> bool:
        """Keep the upload and its ligand selector; True when its bytes were new.

        Raises InputError (``ambiguous_id``) where the same bytes came divided otherwise between the two files.
        """
        ...

    def get(self, identifier: str, selector: str | None = None) -> Upload | None:
        """The upload with this selector, or with the one it came with.

        Raises LigandError (``ambiguous_ligand``) where it came with different ones and none is given.
        """
        ...

    def selector(self, identifier: str, selector: str | None = None) -> str | None:
        """The selector that ``get`` would choose, ``""`` for none; None where the structure is not kept."""
        ...

    def label(self, key: LabelKey) -> bytes | None: ...

    def add_label(self, key: LabelKey, body: bytes) -> bytes:
        """Keep a label set; the bytes that stand under the key, so those of the first writer."""
        ...

    def add_questions(self, questions: Sequence[Question]) -> set[str]:
        """Keep all of them or none; the ids of the new ones. A known id keeps its content."""
        ...

    def questions(self, identifiers: Sequence[str]) -> list[Question]:
        """Those of these ids that are kept, in any order."""
        ...

    def add_run(self, run: Run) -> bool:
        """True when it was new; a known run stays as it was."""
        ...

    def run(self, identifier: str) -> Run | None: ...

    def add_scores(self, run: str, scores: Sequence[Score]) -> int:
        """Keep all of them or none; the number of new ones. A position that has a score keeps it."""
        ...

    def scores(self, run: str, after: int = -1, limit: int = 1000) -> list[Score]:
        """Scores behind the position ``after``, by position."""
        ...

    def add_job(self, job: Job, bodies: Sequence[bytes] = ()) -> bool:
        """Keep the job with its items, or nothing where its id is known; True when it was new."""
        ...

    def open_items(self, job: str, limit: int) -> list[Item]:
        """Items without a record, by position."""
        ...

    def finish_items(self, job: str, worker: str, records: Mapping[int, bytes]) -> bool:
        """Keep the records of items, by position; one that has a record keeps it. A sign of life as well.

        False, and nothing kept: the job is no longer this worker's, which must stop.
        """
        ...

    def records(self, job: str, after: int = -1, limit: int = 1000) -> list[Item]:
        """Records of the items behind the position ``after``, by position."""
        ...

    def job(self, identifier: str) -> Job | None: ...

    def jobs(self, state: JobState, limit: int = 1000) -> list[Job]:
        """Jobs in this state, oldest first."""
        ...

    def claim_job(self, worker: str, lease: float) -> Job | None:
        """The oldest job that waits, or whose worker has been silent for its lease (s); it runs from now on."""
        ...

    def advance_job(self, identifier: str, worker: str, done: int, total: int | None = None) -> bool:
        """Progress, and a sign of life. False: the job is no longer this worker's, which must stop."""
        ...

    def finish_job(
        self, identifier: str, worker: str, result: str | None = None, error: dict[str, Any] | None = None
    ) -> bool:
        """Done with a result, or failed with an error. False: the job is no longer this worker's."""
        ...

    def release_job(self, identifier: str, worker: str) -> bool:
        """Back to the queue, as if it had not been begun. False: the job is no longer this worker's."""
        ...

    def cancel_job(self, identifier: str) -> bool:
        """False where it is unknown or has ended."""
        ...

    def close(self) -> None: ...
