import { Injectable } from '@nestjs/common';
import { within } from '../../kernel/within';
import { chainOf } from '../error-chain';
import { Database } from './database';

const PATIENCE_MS = 5_000;

/** Whether the database answers; `reason` says why not. */
export type Health = { ok: true } | { ok: false; reason: string };

/** Checks whether the database answers. */
@Injectable()
export class DatabaseHealth {
  private asking: Promise<Health> | null = null;

  constructor(private readonly database: Database) {}

  /** Never rejects; waits at most `patienceMs` for an answer. */
  check(patienceMs: number = PATIENCE_MS): Promise<Health> {
    return within(patienceMs, this.ask(), () => ({ ok: false, reason: `no response within ${patienceMs} ms` }));
  }

  /** One query at a time, so that queries do not pile up at a database that does not answer. */
  private ask(): Promise<Health> {
    this.asking ??= this.database
      .rows('SELECT 1')
      .then(
        (): Health => ({ ok: true }),
        (error: unknown): Health => ({ ok: false, reason: reasonOf(error) }),
      )
      .finally(() => (this.asking = null));
    return this.asking;
  }
}

/** The code, if there is one: health reports must not contain the addresses in connection errors. */
function reasonOf(error: unknown): string {
  for (const { code } of chainOf(error)) if (typeof code === 'string') return code;
  return error instanceof Error ? error.message : String(error);
}
