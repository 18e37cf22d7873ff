import { Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import { type DeletedCounts, RetentionTelemetry } from '../domain/retention-telemetry';

/** Logs and counts retention. */
@Injectable()
export class MeasuredRetentionTelemetry extends RetentionTelemetry {
  private readonly logger = new Logger('Retention');
  private readonly deletions: Counter<'kind'>;
  private readonly rounds: Counter<'result'>;

  constructor(registry: Registry) {
    super();
    this.deletions = labelledCounter(registry, {
      name: 'messaging_retention_deleted_total',
      help: 'Items deleted at the end of their retention period, by kind.',
      label: 'kind',
      values: ['messages'],
    });
    this.rounds = labelledCounter(registry, {
      name: 'messaging_retention_rounds_total',
      help: 'Retention rounds of this process: complete, or incomplete after a partial failure.',
      label: 'result',
      values: ['complete', 'incomplete'],
    });
  }

  deleted(kind: string, count: number): void {
    this.deletions.inc({ kind }, count);
  }

  finished(counts: DeletedCounts, seconds: number, failures: number): void {
    this.rounds.inc({ result: failures === 0 ? 'complete' : 'incomplete' });
    const deleted = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
    const duration = `${Math.round(seconds)} s`;
    if (failures > 0) {
      this.logger.warn(
        `A round ended after ${duration} with ${failures} failures; deleted: ${deleted || 'nothing'}. The rest is ` +
          `retried in the next one.`,
      );
    } else if (deleted) this.logger.log(`Deleted in ${duration} at the end of the retention period: ${deleted}`);
  }

  failed(kind: string | null, accountId: string | null, error: unknown): void {
    if (kind === null) this.rounds.inc({ result: 'incomplete' });
    const what = [kind ?? 'A round', accountId && `of account ${accountId}`].filter(Boolean).join(' ');
    this.logger.warn(`${what}: retention failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
