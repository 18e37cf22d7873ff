import type { Change, MessageState, OutboxRow } from './history-database';
import { PromiseBroken } from './promise-broken';

/** Whether a message is in the state that an event of this type tells of. */
const IS_SO: Readonly<Record<string, (message: MessageState) => boolean>> = {
  'message.sent': ({ sentAt }) => sentAt !== null,
  'message.delivered': ({ deliveredAt }) => deliveredAt !== null,
  'message.read': ({ readAt }) => readAt !== null,
  'message.undelivered': ({ status }) => status === 'Undelivered',
  'message.failed': ({ status }) => status === 'Failed' || status === 'Cancelled',
};

/** The events of a commit are those of the messages that it changed, every one of them and no other. */
export function checkEvents(changes: readonly Change[]): void {
  const told = new Set<string>();
  const messages = new Map<string, MessageState>();
  for (const { row, after } of changes) {
    if (row.table === 'messages') messages.set((after as MessageState).id, after as MessageState);
    if (row.table !== 'webhook_outbox') continue;
    for (const line of (after as OutboxRow).payload.split('\n')) {
      const { type, data } = JSON.parse(line) as { type: string; data: { messageId: string } };
      told.add(`${type} ${data.messageId}`);
    }
  }
  for (const event of told) {
    if (!messages.has(event.split(' ')[1]!)) throw new PromiseBroken('an event comes with its change', event);
  }
  for (const { row, before, after } of changes) {
    if (row.table !== 'messages') continue;
    for (const event of expectedOf(before as MessageState | null, after as MessageState)) {
      if (!told.has(event)) throw new PromiseBroken('no event is lost', event);
    }
  }
}

function expectedOf(before: MessageState | null, after: MessageState): string[] {
  return Object.entries(IS_SO).flatMap(([type, isSo]) => {
    const isNew = isSo(after) && !(before && isSo(before));
    return isNew ? [`${type} ${after.id}`] : [];
  });
}
