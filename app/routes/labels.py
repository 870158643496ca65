"""Labels of an upload that is not kept."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Response

from app.dependencies import UploadOf
from app.responses import json_response
from app.work import label_upload

router = APIRouter(prefix="/v1/labels", tags=["labels"])


@router.post("", operation_id="label_upload")
async def post_labels(upload: UploadOf, criteria: str = "chimerax") -> Response:
    record = await to_thread.run_sync(label_upload, upload, criteria)
    return json_response(record)
