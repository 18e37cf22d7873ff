import type { FilledComponent } from '../../src/modules/templates/domain/filled-template';
import type { MessageRow, RecipientRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase, LinkRow, OptOutRow } from './history-database';
import { PromiseBroken } from './promise-broken';
import type { Flight } from './simulated-platform';

/** Longest time from a claim's opt-out check until its messages are sent. */
const CLAIM_MS = 8000;

/** Checks the promises about recipients with extras, and about people with a number and a user id. */
export class PersonChecks {
  /** Time of the opt-out by `<account> <number or user id>`. */
  private readonly optedOut = new Map<string, number>();
  /** The other identity by `<account> <number or user id>`, and since when it is known. */
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

  /** The database was restored: reads opt-outs and identities again. */
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
    if (this.server.scheduler.now - since > CLAIM_MS && !life.wasFrozenSince(since))
      throw new PromiseBroken('nothing is sent to opted-out people', `${callbackData} to ${to}`);
  }

  /** The platform named a person by both identities; a process received it at `begunAt` and has stored it. */
  named(accountId: string, { phone, userId }: { phone: string; userId: string }, begunAt: number): void {
    if (this.tierWindowMs === null) return;
    const { conversations, links } = this.server;
    // A restore may have removed the link.
    if (!links.row(`${accountId} ${userId}`).committed) return;
    const after = Math.max(this.server.scheduler.now - this.tierWindowMs, this.server.backup?.restoredAt ?? -Infinity);
    const counted = conversations.row(`${this.portfolioOf(accountId)} ${userId}`).committed;
    if (!counted || counted.at <= after || counted.at >= begunAt) return;
    throw new PromiseBroken('the messaging tier counts a person once', `${userId} is ${phone}`);
  }

  /** The message history has the content of each recipient. */
  end(): void {
    for (const message of this.server.messages.committed() as Iterable<MessageRow>) {
      if (message.jobId === null || message.type !== 'Template') continue;
      const job = this.server.jobs.row(message.jobId).committed!;
      const row = this.server.recipientsOf(message.jobId).find(({ committed }) => committed!.messageId === message.id);
      const recipient = row?.committed;
      if (!recipient || recipient.phone === '') continue;
      const actual = [message.parameters, message.reference, linkOf(message.extras), message.extras?.payloads];
      const { extras, parameters, reference } = recipient;
      const link = linkOf(extras) ?? linkOf(job.headerMedia);
      if (textOf(actual) === textOf([parameters, reference ?? job.reference, link, extras?.payloads])) continue;
      throw new PromiseBroken('recorded messages match their recipients', `${message.id}: ${textOf(actual)}`);
    }
  }

  /** The request has exactly the data of its recipient. */
  private isOwn({ callbackData, content, to }: Flight, jobId: string, position: number): void {
    const row = this.server.recipientsOf(jobId)[position - 1]!.committed!;
    // An erased row was claimed before its erasure.
    if (row.phone === '' || content.kind !== 'template') return;
    const actual = textOf([to, content.template.components]);
    const job = this.server.jobs.row(jobId).committed!;
    const own = textOf([row.phone, componentsOf(row, linkOf(row.extras) ?? linkOf(job.headerMedia))]);
    if (actual !== own) throw new PromiseBroken('requests match their recipients', `${callbackData}: ${actual}`);
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
