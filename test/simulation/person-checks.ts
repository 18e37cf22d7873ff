import type { FilledComponent } from '../../src/modules/templates/domain/filled-template';
import type { MessageRow, RecipientRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase, LinkRow, OptOutRow } from './history-database';
import { PromiseBroken } from './promise-broken';
import type { Flight } from './simulated-platform';

/** A claim is committed, and its messages leave, so long after it looked for opt-outs, at most. */
const CLAIM_MS = 8000;

/** What is promised to recipients with extras and to people whom the platform names by number and user id. */
export class PersonChecks {
  /** Since when each of `<account> <number or user id>` has opted out. */
  private readonly optedOut = new Map<string, number>();
  /** The other identity of each of `<account> <number or user id>`, and since when it is known. */
  private readonly others = new Map<string, { key: string; since: number }>();

  constructor(
    private readonly server: HistoryDatabase,
    private readonly tierWindowMs: number | null,
    private readonly portfolioOf: (accountId: string) => string,
  ) {}

  committed(changes: readonly Change[]): void {
    for (const { row, after } of changes) {
      if (row.table === 'conversations') this.linked(after as LinkRow);
      if (row.table === 'opt_outs') this.choice(after as OptOutRow);
    }
  }

  /** The database was restored: what it has forgotten is not known any more. */
  restored(): void {
    this.optedOut.clear();
    this.others.clear();
    for (const link of this.server.links.committed()) this.linked(link);
    for (const record of this.server.optOutRecords.committed()) this.choice(record);
  }

  departed(flight: Flight): void {
    const { callbackData, life, sender, to } = flight;
    const [, , jobId, position] = callbackData.split('.');
    if (jobId !== undefined) this.isOwn(flight, jobId, Number(position));
    const other = this.others.get(`${sender.accountId} ${to}`);
    const own = this.optedOut.get(`${sender.accountId} ${to}`);
    const known = other && this.optedOut.get(`${sender.accountId} ${other.key}`);
    const since = Math.min(own ?? Infinity, known === undefined ? Infinity : Math.max(known, other!.since));
    if (this.server.scheduler.now - since > CLAIM_MS && !life.stoodStillSince(since))
      throw new PromiseBroken('nobody is written to who has opted out', `${callbackData} to ${to}`);
  }

  /** A process has taken in that the platform names a person by both, which it began to at this moment. */
  named(accountId: string, { phone, userId }: { phone: string; userId: string }, begunAt: number): void {
    if (this.tierWindowMs === null) return;
    const { conversations, links } = this.server;
    // A restore may have forgotten the link.
    if (!links.row(`${accountId} ${userId}`).committed) return;
    const after = Math.max(this.server.scheduler.now - this.tierWindowMs, this.server.backup?.restoredAt ?? -Infinity);
    const counted = conversations.row(`${this.portfolioOf(accountId)} ${userId}`).committed;
    if (!counted || counted.at <= after || counted.at >= begunAt) return;
    throw new PromiseBroken('the messaging tier counts a person once', `${userId} is ${phone}`);
  }

  /** The history holds of each message what its recipient has. */
  end(): void {
    for (const message of this.server.messages.committed() as Iterable<MessageRow>) {
      if (message.jobId === null || message.type !== 'Template') continue;
      const job = this.server.jobs.row(message.jobId).committed!;
      const row = this.server.recipientsOf(message.jobId).find(({ committed }) => committed!.messageId === message.id);
      const recipient = row?.committed;
      if (!recipient || recipient.phone === '') continue;
      const said = [message.parameters, message.reference, linkOf(message.extras), message.extras?.payloads];
      const { extras, parameters, reference } = recipient;
      const link = linkOf(extras) ?? linkOf(job.headerMedia);
      if (textOf(said) === textOf([parameters, reference ?? job.reference, link, extras?.payloads])) continue;
      throw new PromiseBroken('the history holds what was sent', `${message.id}: ${textOf(said)}`);
    }
  }

  /** The request has exactly what its recipient has. */
  private isOwn({ callbackData, content, to }: Flight, jobId: string, position: number): void {
    const row = this.server.recipientsOf(jobId)[position - 1]!.committed!;
    // What is erased was claimed before.
    if (row.phone === '' || content.kind !== 'template') return;
    const said = textOf([to, content.template.components]);
    const job = this.server.jobs.row(jobId).committed!;
    const own = textOf([row.phone, componentsOf(row, linkOf(row.extras) ?? linkOf(job.headerMedia))]);
    if (said !== own) throw new PromiseBroken('a request has what its recipient has', `${callbackData}: ${said}`);
  }

  private linked({ accountId, phone, userId }: LinkRow): void {
    const since = this.server.scheduler.now;
    this.others.set(`${accountId} ${phone}`, { key: userId, since });
    this.others.set(`${accountId} ${userId}`, { key: phone, since });
  }

  private choice({ accountId, isDeleted, person, stopped }: OptOutRow): void {
    const key = `${accountId} ${person}`;
    if (!stopped || isDeleted) this.optedOut.delete(key);
    else if (!this.optedOut.has(key)) this.optedOut.set(key, this.server.scheduler.now);
  }
}

function componentsOf({ extras, parameters }: RecipientRow, link: string | undefined): FilledComponent[] {
  const payload = extras?.payloads?.['0'];
  return [
    { part: 'header', parameters: [{ kind: 'media', mediaType: 'image', media: { link } }] },
    { part: 'body', parameters: parameters.map((text) => ({ kind: 'text', text })) },
    ...(payload === undefined
      ? []
      : [
          {
            part: 'button' as const,
            index: 0,
            action: 'quickReply' as const,
            parameters: [{ kind: 'payload' as const, payload }],
          },
        ]),
  ];
}

function linkOf(extras: { link?: string } | null | undefined): string | undefined {
  return extras?.link;
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
