"""Client of misi-oracle: verification in this process or at a URL, and the forms that trainers and evaluators call."""

from misi_oracle_client.errors import ClientError
from misi_oracle_client.http import AsyncOracle, Oracle
from misi_oracle_client.lmms import make_process_results, process_results
from misi_oracle_client.local import LocalOracle
from misi_oracle_client.reasoning import QuestionSet, register_with_reasoning_gym
from misi_oracle_client.rows import Reply, Row
from misi_oracle_client.rubric import make_rubric_reward, rubric_reward
from misi_oracle_client.trl import make_async_trl_reward, make_trl_reward, trl_reward
from misi_oracle_client.verl import compute_score
from misi_oracle_client.vlmevalkit import vlmevalkit_rows, vlmevalkit_scores, write_vlmevalkit_tsv

__all__ = [
    "AsyncOracle",
    "ClientError",
    "LocalOracle",
    "Oracle",
    "QuestionSet",
    "Reply",
    "Row",
    "compute_score",
    "make_async_trl_reward",
    "make_process_results",
    "make_rubric_reward",
    "make_trl_reward",
    "process_results",
    "register_with_reasoning_gym",
    "rubric_reward",
    "trl_reward",
    "vlmevalkit_rows",
    "vlmevalkit_scores",
    "write_vlmevalkit_tsv",
]
