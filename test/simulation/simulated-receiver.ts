import { type PostResult, type WebhookPost, WebhookSender } from '../../src/modules/events/domain/webhook-sender.port';
import type { Dice } from './dice';
import type { Life } from './life';
import type { PlannedEndpoint, ReceiverFaults } from './plan-endpoints';
import type { Scheduler } from './scheduler';

/** What looks on as requests leave and arrive. */
export interface ReceiverWitness {
  departed(life: Life, post: WebhookPost): void;
  arrived(post: WebhookPost, took: boolean): void;
}

const FINE: ReceiverFaults = { refused: 0, silent: 0, answerLost: 0 };
const LONGEST_MS = 9000;

/** The servers of clients. */
export class SimulatedReceiver {
  /** Nothing goes wrong any more. */
  healed = false;
  /** Requests that have left and not arrived. */
  underWay = 0;
  private readonly endpoints = new Map<string, PlannedEndpoint>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly dice: Dice,
    private readonly witness: ReceiverWitness,
  ) {}

  add(endpointId: string, planned: PlannedEndpoint): void {
    this.endpoints.set(endpointId, planned);
  }

  /** A body of a process on its way to an endpoint, and the answer on its way back. */
  post(life: Life, post: WebhookPost): Promise<PostResult> {
    this.witness.departed(life, post);
    const planned = this.endpoints.get(post.endpointId)!;
    this.underWay++;
    return new Promise((resolve) => {
      const fail = (reason: string): void => life.act(() => resolve({ kind: 'failed', reason }));
      post.signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'aborted' }), { once: true });
      life.reach('POST_EVENT');
      this.travel(planned, () => {
        this.underWay--;
        const { faults, status } = this.mood(planned);
        const luck = this.dice.next();
        const isRefused = status !== 204 || luck < faults.refused;
        this.witness.arrived(post, !isRefused);
        life.reach('POST_EVENT!');
        if (luck > 1 - faults.silent) return;
        this.travel(planned, () => {
          if (!isRefused && this.dice.chance(faults.answerLost)) return fail('ECONNRESET');
          const answer = isRefused ? (status === 204 ? 500 : status) : 204;
          life.act(() => resolve({ kind: 'answered', status: answer, retryAfterMs: null }));
        });
      });
    });
  }

  private travel({ latencyMs }: PlannedEndpoint, then: () => void): void {
    this.scheduler.after(this.dice.mostlySmall(latencyMs / 2, LONGEST_MS), then);
  }

  private mood({ faults, outage, goneAt }: PlannedEndpoint): { faults: ReceiverFaults; status: number } {
    if (this.healed) return { faults: FINE, status: 204 };
    const { now } = this.scheduler;
    const isDown = outage !== null && now >= outage.at && now < outage.at + outage.forMs;
    return { faults, status: goneAt !== null && now >= goneAt ? 410 : isDown ? 503 : 204 };
  }
}

/** The way of one process to the servers of clients. */
export class ReceiverLink extends WebhookSender {
  constructor(
    private readonly receiver: SimulatedReceiver,
    private readonly life: Life,
  ) {
    super();
  }

  post(post: WebhookPost): Promise<PostResult> {
    return this.receiver.post(this.life, post);
  }

  refusal(): null {
    return null;
  }
}
