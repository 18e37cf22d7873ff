import type { Change, MessageState, OutboxRow } from './history-database';
import { PromiseBroken } from './promise-broken';

/** By event type: whether a message is in the state that the event reports. */
const IS_IN_STATE: Readonly<Record<string, (message: MessageState) => boolean>> = {
  'message.sent': ({ sentAt }) => sentAt !== null,
  'message.delivered': ({ deliveredAt }) => deliveredAt !== null,
  'message.read': ({ readAt }) => readAt !== null,
  'message.undelivered': ({ status }) => status === 'Undelivered',
  'message.failed': ({ status }) => status === 'Failed' || status === 'Cancelled',
};

/** The events of a commit are exactly those of the messages that it changed. */
export function checkEvents(changes: readonly Change[]): void {
  const written = new Set<string>();
  const messages = new Map<string, MessageState>();
  for (const { row, after } of changes) {
    if (row.table === 'messages') messages.set((after as MessageState).id, after as MessageState);
    if (row.table !== 'webhook_outbox') continue;
    for (const line of (after as OutboxRow).payload.split('\n')) {
      const { type, data } = JSON.parse(line) as { type: string; data: { messageId: string } };
      written.add(`${type} ${data.messageId}`);
    }
  }
  for (const event of written) {
    if (!messages.has(event.split(' ')[1]!)) throw new PromiseBroken('events are committed with their change', event);
  }
  for (const { row, before, after } of changes) {
    if (row.table !== 'messages') continue;
    for (const event of expectedOf(before as MessageState | null, after as MessageState)) {
      if (!written.has(event)) throw new PromiseBroken('no event is lost', event);
    }
  }
}

function expectedOf(before: MessageState | null, after: MessageState): string[] {
  return Object.entries(IS_IN_STATE).flatMap(([type, isInState]) => {
    const isNew = isInState(after) && !(before && isInState(before));
    return isNew ? [`${type} ${after.id}`] : [];
  });
}
