"""Operations as tools: what a mind is told of them, how they are found and what they need of each other."""

from thinkagent.tools.build import build_tool
from thinkagent.tools.describe import describe
from thinkagent.tools.errors import advice_for
from thinkagent.tools.examples import example_call, example_result, example_value
from thinkagent.tools.functions import Provider, as_dict, function_schema
from thinkagent.tools.graph import Edge, Graph
from thinkagent.tools.model import Argument, Effect, ErrorMeaning, Tool
from thinkagent.tools.search import Hit, search
from thinkagent.tools.toolset import ToolLine, Toolset, build_tools

__all__ = [
    "Argument",
    "Edge",
    "Effect",
    "ErrorMeaning",
    "Graph",
    "Hit",
    "Provider",
    "Tool",
    "ToolLine",
    "Toolset",
    "advice_for",
    "as_dict",
    "build_tool",
    "build_tools",
    "describe",
    "example_call",
    "example_result",
    "example_value",
    "function_schema",
    "search",
]
