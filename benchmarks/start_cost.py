"""Wall seconds of one ``misi-oracle hbonds``, and from the start of the service until /health answers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"
COMMAND = Path(sys.executable).parent / "misi-oracle"


def hbonds() -> float:
    start = time.perf_counter()
    files = [EXAMPLES / "2izf_receptor.pdb.gz", EXAMPLES / "2izf_ligand.sdf"]
    subprocess.run([COMMAND, "hbonds", *files], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def health() -> float:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "MISI_ORACLE_DATABASE": ":memory:"}
    start = time.perf_counter()
    command = [COMMAND, "serve", "--port", str(port), "--example"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as server:
        try:
            while time.perf_counter() - start < 30:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1):
                        return time.perf_counter() - start
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.02)
            raise SystemExit("no answer from /health within 30 s")
        finally:
            server.terminate()


if __name__ == "__main__":
    hbonds()
    print(f"misi-oracle hbonds   {sorted(hbonds() for _ in range(5))[2]:.2f} s")
    print(f"serve until /health  {sorted(health() for _ in range(5))[2]:.2f} s")
