import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { currentRequestId } from '../http/request-id';
import { LinesOfATurn } from './lines-of-a-turn';
import { withoutPrivateText } from './private-text';

/** Fields that are redacted if an object with them is logged by mistake. */
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
 * The log of the service: one JSON object per line on standard output. Every line of a request has its id; keys and
 * phone numbers in messages and errors are masked.
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
      mixin: () => {
        const requestId = currentRequestId();
        return requestId === undefined ? {} : { requestId };
      },
      hooks: {
        logMethod(parameters, method) {
          const masked = parameters.map((part: unknown) =>
            typeof part === 'string' ? withoutPrivateText(part) : part,
          );
          method.apply(this, masked as typeof parameters);
        },
      },
    },
    destination ?? new LinesOfATurn(pino.destination(1)),
  );
}

/** An error without the properties that drivers add: statements, parameters, rows, request bodies. */
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
