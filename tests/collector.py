"""A collector of OpenTelemetry: what a process sends it, by OTLP over HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.ports import free_port


@dataclass(frozen=True)
class Span:
    """One span of what was sent."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, str]


@dataclass
class Collector:
    """Listens on loopback."""

    port: int
    bodies: list[bytes] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a process that sends here."""
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": self.endpoint, "OTEL_BSP_SCHEDULE_DELAY": "200"}

    @property
    def raw(self) -> str:
        """Everything, in which text stands as it is."""
        return b"".join(self.bodies).decode(errors="replace")

    @property
    def spans(self) -> list[Span]:
        """All spans, in no order."""
        return list(self._spans())

    def _spans(self) -> Iterator[Span]:
        for body in self.bodies:
            for process in ExportTraceServiceRequest.FromString(body).resource_spans:
                own = {each.key: each.value.string_value for each in process.resource.attributes}
                for span in (span for scope in process.scope_spans for span in scope.spans):
                    attributes = {each.key: each.value.string_value for each in span.attributes}
                    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                    yield Span(own["service.name"], span.name, *ids, attributes)


@contextmanager
def receiving() -> Iterator[Collector]:
    """Until the end of the block; processes send the rest when they end."""
    collector = Collector(free_port())

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", collector.port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
