"""The file that keeps the events, its blobs, and the vault of secrets."""

from thinkagent.journal.blobs import BLOB_BYTES, Blobs, FileBlobs, MemoryBlobs, MissingBlob
from thinkagent.journal.credentials import (
    gives_away,
    is_key_in_address,
    is_secret_name,
    secret_fields,
    secret_headers,
    secrets_in_text,
)
from thinkagent.journal.journal import FileJournal, Journal, MemoryJournal, new_run_id
from thinkagent.journal.line import chain, read_line, write_line
from thinkagent.journal.reader import Log, find_log, logs_in, pack_log, parse_log, read_log
from thinkagent.journal.vault import Vault

__all__ = [
    "BLOB_BYTES",
    "Blobs",
    "FileBlobs",
    "FileJournal",
    "Journal",
    "Log",
    "MemoryBlobs",
    "MemoryJournal",
    "MissingBlob",
    "Vault",
    "chain",
    "find_log",
    "gives_away",
    "is_key_in_address",
    "is_secret_name",
    "logs_in",
    "new_run_id",
    "pack_log",
    "parse_log",
    "read_line",
    "read_log",
    "secret_fields",
    "secret_headers",
    "secrets_in_text",
    "write_line",
]
