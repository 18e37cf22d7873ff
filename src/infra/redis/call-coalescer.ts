import type { Clock } from '../../kernel/clock';

interface Waiting<Result> {
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Makes one call for `count` equal requests; resolves with their results, in order. */
export type CoalescedCall<Request, Result> = (request: Request, count: number) => Promise<Result[]>;

/**
 * Equal requests of one event loop turn share a call. A request never waits for an earlier call, so a slow one delays only its own
 * requests.
 */
export class CallCoalescer<Request, Result> {
  private readonly waiting = new Map<string, Waiting<Result>[]>();

  constructor(
    private readonly callOnce: CoalescedCall<Request, Result>,
    private readonly clock: Pick<Clock, 'turn'>,
  ) {}

  /** The result of one request; requests are equal if their keys are. */
  call(key: string, request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      const equal = this.waiting.get(key);
      if (equal) return void equal.push({ resolve, reject });
      this.waiting.set(key, [{ resolve, reject }]);
      void this.clock.turn().then(() => this.flush(key, request));
    });
  }

  private async flush(key: string, request: Request): Promise<void> {
    const equal = this.waiting.get(key)!;
    this.waiting.delete(key);
    try {
      const results = await this.callOnce(request, equal.length);
      equal.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      equal.forEach(({ reject }) => reject(error));
    }
  }
}
