"""The sample API of the demo: a small shop over real HTTP, with its own OpenAPI document."""

from thinkagent.shop.data import check_data, load_data
from thinkagent.shop.document import DOCUMENT_PATH, document
from thinkagent.shop.seed import seed
from thinkagent.shop.server import Seen, Shop

__all__ = ["DOCUMENT_PATH", "Seen", "Shop", "check_data", "document", "load_data", "seed"]
