import { Injectable } from '@nestjs/common';

/** Whether something is there; `reason` says in words why not. */
export type Health = { ok: true } | { ok: false; reason: string };

/** One thing that the process needs. */
export interface HealthCheck {
  name: string;
  /** Without it the process is of no use; what is not required only makes it work worse. */
  required: boolean;
  /** Looks without waiting for long: what has not answered after 2 s counts as away. */
  check: () => Promise<Health> | Health;
}

/** What a look at everything showed, in the order of registration. */
export interface Readiness {
  ready: boolean;
  /** Ready, but something that is not required is away. */
  degraded: boolean;
  checks: { name: string; required: boolean; health: Health }[];
}

const PATIENCE_MS = 2000;

/** What the parts of this process say of themselves: each registers its checks while the application starts. */
@Injectable()
export class HealthChecks {
  private readonly registered: HealthCheck[] = [];

  /** Adds a check to every later look. */
  register(...checks: HealthCheck[]): void {
    this.registered.push(...checks);
  }

  /** Looks at everything at once; never rejects, and takes 2 s at most. */
  async look(): Promise<Readiness> {
    const checks = await Promise.all(
      this.registered.map(async ({ name, required, check }) => ({ name, required, health: await ask(check) })),
    );
    const ready = checks.every(({ required, health }) => health.ok || !required);
    return { ready, degraded: ready && checks.some(({ health }) => !health.ok), checks };
  }
}

async function ask(check: HealthCheck['check']): Promise<Health> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<Health>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: `no answer within ${PATIENCE_MS} ms` }), PATIENCE_MS);
  });
  // A check that throws says so as one that answers.
  const answer = (async () => check())().catch((error: unknown): Health => ({
    ok: false,
    reason: error instanceof Error ? error.message : String(error),
  }));
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
