import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { StatusChange } from '../../chat-history/domain/status-update';
import { JobStatusStore, type StatusDelta } from './job-status-store.port';
import { LaneJournal } from './lane-journal';

const FOLD_EVERY_MS = 1000;
const FOLD_LIMIT = 2000;

/**
 * Keeps count of what was delivered, read and not delivered of each job. Many reports a second would wait for one row,
 * so they are written beside it and added up once a second.
 */
@Injectable()
export class StatusCounts {
  private readonly stopped = new AbortController();
  private folding: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: JobStatusStore,
    private readonly clock: Clock,
    private readonly journal: LaneJournal,
  ) {}

  /** Counts changes, in the surrounding unit of work. */
  async count(changes: readonly StatusChange[]): Promise<void> {
    const deltas = deltasOf(changes);
    if (deltas.length > 0) await this.store.addDeltas(deltas);
  }

  /** Begins to add up. */
  start(): void {
    this.folding = this.fold();
  }

  /** Ends after the addition under way; what is left is added up after the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.folding;
  }

  private async fold(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        while ((await this.store.foldDeltas(FOLD_LIMIT)) === FOLD_LIMIT && !this.stopped.signal.aborted);
      } catch (error) {
        this.journal.failed(null, error);
      }
      await this.clock.sleep(FOLD_EVERY_MS, this.stopped.signal);
    }
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
  if (status === 'Failed') delta.undelivered += by;
}
