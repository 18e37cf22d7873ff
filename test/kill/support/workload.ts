import { addGroupContacts, createGroup } from '../../../libs/client/generated/sdk.gen';
import { listOf, phone } from '../../support/process/bulk';
import type { Client } from '../../support/process/client';
import { pause } from '../processes';

/** An accepted job. */
export interface SentJob {
  jobId: string;
  key: string;
  numbers: string[];
}

/** A single send with the response to its client; `status` is null if the connection broke. */
export interface SentSingle {
  to: string;
  status: number | null;
  messageId: string | null;
  ms: number;
}

/** Per list: how many accepted recipients are never answered, are cut off, or are throttled once. */
const ENDINGS = ['0005', '0005', '0006', '0006', '0004', '0004'];
/** Those never answered: their outcome is unknown without a report. */
export const UNANSWERED_PER_JOB = 4;
const templateName = 'hello_world';
const PATIENCE_MS = 120_000;
const SINGLE_EVERY_MS = 150;

/** Clients that send lists, group sends and single messages during all faults. */
export class Workload {
  readonly jobs: SentJob[] = [];
  readonly singles: SentSingle[] = [];
  private readonly groups = new Map<string, { groupId: string; numbers: string[] }>();
  private nextNumber = 0;
  private nextEnding = 0;
  private ended = false;
  private readonly sending = new Set<Promise<void>>();
  private failure: Error | null = null;

  constructor(
    private readonly client: () => Client,
    private readonly keys: readonly string[],
    private readonly recipients: number,
  ) {}

  /** Different numbers, some with an ending that has a special meaning. */
  numbers(): string[] {
    const plain = this.recipients - ENDINGS.length;
    const numbers = Array.from({ length: plain }, () => phone(this.nextNumber++));
    const step = Math.floor(plain / ENDINGS.length);
    for (const [index, ending] of ENDINGS.entries()) {
      numbers.splice(index * (step + 1) + 3, 0, `4916${2000 + this.nextEnding++}${ending}`);
    }
    return numbers;
  }

  /** Creates a contact group in each account, before the first fault. */
  async makeGroups(): Promise<void> {
    for (const key of this.keys) {
      const numbers = this.numbers();
      const messaging = this.client().messaging(key);
      const { id } = await messaging.call(createGroup, { body: { name: 'Everybody' } });
      const contacts = numbers.map((to) => ({ phone: to }));
      await messaging.call(addGroupContacts, { path: { groupId: id }, body: { contacts } });
      this.groups.set(key, { groupId: id, numbers });
    }
  }

  /** Starts to send a list, or to the account's group; see `taken`. */
  beginJob(kind: 'list' | 'group', account: number): void {
    const sending = this.sendJob(kind, account)
      .catch((error: unknown) => void (this.failure ??= error as Error))
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  /** Sends single messages, several per second, until `taken`. */
  beginSingles(): void {
    const sending = this.sendSingles().finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  /** Resolves when every job is accepted and every single send answered; throws if a job was not accepted. */
  async taken(): Promise<void> {
    this.ended = true;
    while (this.sending.size > 0) await Promise.all(this.sending);
    if (this.failure) throw this.failure;
  }

  /** The client library retries until the job is accepted, and still creates only one. */
  private async sendJob(kind: 'list' | 'group', account: number): Promise<void> {
    const key = this.keys[account]!;
    const group = this.groups.get(key)!;
    const numbers = kind === 'list' ? this.numbers() : group.numbers;
    const messaging = this.client().messaging(key, { retries: Infinity, maxWaitMs: PATIENCE_MS });
    const { jobId } =
      kind === 'list'
        ? await messaging.importFile({ file: new File([listOf(numbers).content], 'list.csv'), templateName })
        : await messaging.sendToGroup({ groupId: group.groupId, templateName });
    this.jobs.push({ jobId, key, numbers });
  }

  private async sendSingles(): Promise<void> {
    const open = new Set<Promise<void>>();
    while (!this.ended) {
      const sending = this.sendSingle().finally(() => open.delete(sending));
      open.add(sending);
      await pause(SINGLE_EVERY_MS);
    }
    await Promise.all(open);
  }

  private async sendSingle(): Promise<void> {
    const to = phone(this.nextNumber++);
    const key = this.keys[this.singles.length % this.keys.length]!;
    const single: SentSingle = { to, status: null, messageId: null, ms: 0 };
    this.singles.push(single);
    const begun = performance.now();
    try {
      const { status, body } = await this.client().post('/send-template', { to, templateName }, { key });
      Object.assign(single, { status, messageId: (body.messageId as string | undefined) ?? null });
    } catch {
      // The API died or is down: the outcome is unknown, and the client does not retry.
    }
    single.ms = performance.now() - begun;
  }
}
