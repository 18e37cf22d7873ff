import { Injectable } from '@nestjs/common';
import { within } from '../../kernel/within';

/** The result of a check; `reason` says why it failed. */
export type Health = { ok: true } | { ok: false; reason: string };

/** A check of something that the process needs. */
export interface HealthCheck {
  name: string;
  /** Whether the process cannot work without it; otherwise its failure only degrades the process. */
  required: boolean;
  /** Runs the check; without a result after 2 s it counts as failed. */
  check: () => Promise<Health> | Health;
}

/** The results of all checks, in the order of registration. */
export interface Readiness {
  ready: boolean;
  /** Ready, but a check that is not required failed. */
  degraded: boolean;
  checks: { name: string; required: boolean; health: Health }[];
}

const TIMEOUT_MS = 2000;

/** The health checks of this process; modules register theirs while the application starts. */
@Injectable()
export class HealthChecks {
  private readonly registered: HealthCheck[] = [];

  register(...checks: HealthCheck[]): void {
    this.registered.push(...checks);
  }

  /** Runs all checks in parallel; never rejects, and takes at most 2 s. */
  async run(): Promise<Readiness> {
    const checks = await Promise.all(
      this.registered.map(async ({ name, required, check }) => ({ name, required, health: await resultOf(check) })),
    );
    const ready = checks.every(({ required, health }) => health.ok || !required);
    return { ready, degraded: ready && checks.some(({ health }) => !health.ok), checks };
  }
}

function resultOf(check: HealthCheck['check']): Promise<Health> {
  // An exception counts as a failure.
  const result = (async () => check())().catch((error: unknown): Health => ({
    ok: false,
    reason: error instanceof Error ? error.message : String(error),
  }));
  return within(TIMEOUT_MS, result, () => ({ ok: false, reason: `no response within ${TIMEOUT_MS} ms` }));
}
