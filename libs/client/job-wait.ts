import type { CallOptions, Calls } from './calls';
import { getBulkJob, getBulkJobStatus } from './generated/sdk.gen';
import type { BulkJobDetailDto } from './generated/types.gen';
import { isOver, type JobProgress, serverSentEvents } from './job-events';
import { pause } from './retries';

const POLL_MS = 1_000;
/** So often in a row a stream may end without an event before the job is asked for instead. */
const EMPTY_STREAMS = 3;
/** Answers of a service, or of a proxy, that has no streams. */
const NO_STREAM = [404, 405, 406, 501];

/** How to wait for a job. */
export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Told where the job stands: at once, at each change, at most twice a second. */
  onProgress?: (progress: JobProgress) => void;
  /** How long to wait between two questions where there is no event stream, in milliseconds (1,000). */
  pollMs?: number;
}

/** Follows one job to its end: over its event stream, or by asking. */
export class JobWait {
  private told = '';

  constructor(
    private readonly calls: Calls,
    private readonly jobId: string,
    private readonly options: WaitOptions,
  ) {}

  /** The job, once every recipient has its final outcome. */
  async ended(): Promise<BulkJobDetailDto> {
    const { signal, pollMs = POLL_MS } = this.options;
    let streams = EMPTY_STREAMS;
    for (;;) {
      const job = await this.asked();
      if (job) return job;
      if (streams > 0) {
        const seen = await this.streamed();
        if (seen === 'end') continue;
        streams = seen === 'some' ? EMPTY_STREAMS : seen === 'none' ? streams - 1 : 0;
      }
      await pause(pollMs, signal);
    }
  }

  /** Asks where the job stands; all of it at its end. */
  private async asked(): Promise<BulkJobDetailDto | null> {
    const { signal } = this.options;
    const input = { path: { jobId: this.jobId } };
    const progress = await this.calls.run(getBulkJobStatus, input, { signal });
    this.tell(progress);
    if (!isOver(progress)) return null;
    const job = await this.calls.run(getBulkJob, input, { signal });
    // A job that was cancelled still waits for the answers to what was under way.
    return job.completedAt === null ? null : job;
  }

  /** Follows the stream until it ends or is cut: with its `end`, after `some` events, or with `none`. */
  private async streamed(): Promise<'end' | 'some' | 'none' | 'unsupported'> {
    const { signal } = this.options;
    const path = `/bulk-jobs/${this.jobId}/events`;
    // Unreachable: the next question tells whether the service is still there.
    const response = await this.calls.open(path, 'text/event-stream', signal).catch(() => null);
    if (!response) return 'none';
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!response.ok || !response.body || !isStream) {
      await response.body?.cancel();
      return NO_STREAM.includes(response.status) || response.ok ? 'unsupported' : 'none';
    }
    let seen: 'some' | 'none' = 'none';
    for await (const { event, text } of serverSentEvents(response.body)) {
      const progress = parsed(text);
      if (progress) this.tell(progress);
      if (event === 'end') return 'end';
      seen = 'some';
    }
    return seen;
  }

  /** Tells what changed. */
  private tell(progress: JobProgress): void {
    const text = JSON.stringify(progress);
    if (text !== this.told) this.options.onProgress?.(progress);
    this.told = text;
  }
}

function parsed(text: string): JobProgress | null {
  const value = JSON.parse(text) as Partial<JobProgress> | null;
  return value && typeof value.status === 'string' ? (value as JobProgress) : null;
}
