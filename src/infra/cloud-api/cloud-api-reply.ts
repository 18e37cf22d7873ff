import { type PlatformErrorClass, platformErrorMeaning } from './error-table';
import { parseJsonKeepingIntegers } from './parse-json';

/** A well-formed error of the platform, with its classification. */
export interface PlatformError {
  code: number;
  subcode?: number;
  message: string;
  details?: string;
  class: PlatformErrorClass;
  /** Stable code of the problem for clients of this service. */
  problem: string;
  httpStatus: number;
}

/**
 * The result of a call. `answer`: success with JSON; `refusal`: the platform refused with a code; `not_sent`: nothing was sent, for
 * certain; `no_answer`: it is unknown whether the platform processed it.
 */
export type CloudApiReply =
  | { kind: 'answer'; status: number; body: unknown }
  | { kind: 'refusal'; status: number; error: PlatformError }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'no_answer'; reason: string };

/** Parses an HTTP response; it must be JSON, and a failure must have an integer `error.code`. */
export function readReply(status: number, text: string, accessToken: string): CloudApiReply {
  let body: unknown;
  try {
    body = parseJsonKeepingIntegers(text);
  } catch {
    return { kind: 'no_answer', reason: `HTTP ${status} with a body that is not JSON` };
  }
  const error = readError(status, body, accessToken);
  if (error) return { kind: 'refusal', status, error };
  if (status >= 200 && status <= 299) return { kind: 'answer', status, body };
  return { kind: 'no_answer', reason: `HTTP ${status} without an error code of the platform` };
}

interface WireError {
  code?: unknown;
  error_subcode?: unknown;
  message?: unknown;
  error_user_msg?: unknown;
  error_data?: unknown;
  is_transient?: unknown;
}

function readError(httpStatus: number, body: unknown, accessToken: string): PlatformError | null {
  const wire = objectOf<{ error?: unknown }>(body)?.error;
  const error = objectOf<WireError>(wire);
  if (!error || !Number.isInteger(error.code)) return null;
  const code = error.code as number;
  const subcode = Number.isInteger(error.error_subcode) ? (error.error_subcode as number) : undefined;
  const details = textOf(objectOf<{ details?: unknown }>(error.error_data)?.details) ?? textOf(error.error_user_msg);
  const message = textOf(error.message);
  const mentionsProof = message?.includes('appsecret_proof') === true;
  const meaning = platformErrorMeaning({
    code,
    subcode,
    httpStatus,
    transient: error.is_transient === true,
    mentionsProof,
  });
  const withoutToken = (text: string) => (accessToken ? text.replaceAll(accessToken, '[token]') : text);
  return {
    code,
    ...(subcode === undefined ? {} : { subcode }),
    message: withoutToken(message ?? meaning.meaning),
    ...(details === undefined ? {} : { details: withoutToken(details) }),
    class: meaning.class,
    problem: meaning.problem,
    httpStatus,
  };
}

function objectOf<T>(value: unknown): T | undefined {
  return typeof value === 'object' && value !== null ? (value as T) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
