import type { CallOptions, Calls } from './calls';
import { getBulkJob, getBulkJobStatus } from './generated/sdk.gen';
import type { BulkJobDetailDto } from './generated/types.gen';
import { isOver, type JobProgress, serverSentEvents } from './job-events';
import { pause } from './retries';

const POLL_MS = 1_000;
/** Number of consecutive streams without an event after which the job is polled instead. */
const EMPTY_STREAMS = 3;
/** Statuses of servers and proxies that do not support the stream. */
const NO_STREAM = [404, 405, 406, 501];

/** How to wait for a job. */
export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Called immediately and on each change, at most twice a second. */
  onProgress?: (progress: JobProgress) => void;
  /** Polling interval without an event stream, in milliseconds (default 1,000). */
  pollMs?: number;
}

/** Waits for one job by event stream or polling. */
export class JobWait {
  private lastProgress = '';

  constructor(
    private readonly calls: Calls,
    private readonly jobId: string,
    private readonly options: WaitOptions,
  ) {}

  /** Resolves with the job once every recipient has its final outcome. */
  async ended(): Promise<BulkJobDetailDto> {
    const { signal, pollMs = POLL_MS } = this.options;
    let streams = EMPTY_STREAMS;
    for (;;) {
      const job = await this.poll();
      if (job) return job;
      if (streams > 0) {
        const seen = await this.followStream();
        if (seen === 'end') continue;
        streams = seen === 'some' ? EMPTY_STREAMS : seen === 'none' ? streams - 1 : 0;
      }
      await pause(pollMs, signal);
    }
  }

  /** Polls the job; returns its details once it has ended, otherwise null. */
  private async poll(): Promise<BulkJobDetailDto | null> {
    const { signal } = this.options;
    const input = { path: { jobId: this.jobId } };
    const progress = await this.calls.run(getBulkJobStatus, input, { signal });
    this.report(progress);
    if (!isOver(progress)) return null;
    const job = await this.calls.run(getBulkJob, input, { signal });
    // A cancelled job still waits for the responses of requests in flight.
    return job.completedAt === null ? null : job;
  }

  /** Follows the stream; returns whether it ended with an `end` event, after `some` events, after `none`, or is `unsupported`. */
  private async followStream(): Promise<'end' | 'some' | 'none' | 'unsupported'> {
    const { signal } = this.options;
    const path = `/bulk-jobs/${this.jobId}/events`;
    // If the service is unreachable, the next poll throws.
    const response = await this.calls.open(path, 'text/event-stream', signal).catch(() => null);
    if (!response) return 'none';
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!response.ok || !response.body || !isStream) {
      await response.body?.cancel();
      return NO_STREAM.includes(response.status) || response.ok ? 'unsupported' : 'none';
    }
    let seen: 'some' | 'none' = 'none';
    for await (const { event, text } of serverSentEvents(response.body)) {
      const progress = parseProgress(text);
      if (progress) this.report(progress);
      if (event === 'end') return 'end';
      seen = 'some';
    }
    return seen;
  }

  /** Calls `onProgress` if the progress has changed. */
  private report(progress: JobProgress): void {
    const text = JSON.stringify(progress);
    if (text !== this.lastProgress) this.options.onProgress?.(progress);
    this.lastProgress = text;
  }
}

function parseProgress(text: string): JobProgress | null {
  const value = JSON.parse(text) as Partial<JobProgress> | null;
  return value && typeof value.status === 'string' ? (value as JobProgress) : null;
}
