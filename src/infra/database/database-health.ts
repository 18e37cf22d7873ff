import { Injectable } from '@nestjs/common';
import { within } from '../../kernel/within';
import { chainOf } from '../error-chain';
import { Database } from './database';

const TIMEOUT_MS = 5_000;

/** Whether the database responds; `reason` says why not. */
export type Health = { ok: true } | { ok: false; reason: string };

/** Checks whether the database responds. */
@Injectable()
export class DatabaseHealth {
  private pending: Promise<Health> | null = null;

  constructor(private readonly database: Database) {}

  /** Never rejects; waits at most `timeoutMs` for a response. */
  check(timeoutMs: number = TIMEOUT_MS): Promise<Health> {
    return within(timeoutMs, this.query(), () => ({ ok: false, reason: `no response within ${timeoutMs} ms` }));
  }

  /** Runs one query at a time, so that queries do not pile up on an unresponsive database. */
  private query(): Promise<Health> {
    this.pending ??= this.database
      .rows('SELECT 1')
      .then(
        (): Health => ({ ok: true }),
        (error: unknown): Health => ({ ok: false, reason: reasonOf(error) }),
      )
      .finally(() => (this.pending = null));
    return this.pending;
  }
}

/** The code, if any: health reports must not contain the addresses in connection errors. */
function reasonOf(error: unknown): string {
  for (const { code } of chainOf(error)) if (typeof code === 'string') return code;
  return error instanceof Error ? error.message : String(error);
}
