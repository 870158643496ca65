"""A line to try for each operation, by operation id. A test runs them in this order over the example complex."""

from __future__ import annotations

ADDRESS = "http://127.0.0.1:8000"
JOB = "example-run"
EXAMPLE = "d6b0b40ae73f4b4e8f6f6b027d9a9f386dc3b7eb9d1d0f99c173d74365e00e97"
_FILES = "-F receptor=@examples/2izf_receptor.pdb.gz -F ligand=@examples/2izf_ligand.sdf"
_STORED = f"curl '{ADDRESS}/v1/structures/{EXAMPLE}"
_JSON = "curl -H 'Content-Type: application/json' -d"
_QUESTION = (
    '{"id": "shift", "kind": "translation", "complex": "2izf", "text": "How was it moved?", "answer": "move x 3"}'
)
_INSTANCE = f'{{"structure": "{EXAMPLE}", "task": "interaction_location", "parameters": {{"seed": 7}}}}'
_ROW = '{"id": "shift", "response": "move x 3"}'
_ASKED = f'{{"kind": "score", "id": "{JOB}", "model": "mine", "answers": [{_ROW}]}}'
_PROMPTED = '{"query": ["How? move x 3"], "prompts": ["How?"], "labels": ["shift"]}'
_OUTPUT = '{"output": [{"role": "assistant", "content": "move x 3"}]}'

CURL = {
    "health": f"curl {ADDRESS}/health",
    "ready": f"curl {ADDRESS}/ready",
    "metrics": f"curl {ADDRESS}/metrics",
    "list_criteria": f"curl {ADDRESS}/v1/criteria",
    "label_upload": f"curl {_FILES} '{ADDRESS}/v1/labels?criteria=plip'",
    "add_structure": f"curl -F complex=@examples/2izf.pdb.gz -F ligand_selector=BTN:B:300 {ADDRESS}/v1/structures",
    "get_labels": f"{_STORED}/labels'",
    "get_hydrogen_bonds": f"{_STORED}/hydrogen-bonds?criteria=baker_hubbard'",
    "get_contacts": f"{_STORED}/contacts'",
    "get_sites": f"{_STORED}/sites'",
    "get_pocket": f"{_STORED}/pocket?cutoff=6'",
    "explain": f"{_STORED}/explanations?receptor_atom=SER:B:27:OG&ligand_atom=O3'",
    "add_questions": f"{_JSON} '{_QUESTION}' {ADDRESS}/v1/questions",
    "get_question": f"curl {ADDRESS}/v1/questions/shift",
    "verify": f"{_JSON} '{_ROW}' {ADDRESS}/v1/verify",
    "verify_batch": f"{_JSON} '[{_ROW}, {_ROW}]' {ADDRESS}/v1/verify/batch",
    "answer": f"{_JSON} '{_INSTANCE}' {ADDRESS}/v1/answer",
    "add_job": f"{_JSON} '{_ASKED}' {ADDRESS}/v1/jobs",
    "get_job": f"curl {ADDRESS}/v1/jobs/{JOB}",
    "watch_job": f"curl -N {ADDRESS}/v1/jobs/{JOB}/events",
    "get_job_result": f"curl {ADDRESS}/v1/jobs/{JOB}/result",
    "get_run": f"curl {ADDRESS}/v1/runs/{JOB}",
    "cancel_job": f"curl -X DELETE {ADDRESS}/v1/jobs/{JOB}",
    "openrlhf_get_reward": f"{_JSON} '{_PROMPTED}' {ADDRESS}/compat/openrlhf/get_reward",
    "nemo_gym_verify": (
        f'{_JSON} \'{{"id": "shift", "responses_create_params": {{}}, "response": {_OUTPUT}}}\''
        f" {ADDRESS}/compat/nemo-gym/verify"
    ),
}
