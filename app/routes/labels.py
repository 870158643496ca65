"""Labels of an upload that is not kept."""

from __future__ import annotations

from dataclasses import replace

from anyio import to_thread
from fastapi import APIRouter, Response

from app.dependencies import ProfileOf, UploadOf, WishOf
from app.problems import CHOOSING, LABELLING, READING, problems
from app.responses import json_response
from app.work import label_upload

router = APIRouter(prefix="/v1/labels", tags=["labels"])


@router.post("", operation_id="label_upload", responses=problems({422: (*READING, *CHOOSING, *LABELLING)}))
async def post_labels(upload: UploadOf, wish: WishOf, profile: ProfileOf) -> Response:
    """The LabelSet; own criteria may come as the file ``criteria_file``."""
    record = await to_thread.run_sync(label_upload, upload, replace(wish, profile=profile))
    return json_response(record)
