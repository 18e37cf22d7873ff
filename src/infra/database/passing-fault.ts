import { chainOf } from '../error-chain';

/**
 * Codes that mean: not now, repeat it. The socket's, and of PostgreSQL no connection (08, 57P0x, 53300), a deadlock or
 * conflict with others (40P01, 40001) and a time limit (55P03, 57014, 25P03).
 */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[1-5]|53300|40P01|40001|55P03|57014|25P03)$/;
/** What the driver and its pool say where they give no code. */
const MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|connection error and is not queryable|Query read timeout|Cannot use a pool after|Driver not Connected|QueryRunner (is )?already released/i;

/** Whether an error, or what it wraps, says that the database is away or busy: repeated later, the same may succeed. */
export function isPassingFault(error: unknown): boolean {
  for (const cause of chainOf(error)) {
    if ((typeof cause.code === 'string' && CODES.test(cause.code)) || MESSAGES.test(cause.message)) return true;
  }
  return false;
}
