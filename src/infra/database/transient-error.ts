import { chainOf, type CodedError } from '../error-chain';
import { NoConnectionError } from './connection-gate';

/** Socket errors, and lack of disk, memory or file descriptors on this machine. */
const SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ...['ENOSPC', 'EDQUOT', 'ENOMEM', 'ENOBUFS', 'EMFILE', 'ENFILE'],
]);
/**
 * PostgreSQL codes: no connection (08, 57P0x), lack of disk, memory or connections (53), disk error (58030), read-only server
 * (25006), conflict (40001, 40P01), unknown outcome (40003), time limit (55P03, 57014, 25P03, 25P04).
 */
const SQLSTATES = /^(08...|53...|57P0[1-5]|58030|25006|25P0[34]|40001|40003|40P01|55P03|57014)$/;
/** Messages of driver and pool errors without a code. */
const MESSAGES =
  /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|is not queryable|Query read timeout|Cannot use a pool after|Driver not Connected/i;
/** Errors of a missing connection, and TypeORM's errors for a lost one. */
const NAMES = new Set([
  NoConnectionError.name,
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
  'CannotExecuteNotConnectedError',
]);

/**
 * Whether an error, or its cause, means that the database is unavailable, busy or short of resources, so that a retry may succeed.
 */
export function isTransientError(error: unknown): boolean {
  for (const cause of chainOf(error)) if (isTransient(cause)) return true;
  return false;
}

/** Whether PostgreSQL refused a connection permanently (password, database name). */
export function isPermanentRefusal(error: unknown): boolean {
  for (const { code } of chainOf(error)) {
    // A SQLSTATE contains a digit; EPIPE, also five characters, is a system code.
    if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return !SQLSTATES.test(code);
  }
  return false;
}

function isTransient({ code, message, name, severity }: CodedError): boolean {
  if (NAMES.has(name)) return true;
  // These end the connection: the error concerns the server, not the statement.
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  return (typeof code === 'string' && (SYSTEM_CODES.has(code) || SQLSTATES.test(code))) || MESSAGES.test(message);
}
