import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { isUuid } from '../../../kernel/uuid';
import { StatusStore } from './status-store.port';
import { reported, type ReportedMessage, type StatusChange, type StatusUpdate } from './status-update';

/** How far back a message is looked for by the platform's id: the platform reports up to 30 days later. */
const LOOK_BACK_MS = 35 * 86_400_000;

/** What the platform reports of accepted messages, and everybody who has to know, in one unit of work. */
@Injectable()
export class PlatformStatuses {
  private readonly proofHandlers: ((updates: readonly StatusUpdate[]) => Promise<void>)[] = [];
  private readonly changeHandlers: ((changes: readonly StatusChange[]) => Promise<void>)[] = [];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: StatusStore,
    private readonly clock: Clock,
  ) {}

  /** Calls `handler` with every batch before it changes messages: each update proves that its message was accepted. */
  onProofs(handler: (updates: readonly StatusUpdate[]) => Promise<void>): void {
    this.proofHandlers.push(handler);
  }

  /** Calls `handler` with the messages whose status a batch has changed. */
  onChanges(handler: (changes: readonly StatusChange[]) => Promise<void>): void {
    this.changeHandlers.push(handler);
  }

  /** Applies updates, those of the handlers included, or none; how many of them belong to no message of ours. */
  apply(updates: readonly StatusUpdate[]): Promise<{ unmatched: number }> {
    return this.unitOfWork.run(async () => {
      for (const handler of this.proofHandlers) await handler(updates);
      // `sent` says nothing but that the message was accepted.
      const beyondProof = updates.filter(({ status }) => status !== 'sent');
      const { byMessage, unmatched } = await this.matched(beyondProof);
      const changes = await this.change(byMessage);
      if (changes.length > 0) for (const handler of this.changeHandlers) await handler(changes);
      return { unmatched };
    });
  }

  /** Finds the message of each update: by what came back with it, else by the platform's id. */
  private async matched(updates: readonly StatusUpdate[]): Promise<Matches> {
    const byMessage: Matches['byMessage'] = new Map();
    const match = (update: StatusUpdate, message: ReportedMessage | undefined): boolean => {
      if (message?.accountId !== update.accountId) return false;
      const known = byMessage.get(message.id);
      if (known) known.updates.push(update);
      else byMessage.set(message.id, { message, updates: [update] });
      return true;
    };
    const ids = new Set(updates.map(messageIdOf).filter((id) => id !== null));
    const found = ids.size > 0 ? await this.store.byIds([...ids]) : [];
    const byId = new Map(found.map((message) => [message.id, message]));
    const rest = updates.filter((update) => !match(update, byId.get(messageIdOf(update) ?? '')));
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
    // Most reports say what is known: only messages that seem to change are locked, and then looked at again.
    const changing = [...byMessage.values()].filter(({ message, updates }) => afterAll(message, updates) !== message);
    if (changing.length === 0) return [];
    const changes: StatusChange[] = [];
    const changed: ReportedMessage[] = [];
    for (const before of await this.store.lock(changing.map(({ message }) => message.id))) {
      const updates = byMessage.get(before.id)?.updates ?? [];
      const after = afterAll(before, updates);
      if (after === before) continue;
      changed.push(after);
      if (after.status === before.status) continue;
      const { id: messageId, accountId, jobId } = before;
      const problem = after.status === 'Failed' ? after.problem : null;
      const stop = updates.some(({ stopsJob }) => stopsJob) ? problem : null;
      const at = after.failedAt ?? this.clock.now();
      changes.push({ messageId, accountId, jobId, before: before.status, after: after.status, problem, stop, at });
    }
    if (changed.length > 0) await this.store.save(changed);
    return changes;
  }
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
