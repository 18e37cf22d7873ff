import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { StatusChange } from '../../messages/domain/status-update';
import { JobStatusStore, type StatusDelta } from './job-status-store.port';
import { LaneTelemetry } from './lane-telemetry';

const FOLD_EVERY_MS = 1000;
const FOLD_LIMIT = 2000;

/**
 * Keeps count of what was delivered, read and not delivered of each job. Many reports a second would wait for one row,
 * so they are written beside it and added up once a second.
 */
@Injectable()
export class StatusCounts {
  private readonly folding: Loop;

  constructor(
    private readonly store: JobStatusStore,
    clock: Clock,
    telemetry: LaneTelemetry,
  ) {
    this.folding = new Loop({
      clock,
      everyMs: FOLD_EVERY_MS,
      round: (stopped) => this.fold(stopped),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /** Counts changes, in the surrounding unit of work. */
  async count(changes: readonly StatusChange[]): Promise<void> {
    const deltas = deltasOf(changes);
    if (deltas.length > 0) await this.store.addDeltas(deltas);
  }

  /** Begins to add up the changes. */
  start(): void {
    this.folding.start();
  }

  /** Resolves after the addition under way; the remaining changes are added up after the next start. */
  stop(): Promise<void> {
    return this.folding.stop();
  }

  private async fold(stopped: AbortSignal): Promise<void> {
    while ((await this.store.foldDeltas(FOLD_LIMIT)) === FOLD_LIMIT && !stopped.aborted);
  }
}

/** What changes add to the counters of their jobs: what was read was delivered too. */
export function deltasOf(changes: readonly StatusChange[]): StatusDelta[] {
  const deltas = new Map<string, StatusDelta>();
  for (const { jobId, before, after } of changes) {
    if (jobId === null) continue;
    const delta = deltas.get(jobId) ?? { jobId, delivered: 0, read: 0, undelivered: 0 };
    deltas.set(jobId, delta);
    count(delta, before, -1);
    count(delta, after, 1);
  }
  return [...deltas.values()].filter(({ delivered, read, undelivered }) => delivered || read || undelivered);
}

function count(delta: StatusDelta, status: StatusChange['after'], by: 1 | -1): void {
  if (status === 'Delivered' || status === 'Read') delta.delivered += by;
  if (status === 'Read') delta.read += by;
  if (status === 'Undelivered') delta.undelivered += by;
}
