import { chainOf, type CodedError } from '../error-chain';
import { NoConnectionError } from './connection-gate';

/** Socket errors, and lack of disk, memory or files on this machine. */
const SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ...['ENOSPC', 'EDQUOT', 'ENOMEM', 'ENOBUFS', 'EMFILE', 'ENFILE'],
]);
/**
 * Of PostgreSQL: no connection (08, 57P0x), a lack of disk, memory or connections (53), an error of its disk (58030), a
 * server that only reads for now (25006), a conflict with others (40001, 40P01), an unknown end (40003) and a time limit
 * (55P03, 57014, 25P03, 25P04).
 */
const SQLSTATES = /^(08...|53...|57P0[1-5]|58030|25006|25P0[34]|40001|40003|40P01|55P03|57014)$/;
/** Messages of the driver and its pool for errors without a code. */
const MESSAGES =
  /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|is not queryable|Query read timeout|Cannot use a pool after|Driver not Connected/i;
/** Errors without a connection, and TypeORM's error when a lost one is used. */
const NAMES = new Set([
  NoConnectionError.name,
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
  'CannotExecuteNotConnectedError',
]);

/**
 * Whether an error, or its cause, means that the database is unavailable, busy or short of resources: retried later, the
 * same may succeed.
 */
export function isTransientError(error: unknown): boolean {
  for (const cause of chainOf(error)) if (isTransient(cause)) return true;
  return false;
}

/** Whether PostgreSQL refused a connection permanently (password, name of the database). */
export function isFinalAnswer(error: unknown): boolean {
  for (const { code } of chainOf(error)) {
    // Five capital letters are a code of the operating system, such as EPIPE.
    if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return !SQLSTATES.test(code);
  }
  return false;
}

function isTransient({ code, message, name, severity }: CodedError): boolean {
  if (NAMES.has(name)) return true;
  // After one of these the server ends the connection: the error concerns the server, not the statement.
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  return (typeof code === 'string' && (SYSTEM_CODES.has(code) || SQLSTATES.test(code))) || MESSAGES.test(message);
}
