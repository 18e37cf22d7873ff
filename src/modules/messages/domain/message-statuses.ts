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

/** How far back a message is searched by platform id: the platform reports statuses for up to 30 days. */
const LOOKBACK_MS = 35 * 86_400_000;

/** Applies message statuses reported by the platform. */
@Injectable()
export class MessageStatuses {
  constructor(
    private readonly store: StatusStore,
    private readonly clock: Clock,
  ) {}

  /** The messages that updates reference by callback data, in their current state. */
  async referenced(updates: readonly StatusUpdate[]): Promise<ReferencedMessages> {
    const ids = new Set(updates.map(messageIdOf).filter((id) => id !== null));
    const found = ids.size > 0 ? await this.store.byIds([...ids]) : [];
    return new Map(found.map((message) => [message.id, message]));
  }

  /**
   * Applies updates to messages recorded as accepted, in the surrounding unit of work; returns the changes and the
   * number of updates that match no message.
   */
  async apply(
    updates: readonly StatusUpdate[],
    referenced: ReferencedMessages,
  ): Promise<{ changes: StatusChange[]; unmatched: number }> {
    // `sent` reports only acceptance, which is recorded elsewhere.
    const beyondAcceptance = updates.filter(({ status }) => status !== 'sent');
    const { byMessage, unmatched } = await this.matched(beyondAcceptance, referenced);
    return { changes: await this.change(byMessage), unmatched };
  }

  /** Finds the message of each update by callback data, else by platform id. */
  private async matched(updates: readonly StatusUpdate[], referenced: ReferencedMessages): Promise<Matches> {
    const byMessage: Matches['byMessage'] = new Map();
    const match = (update: StatusUpdate, message: ReportedMessage | undefined): boolean => {
      if (message?.accountId !== update.accountId) return false;
      const known = byMessage.get(message.id);
      if (known) known.updates.push(update);
      else byMessage.set(message.id, { message, updates: [update] });
      return true;
    };
    const rest = updates.filter((update) => !match(update, referenced.get(messageIdOf(update) ?? '')));
    if (rest.length === 0) return { byMessage, unmatched: 0 };

    const since = new Date(this.clock.now().getTime() - LOOKBACK_MS);
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
    // Most statuses are repetitions: locks only messages that seem to change, and reads them again.
    const changing = [...byMessage.values()].filter(({ message, updates }) => afterAll(message, updates) !== message);
    if (changing.length === 0) return [];
    const changes: StatusChange[] = [];
    const changed: ReportedChange[] = [];
    for (const before of await this.store.lock(changing.map(({ message }) => message.id))) {
      const updates = byMessage.get(before.id)?.updates ?? [];
      const after = afterAll(before, updates);
      if (after === before) continue;
      changed.push({ before: before.status, message: after, events: eventsOf(before, after) });
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
export type ReferencedMessages = ReadonlyMap<string, ReportedMessage>;

/**
 * Whether the acceptance that an update proves is recorded. The same transaction records the outcome of the recipient
 * or single send.
 */
export function isAccepted(update: StatusUpdate, referenced: ReferencedMessages): boolean {
  const message = referenced.get(messageIdOf(update) ?? '');
  return message !== undefined && message.sentAt !== null && message.accountId === update.accountId;
}

interface Matches {
  byMessage: Map<string, { message: ReportedMessage; updates: StatusUpdate[] }>;
  unmatched: number;
}

function afterAll(message: ReportedMessage, updates: readonly StatusUpdate[]): ReportedMessage {
  return updates.reduce((state, update) => reported(state, update) ?? state, message);
}

/** Callback data starts with the message id. */
function messageIdOf({ callbackData }: StatusUpdate): string | null {
  const id = callbackData?.split('.', 1)[0]?.toLowerCase();
  return id !== undefined && isUuid(id) ? id : null;
}

function keyOf(accountId: string, platformMessageId: string | null): string {
  return `${accountId} ${platformMessageId ?? ''}`;
}
