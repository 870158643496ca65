"""The model's own words out of what trainers send: prompts, special tokens and messages cut away."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from interactions.errors import InputError

_TAIL = 64  # characters: more than any special token has
_SPECIAL = re.compile(r"(?:<\|[^|<>\s]{1,40}\|>|</s>|<eos>|<pad>|<end_of_turn>)\s*\Z")


def response_of(query: str, prompt: str) -> str:
    """What follows the prompt, without special tokens at its end.

    Raises InputError (``no_prompt``) where the query does not hold the prompt: an example in the prompt could then
    count for an answer.
    """
    start = query.find(prompt.strip())
    if start < 0:
        raise InputError("a query does not contain its prompt", code="no_prompt")
    return without_special(query[start + len(prompt.strip()) :])


def without_special(text: str) -> str:
    end = len(text.rstrip())
    while match := _SPECIAL.search(text[max(0, end - _TAIL) : end]):
        end -= len(match[0])
    return text[:end]


def openai_text(response: object) -> str | None:
    """The output text of the last assistant message of an OpenAI Response; None where it has none."""
    output = response.get("output") if isinstance(response, Mapping) else None
    messages = [item for item in output if _is_message(item)] if isinstance(output, list) else []
    return message_text(messages[-1].get("content")) if messages else None


def message_text(content: object) -> str | None:
    """The text of a message: a string, or its parts joined; None where it is neither."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    return "".join(part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _is_message(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("type", "message") == "message" and item.get("role") != "user"
