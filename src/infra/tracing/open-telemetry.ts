import type { Context, Link, SpanContext, Tracer as ApiTracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { version } from '../../../package.json';
import { idsOf, isSampled } from '../../kernel/request-context';
import { type Span, type SpanEnd, type SpanStart, Tracer, traceWith } from '../../kernel/tracing';
import { within } from '../../kernel/within';

type Api = typeof import('@opentelemetry/api');

const NAME = 'messaging-template-api';
/** How long the end of a process waits for the collector. */
const FLUSH_MS = 2000;
/** A failing collector is logged once in this time. */
const LOGGED_EVERY_MS = 60_000;
const LOGGED_LENGTH = 300;

/**
 * Loads the SDK, and from now on records spans and sends them to the collector of OTEL_EXPORTER_OTLP_ENDPOINT in the background: at most
 * 2,048 wait, further ones are dropped. The SDK reads the other settings (OTEL_*). Returns a function that sends the remaining spans,
 * within 2 s.
 */
export async function startTracing(logger: Logger, headers?: string): Promise<() => Promise<void>> {
  // Possibly read from a file; the SDK reads only its own variable.
  if (headers !== undefined) process.env.OTEL_EXPORTER_OTLP_HEADERS = headers;
  const [api, { OTLPTraceExporter }, { BasicTracerProvider, BatchSpanProcessor }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
  ]);
  logProblems(api, logger);
  const provider = new BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': NAME, 'service.version': version }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  traceWith(new OpenTelemetryTracer(api, provider.getTracer(NAME, version)));
  return () => within(FLUSH_MS, provider.shutdown(), () => undefined).catch(() => undefined);
}

/** Spans of OpenTelemetry, without its global state. */
class OpenTelemetryTracer extends Tracer {
  private readonly kinds: Record<SpanStart['kind'], number>;

  constructor(
    private readonly api: Api,
    private readonly tracer: ApiTracer,
  ) {
    super();
    const { SERVER: server, CLIENT: client, CONSUMER: consumer } = api.SpanKind;
    this.kinds = { server, client, consumer };
  }

  start({ name, kind, parent, links = [], attributes, begunMsAgo = 0 }: SpanStart): Span {
    const { SpanStatusCode } = this.api;
    const span = this.tracer.startSpan(
      name,
      {
        kind: this.kinds[kind],
        ...(begunMsAgo > 0 && { startTime: Date.now() - begunMsAgo }),
        ...(attributes && { attributes }),
        links: links.map((link): Link => ({ context: spanContextOf(link) })),
      },
      this.contextOf(parent ?? null),
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      end({ name: finalName, attributes: results, error }: SpanEnd = {}) {
        if (finalName !== undefined) span.updateName(finalName);
        if (results) span.setAttributes(results);
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
        span.end();
      },
    };
  }

  private contextOf(traceparent: string | null): Context {
    const { ROOT_CONTEXT, trace } = this.api;
    return traceparent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(traceparent));
  }
}

function spanContextOf(traceparent: string): SpanContext {
  return { ...idsOf(traceparent), traceFlags: Number(isSampled(traceparent)), isRemote: true };
}

/** The SDK writes nothing by itself. */
function logProblems({ diag, DiagLogLevel }: Api, logger: Logger): void {
  let silentUntil = 0;
  const log = (message: string): void => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + LOGGED_EVERY_MS;
    logger.warn({ context: 'Tracing' }, `Spans are lost: ${message.slice(0, LOGGED_LENGTH)}`);
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: log, warn: log, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
