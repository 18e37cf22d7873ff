import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock';
import { BackgroundWork } from './background-work';

/** Options of a loop. */
export interface LoopOptions {
  /** Names the loop in /health/ready and /metrics, in snake case. */
  name: string;
  clock: Pick<Clock, 'monotonic' | 'sleep' | 'jitter'>;
  /** The pause after a round, in milliseconds; `wake` ends it. */
  everyMs: number;
  /** Maximum random addition to each pause, so that processes do not run in lockstep. */
  jitterMs?: number;
  /** The pause before the first round. */
  firstAfterMs?: number;
  /** The minimum pause after a woken round. */
  wokenApartMs?: number;
  /** One round. `signal` is aborted by `stop`; a long round should end early then. */
  round(signal: AbortSignal): Promise<unknown>;
  /**
   * Reports a failed round, at most one in 30 s. It is retried after 1 s, 2 s, 4 s …, at the latest with the next regular round.
   */
  failed(error: Error): void;
}

const FIRST_RETRY_MS = 1000;

/** Runs outside the request or transaction that may start a loop. */
const inRootContext = AsyncLocalStorage.snapshot();

/** Background work in rounds, at an interval and on wake-ups; never two rounds at a time. */
export class Loop {
  private readonly stopped = new AbortController();
  private woken = new AbortController();
  private running: Promise<void> | null = null;
  private readonly work: BackgroundWork;
  private endFirstRound: () => void;

  /** Resolves when the first round has ended, successful or not, or the loop has stopped. */
  readonly firstRound = new Promise<void>((resolve) => (this.endFirstRound = resolve));

  constructor(private readonly options: LoopOptions) {
    this.work = new BackgroundWork(options.name);
  }

  start(): void {
    this.running ??= inRootContext(() => this.run());
  }

  /** Starts the next round immediately, or right after the current one. */
  wake(): void {
    this.woken.abort();
  }

  /** Starts no more rounds; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.woken.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, everyMs, jitterMs = 0, firstAfterMs = 0, wokenApartMs = 0 } = this.options;
    this.work.begin();
    if (firstAfterMs > 0) await clock.sleep(firstAfterMs + clock.jitter(jitterMs), this.woken.signal);
    while (!this.stopped.signal.aborted) {
      const wasWoken = this.woken.signal.aborted;
      // Replaced before the round, so that a wake-up during the round is not lost.
      this.woken = new AbortController();
      await this.round();
      this.endFirstRound();
      if (wasWoken && wokenApartMs > 0) await clock.sleep(wokenApartMs, this.stopped.signal);
      const { failuresInRow } = this.work;
      const retryMs = failuresInRow === 0 ? everyMs : FIRST_RETRY_MS * 2 ** (failuresInRow - 1);
      await clock.sleep(Math.min(everyMs, retryMs) + clock.jitter(jitterMs), this.woken.signal);
    }
    this.work.end();
    this.endFirstRound();
  }

  private async round(): Promise<void> {
    try {
      await this.options.round(this.stopped.signal);
      this.work.succeeded();
    } catch (error) {
      if (this.work.failed(error as Error, this.options.clock.monotonic())) this.options.failed(error as Error);
    }
  }
}
