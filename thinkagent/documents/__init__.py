"""OpenAPI documents of any version: `load` one, look at its `index`, build an `operation` when it is needed."""

from thinkagent.documents.document import Document
from thinkagent.documents.index import OperationEntry
from thinkagent.documents.load import from_dict, load, load_bytes, unpack
from thinkagent.documents.placeholders import Placeholder, placeholders
from thinkagent.documents.several import load_all

__all__ = [
    "Document",
    "OperationEntry",
    "Placeholder",
    "from_dict",
    "load",
    "load_all",
    "load_bytes",
    "placeholders",
    "unpack",
]
