import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { isUuid } from '../../../kernel/uuid';
import { StatusStore } from './status-store.port';
import {
  eventsOf,
  reported,
  type ReportedChange,
  type ReportedMessage,
  type StatusChange,
  type StatusUpdate,
} from './status-update';

/** How far back a message is searched by the platform's id: the platform reports up to 30 days later. */
const LOOK_BACK_MS = 35 * 86_400_000;

/** The statuses that the platform reports of messages. */
@Injectable()
export class MessageStatuses {
  constructor(
    private readonly store: StatusStore,
    private readonly clock: Clock,
  ) {}

  /** The messages that updates name by their callback data, as they are recorded now. */
  async named(updates: readonly StatusUpdate[]): Promise<NamedMessages> {
    const ids = new Set(updates.map(messageIdOf).filter((id) => id !== null));
    const found = ids.size > 0 ? await this.store.byIds([...ids]) : [];
    return new Map(found.map((message) => [message.id, message]));
  }

  /**
   * Applies updates to messages that are recorded as accepted, in the surrounding unit of work; returns what changed, and
   * how many updates match no message.
   */
  async apply(
    updates: readonly StatusUpdate[],
    named: NamedMessages,
  ): Promise<{ changes: StatusChange[]; unmatched: number }> {
    // `sent` says only that the message was accepted.
    const beyondAcceptance = updates.filter(({ status }) => status !== 'sent');
    const { byMessage, unmatched } = await this.matched(beyondAcceptance, named);
    return { changes: await this.change(byMessage), unmatched };
  }

  /** Finds the message of each update: by the callback data, else by the platform's id. */
  private async matched(updates: readonly StatusUpdate[], named: NamedMessages): Promise<Matches> {
    const byMessage: Matches['byMessage'] = new Map();
    const match = (update: StatusUpdate, message: ReportedMessage | undefined): boolean => {
      if (message?.accountId !== update.accountId) return false;
      const known = byMessage.get(message.id);
      if (known) known.updates.push(update);
      else byMessage.set(message.id, { message, updates: [update] });
      return true;
    };
    const rest = updates.filter((update) => !match(update, named.get(messageIdOf(update) ?? '')));
    if (rest.length === 0) return { byMessage, unmatched: 0 };

    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    const platformIds = [...new Set(rest.map((update) => update.platformMessageId))];
    const sameId = new Map<string, ReportedMessage>();
    for (const message of await this.store.byPlatformIds(platformIds, since)) {
      sameId.set(keyOf(message.accountId, message.platformMessageId), message);
    }
    const unmatched = rest.filter(
      (update) => !match(update, sameId.get(keyOf(update.accountId, update.platformMessageId))),
    );
    return { byMessage, unmatched: unmatched.length };
  }

  private async change(byMessage: Matches['byMessage']): Promise<StatusChange[]> {
    // Most statuses repeat what is known: only messages that seem to change are locked, and then read again.
    const changing = [...byMessage.values()].filter(({ message, updates }) => afterAll(message, updates) !== message);
    if (changing.length === 0) return [];
    const changes: StatusChange[] = [];
    const changed: ReportedChange[] = [];
    for (const before of await this.store.lock(changing.map(({ message }) => message.id))) {
      const updates = byMessage.get(before.id)?.updates ?? [];
      const after = afterAll(before, updates);
      if (after === before) continue;
      changed.push({ message: after, events: eventsOf(before, after) });
      if (after.status === before.status) continue;
      const { id: messageId, accountId, jobId } = before;
      const problem = after.status === 'Undelivered' ? after.problem : null;
      const scope = problem && (updates.find(({ status }) => status === 'failed')?.scope ?? null);
      const at = after.failedAt ?? this.clock.now();
      changes.push({ messageId, accountId, jobId, before: before.status, after: after.status, problem, scope, at });
    }
    if (changed.length > 0) await this.store.save(changed);
    return changes;
  }
}

/** Messages by their ids. */
export type NamedMessages = ReadonlyMap<string, ReportedMessage>;

/**
 * Whether the acceptance that an update proves is recorded. Then so is the outcome of its recipient or single send: the
 * transaction that records an answer writes both.
 */
export function isAccepted(update: StatusUpdate, named: NamedMessages): boolean {
  const message = named.get(messageIdOf(update) ?? '');
  return message !== undefined && message.sentAt !== null && message.accountId === update.accountId;
}

interface Matches {
  byMessage: Map<string, { message: ReportedMessage; updates: StatusUpdate[] }>;
  unmatched: number;
}

function afterAll(message: ReportedMessage, updates: readonly StatusUpdate[]): ReportedMessage {
  return updates.reduce((state, update) => reported(state, update) ?? state, message);
}

/** Callback data begins with the id of the message. */
function messageIdOf({ callbackData }: StatusUpdate): string | null {
  const id = callbackData?.split('.', 1)[0]?.toLowerCase();
  return id !== undefined && isUuid(id) ? id : null;
}

function keyOf(accountId: string, platformMessageId: string | null): string {
  return `${accountId} ${platformMessageId ?? ''}`;
}
