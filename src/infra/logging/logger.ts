import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { idsOf, requestContext, type RequestContext } from '../../kernel/request-context';
import { isTracing } from '../../kernel/tracing';
import { TickBufferedStream } from './tick-buffered-stream';
import { withoutPrivateText } from './private-text';

/** Fields redacted in case they are logged by mistake. */
const SECRET_FIELDS = [
  'accessToken',
  'appSecret',
  'apiKey',
  'authorization',
  'cookie',
  '["set-cookie"]',
  'token',
  'key',
  'phone',
  'to',
  'text',
  'parameters',
];

/**
 * The service log: one JSON object per line on standard output. Lines of a request have its id; keys and phone numbers in messages
 * and errors are masked.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: undefined,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*${field.startsWith('[') ? '' : '.'}${field}`]),
        censor: '****',
      },
      serializers: { err: describeError },
      mixin: () => originFields(requestContext()),
      hooks: {
        logMethod(parameters, method) {
          const masked = parameters.map((part: unknown) =>
            typeof part === 'string' ? withoutPrivateText(part) : part,
          );
          method.apply(this, masked as typeof parameters);
        },
      },
    },
    destination ?? new TickBufferedStream(pino.destination(1)),
  );
}

/** The fields of a line that lead to its request and, while spans are recorded, to its trace. */
export function originFields({ requestId, traceparent }: RequestContext): object {
  if (requestId === undefined && traceparent === undefined) return {};
  const { traceId, spanId } = idsOf(traceparent ?? '');
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && isTracing() && { trace_id: traceId, span_id: spanId }),
  };
}

/** Omits the properties that drivers add: statements, parameters, rows, request bodies. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: withoutPrivateText(error.message),
    stack: withoutPrivateText(error.stack ?? ''),
  };
}
