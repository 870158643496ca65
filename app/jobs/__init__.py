"""Work that outlives a request, by kind: a file each, and one line here."""

from app.jobs import labels, questions, scores
from app.jobs.base import JobKind

KINDS: dict[str, JobKind] = {
    "label": labels.KIND,
    "questions": questions.KIND,
    "score": scores.KIND,
}
