"""Makes tools of a document as FastMCP does: python load.py FILE. Prints how many."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import httpx2
import yaml
from fastmcp import FastMCP


def main() -> None:
    path = Path(sys.argv[1])
    document = (
        yaml.load(path.read_bytes(), yaml.CSafeLoader) if path.suffix != ".json" else json.loads(path.read_bytes())
    )
    server = FastMCP.from_openapi(document, client=httpx2.AsyncClient(base_url="http://127.0.0.1"))
    print(len(asyncio.run(server.list_tools())))


if __name__ == "__main__":
    main()
