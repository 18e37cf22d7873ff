import type { Clock } from '../../kernel/clock';

interface Waiting<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Asks once for so many equal requests; answers each, in their order. */
export type AskTogether<Request, Answer> = (request: Request, count: number) => Promise<Answer[]>;

/**
 * Equal requests of one turn of the event loop share a call. Nobody waits for the answer to an earlier call, so a slow one
 * holds up only its own requests.
 */
export class CallsOfAMoment<Request, Answer> {
  private readonly waiting = new Map<string, Waiting<Answer>[]>();

  constructor(
    private readonly ask: AskTogether<Request, Answer>,
    private readonly clock: Pick<Clock, 'turn'>,
  ) {}

  /** The answer to one request; requests are equal if their keys are. */
  call(key: string, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const equal = this.waiting.get(key);
      if (equal) return void equal.push({ resolve, reject });
      this.waiting.set(key, [{ resolve, reject }]);
      void this.clock.turn().then(() => this.askFor(key, request));
    });
  }

  private async askFor(key: string, request: Request): Promise<void> {
    const equal = this.waiting.get(key)!;
    this.waiting.delete(key);
    try {
      const answers = await this.ask(request, equal.length);
      equal.forEach(({ resolve }, index) => resolve(answers[index]!));
    } catch (error) {
      equal.forEach(({ reject }) => reject(error));
    }
  }
}
