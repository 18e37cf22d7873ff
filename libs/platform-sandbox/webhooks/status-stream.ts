import type { Directory, Sender } from '../account/directory';
import { userIdOf, waIdOf } from '../account/people';
import type { SandboxConfig } from '../config';
import { titleOf } from '../http/graph-error';
import type { SeededRandom } from '../traffic/seeded-random';
import type { Ledger } from '../traffic/ledger';
import { TimeWheel } from '../traffic/time-wheel';

/** The statuses that follow an accepted message, named by the last one. */
export type StatusPlan = 'none' | 'sent' | 'delivered' | 'read' | 'failed';

/** The steps of a plan; each name lists the next status and those after it. */
enum Step {
  SentOnly,
  SentThenDelivered,
  SentThenDeliveredThenRead,
  Delivered,
  DeliveredThenRead,
  Read,
  Failed,
}

const STEPS = 8;
const FAILURE_CODES = 256;
const FIRST_STEP: Record<Exclude<StatusPlan, 'none'>, Step> = {
  sent: Step.SentOnly,
  delivered: Step.SentThenDelivered,
  read: Step.SentThenDeliveredThenRead,
  failed: Step.Failed,
};
const NEXT_STEP: Partial<Record<Step, Step>> = {
  [Step.SentThenDelivered]: Step.Delivered,
  [Step.SentThenDeliveredThenRead]: Step.DeliveredThenRead,
  [Step.DeliveredThenRead]: Step.Read,
};
const STATUS: Record<Step, string> = {
  [Step.SentOnly]: 'sent',
  [Step.SentThenDelivered]: 'sent',
  [Step.SentThenDeliveredThenRead]: 'sent',
  [Step.Delivered]: 'delivered',
  [Step.DeliveredThenRead]: 'delivered',
  [Step.Read]: 'read',
  [Step.Failed]: 'failed',
};
const STAGE: Record<string, number> = { sent: 1, failed: 1, delivered: 2, read: 3 };
const DEFAULT_FAILURE = 131026;
const REORDER_SPREAD_MS = 1000;
const DUPLICATE_DELAY_MS = 100;

/** An unserialised webhook body: statuses of one business account. */
export interface StatusBatch {
  sender: Sender;
  statuses: object[];
  /** The recipients of the statuses, except of failures. */
  contacts: object[];
}

/**
 * The statuses that follow accepted messages, each stored as one number (ledger number, failure code index, step) until they
 * are sent, so that a million take a few megabytes and two timers.
 */
export class StatusStream {
  private readonly wheel = new TimeWheel<number>((code) => this.onStepDue(code));
  private readonly delayed = new TimeWheel<number>((code) => this.enqueue(code));
  private due: number[] = [];
  private head = 0;
  private readonly failureCodes = [DEFAULT_FAILURE];

  constructor(
    private readonly directory: Directory,
    private readonly ledger: Ledger,
    private readonly random: SeededRandom,
    private readonly config: () => SandboxConfig,
    private readonly isSubscribed: (sender: Sender) => boolean,
    private readonly onDue: () => void,
  ) {}

  /** Number of unsent statuses. */
  get waiting(): number {
    return this.wheel.size + this.delayed.size + this.due.length - this.head;
  }

  /** Schedules the statuses of an accepted message, one status delay apart. */
  schedule(seq: number, plan: StatusPlan, failureCode = DEFAULT_FAILURE): void {
    if (plan === 'none' || !this.config().statuses) return;
    const failure = plan === 'failed' ? this.indexOfFailure(failureCode) : 0;
    this.wheel.add((seq * FAILURE_CODES + failure) * STEPS + FIRST_STEP[plan], this.config().statusDelayMs);
  }

  /** At most `statusesPerBody` due statuses of one sender; undefined if none are due. */
  nextBatch(): StatusBatch | undefined {
    const { statusesPerBody } = this.config();
    let batch: StatusBatch | undefined;
    while (this.head < this.due.length) {
      const code = this.due[this.head] ?? 0;
      const found = this.ledger.read(Math.floor(code / STEPS / FAILURE_CODES));
      const sender = found && this.directory.sender(found.kind.phoneNumberId);
      if (found !== undefined && sender !== undefined && this.isSubscribed(sender)) {
        batch ??= { sender, statuses: [], contacts: [] };
        if (batch.sender !== sender || batch.statuses.length >= statusesPerBody) break;
        batch.statuses.push(this.statusOf(found, code));
        const step: Step = code % STEPS;
        if (this.config().statusContacts && step !== Step.Failed) batch.contacts.push(contactOf(found.entry.to));
      }
      this.head += 1;
    }
    this.compact();
    return batch;
  }

  /** Drops all unsent statuses. */
  clear(): void {
    this.wheel.clear();
    this.delayed.clear();
    this.due = [];
    this.head = 0;
  }

  private onStepDue(code: number): void {
    const { statusDelayMs, faults } = this.config();
    const step: Step = code % STEPS;
    const next = NEXT_STEP[step];
    if (next !== undefined) this.wheel.add(code - step + next, statusDelayMs);
    if (this.random.chance(faults.statusLost)) return;
    if (this.random.chance(faults.statusDuplicated)) this.delayed.add(code, DUPLICATE_DELAY_MS);
    if (this.random.chance(faults.statusReordered)) this.delayed.add(code, this.random.next() * REORDER_SPREAD_MS);
    else this.enqueue(code);
  }

  private enqueue(code: number): void {
    this.due.push(code);
    this.onDue();
  }

  private statusOf(found: NonNullable<ReturnType<Ledger['read']>>, code: number): object {
    const { entry, kind, acceptedAt } = found;
    const step: Step = code % STEPS;
    const failureCode = this.failureCodes[Math.floor(code / STEPS) % FAILURE_CODES] ?? DEFAULT_FAILURE;
    const status = STATUS[step];
    const time = acceptedAt + (STAGE[status] ?? 1) * this.config().statusDelayMs;
    const { wa_id: recipientId, user_id: userId } = contactOf(entry.to);
    const hasUserId = recipientId === undefined || (this.config().statusContacts && status !== 'failed');
    return {
      id: entry.messageId,
      status,
      timestamp: String(Math.floor(time / 1000)),
      ...(recipientId !== undefined && { recipient_id: recipientId }),
      ...(hasUserId && { recipient_user_id: userId }),
      ...(entry.callbackData !== null && { biz_opaque_callback_data: entry.callbackData }),
      ...((status === 'sent' || status === 'delivered') && { pricing: pricingOf(kind.category) }),
      ...(status === 'failed' && { errors: [failureOf(failureCode)] }),
    };
  }

  private indexOfFailure(failureCode: number): number {
    const known = this.failureCodes.indexOf(failureCode);
    return known >= 0 ? known : this.failureCodes.push(failureCode) - 1;
  }

  private compact(): void {
    if (this.head === this.due.length) {
      this.due = [];
      this.head = 0;
    } else if (this.head > 8192 && this.head * 2 > this.due.length) {
      this.due = this.due.slice(this.head);
      this.head = 0;
    }
  }
}

/** A recipient, given by number or user id. */
function contactOf(to: string): { wa_id?: string; user_id: string } {
  return /^\d+$/.test(to) ? { wa_id: waIdOf(to), user_id: userIdOf(to) } : { user_id: to };
}

function pricingOf(category: string): object {
  const service = category === 'service';
  return {
    billable: !service,
    pricing_model: 'PMP',
    type: service ? 'free_customer_service' : 'regular',
    category,
  };
}

function failureOf(code: number): object {
  const details =
    code === DEFAULT_FAILURE ? 'Recipient cannot receive this message.' : `The message was not delivered (${code}).`;
  return {
    code,
    title: titleOf(code),
    message: titleOf(code),
    error_data: { details },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  };
}
