"""From a request to its answer: the shop without sockets."""

from __future__ import annotations

import hmac
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from thinkagent.errors import list_names, nearest
from thinkagent.shop.call import Answer, Call
from thinkagent.shop.check import complaints
from thinkagent.shop.coupons import COUPONS, issue_coupon
from thinkagent.shop.customers import CUSTOMERS, create_customer, delete_customer, update_customer
from thinkagent.shop.document import Operation, document, operations, standalone
from thinkagent.shop.orders import ORDERS, cancel_order, create_order
from thinkagent.shop.problems import Problem, invalid_fields, invalid_parameters
from thinkagent.shop.products import PRODUCTS, create_product, update_product
from thinkagent.shop.scalars import moment_from_text
from thinkagent.shop.store import Store
from thinkagent.values import Json, JsonError, read_json

__all__ = ["HANDLERS", "Api", "Request"]

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _health(call: Call) -> Answer:
    return Answer(200, {"status": "ok", "version": document()["info"]["version"]})


HANDLERS: Mapping[str, Callable[[Call], Answer]] = {
    "getHealth": _health,
    "listCustomers": CUSTOMERS.list,
    "createCustomer": create_customer,
    "getCustomer": CUSTOMERS.answer,
    "updateCustomer": update_customer,
    "deleteCustomer": delete_customer,
    "listProducts": PRODUCTS.list,
    "createProduct": create_product,
    "getProduct": PRODUCTS.answer,
    "updateProduct": update_product,
    "listOrders": ORDERS.list,
    "createOrder": create_order,
    "getOrder": ORDERS.answer,
    "cancelOrder": cancel_order,
    "listCoupons": COUPONS.list,
    "issueCoupon": issue_coupon,
    "getCoupon": COUPONS.answer,
}
"""What does each operation of the document, by operationId."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came; header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Api:
    """The shop's operations over one store; may be called from any thread.

    `url` is the server that the served document names.
    """

    def __init__(self, store: Store, token: str, clock: Callable[[], datetime], url: str) -> None:
        self._store = store
        self._token = token
        self._clock = clock
        self._lock = threading.Lock()
        self.url = url

    def answer(self, request: Request) -> Answer:
        """Do what the request asks for, whole or not at all."""
        try:
            with self._lock, self._store:
                return self._answer(request)
        except Problem as problem:
            return Answer(problem.status, problem.body(), problem.headers)

    def state(self) -> Json:
        """Give every record as the API shows it, by kind."""
        with self._lock:
            return {
                kind.plural: [
                    kind.show(self._store, row)
                    for row in self._store.rows(f"SELECT * FROM {kind.plural} ORDER BY number")
                ]
                for kind in (CUSTOMERS, PRODUCTS, ORDERS, COUPONS)
            }

    def _answer(self, request: Request) -> Answer:
        url = urlsplit(request.target)
        method = "GET" if request.method == "HEAD" else request.method
        if url.path == "/openapi.json":
            _refuse_method(method, url.path, ["GET"])
            return Answer(200, {**document(), "servers": [{"url": self.url}]})
        found = {
            operation.method: (operation, match)
            for operation in operations()
            if (match := operation.pattern.fullmatch(url.path))
        }
        if method not in found or not found[method][0].is_public:
            self._check_token(request.headers.get("authorization", ""))
        if not found:
            raise Problem(404, f"Nothing is at {url.path!r}; GET /openapi.json describes this API.")
        _refuse_method(method, url.path, list(found))
        operation, match = found[method]
        call = Call(
            store=self._store,
            now=moment_from_text(self._clock().replace(microsecond=0).isoformat()),
            path={name: unquote(value) for name, value in match.groupdict().items()},
            query=_query(operation, url.query),
            body=_body(operation, request),
        )
        return HANDLERS[operation.operation_id](call)

    def _check_token(self, authorization: str) -> None:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._token.encode()):
            return
        if not authorization:
            raise Problem(
                401, "This operation needs a bearer token.", headers={"WWW-Authenticate": 'Bearer realm="shop"'}
            )
        challenge = 'Bearer realm="shop", error="invalid_token"'
        raise Problem(401, "The bearer token is not the shop's.", headers={"WWW-Authenticate": challenge})


def _refuse_method(method: str, path: str, allowed: list[str]) -> None:
    if method not in allowed:
        methods = ", ".join([*allowed, "HEAD"] if "GET" in allowed else allowed)
        raise Problem(405, f"{path!r} does not know {method}; it knows {methods}.", headers={"Allow": methods})


def _query(operation: Operation, text: str) -> Mapping[str, str | int]:
    values: dict[str, str | int] = {}
    wrong: list[tuple[str, str]] = []
    for name, value in parse_qsl(text, keep_blank_values=True):
        schema = operation.parameters.get(name)
        if schema is None:
            wrong.append((name, _unknown_parameter(name, list(operation.parameters))))
        elif name in values:
            wrong.append((name, "is given more than once"))
        else:
            values[name] = _typed(schema, value)
            wrong += [(name, complaint.detail) for complaint in complaints(standalone(schema), values[name])]
    if wrong:
        raise invalid_parameters(wrong)
    return values


def _unknown_parameter(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    return f"it is not known; known are {list_names(near + [other for other in known if other not in near])}"


def _typed(schema: Mapping[str, Any], value: str) -> str | int:
    if schema.get("type") == "integer" and re.fullmatch(r"-?[0-9]{1,15}", value, re.ASCII):
        return int(value)
    return value


def _body(operation: Operation, request: Request) -> Json:
    if operation.body is None:
        return None
    if not request.body:
        raise Problem(400, "The request needs a JSON body.")
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        found = repr(media_type) if media_type else "missing"
        raise Problem(415, f"The Content-Type is {found}; it must be 'application/json'.")
    twice: list[str] = []
    try:
        body = read_json(request.body, on_duplicate=twice.append, max_depth=50)
    except JsonError as error:
        place = f" at line {error.line}, column {error.column}" if error.line else ""
        raise Problem(400, f"The body is no JSON: {error}{place}.") from error
    if twice:
        raise Problem(400, f"The body names {twice[0]!r} more than once.")
    if _holds_surrogate(body):
        raise Problem(400, "The body holds half of a surrogate pair, which is no character.")
    wrong = complaints(standalone(operation.body), body)
    if wrong:
        raise invalid_fields([(complaint.pointer, complaint.detail) for complaint in wrong])
    return body


def _holds_surrogate(value: Json) -> bool:
    if isinstance(value, str):
        return bool(_SURROGATE.search(value))
    if isinstance(value, dict):
        return any(_holds_surrogate(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(map(_holds_surrogate, value))
