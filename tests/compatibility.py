"""What a client relies on in a description, and what breaks it. The rest (wording, samples) may change freely."""

from __future__ import annotations

from typing import Any

Contract = dict[str, Any]


def _resolved(part: Contract, document: Contract) -> Contract:
    reference = part.get("$ref")
    return _resolved(_at(document, reference), document) if reference else part


def _at(document: Contract, reference: str) -> Contract:
    for name in reference.removeprefix("#/").split("/"):
        document = document[name]
    return document


def _choices(schema: Contract) -> list[str] | None:
    return sorted(map(str, schema["enum"])) if "enum" in schema else None


def _body(operation: Contract, document: Contract) -> Contract:
    body = operation.get("requestBody", {})
    kinds = {}
    for kind, content in body.get("content", {}).items():
        schema = _resolved(content.get("schema", {}), document)
        kinds[kind] = {
            "fields": sorted(schema.get("properties", {})),
            "required": sorted(schema.get("required", ())),
        }
    return {"required": bool(body.get("required")), "kinds": kinds}


def _answers(operation: Contract, document: Contract) -> Contract:
    answers = {}
    for status, answer in operation["responses"].items():
        content = _resolved(answer, document).get("content", {})
        schemas = {kind: _resolved(one.get("schema", {}), document) for kind, one in content.items()}
        answers[status] = {kind: sorted(one.get("properties", {})) for kind, one in schemas.items()}
    return answers


def _operation(operation: Contract, document: Contract) -> Contract:
    parameters = [_resolved(one, document) for one in operation.get("parameters", ())]
    return {
        "operation_id": operation["operationId"],
        "parameters": {
            f"{one['in']} {one['name']}": {
                "required": one.get("required", False),
                "type": one["schema"].get("type"),
                "choices": _choices(one["schema"]),
            }
            for one in parameters
        },
        "body": _body(operation, document),
        "answers": _answers(operation, document),
    }


def contract(document: Contract) -> Contract:
    """The operations of an OpenAPI document by method and path."""
    return {
        f"{method.upper()} {path}": _operation(operation, document)
        for path, methods in sorted(document["paths"].items())
        for method, operation in sorted(methods.items())
    }


def breaking(old: Contract, new: Contract) -> list[str]:
    """Each way in which a client of ``old`` fails with ``new``; additions are none."""
    found = [f"{name}: gone" for name in old if name not in new]
    for name in old.keys() & new.keys():
        found += [f"{name}: {what}" for what in _broken(old[name], new[name])]
    return sorted(found)


def _broken(old: Contract, new: Contract) -> list[str]:
    found = [] if old["operation_id"] == new["operation_id"] else ["operation id changed"]
    return found + _parameters(old["parameters"], new["parameters"]) + _bodies(old, new) + _replies(old, new)


def _parameters(old: Contract, new: Contract) -> list[str]:
    found = [f"parameter {name} gone" for name in old.keys() - new.keys()]
    found += [
        f"parameter {name} now required"
        for name, one in new.items()
        if one["required"] and not old.get(name, {}).get("required")
    ]
    for name in old.keys() & new.keys():
        if old[name]["type"] != new[name]["type"]:
            found.append(f"parameter {name} is of another type")
        if _narrowed(old[name]["choices"], new[name]["choices"]):
            found.append(f"parameter {name} takes fewer values")
    return found


def _narrowed(old: list[str] | None, new: list[str] | None) -> bool:
    return new is not None and (old is None or not set(old) <= set(new))


def _bodies(old: Contract, new: Contract) -> list[str]:
    found = ["body now required"] if new["body"]["required"] and not old["body"]["required"] else []
    for kind, fields in old["body"]["kinds"].items():
        now = new["body"]["kinds"].get(kind)
        if now is None:
            found.append(f"body {kind} no longer taken")
            continue
        found += [f"field {field} gone" for field in set(fields["fields"]) - set(now["fields"])]
        found += [f"field {field} now required" for field in set(now["required"]) - set(fields["required"])]
    return found


def _replies(old: Contract, new: Contract) -> list[str]:
    found = []
    for status, kinds in old["answers"].items():
        if status not in new["answers"]:
            found.append(f"answer {status} gone")
            continue
        now = new["answers"][status]
        found += [f"answer {status} is no longer {kind}" for kind in kinds.keys() - now.keys()]
        for kind in kinds.keys() & now.keys():
            found += [f"answer {status} lost {name}" for name in set(kinds[kind]) - set(now[kind])]
    return found
