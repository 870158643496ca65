"""Labels of an upload that is not kept."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request, Response

from app.dependencies import ProfileOf, UploadOf, WishOf
from app.problems import CHOOSING, LABELLING, READING, WORK, problems
from app.work import label_json

router = APIRouter(prefix="/v1/labels", tags=["labels"])


@router.post("", operation_id="label_upload", responses=problems(WORK, {422: (*READING, *CHOOSING, *LABELLING)}))
async def post_labels(request: Request, upload: UploadOf, wish: WishOf, profile: ProfileOf) -> Response:
    """The LabelSet; own criteria may come as the file ``criteria_file``."""
    key = f"{upload.id} {upload.selector}"
    answer = await request.app.state.pool.run(label_json, upload, replace(wish, profile=profile), key=key)
    return Response(answer, media_type="application/json")
