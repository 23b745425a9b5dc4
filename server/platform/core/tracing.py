"""OpenTelemetry traces of requests, statements, jobs and calls to other systems, sent by OTLP over HTTP.

Without OTEL_EXPORTER_OTLP_ENDPOINT nothing of OpenTelemetry is imported, and `span` does nothing. The SDK reads the
rest of its settings itself (OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS). A trace begins
with a request of ours, whatever context its sender gives: strangers choose no trace ids here. A job belongs to the
trace in which it was enqueued. No span has a value of a statement, a path with an id, or an error's text.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

CONTEXT = "traceparent"
"""The key of the W3C trace context in the payload of a job."""
MAX_STATEMENT = 2_000
_NOTHING: AbstractContextManager[None] = nullcontext()
_tracer: "Tracer | None" = None


def start(endpoint: str, role: str) -> None:
    """Sends traces from now on, in the background; what is left is sent when the process ends."""
    global _tracer
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from sqlalchemy import Engine, event

    provider = TracerProvider(resource=Resource.create({"service.namespace": "minimal", "service.name": role}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces")))
    _tracer = provider.get_tracer("minimal")
    event.listen(Engine, "before_cursor_execute", _before)
    event.listen(Engine, "after_cursor_execute", _after)
    event.listen(Engine, "handle_error", _failed)


def span(
    name: str, kind: str = "internal", parent: str | None = None, **attributes: str | int
) -> AbstractContextManager[None]:
    """A span around the block; `kind` is that of OpenTelemetry in lower case, `parent` a W3C trace context."""
    return _NOTHING if _tracer is None else _span(name, kind, parent, attributes)


@contextmanager
def _span(name: str, kind: str, parent: str | None, attributes: dict[str, str | int]) -> Iterator[None]:
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    assert _tracer is not None  # noqa: S101
    context = TraceContextTextMapPropagator().extract({CONTEXT: parent}) if parent else None
    # An exception's message may quote user input, so only its type is recorded.
    with _tracer.start_as_current_span(
        name,
        context,
        kind=trace.SpanKind[kind.upper()],
        attributes={key.replace("__", "."): value for key, value in attributes.items()},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield
        except Exception as error:
            _mark(current, error)
            raise


def describe(name: str, **attributes: str | int) -> None:
    """Names the current span, once it is known what it was about."""
    if _tracer is None:
        return
    from opentelemetry import trace

    current = trace.get_current_span()
    current.update_name(name)
    current.set_attributes({key.replace("__", "."): value for key, value in attributes.items()})


def context() -> dict[str, str]:
    """The W3C trace context of the current span, for the payload of a job; empty without one."""
    if _tracer is None:
        return {}
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return {key: value for key, value in carrier.items() if key == CONTEXT}


def trace_id() -> str | None:
    """The id of the current trace, for log lines."""
    if _tracer is None:
        return None
    from opentelemetry import trace

    span_context = trace.get_current_span().get_span_context()
    return format(span_context.trace_id, "032x") if span_context.is_valid else None


def _before(_connection: Any, _cursor: Any, statement: str, _values: Any, execution: Any, _many: bool) -> None:
    """Only within a span: a process also queries its database outside of requests."""
    from opentelemetry import trace

    if _tracer is not None and execution is not None and trace.get_current_span().is_recording():
        operation = statement.split(None, 1)[0].upper()[:20]
        execution._minimal_span = _tracer.start_span(
            operation,
            kind=trace.SpanKind.CLIENT,
            attributes={"db.system.name": "postgresql", "db.query.text": statement[:MAX_STATEMENT]},
        )


def _after(_connection: Any, _cursor: Any, _statement: str, _values: Any, execution: Any, _many: bool) -> None:
    if open_span := getattr(execution, "_minimal_span", None):
        open_span.end()


def _failed(failure: Any) -> None:
    if open_span := getattr(failure.execution_context, "_minimal_span", None):
        _mark(open_span, failure.original_exception)
        open_span.end()


def _mark(span: Any, error: BaseException) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR))
    span.set_attribute("error.type", type(error).__name__)
